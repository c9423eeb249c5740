import CLibXML2

/// The pseudo-classes of form controls on a static page: nothing has been typed or clicked.
///
/// <https://html.spec.whatwg.org/multipage/semantics-other.html#pseudo-classes>
extension SelectorMatcher {
    mutating func matchesControl(_ element: TreeNode, _ pseudoClass: PseudoClass) -> Bool {
        guard element.isHTMLElement else { return pseudoClass == .readOnly }
        switch pseudoClass {
        case .disabled: return isDisabled(element)
        case .enabled: return canBeDisabled(element) && !isDisabled(element)
        case .checked: return isChecked(element)
        case .default: return isDefault(element)
        case .required: return isRequired(element)
        case .optional:
            // Buttons count, too, though they can never be required, as in Chromium and WebKit.
            let canBeOptional =
                element.hasName("input") || element.hasName("select") || element.hasName("textarea")
                || element.hasName("button")
            return canBeOptional && !isRequired(element)
        case .readWrite: return isReadWrite(element)
        case .readOnly: return !isReadWrite(element)
        case .placeholderShown: return showsPlaceholder(element)
        case .indeterminate: return isIndeterminate(element)
        case .inRange: return rangeVerdict(element) == true
        case .outOfRange: return rangeVerdict(element) == false
        case .valid: return validity(element) == true
        case .invalid: return validity(element) == false
        default: return false
        }
    }

    mutating func inputType(_ element: TreeNode) -> InputType {
        guard let value = unsafe value(element, "type") else { return .text }
        let count = unsafe TreeNode.length(value)
        guard count < 16 else { return .text }
        let name = unsafe String(asciiLowercasing: UnsafeBufferPointer(start: value, count: count))
        return InputType(rawValue: name) ?? .text
    }

    // MARK: - Disabled, required, read-only

    private func canBeDisabled(_ element: TreeNode) -> Bool {
        let names: StaticString
        switch unsafe element.nameBytes?[0] {
        case UInt8(ascii: "b"): names = "button"
        case UInt8(ascii: "i"): names = "input"
        case UInt8(ascii: "s"): names = "select"
        case UInt8(ascii: "t"): names = "textarea"
        case UInt8(ascii: "f"): names = "fieldset"
        case UInt8(ascii: "o"): return element.hasName("option") || element.hasName("optgroup")
        default: return false
        }
        return element.hasName(names)
    }

    mutating func isDisabled(_ element: TreeNode) -> Bool {
        guard canBeDisabled(element) else { return false }
        if has(element, "disabled") { return true }
        if element.hasName("optgroup") { return false }
        if element.hasName("option") {
            guard let parent = element.parentElement, parent.isHTMLElement, parent.hasName("optgroup") else {
                return false
            }
            return has(parent, "disabled")
        }
        // A disabled fieldset disables everything inside it except for the contents of its first legend.
        var inner = element
        while let around = inner.parentElement {
            if around.isHTMLElement, around.hasName("fieldset"), has(around, "disabled"),
                firstLegend(of: around) != inner
            {
                return true
            }
            inner = around
        }
        return false
    }

    private mutating func firstLegend(of fieldset: TreeNode) -> TreeNode? {
        var child = fieldset.firstElement
        while let current = child {
            steps &-= 1
            if current.isHTMLElement, current.hasName("legend") { return current }
            child = current.nextElement
        }
        return nil
    }

    private mutating func isRequired(_ element: TreeNode) -> Bool {
        if element.hasName("input") { return inputType(element).canBeRequired && has(element, "required") }
        return (element.hasName("select") || element.hasName("textarea")) && has(element, "required")
    }

    private mutating func isReadWrite(_ element: TreeNode) -> Bool {
        let isInput = element.hasName("input") && inputType(element).canBeReadOnly
        if isInput || element.hasName("textarea") {
            return !has(element, "readonly") && !isDisabled(element)
        }
        var current: TreeNode? = element
        while let node = current {
            if node.isHTMLElement, let value = unsafe value(node, "contenteditable") {
                if unsafe value[0] == 0 || ASCIIText.equalIgnoringCase(value, Self.bytes("true"))
                    || ASCIIText.equalIgnoringCase(value, Self.bytes("plaintext-only"))
                {
                    return true
                }
                if unsafe ASCIIText.equalIgnoringCase(value, Self.bytes("false")) { return false }
            }
            current = node.parentElement
        }
        return false
    }

    private mutating func showsPlaceholder(_ element: TreeNode) -> Bool {
        guard has(element, "placeholder") else { return false }
        if element.hasName("textarea") { return element.childTextContent.isEmpty }
        guard element.hasName("input"), inputType(element).hasPlaceholder else { return false }
        guard let value = unsafe value(element, "value") else { return true }
        return unsafe value[0] == 0
    }

    // MARK: - Checked

    private mutating func isChecked(_ element: TreeNode) -> Bool {
        if element.hasName("option") { return isSelected(element) }
        guard element.hasName("input"), has(element, "checked") else { return false }
        switch inputType(element) {
        case .checkbox: return true
        case .radio:
            guard let group = radioGroup(of: element) else { return true }
            return checkedRadios()[group] == element
        default: return false
        }
    }

    private mutating func isIndeterminate(_ element: TreeNode) -> Bool {
        if element.hasName("progress") { return !has(element, "value") }
        guard element.hasName("input"), inputType(element) == .radio else { return false }
        guard let group = radioGroup(of: element) else { return !has(element, "checked") }
        return checkedRadios()[group] == nil
    }

    /// The key of a group of radio buttons, of which at most one is checked.
    struct RadioGroup: Hashable {
        let form: UInt
        let name: String
    }

