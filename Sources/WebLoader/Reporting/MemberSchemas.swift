/// Gathers the schemas of the members of an object.
///
/// It is seldom asked for, and therefore kept small: nothing of it is inlined.
struct MemberSchemas<Object>: ReportMembers {
    var definitions: ReportDefinitions
    private var properties: [ValueSchema.Property] = []
    private var name: String?
    private let isPart: Bool
    /// Whether the object stands under its name already, or is about to.
    private var isKnown = false

    init(definitions: ReportDefinitions, isPart: Bool = false) {
        self.definitions = definitions
        self.isPart = isPart
    }

    /// The schema of the object, or where it stands.
    func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        let schema = ValueSchema.object(properties)
        guard let name else { return schema }
        if !isKnown { definitions.finish(name, schema) }
        return .definition(name)
    }

    @inline(never)
    mutating func named(_ name: String, _ description: String) {
        guard !isPart else { return }
        self.name = name
        isKnown = !definitions.begin(name, description)
    }

    @inline(never)
    mutating func required<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value
    ) {
        add(name, Value.self, schema, description, isRequired: true)
    }

    @inline(never)
    mutating func optional<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value?
    ) {
        add(name, Value.self, schema, description, isRequired: false)
    }

    @inline(never)
    mutating func include<Part: ReportObject>(_ part: (Object) -> Part?) {
        guard !isKnown else { return }
        var members = MemberSchemas<Part>(definitions: definitions, isPart: true)
        Part.describe(&members)
        definitions = members.definitions
        properties += members.properties
    }

    private mutating func add<Value: ReportValue>(
        _ name: StaticString,
        _ type: Value.Type,
        _ schema: () -> ValueSchema?,
        _ description: String?,
        isRequired: Bool
    ) {
        guard !isKnown else { return }
        let schema = schema() ?? type.schema(&definitions)
        properties.append(ValueSchema.Property("\(name)", schema, description, isRequired: isRequired))
    }
}

/// The definitions under `$defs`, in the order of their first use.
package struct ReportDefinitions {
    private var entries: [(name: String, description: String, schema: ValueSchema?)] = []

    /// The definitions as a JSON object.
    var json: JSONValue {
        .object(
            entries.map { name, description, schema in
                JSONValue.Member(name, (schema ?? .any).described(description).json)
            }
        )
    }

    /// Makes room for a schema, which may have itself in it; false if there is one of the name.
    mutating func begin(_ name: String, _ description: String) -> Bool {
        guard !entries.contains(where: { $0.name == name }) else { return false }
        entries.append((name, description, nil))
        return true
    }

    /// Puts a schema where there is room for it.
    mutating func finish(_ name: String, _ schema: ValueSchema) {
        for index in entries.indices where entries[index].name == name { entries[index].schema = schema }
    }

    /// Puts a schema of no object under a name; returns where it stands.
    mutating func define(_ name: String, _ description: String, _ schema: ValueSchema) -> ValueSchema {
        if begin(name, description) { finish(name, schema) }
        return .definition(name)
    }
}
