import WebLoader

/// What a value of the JSON report may be, in JSON Schema's terms.
///
/// [JSON Schema: Validation](https://json-schema.org/draft/2020-12/json-schema-validation)
struct ValueSchema {
    /// The schema's own names and values.
    private var members: [JSONValue.Member]

    var json: JSONValue { .object(members) }

    private init(_ name: String, _ value: JSONValue) {
        members = [.init(name, value)]
    }

    // MARK: - Kinds of values

    static var string: ValueSchema { .init("type", "string") }
    static var integer: ValueSchema { .init("type", "integer") }
    static var number: ValueSchema { .init("type", "number") }
    static var boolean: ValueSchema { .init("type", "boolean") }
    static var strings: ValueSchema { .array(.string) }

    /// True; where it is false, the name is absent.
    static var yes: ValueSchema { .init("const", true) }

    /// Any value at all.
    static var any: ValueSchema {
        var schema = ValueSchema("", .null)
        schema.members = []
        return schema
    }

    /// A whole number that is never less.
    static func integer(from minimum: Int64) -> ValueSchema { integer.with("minimum", .integer(minimum)) }

    /// This value and no other.
    static func constant(_ value: JSONValue) -> ValueSchema { .init("const", value) }

    /// One of some words.
    static func word(_ words: [String]) -> ValueSchema {
        .init("enum", .array(words.map(JSONValue.string)))
    }

    /// The raw value of one of a type's cases.
    static func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type
    ) -> ValueSchema where Word.RawValue == String {
        word(type.allCases.map(\.rawValue))
    }

    static func array(_ items: ValueSchema) -> ValueSchema {
        .init("type", "array").with("items", items.json)
    }

    /// An array with a place for each of its items.
    static func tuple(_ items: ValueSchema...) -> ValueSchema {
        .init("type", "array").with("prefixItems", .array(items.map(\.json))).with("items", false)
            .with("minItems", .integer(Int64(items.count)))
    }

    /// What stands under `$defs`.
    static func shape(_ shape: ReportSchema.Shape) -> ValueSchema {
        .init("$ref", .string("#/$defs/\(shape.rawValue)"))
    }

    /// What fits one of several schemas, at least.
    static func either(_ schemas: ValueSchema...) -> ValueSchema {
        .init("anyOf", .array(schemas.map(\.json)))
    }

    // MARK: - Objects

    /// A name of an object.
    struct Property {
        let name: String
        let schema: ValueSchema
        let isRequired: Bool

        /// A name that is always there, and what it says, in a sentence.
        static func required(_ name: String, _ schema: ValueSchema, _ description: String) -> Property {
            Property(name: name, schema: schema.described(description), isRequired: true)
        }

        /// A name that may be absent, and what it says, in a sentence.
        static func optional(_ name: String, _ schema: ValueSchema, _ description: String) -> Property {
            Property(name: name, schema: schema.described(description), isRequired: false)
        }
    }

    /// An object of these names and no others.
    static func object(_ properties: Property...) -> ValueSchema { object(properties) }

    /// The same, of what has a place in the page's source.
    static func placed(_ properties: Property...) -> ValueSchema { placed(properties) }

    /// The same, of what has a place in the page's source.
    static func placed(_ properties: [Property]) -> ValueSchema {
        object(
            properties + [
                Property(name: "line", schema: .shape(.line), isRequired: false),
                Property(name: "column", schema: .shape(.column), isRequired: false),
            ]
        )
    }

    /// An object of these names and no others.
    static func object(_ properties: [Property]) -> ValueSchema {
        let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
        var schema = ValueSchema("type", "object")
        if !required.isEmpty { schema = schema.with("required", .array(required)) }
        return schema.with("additionalProperties", false)
            .with("properties", .object(properties.map { .init($0.name, $0.schema.json) }))
    }

    /// An object whose names are the page's own.
    static func dictionary(_ values: ValueSchema) -> ValueSchema {
        .init("type", "object").with("additionalProperties", values.json)
    }

    // MARK: - What is said besides

    /// The same, or null.
    var orNull: ValueSchema {
        guard case .string(let type)? = members.first?.value, members.first?.name == "type" else {
            return .either(self, .init("type", "null"))
        }
        var schema = self
        schema.members[0] = .init("type", [.string(type), "null"])
        return schema
    }

    /// The same, with a sentence for people.
    func described(_ description: String) -> ValueSchema {
        var schema = self
        schema.members.insert(.init("description", .string(description)), at: 0)
        return schema
    }

    private func with(_ name: String, _ value: JSONValue) -> ValueSchema {
        var schema = self
        schema.members.append(.init(name, value))
        return schema
    }
}
