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

    package mutating func forms(of collector: FormCollector) -> [Form] {
        var controls = collector.controls
        label(&controls, collector.labels)
        let owners = owners(of: controls, collector.forms)
        // The controls of each form, in document order.
        var members: [[Int]] = Array(repeating: [], count: collector.forms.count)
        for (index, owner) in owners.enumerated() {
            if let owner { members[owner].append(index) }
        }
        return collector.forms.indices.map { index in
            form(collector.forms[index], members[index].map { controls[$0] })
        }
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
        var form = Form(
            name: node.attribute("name"),
            id: node.attribute("id"),
            reference: reference,
            action: action(reference),
            method: Form.Method(node.attribute("method")) ?? .get,
            encodingType: Form.EncodingType(node.attribute("enctype")) ?? .urlEncoded,
            target: node.attribute("target"),
            acceptCharset: node.attribute("accept-charset"),
            isNotValidated: node.hasAttribute("novalidate"),
            autocomplete: node.attribute("autocomplete"),
            position: node.sourcePosition
        )
        form.fields = controls.map { $0.field }
        uncheck(&form.fields)
        form.submission = submission(of: form, controls)
        return form
    }

    /// The URL that a form is sent to: the document's, where `action` is missing or empty.
    private mutating func action(_ reference: String?) -> WebURL? {
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

    // MARK: - Submissions

    private mutating func submission(of form: Form, _ controls: [FormControl]) -> FormSubmission? {
        var submitter = form.fields.firstIndex { $0.isSubmitButton }
        if let index = submitter, form.fields[index].isDisabled { submitter = nil }
        let button = submitter.map { controls[$0].attributes }
        let method = Form.Method(button?.formMethod) ?? form.method
        var action = form.action
        if let reference = button?.formAction { action = self.action(reference) }
        guard method != .dialog, let action else { return nil }
        let encoding = submissionEncoding(form)
        var builder = EntryListBuilder(encoding: encoding, submitter: submitter)
        for (index, field) in form.fields.enumerated() {
            let isRightToLeft = isRightToLeft(controls[index])
            builder.add(field, at: index, controls[index].attributes.directionName, isRightToLeft)
        }
        return FormSubmission(
            submitter: submitter,
            url: method == .get ? builder.url(for: action) : action,
            method: method,
            encodingType: Form.EncodingType(button?.formEncodingType) ?? form.encodingType,
            encoding: encoding.name,
            target: button?.formTarget ?? form.target,
            entries: builder.entries
        )
    }

    /// [Picking an encoding for the
    /// form](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#picking-an-encoding-for-the-form).
    private func submissionEncoding(_ form: Form) -> TextEncoding {
        guard let labels = form.acceptCharset else { return encoding.outputEncoding }
        for label in labels.utf8.split(whereSeparator: \.isASCIIWhitespace) {
            if let encoding = TextEncoding(label: String(Substring(label))) { return encoding.outputEncoding }
        }
        return .utf8
    }

    /// Whether the text of a control that sends its direction goes from right to left.
    private mutating func isRightToLeft(_ control: FormControl) -> Bool {
        guard let name = control.attributes.directionName, !name.isEmpty, directions > 0 else { return false }
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
                value: FormValue.value(attributes, type),
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
            return field("button", isReset ? "reset" : isPlain ? "button" : "submit", value: attributes.value)
        }
        var select = field(
            "select",
            attributes.isMultiple ? "select-multiple" : "select-one",
            value: nil,
            isRequired: attributes.isRequired,
            isMultiple: attributes.isMultiple
        )
        select.options = attributes.isMultiple ? options : singleSelection
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
            isChecked: isChecked,
            isDisabled: attributes.isDisabled || isDisabledByFieldset,
            isRequired: isRequired,
            isReadOnly: isReadOnly,
            isMultiple: isMultiple,
            isSuggestion: isSuggestion,
            labels: labels,
            constraints: attributes.constraints,
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

    private var displaySize: Int {
        guard attributes.size != nil, let size = node.pixels("size"), size > 0 else { return 1 }
        return size
    }
}
