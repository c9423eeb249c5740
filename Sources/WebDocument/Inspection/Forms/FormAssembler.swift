/// Makes forms from what a ``FormCollector`` has gathered: assigns controls to forms, and builds the
/// submissions.
struct FormAssembler {
    private let document: Document
    private let documentURL: WebURL
    private let encoding: TextEncoding
    private let resolver: BoundedResolver
    private let budget: InspectionBudget

    /// For how many more elements the direction of the text may be found out, which inspects all elements
    /// around them.
    private var directions = 100

    package init(
        _ document: Document,
        documentURL: WebURL,
        encoding: TextEncoding,
        resolver: BoundedResolver,
        _ budget: InspectionBudget
    ) {
        self.budget = budget
        self.document = document
        self.documentURL = documentURL
        self.encoding = encoding
        self.resolver = resolver
    }

    package mutating func forms(of collector: FormCollector) -> [Form] { assembled(collector).forms }

    /// The forms, and in which of them each control is.
    ///
    /// - Parameter collector: The forms, controls and labels of the page.
    /// - Returns: The forms, and for each of the collector's controls its form, if any, and its index among the fields
    ///   of that.
    mutating func assembled(_ collector: FormCollector) -> (forms: [Form], places: [(form: Int?, field: Int)])
    {
        var controls = collector.controls
        label(&controls, collector.labels)
        let owners = owners(of: controls, collector.forms)
        // The controls of each form, in document order.
        var members: [[Int]] = Array(repeating: [], count: collector.forms.count)
        var places: [(form: Int?, field: Int)] = []
        for (index, owner) in owners.enumerated() {
            places.append((owner, owner.map { members[$0].count } ?? 0))
            if let owner { members[owner].append(index) }
        }
        let forms = collector.forms.indices.map { index in
            form(collector.forms[index], members[index].map { controls[$0] })
        }
        return (forms, places)
    }

    // MARK: - Owners of controls

    /// Gives each control the texts of its labels.
    private func label(_ controls: inout [FormControl], _ labels: [FormCollector.Label]) {
        let elements = ElementsByID(document, wanted: labels.compactMap(\.reference))
        var numbers: [TreeNode: Int] = [:]
        if labels.contains(where: { $0.reference != nil }) {
            for (index, control) in controls.enumerated() { numbers[control.node] = index }
        }
        for label in labels {
            var control = label.control
            if let reference = label.reference {
                control = elements[reference].flatMap { numbers[$0] }
                if let number = control, controls[number].isHidden { control = nil }
            }
            guard let control, budget.spend(size: 32, text: label.text.utf8.count) else { continue }
            controls[control].labels.append(label.text)
        }
    }

    /// The index of each control's form: of the one that `form` names, or that the parser associated it with,
    /// or that is around it.
    ///
    /// [Reset the form
    /// owner](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#reset-the-form-owner)
    private func owners(of controls: [FormControl], _ forms: [TreeNode]) -> [Int?] {
        let given = document.parserFormOwners
        let elements = ElementsByID(document, wanted: controls.compactMap(\.attributes.form))
        let hasReferences = controls.contains { $0.attributes.form != nil }
        guard hasReferences || !given.isEmpty else { return controls.map(\.enclosingForm) }
        var numbers: [TreeNode: Int] = [:]
        for (index, form) in forms.enumerated() { numbers[form] = index }
        var owners: [TreeNode: TreeNode] = [:]
        for (control, form) in given { owners[control] = form }
        return controls.map { control in
            if let reference = control.attributes.form, !control.isInShadow {
                return elements[reference].flatMap { numbers[$0] }
            }
            if let owner = owners[control.node] { return numbers[owner] }
            return control.enclosingForm
        }
    }

    // MARK: - A form

    private mutating func form(_ node: TreeNode, _ controls: [FormControl]) -> Form {
        let reference = node.attribute("action")
        let acceptCharset = node.attribute("accept-charset")
        var form = Form(
            name: node.attribute("name"),
            id: node.attribute("id"),
            reference: reference,
            action: action(reference),
            method: Form.Method(node.attribute("method")) ?? .get,
            encodingType: Form.EncodingType(node.attribute("enctype")) ?? .urlEncoded,
            target: node.attribute("target"),
            acceptCharset: acceptCharset,
            encoding: submissionEncoding(acceptCharset).name,
            isNotValidated: node.hasAttribute("novalidate"),
            autocomplete: node.attribute("autocomplete"),
            position: node.sourcePosition
        )
        form.fields = controls.map { control in
            var field = control.field
            if field.isSubmitButton { field.override = override(control) }
            field.isRightToLeft = isRightToLeft(control)
            return field
        }
        uncheck(&form.fields)
        form.submission = form.submission(by: form.defaultButton)
        return form
    }

    /// The URL that a form is sent to: the document's, where `action` is missing or empty.
    private func action(_ reference: String?) -> WebURL? {
        guard let reference, !reference.isEmpty else { return resolver.resolve(documentURL.href) }
        return resolver.resolve(reference)
    }

    /// Unchecks all radio buttons of a name but the last one that is checked.
    private func uncheck(_ fields: inout [FormField]) {
        var checked: [String: Int] = [:]
        for (index, field) in fields.enumerated() where field.type == "radio" && field.isChecked == true {
            guard let name = field.name, !name.isEmpty else { continue }
            if let before = checked.updateValue(index, forKey: name) { fields[before].isChecked = false }
        }
    }

