/// A field of a form, as it is before anybody touches it.
public struct FormField: Hashable, Sendable, Codable {
    /// The element's name: "input", "select", "textarea" or "button".
    public let element: String

    /// The type as scripts see it, as "text", "checkbox", "select-one", "textarea" and "submit".
    public let type: String

    /// What `name` says, under which it is sent; nil without.
    public let name: String?

    /// What `id` says; nil without.
    public let id: String?

    /// Its value: what `value` says or a text area holds, made fit for the type as browsers do ("on" for a check box that
    /// says nothing); nil for `select`, files, and buttons that say nothing.
    public let value: String?

    /// Whether a check box or a radio button is checked; nil for others.
    public internal(set) var isChecked: Bool?

    /// What a `select` offers; empty for others.
    public internal(set) var options: [FormOption] = []

    /// The labels of the `optgroup` elements of a `select`, which its options refer to.
    public internal(set) var optionGroups: [String] = []

    /// Whether it cannot be used, and is not sent: it or a `fieldset` around it says so.
    public let isDisabled: Bool

    /// Whether it has to be filled in.
    public let isRequired: Bool

    /// Whether it cannot be changed.
    public let isReadOnly: Bool

    /// Whether it takes several values.
    public let isMultiple: Bool

    /// Whether it is never sent because it is inside a `datalist`.
    public let isSuggestion: Bool

    /// The texts of its `label` elements, in document order, white space stripped and collapsed.
    public internal(set) var labels: [String] = []

    /// What else its attributes ask of a value, or say of it.
    public let constraints: FormConstraints

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// Whether a click on it sends the form.
    public var isSubmitButton: Bool { (type == "submit" || type == "image") && element != "select" }

    /// Whether it is a button of any kind.
    var isButton: Bool { isSubmitButton || type == "reset" || type == "button" }
}

/// An option of a `select`.
public struct FormOption: Hashable, Sendable, Codable {
    /// What is sent: what `value` says, or else its text.
    public let value: String
    /// What is shown: what `label` says, or else its text.
    public let label: String
    /// Whether it is selected.
    public internal(set) var isSelected: Bool
    /// Whether it cannot be selected, and is not sent: it or its `optgroup` says so.
    public let isDisabled: Bool
    /// Which of ``FormField/optionGroups`` it is in; nil for none.
    public let group: Int?
}

/// What attributes ask of a field's value, or say of it, each as written; nil for what they do not say.
public struct FormConstraints: Hashable, Sendable, Codable {
    /// What `pattern` says.
    public internal(set) var pattern: String?
    /// What `min` says.
    public internal(set) var minimum: String?
    /// What `max` says.
    public internal(set) var maximum: String?
    /// What `step` says.
    public internal(set) var step: String?
    /// What `minlength` says.
    public internal(set) var minimumLength: String?
    /// What `maxlength` says.
    public internal(set) var maximumLength: String?
    /// What `accept` says of files.
    public internal(set) var accept: String?
    /// What `placeholder` says.
    public internal(set) var placeholder: String?
    /// What `autocomplete` says.
    public internal(set) var autocomplete: String?
    /// What `list` says: the ID of a `datalist`.
    public internal(set) var list: String?
}
