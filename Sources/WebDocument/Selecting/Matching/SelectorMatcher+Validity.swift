import CLibXML2

/// Constraint validation as far as a static page determines it; `pattern` is ignored.
///
/// <https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constraints>
extension SelectorMatcher {
    /// Whether an element satisfies its constraints; nil if validation does not apply to it.
    mutating func validity(_ element: TreeNode) -> Bool? {
        if element.hasName("form") || element.hasName("fieldset") { return groupValidity(element) }
        guard isCandidate(element) else { return nil }
        return !isMissing(element) && hasProperForm(element) && rangeVerdict(element) != false
            && !misses(stepOf: element)
    }

    /// Whether no control of a form or fieldset is invalid.
    private mutating func groupValidity(_ group: TreeNode) -> Bool {
        let isForm = group.hasName("form")
        // Controls may name a form from anywhere.
        let root = isForm ? document.node : group
        var current = root.firstElement
        while let element = current, !isExhausted {
            steps &-= 1
            if element.isHTMLElement, isCandidate(element), !isForm || formOwner(of: element) == group,
                validity(element) == false
            {
                return false
            }
            current = element.elementAfter(in: root)
        }
        return true
    }

    private mutating func isCandidate(_ element: TreeNode) -> Bool {
        let isInput = element.hasName("input")
        if isInput {
            guard inputType(element).isCandidateForValidation else { return false }
        } else if element.hasName("button") {
            if let type = unsafe value(element, "type"),
                unsafe ASCIIText.equalIgnoringCase(type, Self.bytes("button"))
                    || ASCIIText.equalIgnoringCase(type, Self.bytes("reset"))
            {
                return false
            }
        } else if !element.hasName("select"), !element.hasName("textarea") {
            return false
        }
        if isDisabled(element) { return false }
        if has(element, "readonly"),
            element.hasName("textarea") || isInput && inputType(element).canBeReadOnly
        {
            return false
        }
        var around = element.parentElement
        while let node = around {
            if node.isHTMLElement, node.hasName("datalist") { return false }
            around = node.parentElement
        }
        return true
    }

    private mutating func isMissing(_ element: TreeNode) -> Bool {
        if element.hasName("textarea") { return has(element, "required") && element.childTextContent.isEmpty }
        if element.hasName("select") { return has(element, "required") && !hasChoice(element) }
        guard element.hasName("input") else { return false }
        let type = inputType(element)
        switch type {
        case .checkbox: return has(element, "required") && !has(element, "checked")
        case .file: return has(element, "required")
        case .radio: return isRadioMissing(element)
        case _ where type.canBeRequired:
            guard has(element, "required") else { return false }
            guard let text = unsafe value(element, "value"), unsafe text[0] != 0 else { return true }
            // A text that is not a number or a time counts as no value.
            return type.isNumeric && InputValue(unsafe String(cString: text), type) == nil
        default: return false
        }
    }

    /// Whether a button of the group has to be checked, and none is.
    private mutating func isRadioMissing(_ element: TreeNode) -> Bool {
        guard let group = radioGroup(of: element) else {
            return has(element, "required") && !has(element, "checked")
        }
        guard checkedRadios()[group] == nil else { return false }
        var current = document.node.firstElement
        while let other = current, !isExhausted {
            steps &-= 1
            if other.isHTMLElement, other.hasName("input"), has(other, "required"),
                inputType(other) == .radio,
                radioGroup(of: other) == group
            {
                return true
            }
            current = other.elementAfter(in: document.node)
        }
        return false
    }

    /// Whether an option is selected other than the placeholder, which is the first child, with an empty
    /// value.
    private mutating func hasChoice(_ select: TreeNode) -> Bool {
        let hasPlaceholder = !has(select, "multiple")
        var isFirst = true
        var current = select.firstElement
        while let option = current, !isExhausted {
            steps &-= 1
            if option.isHTMLElement, option.hasName("option") {
                let isPlaceholder =
                    hasPlaceholder && isFirst && option.parent == select && optionValueIsEmpty(option)
                isFirst = false
                if !isPlaceholder, matches(option, .checked) { return true }
            }
            current = option.elementAfter(in: select)
        }
        return false
    }

    private mutating func optionValueIsEmpty(_ option: TreeNode) -> Bool {
        if let value = unsafe value(option, "value") { return unsafe value[0] == 0 }
        return option.textContent.collapsingASCIIWhitespace.isEmpty
    }

    /// Whether an e-mail address or a URL has a valid form.
    private mutating func hasProperForm(_ element: TreeNode) -> Bool {
        guard element.hasName("input") else { return true }
        let type = inputType(element)
        guard type == .email || type == .url, let value = unsafe value(element, "value") else { return true }
        let text = unsafe String(cString: value).filter { $0 != "\n" && $0 != "\r" }.collapsingASCIIWhitespace
        guard !text.isEmpty else { return true }
        if type == .url { return (try? WebURL(text)) != nil }
        guard has(element, "multiple") else { return Self.isEmailAddress(text) }
        return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
            Self.isEmailAddress(String($0).collapsingASCIIWhitespace)
        }
    }

    /// Whether a text is a valid e-mail address.
    ///
    /// <https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address>
    static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let isLocal = parts[0].allSatisfy { byte in
            byte.isASCIIAlphanumeric || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
        }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return isLocal
            && labels.allSatisfy { label in
                guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
                return first.isASCIIAlphanumeric && last.isASCIIAlphanumeric
                    && label.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
            }
    }

    // MARK: - Ranges

    /// Whether a control with limits is within them; nil for one without.
    mutating func rangeVerdict(_ element: TreeNode) -> Bool? {
        guard element.hasName("input"), isCandidate(element) else { return nil }
        let type = inputType(element)
        // A slider cannot be moved out of its range.
        if type == .range { return true }
        guard type.isNumeric else { return nil }
        let least = inputValue(element, "min", type)
        let most = inputValue(element, "max", type)
        guard least != nil || most != nil else { return nil }
        guard let value = inputValue(element, "value", type) else { return true }
        if type == .time, let least, let most, most.number < least.number {
            return value.number >= least.number || value.number <= most.number
        }
        return (least.map { value.number >= $0.number } ?? true)
            && (most.map { value.number <= $0.number } ?? true)
    }

    private mutating func inputValue(
        _ element: TreeNode,
        _ name: StaticString,
        _ type: InputType
    ) -> InputValue? {
        guard let text = unsafe value(element, name) else { return nil }
        return InputValue(unsafe String(cString: text), type)
    }

    private mutating func misses(stepOf element: TreeNode) -> Bool {
        guard element.hasName("input") else { return false }
        let type = inputType(element)
        guard type.isNumeric, let value = inputValue(element, "value", type),
            let base = inputValue(element, "min", type)
        else { return false }
        var step = InputValue.defaultStep(of: type)
        if let text = unsafe self.value(element, "step") {
            let text = unsafe String(cString: text)
            if text.isEqualIgnoringASCIICase(to: "any") { return false }
            if let written = InputValue(text, .number), written.number > 0 {
                step = written.number * InputValue.stepScale(of: type)
            }
        }
        let remainder = (value.number - base.number).truncatingRemainder(dividingBy: step).magnitude
        // A decimal multiple of the step is not an exact one in binary.
        return min(remainder, step - remainder) > step * 1e-7
    }
}