    /// Returns the changes that a button makes to its form's submission; `nil` if it makes none.
    private func override(_ control: FormControl) -> FormOverride? {
        let attributes = control.attributes
        guard
            attributes.formAction != nil || attributes.formMethod != nil || attributes.isNotValidated
                || attributes.formEncodingType != nil || attributes.formTarget != nil
        else { return nil }
        return FormOverride(
            reference: attributes.formAction,
            action: attributes.formAction.flatMap(action),
            method: Form.Method(attributes.formMethod),
            encodingType: Form.EncodingType(attributes.formEncodingType),
            target: attributes.formTarget,
            isNotValidated: attributes.isNotValidated
        )
    }

    /// [Picking an encoding for the
    /// form](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#picking-an-encoding-for-the-form).
    private func submissionEncoding(_ acceptCharset: String?) -> TextEncoding {
        // Commas separate labels too, as in Chromium.
        let labels = (acceptCharset ?? "").utf8.split { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
        for label in labels {
            if let encoding = TextEncoding(label: String(Substring(label))) { return encoding.outputEncoding }
        }
        // Where no label is known, the standard has UTF-8, and Chromium this: docs/decisions/0038.
        return encoding.outputEncoding
    }

    /// Whether the text of a control that sends its direction goes from right to left; nil where the text says so.
    private mutating func isRightToLeft(_ control: FormControl) -> Bool? {
        guard let name = control.attributes.directionName, !name.isEmpty else { return false }
        if control.attributes.direction?.isEqualIgnoringASCIICase(to: "auto") == true { return nil }
        guard directions > 0 else { return false }
        directions -= 1
        // Where matching takes too many steps, the direction is taken to be left to right.
        return (try? Node(control.node, in: document).matches(":dir(rtl)")) ?? false
    }
}

extension FormControl {
    fileprivate var isHidden: Bool {
        node.hasName("input") && attributes.type?.isEqualIgnoringASCIICase(to: "hidden") ?? false
    }

    /// The control as a field.
    fileprivate var field: FormField {
        if node.hasName("input") {
            let type = InputType(rawValue: String(asciiLowercasing: (attributes.type ?? "").utf8)) ?? .text
            let isCheckable = type == .checkbox || type == .radio
            return field(
                "input",
                type.rawValue,
                value: FormValue.value(
                    attributes.value,
                    type,
                    attributes.constraints,
                    isMultiple: attributes.isMultiple
                ),
                isChecked: isCheckable ? attributes.isChecked : nil,
                isRequired: attributes.isRequired && type.canBeRequired,
                isReadOnly: attributes.isReadOnly && type.canBeReadOnly,
                isMultiple: attributes.isMultiple && (type == .email || type == .file)
            )
        }
        if node.hasName("textarea") {
            return field(
                "textarea",
                "textarea",
                value: node.childTextContent,
                isRequired: attributes.isRequired,
                isReadOnly: attributes.isReadOnly
            )
        }
        if node.hasName("button") {
            let type = attributes.type ?? ""
            let isReset = type.isEqualIgnoringASCIICase(to: "reset")
            let isPlain = type.isEqualIgnoringASCIICase(to: "button")
            // One that does something else on the page sends nothing unless it says so, nor does that of a select.
            let isCommand =
                !type.isEqualIgnoringASCIICase(to: "submit")
                && (node.hasAttribute("command") || node.hasAttribute("commandfor"))
            let isNone = isPlain || isCommand || isInSelect
            return field("button", isReset ? "reset" : isNone ? "button" : "submit", value: attributes.value)
        }
        var select = field(
            "select",
            attributes.isMultiple ? "select-multiple" : "select-one",
            value: nil,
            isRequired: attributes.isRequired,
            isMultiple: attributes.isMultiple
        )
        select.options = attributes.isMultiple ? options : singleSelection
        select.isDropDown = !attributes.isMultiple && displaySize == 1
        select.optionGroups = optionGroups
        return select
    }

    private func field(
        _ element: String,
        _ type: String,
        value: String?,
        isChecked: Bool? = nil,
        isRequired: Bool = false,
        isReadOnly: Bool = false,
        isMultiple: Bool = false
    ) -> FormField {
        FormField(
            element: element,
            type: type,
            name: attributes.name,
            id: attributes.id,
            value: value,
            initialValue: value,
            isChecked: isChecked,
            isDisabled: attributes.isDisabled || isDisabledByFieldset,
            isRequired: isRequired,
            isReadOnly: isReadOnly,
            isMultiple: isMultiple,
            isSuggestion: isSuggestion,
            labels: labels,
            constraints: attributes.constraints,
            directionName: attributes.directionName,
            hasReadOnly: attributes.isReadOnly && (element == "input" || element == "textarea"),
            hardWrap: hardWrap,
            position: node.sourcePosition
        )
    }

    /// The options where at most one is selected: the last one that has `selected`, or, in a list of one line
    /// where none has it, the first one that is not disabled.
    ///
    /// [Selectedness setting
    /// algorithm](https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm)
    private var singleSelection: [FormOption] {
        var options = options
        var selected = options.lastIndex(where: \.isSelected)
        if selected == nil, displaySize == 1 { selected = options.firstIndex { !$0.isDisabled } }
        for index in options.indices { options[index].isSelected = index == selected }
        return options
    }

    /// [The cols attribute](https://html.spec.whatwg.org/multipage/form-elements.html#attr-textarea-cols).
    private var hardWrap: Int? {
        guard attributes.wrap?.isEqualIgnoringASCIICase(to: "hard") == true, node.hasName("textarea") else {
            return nil
        }
        guard let columns = node.pixels("cols"), columns > 0 else { return 20 }
        return columns
    }

    private var displaySize: Int {
        guard attributes.size != nil, let size = node.pixels("size"), size > 0 else { return 1 }
        return size
    }
}
