extension RecipeEvaluator {
    /// Describes how a value breaks its assertions; nil if it meets them.
    func assertionFailure(
        of value: JSONValue,
        against assertions: RecipeAssertions
    ) throws(RuleFailure) -> String? {
        if value.isNothing, assertions.isRequired { return "required, but found \(value.kind)" }
        if assertions.minimum != nil || assertions.maximum != nil, let size = value.assertedSize {
            if let minimum = assertions.minimum, size.number < minimum {
                return
                    "expected \(size.what) of at least \(Self.words(minimum)), found \(Self.words(size.number))"
            }
            if let maximum = assertions.maximum, size.number > maximum {
                return
                    "expected \(size.what) of at most \(Self.words(maximum)), found \(Self.words(size.number))"
            }
        }
        guard let pattern = assertions.pattern else { return nil }
        let items = if case .array(let items) = value { items } else { [value] }
        for item in items where item != .null {
            guard let text = item.plainText else { return "expected a text that matches, found \(item.kind)" }
            guard try isMatch(pattern, text) else {
                return "\"\(text.prefix(60))\" does not match \(pattern)"
            }
        }
        return nil
    }

    private static func words(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension JSONValue {
    /// The size that `min` and `max` limit: a number itself, a list's count, a text's length; nil for other
    /// values.
    fileprivate var assertedSize: (what: String, number: Double)? {
        switch self {
        case .integer(let value): ("a number", Double(value))
        case .number(let value): ("a number", value)
        case .array(let items): ("a list", Double(items.count))
        case .string(let text): ("a length", Double(text.count))
        case .null, .bool, .object: nil
        }
    }
}
