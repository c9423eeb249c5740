/// The JSON Schema of a value in the JSON report.
///
/// [JSON Schema: Validation](https://json-schema.org/draft/2020-12/json-schema-validation)
package struct ValueSchema {
    /// The schema's own names and values.
    private(set) var members: [JSONValue.Member]

    var json: JSONValue { .object(members) }

    private init(_ name: String, _ value: JSONValue) {
        members = [.init(name, value)]
    }

    // MARK: - Kinds of values

    static var string: ValueSchema { .init("type", "string") }
    static var integer: ValueSchema { .init("type", "integer") }
    static var number: ValueSchema { .init("type", "number") }
    static var boolean: ValueSchema { .init("type", "boolean") }

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

    /// A whole number that is never negative.
    static var count: ValueSchema { integer(from: 0) }

    /// This value and no other.
    static func constant(_ value: JSONValue) -> ValueSchema { .init("const", value) }

    /// One of some words.
    static func word(_ words: [String]) -> ValueSchema {
        .init("enum", .array(words.map(JSONValue.string)))
    }

    static func array(_ items: ValueSchema) -> ValueSchema {
        .init("type", "array").with("items", items.json)
    }

    /// An array with a place for each of its items.
    static func tuple(_ items: ValueSchema...) -> ValueSchema {
        .init("type", "array").with("prefixItems", .array(items.map(\.json))).with("items", false)
            .with("minItems", .integer(Int64(items.count)))
    }

    /// Returns a reference to a definition under `$defs`.
    static func definition(_ name: String) -> ValueSchema {
        .init("$ref", .string("#/$defs/\(name)"))
    }

    /// Returns the schema of values that match at least one of several schemas.
    static func either(_ schemas: ValueSchema...) -> ValueSchema {
        .init("anyOf", .array(schemas.map(\.json)))
    }

    // MARK: - Objects

    /// A name of an object.
    struct Property {
        let name: String
        let schema: ValueSchema
        let isRequired: Bool

        @inline(never)
        init(_ name: String, _ schema: ValueSchema, _ description: String?, isRequired: Bool) {
            self.name = name
            self.schema = description.map(schema.described) ?? schema
            self.isRequired = isRequired
        }
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

    // MARK: - Annotations

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