    /// A class, since a dictionary stored in the matcher would cost every command a lookup of its type's
    /// conformances.
    final class CheckedRadios {
        let buttons: [RadioGroup: TreeNode]

        init(_ buttons: [RadioGroup: TreeNode]) {
            self.buttons = buttons
        }
    }

    /// The group of a radio button; nil for one without a name, which is a group by itself.
    mutating func radioGroup(of element: TreeNode) -> RadioGroup? {
        guard let name = unsafe value(element, "name"), unsafe name[0] != 0 else { return nil }
        let text = unsafe String(cString: name)
        charge(text.utf8.count)
        return RadioGroup(form: formOwner(of: element)?.address ?? 0, name: text)
    }

    /// The checked button of each group: the last one with a `checked` attribute.
    mutating func checkedRadios() -> [RadioGroup: TreeNode] {
        if let known = checkedRadioTable { return known.buttons }
        var table: [RadioGroup: TreeNode] = [:]
        var current = document.node.firstElement
        while let element = current {
            steps &-= 1
            if element.isHTMLElement, element.hasName("input"), has(element, "checked"),
                inputType(element) == .radio, let group = radioGroup(of: element)
            {
                table[group] = element
            }
            current = isExhausted ? nil : element.elementAfter(in: document.node)
        }
        checkedRadioTable = CheckedRadios(table)
        return table
    }

    /// The form that the `form` attribute names, else the nearest one around the element.
    ///
    /// A form that was left empty because of a table owns nothing here: the tree does not show which controls
    /// it owns.
    mutating func formOwner(of element: TreeNode) -> TreeNode? {
        if let id = unsafe value(element, "form") {
            let form = unsafe firstElement(withID: id)
            return form.flatMap { $0.isHTMLElement && $0.hasName("form") ? $0 : nil }
        }
        var current = element.parentElement
        while let node = current, !(node.isHTMLElement && node.hasName("form")) {
            current = node.parentElement
        }
        return current
    }

    mutating func firstElement(withID id: UnsafePointer<UInt8>) -> TreeNode? {
        guard unsafe id[0] != 0 else { return nil }
        var current = document.node.firstElement
        while let element = current, !isExhausted {
            steps &-= 1
            if let own = unsafe value(element, "id"), unsafe ASCIIText.equal(own, id) { return element }
            current = element.elementAfter(in: document.node)
        }
        return nil
    }

    // MARK: - Selected

    private enum Tag {
        static var isResolved: Int32 { -1 }
        static var isChosen: Int32 { -2 }
        static var defaultButton: Int32 { -3 }
    }

    /// Whether an option is selected: where at most one can be, the last one with `selected`; without any, in
    /// a list of one line, the first one that is not disabled.
    ///
    /// <https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm>
    private mutating func isSelected(_ option: TreeNode) -> Bool {
        var around = option.parentElement
        while let node = around, !(node.isHTMLElement && node.hasName("select")) {
            around = node.parentElement
        }
        guard let select = around, !has(select, "multiple") else { return has(option, "selected") }
        if memo.value(select.address, tag: Tag.isResolved) == nil {
            var chosen: TreeNode?
            var fallback: TreeNode?
            var current = select.firstElement
            while let element = current, !isExhausted {
                steps &-= 1
                if element.isHTMLElement, element.hasName("option") {
                    if has(element, "selected") { chosen = element }
                    if fallback == nil, !isDisabled(element) { fallback = element }
                }
                current = element.elementAfter(in: select)
            }
            if chosen == nil, displaySize(of: select) == 1 { chosen = fallback }
            if let chosen { memo.set(chosen.address, tag: Tag.isChosen, to: 1) }
            memo.set(select.address, tag: Tag.isResolved, to: 1)
        }
        return memo.value(option.address, tag: Tag.isChosen) == 1
    }

    private mutating func displaySize(of select: TreeNode) -> Int {
        guard let size = unsafe value(select, "size") else { return 1 }
        var index = 0
        while unsafe size[index].isASCIIWhitespace { index += 1 }
        if unsafe size[index] == UInt8(ascii: "+") { index += 1 }
        var value = 0
        while unsafe size[index].isASCIIDigit {
            unsafe value.appendDigit(size[index])
            index += 1
        }
        return value > 0 ? value : 1
    }

    // MARK: - Default

    private mutating func isDefault(_ element: TreeNode) -> Bool {
        if element.hasName("option") { return has(element, "selected") }
        if element.hasName("input") {
            let type = inputType(element)
            if type == .checkbox || type == .radio { return has(element, "checked") }
        }
        guard isSubmitButton(element), let form = formOwner(of: element) else { return false }
        if memo.value(form.address, 1, tag: Tag.defaultButton) == nil {
            var current = document.node.firstElement
            while let other = current, !isExhausted {
                steps &-= 1
                if other.isHTMLElement, isSubmitButton(other), formOwner(of: other) == form {
                    memo.set(other.address, tag: Tag.defaultButton, to: 1)
                    break
                }
                current = other.elementAfter(in: document.node)
            }
            memo.set(form.address, 1, tag: Tag.defaultButton, to: 1)
        }
        return memo.value(element.address, tag: Tag.defaultButton) == 1
    }

    private mutating func isSubmitButton(_ element: TreeNode) -> Bool {
        if element.hasName("input") {
            let type = inputType(element)
            return type == .submit || type == .image
        }
        guard element.hasName("button") else { return false }
        guard let type = unsafe value(element, "type") else { return true }
        return unsafe !ASCIIText.equalIgnoringCase(type, Self.bytes("button"))
            && !ASCIIText.equalIgnoringCase(type, Self.bytes("reset"))
    }
}
