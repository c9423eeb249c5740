/// A field of a form: in its initial state, or as it was filled in (``Form/fill(_:with:)``).
public struct FormField: Hashable, Sendable, Codable {
    /// The element's name: "input", "select", "textarea" or "button".
    public let element: String

    /// The type as scripts see it, as "text", "checkbox", "select-one", "textarea" and "submit".
    public let type: String

    /// The value of `name`, under which it is sent; nil without it.
    public let name: String?

    /// The value of `id`; nil without it.
    public let id: String?

    /// Its value: the value of `value` or the text of a text area, sanitized for the type as browsers do
    /// ("on" for a check box without `value`); nil for `select`, files, and buttons without `value`.
    public internal(set) var value: String?

    /// The value that the page came with.
    let initialValue: String?

    /// Whether ``Form/fill(_:with:)`` has set its value, as a person who types.
    public internal(set) var isEdited = false

    /// The files that were chosen; empty for other fields.
    public internal(set) var files: [FormFile] = []

    /// Whether a check box or a radio button is checked; nil for others.
    public internal(set) var isChecked: Bool?

    /// The options of a `select`; empty for others.
    public internal(set) var options: [FormOption] = []

    /// The labels of the `optgroup` elements of a `select`, which its options refer to.
    public internal(set) var optionGroups: [String] = []

    /// Whether it cannot be used, and is not sent, since it or a `fieldset` around it is disabled.
    public let isDisabled: Bool

    /// Whether it has to be filled in.
    public let isRequired: Bool

    /// Whether it cannot be changed.
    public let isReadOnly: Bool

    /// Whether it takes several values.
    public let isMultiple: Bool

    /// Whether it is a `select` of one line, whose first option may be a placeholder.
    var isDropDown = false

    /// Whether it is inside a `datalist`, so that it is not shown and its constraints do not count.
    ///
    /// It is sent all the same, as Chromium does; the standard would leave it out.
    public let isSuggestion: Bool

    /// The texts of its `label` elements, in document order, white space stripped and collapsed.
    public internal(set) var labels: [String] = []

    /// The other attributes that constrain its value, or describe it.
    public let constraints: FormConstraints

    /// The changes that a button makes to the submission of its form; `nil` for other fields, and if it makes none.
    public internal(set) var override: FormOverride?

    /// The value of `dirname`, the name under which the direction of its text is sent; nil without it.
    public let directionName: String?

    /// Whether `readonly` stands on it, whether or not that applies to its type: its constraints do not count then.
    let hasReadOnly: Bool

    /// The columns at which lines are broken as they are sent (`wrap=hard`); nil where they are not.
    let hardWrap: Int?

    /// Whether its text goes from right to left; nil where that depends on the text (`dir=auto`).
    var isRightToLeft: Bool?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// Whether a click on it sends the form.
    public var isSubmitButton: Bool { (type == "submit" || type == "image") && element != "select" }

    /// The label that a browser shows on a button without a value, and sends for it.
    var defaultLabel: String { element == "input" && type == "submit" ? "Submit" : "" }

    /// Whether it is a button of any kind.
    var isButton: Bool { isSubmitButton || type == "reset" || type == "button" }
}

/// The changes that a button makes to the submission of its form.
///
/// [Attributes for form
/// submission](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#attributes-for-form-submission)
public struct FormOverride: Hashable, Sendable, Codable {
    /// The value of `formaction`; nil without it.
    public let reference: String?
    /// The URL that it sends to; nil without `formaction`, and where that is not a valid URL.
    public let action: WebURL?
    /// How it is sent; nil without `formmethod`.
    public let method: Form.Method?
    /// How the body is encoded; nil without `formenctype`.
    public let encodingType: Form.EncodingType?
    /// Where the response is shown; nil without `formtarget`.
    public let target: String?
    /// Whether it sends without validating the fields.
    public let isNotValidated: Bool
}

/// A file that is sent with a form.
public struct FormFile: Hashable, Sendable, Codable {
    /// Its name, without directories.
    public var name: String
    /// Its type; nil for that of its name, or "application/octet-stream".
    public var mimeType: String?
    /// Its bytes.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(name: String, mimeType: String? = nil, bytes: [UInt8]) {
        self.name = name
        self.mimeType = mimeType
        self.bytes = bytes
    }
}

/// An option of a `select`.
public struct FormOption: Hashable, Sendable, Codable {
    /// The value that is sent: the value of `value`, or else its text.
    public let value: String
    /// The text that is shown: the value of `label`, or else its text.
    public let label: String
    /// Its text, white space stripped and collapsed.
    public let text: String
    /// Whether it is selected.
    public internal(set) var isSelected: Bool
    /// Whether it cannot be selected, and is not sent, since it or its `optgroup` is disabled.
    public let isDisabled: Bool
    /// The index in ``FormField/optionGroups`` of the group that it is in; `nil` if it is in no group.
    public let group: Int?
}

/// The attributes that constrain a field's value, or describe it, each as written; nil for those that are
/// missing.
public struct FormConstraints: Hashable, Sendable, Codable {
    /// The value of `pattern`.
    public internal(set) var pattern: String?
    /// The value of `min`.
    public internal(set) var minimum: String?
    /// The value of `max`.
    public internal(set) var maximum: String?
    /// The value of `step`.
    public internal(set) var step: String?
    /// The value of `minlength`.
    public internal(set) var minimumLength: String?
    /// The value of `maxlength`.
    public internal(set) var maximumLength: String?
    /// The value of `accept`: the types of files.
    public internal(set) var accept: String?
    /// The value of `placeholder`.
    public internal(set) var placeholder: String?
    /// The value of `autocomplete`.
    public internal(set) var autocomplete: String?
    /// The value of `list`: the ID of a `datalist`.
    public internal(set) var list: String?
}
