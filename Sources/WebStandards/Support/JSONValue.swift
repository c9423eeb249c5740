/// A JSON document.
///
/// FoundationEssentials' encoder would cost the command half a millisecond of start-up and 20 MB
/// (docs/decisions/0001-start-up.md); this implementation is small.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number; written as `null` if it is infinite or NaN.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, its members in their order.
    case object([Member])

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a value from an optional, null for nil.
    package init(_ string: String?) {
        self = string.map(JSONValue.string) ?? .null
    }

    /// Creates a value from an optional, null for nil.
    package init(_ integer: Int?) {
        self = integer.map { .integer(Int64($0)) } ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object, in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
