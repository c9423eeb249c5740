extension JSONValue: Codable {
    /// Decodes any document; whole numbers become integers, and members are sorted by name.
    public init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                try names.map { Member($0.stringValue, try members.decode(JSONValue.self, forKey: $0)) }
            )
            return
        }
        if var items = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !items.isAtEnd { values.append(try items.decode(JSONValue.self)) }
            self = .array(values)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Encodes the document; only the last of several members with the same name is encoded.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for member in members { try container.encode(member.value, forKey: Name(member.name)) }
        case .array(let items):
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(item) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try Self.encode(value, to: encoder)
        case .integer(let value): try Self.encode(value, to: encoder)
        case .number(let value): try Self.encode(value.isFinite ? value : nil, to: encoder)
        case .string(let value): try Self.encode(value, to: encoder)
        }
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
