import WebLoader

/// As much of JSON Schema as the report's schema uses; it takes no schema that has more.
///
/// It notes what was met, so that a test can tell which of the schema's properties no report has.
final class SchemaValidator {
    private final class Schema {
        let pointer: String
        var types: [String] = []
        var constant: JSONValue?
        var words: [JSONValue]?
        var minimum: Int64?
        var required: [String] = []
        var properties: [String: Schema] = [:]
        /// Of names that are not among the properties; nil where anything will do.
        var additional: Schema?
        var forbidsAdditional = false
        var items: Schema?
        var forbidsMoreItems = false
        var firstItems: [Schema] = []
        var minimumItems = 0
        var alternatives: [Schema] = []
        var reference: String?

        init(pointer: String) { self.pointer = pointer }
    }

    struct Unsupported: Error { let keyword: String }

    private let root: Schema
    private var definitions: [String: Schema] = [:]
    private var met: Set<String> = []

    /// Every property that the schema names, as a pointer to it.
    private(set) var pointers: Set<String> = []
    /// The names of properties, each once.
    private(set) var names: Set<String> = []
    /// The words that values may be.
    private(set) var words: Set<String> = []
    /// The schema's properties that say nothing of what they are for.
    private(set) var undescribed: [String] = []

    init(_ schema: JSONValue) throws {
        root = Schema(pointer: "#")
        if case .object(let members)? = schema["$defs"] {
            for member in members {
                definitions["#/$defs/\(member.name)"] = Schema(pointer: "#/$defs/\(member.name)")
            }
            for member in members {
                if let definition = definitions["#/$defs/\(member.name)"] {
                    try read(member.value, into: definition)
                }
            }
        }
        try read(schema, into: root)
    }

    /// The properties that no value had.
    var unmet: [String] { pointers.subtracting(met).sorted() }

    /// Returns the errors of a value, each with its position; the first hundred.
    func errors(of value: JSONValue) -> [String] {
        var errors: [String] = []
        check(value, root, "", &errors)
        return Array(errors.prefix(100))
    }

    // MARK: - Reading

    private func read(_ json: JSONValue, at pointer: String) throws -> Schema {
        let schema = Schema(pointer: pointer)
        try read(json, into: schema)
        return schema
    }

    private func read(_ json: JSONValue, into schema: Schema) throws {
        guard case .object(let members) = json else {
            if json == false { return }
            throw Unsupported(keyword: schema.pointer)
        }
        for member in members {
            let pointer = "\(schema.pointer)/\(member.name)"
            switch member.name {
            case "$schema", "title", "description", "$defs": break
            case "type": schema.types = strings(member.value)
            case "const": schema.constant = member.value
            case "enum":
                schema.words = items(member.value)
                words.formUnion(strings(member.value))
            case "minimum": if case .integer(let minimum) = member.value { schema.minimum = minimum }
            case "required": schema.required = strings(member.value)
            case "properties":
                guard case .object(let properties) = member.value else { throw Unsupported(keyword: pointer) }
                for property in properties {
                    let place = "\(pointer)/\(property.name)"
                    pointers.insert(place)
                    names.insert(property.name)
                    if property.value["description"] == nil, property.value["$ref"] == nil {
                        undescribed.append(place)
                    }
                    schema.properties[property.name] = try read(property.value, at: place)
                }
            case "additionalProperties":
                schema.forbidsAdditional = member.value == false
                schema.additional = try read(member.value, at: pointer)
            case "items":
                schema.forbidsMoreItems = member.value == false
                schema.items = try read(member.value, at: pointer)
            case "prefixItems":
                schema.firstItems = try items(member.value).map { try read($0, at: pointer) }
            case "minItems": if case .integer(let count) = member.value { schema.minimumItems = Int(count) }
            case "anyOf":
                schema.alternatives = try items(member.value).enumerated().map {
                    try read($1, at: "\(pointer)/\($0)")
                }
            case "$ref":
                schema.reference = member.value.string
                if definitions[member.value.string ?? ""] == nil { throw Unsupported(keyword: pointer) }
            default: throw Unsupported(keyword: pointer)
            }
        }
    }

    private func items(_ value: JSONValue) -> [JSONValue] {
        guard case .array(let items) = value else { return [value] }
        return items
    }

    private func strings(_ value: JSONValue) -> [String] { items(value).compactMap(\.string) }

    // MARK: - Checking

    private func check(_ value: JSONValue, _ schema: Schema, _ path: String, _ errors: inout [String]) {
        if let reference = schema.reference, let definition = definitions[reference] {
            check(value, definition, path, &errors)
        }
        if !schema.types.isEmpty, !schema.types.contains(where: { Self.matches(value, $0) }) {
            errors.append("\(path): not of type \(schema.types)")
        }
        if let constant = schema.constant, constant != value { errors.append("\(path): not \(constant)") }
        if let words = schema.words, !words.contains(value) { errors.append("\(path): \(value) is no word") }
        if let minimum = schema.minimum, case .integer(let integer) = value, integer < minimum {
            errors.append("\(path): \(integer) is less than \(minimum)")
        }
        if !schema.alternatives.isEmpty { checkAlternatives(value, schema, path, &errors) }
        switch value {
        case .object(let members): checkMembers(members, schema, path, &errors)
        case .array(let items): checkItems(items, schema, path, &errors)
        case .null, .bool, .integer, .number, .string: break
        }
    }

    /// Only what fits counts as met.
    private func checkAlternatives(
        _ value: JSONValue,
        _ schema: Schema,
        _ path: String,
        _ errors: inout [String]
    ) {
        var best: [String]?
        let before = met
        for alternative in schema.alternatives {
            var own: [String] = []
            check(value, alternative, path, &own)
            if own.isEmpty { return }
            met = before
            if best.map({ own.count < $0.count }) ?? true { best = own }
        }
        errors.append("\(path): fits no alternative of \(schema.pointer): \(best ?? [])")
    }

    private func checkMembers(
        _ members: [JSONValue.Member],
        _ schema: Schema,
        _ path: String,
        _ errors: inout [String]
    ) {
        var names: Set<String> = []
        for member in members {
            let place = "\(path)/\(member.name)"
            if let property = schema.properties[member.name] {
                met.insert(property.pointer)
                check(member.value, property, place, &errors)
            } else if schema.forbidsAdditional {
                errors.append("\(place): not in the schema")
            } else if let additional = schema.additional {
                check(member.value, additional, place, &errors)
            }
            if !names.insert(member.name).inserted, !schema.properties.isEmpty {
                errors.append("\(place): there twice")
            }
        }
        for name in schema.required where !names.contains(name) {
            errors.append("\(path): no \(name)")
        }
    }

    private func checkItems(_ items: [JSONValue], _ schema: Schema, _ path: String, _ errors: inout [String])
    {
        if items.count < schema.minimumItems { errors.append("\(path): too few items") }
        for (index, item) in items.enumerated() {
            let place = "\(path)/\(index)"
            if index < schema.firstItems.count {
                check(item, schema.firstItems[index], place, &errors)
            } else if schema.forbidsMoreItems {
                errors.append("\(place): one too many")
            } else if let own = schema.items {
                check(item, own, place, &errors)
            }
        }
    }

    private static func matches(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"),
            (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"):
            return true
        default: return false
        }
    }
}
