/// A control as the walk over a page finds it, before the form that it belongs to is known.
struct FormControl {
    let node: TreeNode

    /// The index of the innermost form around it; `nil` if there is none.
    let enclosingForm: Int?

    /// Whether a `fieldset` disables it.
    let isDisabledByFieldset: Bool

    /// Whether it is inside a `datalist`.
    let isSuggestion: Bool

    /// Whether it is inside a `select`, which it opens.
    let isInSelect: Bool

    /// Whether it is in a shadow root, which has its own IDs.
    let isInShadow: Bool

    /// The values of its attributes.
    let attributes: FormControlAttributes

    var options: [FormOption] = []
    var optionGroups: [String] = []
    var labels: [String] = []
}

/// The attributes of a control, read in one pass.
struct FormControlAttributes {
    private(set) var type: String?
    private(set) var name: String?
    private(set) var id: String?
    private(set) var value: String?
    private(set) var form: String?
    private(set) var formAction: String?
    private(set) var formMethod: String?
    private(set) var formEncodingType: String?
    private(set) var formTarget: String?
    private(set) var directionName: String?
    private(set) var size: String?
    private(set) var isChecked = false
    private(set) var isDisabled = false
    private(set) var isRequired = false
    private(set) var isReadOnly = false
    private(set) var isMultiple = false
    private(set) var isNotValidated = false
    private(set) var wrap: String?
    private(set) var direction: String?
    private(set) var constraints = FormConstraints()

    init(_ element: TreeNode) {
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            if attribute.isPlain { read(attribute) }
        }
    }

    private mutating func read(_ attribute: TreeAttribute) {
        switch attribute.initial {
        case UInt8(ascii: "a"):
            Self.set(&constraints.accept, attribute, "accept")
            Self.set(&constraints.autocomplete, attribute, "autocomplete")
        case UInt8(ascii: "c"): if attribute.hasName("checked") { isChecked = true }
        case UInt8(ascii: "d"):
            if attribute.hasName("disabled") { isDisabled = true }
            Self.set(&directionName, attribute, "dirname")
            Self.set(&direction, attribute, "dir")
        case UInt8(ascii: "f"):
            Self.set(&form, attribute, "form")
            Self.set(&formAction, attribute, "formaction")
            Self.set(&formMethod, attribute, "formmethod")
            Self.set(&formEncodingType, attribute, "formenctype")
            Self.set(&formTarget, attribute, "formtarget")
            if attribute.hasName("formnovalidate") { isNotValidated = true }
        case UInt8(ascii: "i"): Self.set(&id, attribute, "id")
        case UInt8(ascii: "l"): Self.set(&constraints.list, attribute, "list")
        case UInt8(ascii: "m"):
            if attribute.hasName("multiple") { isMultiple = true }
            Self.set(&constraints.minimum, attribute, "min")
            Self.set(&constraints.maximum, attribute, "max")
            Self.set(&constraints.minimumLength, attribute, "minlength")
            Self.set(&constraints.maximumLength, attribute, "maxlength")
        case UInt8(ascii: "n"): Self.set(&name, attribute, "name")
        case UInt8(ascii: "p"):
            Self.set(&constraints.pattern, attribute, "pattern")
            Self.set(&constraints.placeholder, attribute, "placeholder")
        case UInt8(ascii: "r"):
            if attribute.hasName("required") { isRequired = true }
            if attribute.hasName("readonly") { isReadOnly = true }
        case UInt8(ascii: "s"):
            Self.set(&size, attribute, "size")
            Self.set(&constraints.step, attribute, "step")
        case UInt8(ascii: "t"): Self.set(&type, attribute, "type")
        case UInt8(ascii: "v"): Self.set(&value, attribute, "value")
        case UInt8(ascii: "w"): Self.set(&wrap, attribute, "wrap")
        default: break
        }
    }

    private static func set(_ value: inout String?, _ attribute: TreeAttribute, _ name: StaticString) {
        if attribute.hasName(name) { value = attribute.value }
    }
}
