import WebStandards

/// Filling in a form as a person would.
extension Form {
    /// Sets the value of a field.
    ///
    /// - A text, a number, a date and the like: the value, which must be one of the field's type; the empty text removes it.
    /// - A check box: its own value (`on` if it has none) ticks it; `off` unticks all boxes of its name.
    /// - A radio button: the value of a button of its name, which is then the one that is chosen.
    /// - A `select`: the value of an option, or else its text. In a list of several it is chosen besides the others; the empty
    ///   text, if no option has it, chooses none.
    ///
    /// - Parameters:
    ///   - index: The index of the field in ``fields``; of check boxes and radio buttons of a name, any.
    ///   - value: The value.
    /// - Throws: ``FormError/Code/missing`` for an index out of range, ``FormError/Code/value`` for a value that the field cannot
    ///   have, a field that is disabled, a button, and a field for files (``choose(_:for:)``).
    public mutating func fill(_ index: Int, with value: String) throws(FormError) {
        let field = try changeable(index)
        switch (field.element, field.type) {
        case (_, "checkbox"): try tick(like: index, value)
        case (_, "radio"): try select(radioLike: index, value)
        case ("select", _): try select(in: index, value)
        case ("textarea", _): fields[index].value = value.normalizingToLineFeeds
        case (_, "file"):
            throw FormError(.value, "\(Self.name(field)) takes files, not a text")
        case ("input", _) where !field.isButton:
            let type = InputType(rawValue: field.type) ?? .text
            let fit = FormValue.value(
                value,
                type,
                field.constraints,
                isMultiple: field.isMultiple,
                initialValue: field.initialValue
            )
            if type.isNumeric, !value.isEmpty, fit?.isEmpty ?? true {
                throw FormError(
                    .value,
                    "\(Self.name(field)) is of type \(field.type), and \"\(value.shortened)\" is not"
                )
            }
            fields[index].value = fit
        default: throw FormError(.value, "\(Self.name(field)) is a button, which has no value to fill in")
        }
        fields[index].isEdited = true
    }

    /// Chooses the files of a field, in place of those that were chosen.
    ///
    /// - Parameters:
    ///   - files: The files; none to have none. One only, unless the field takes several.
    ///   - index: The index of the field in ``fields``.
    /// - Throws: ``FormError/Code/missing`` for an index out of range, ``FormError/Code/value`` for a field that is disabled or
    ///   takes no files, or not as many.
    public mutating func choose(_ files: [FormFile], for index: Int) throws(FormError) {
        let field = try changeable(index)
        guard field.element == "input", field.type == "file" else {
            throw FormError(.value, "\(Self.name(field)) takes no files")
        }
        guard files.count <= 1 || field.isMultiple else {
            throw FormError(.value, "\(Self.name(field)) takes one file, not \(files.count)")
        }
        fields[index].files = files
        fields[index].isEdited = true
    }

    /// The button that sends the form where nobody chooses one: its first, or nil where that is disabled or there is none.
    ///
    /// [Implicit
    /// submission](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#implicit-submission)
    public var defaultButton: Int? {
        guard let button = fields.firstIndex(where: \.isSubmitButton), !fields[button].isDisabled else {
            return nil
        }
        return button
    }

    // MARK: - Parts

    private func changeable(_ index: Int) throws(FormError) -> FormField {
        guard fields.indices.contains(index) else {
            throw FormError(.missing, "the form has \(fields.count) fields, and no number \(index)")
        }
        let field = fields[index]
        // A box stands for all of its name.
        let places = field.isChecked == nil ? [index] : group(of: index)
        guard places.contains(where: { !fields[$0].isDisabled }) else {
            throw FormError(.value, "\(Self.name(field)) is disabled")
        }
        return field
    }

    /// The fields of the same type and name as another.
    private func group(of index: Int) -> [Int] {
        let field = fields[index]
        guard let name = field.name, !name.isEmpty else { return [index] }
        return fields.indices.filter { fields[$0].type == field.type && fields[$0].name == name }
    }

    private mutating func tick(like index: Int, _ value: String) throws(FormError) {
        let group = group(of: index)
        if let box = group.first(where: { fields[$0].value == value && !fields[$0].isDisabled }) {
            fields[box].isChecked = true
        } else if value == "off" {
            for box in group where !fields[box].isDisabled { fields[box].isChecked = false }
        } else if value == "on", group.count == 1 {
            fields[index].isChecked = true
        } else {
            throw FormError(
                .value,
                "\(Self.name(fields[index])) has no value \"\(value.shortened)\"\(values(group)), nor \"off\""
            )
        }
    }

    private mutating func select(radioLike index: Int, _ value: String) throws(FormError) {
        let group = group(of: index)
        guard let button = group.first(where: { fields[$0].value == value && !fields[$0].isDisabled }) else {
            throw FormError(
                .value,
                "\(Self.name(fields[index])) has no value \"\(value.shortened)\"\(values(group))"
            )
        }
        for other in group { fields[other].isChecked = other == button }
    }

    private func values(_ group: [Int]) -> String {
        let values = group.prefix(8).compactMap { fields[$0].value.map(\.shortened) }
        return values.isEmpty ? "" : ", only \(values.joined(separator: ", "))"
    }

    private mutating func select(in index: Int, _ value: String) throws(FormError) {
        let options = fields[index].options
        let isMultiple = fields[index].isMultiple
        guard
            let option = options.firstIndex(where: { $0.value == value })
                ?? options.firstIndex(where: { $0.text == value })
        else {
            guard isMultiple, value.isEmpty else {
                let known = options.prefix(8).map { $0.value.shortened }.joined(separator: ", ")
                throw FormError(
                    .value,
                    "\(Self.name(fields[index])) has no option \"\(value.shortened)\", only \(known)"
                )
            }
            for option in options.indices { fields[index].options[option].isSelected = false }
            return
        }
        guard !options[option].isDisabled else {
            throw FormError(
                .value,
                "\(Self.name(fields[index])): the option \"\(value.shortened)\" is disabled"
            )
        }
        if !isMultiple {
            for other in options.indices { fields[index].options[other].isSelected = false }
        }
        fields[index].options[option].isSelected = true
    }

    /// A field as messages have it.
    static func name(_ field: FormField) -> String {
        if let name = field.name, !name.isEmpty { return "the field \(name.shortened)" }
        if let label = field.labels.first, !label.isEmpty { return "the field \"\(label.shortened)\"" }
        return "the \(field.type) field"
    }
}
