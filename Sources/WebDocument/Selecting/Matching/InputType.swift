/// The types of `input` elements.
///
/// <https://html.spec.whatwg.org/multipage/input.html#attr-input-type>
enum InputType: String {
    case button, checkbox, color, date, email, file, hidden, image, month, number, password, radio, range,
        reset
    case search, submit, text, time, url, week
    case dateAndTime = "datetime-local"
    case telephone = "tel"

    /// Whether the user's input is a line of text.
    var isText: Bool {
        switch self {
        case .text, .search, .telephone, .url, .email, .password: true
        default: false
        }
    }

    /// Whether the user's input is a number or a time.
    var isNumeric: Bool {
        switch self {
        case .number, .date, .month, .week, .time, .dateAndTime: true
        default: false
        }
    }

    /// Whether `readonly` applies.
    var canBeReadOnly: Bool { isText || isNumeric }

    /// Whether `required` applies.
    var canBeRequired: Bool { isText || isNumeric || self == .checkbox || self == .radio || self == .file }

    /// Whether `placeholder` applies.
    var hasPlaceholder: Bool { isText || self == .number }

    /// Whether `dir=auto` depends on the value.
    var isDirectional: Bool {
        isText || self == .hidden || self == .submit || self == .reset || self == .button
    }

    /// Whether constraint validation applies to the type.
    var isCandidateForValidation: Bool { self != .hidden && self != .reset && self != .button }
}
