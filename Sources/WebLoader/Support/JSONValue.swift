/// A JSON document.
///
/// FoundationEssentials' encoder would cost the command half a millisecond of start-up and 20 MB
/// (docs/decisions/0001-start-up.md); what is written here is small and known.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number; written as `null` where it is infinite or none.
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

        /// A member of this name and value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Null for nil.
    package init(_ string: String?) {
        self = string.map(JSONValue.string) ?? .null
    }

    /// Null for nil.
    package init(_ integer: Int?) {
        self = integer.map { .integer(Int64($0)) } ?? .null
    }

    /// The document as UTF-8, without white space.
    ///
    /// - Parameter sortingNames: Whether objects' members are sorted by their names' code points, as they are unless
    ///   said otherwise, or keep their order.
    /// - Returns: The text.
    /// - Complexity: O(n) in its length, and the sorting.
    public func serialized(sortingNames: Bool = true) -> [UInt8] {
        var output: [UInt8] = []
        write(into: &output, sortingNames)
        return output
    }

    private func write(into output: inout [UInt8], _ sortingNames: Bool) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .number(let value): output += (value.isFinite ? "\(value)" : "null").utf8
        case .string(let value): Self.write(value, into: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(into: &output, sortingNames)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            let members = sortingNames ? members.sorted(by: { $0.name < $1.name }) : members
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(into: &output, sortingNames)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a string, runs of bytes that need no escape as they are.
    ///
    /// [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)
    private static func write(_ string: String, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices where unsafe needsEscape(bytes[index]) {
                unsafe output.append(contentsOf: bytes[start..<index])
                unsafe escape(bytes[index], into: &output)
                start = index + 1
            }
            unsafe output.append(contentsOf: bytes[start...])
        }
        output.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private static func escape(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): output += #"\""#.utf8
        case UInt8(ascii: "\\"): output += #"\\"#.utf8
        case 0x0A: output += #"\n"#.utf8
        case 0x0D: output += #"\r"#.utf8
        case 0x09: output += #"\t"#.utf8
        default:
            let digits = String(byte, radix: 16)
            output += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A truth value.
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
