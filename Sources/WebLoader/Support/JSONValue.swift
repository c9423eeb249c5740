/// A JSON document to be written.
///
/// Objects keep their order unless it is asked to be sorted.
///
/// FoundationEssentials' encoder would cost the command half a millisecond of start-up and 20 MB
/// (docs/decisions/0001-start-up.md); what is written here is small and known.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
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

    /// The document as UTF-8, without white space, names sorted by code point.
    package func serialized() -> [UInt8] {
        var output: [UInt8] = []
        write(into: &output)
        return output
    }

    private func write(into output: inout [UInt8]) {
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
                value.write(into: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.name < $1.name }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(into: &output)
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
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
