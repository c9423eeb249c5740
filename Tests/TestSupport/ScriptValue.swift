import Foundation

/// A value as JSON has it: what a script gives, and what a browser's debugger says.
public enum ScriptValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([ScriptValue])
    case object([String: ScriptValue])

    /// A member of an object; null where there is none.
    public subscript(name: String) -> ScriptValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// An element of an array; null where there is none.
    public subscript(index: Int) -> ScriptValue {
        let items = items
        return items.indices.contains(index) ? items[index] : .null
    }

    /// The elements of an array; none of anything else.
    public var items: [ScriptValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// A string; nil for anything else.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A number; nil for anything else.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// A whole number; nil for anything else.
    public var int: Int? { double.flatMap { Int(exactly: $0) } }

    /// The strings of an array.
    public var texts: [String] { items.compactMap(\.text) }

    /// The value as JSON, which is how a script writes it, too.
    public var json: String {
        // Each case is one that an encoder knows.
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// The value of JSON.
    init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }
}

extension ScriptValue: Codable {
    /// Reads any JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The usual ones first: there may be many.
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let members = try? container.decode([String: ScriptValue].self) {
            self = .object(members)
        } else if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .array(try container.decode([ScriptValue].self))
        }
    }

    /// Writes JSON, whole numbers as such.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number):
            if let whole = Int(exactly: number) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        case .string(let text): try container.encode(text)
        case .array(let items): try container.encode(items)
        case .object(let members): try container.encode(members)
        }
    }
}

extension ScriptValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension ScriptValue: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: ScriptValue...) { self = .array(elements) }
    /// An object; of two members with one name the last.
    public init(dictionaryLiteral elements: (String, ScriptValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
