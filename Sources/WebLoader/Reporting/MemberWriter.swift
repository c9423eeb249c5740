/// Writes the members of an object as JSON.
struct MemberWriter<Object>: ReportMembers, ~Copyable {
    let object: Object
    var output: JSONWriter

    @inline(__always)
    mutating func required<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value
    ) {
        output.name(name)
        value(object).write(into: &output)
    }

    @inline(__always)
    mutating func optional<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value?
    ) {
        guard let value = value(object) else { return }
        output.name(name)
        value.write(into: &output)
    }

    @inline(__always)
    mutating func include<Part: ReportObject>(_ part: (Object) -> Part?) {
        guard let part = part(object) else { return }
        let object = object
        var members = MemberWriter<Part>(object: part, output: output)
        Part.describe(&members)
        self = MemberWriter(object: object, output: members.output)
    }
}

/// Makes values of the members of an object, in the order in which they are described; kept small, not fast.
struct MemberValues<Object>: ReportMembers {
    let object: Object
    var members: [JSONValue.Member] = []

    @inline(never)
    mutating func required<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value
    ) {
        members.append(JSONValue.Member("\(name)", value(object).reported))
    }

    @inline(never)
    mutating func optional<Value: ReportValue>(
        _ name: StaticString,
        as schema: @autoclosure () -> ValueSchema?,
        _ description: String?,
        _ value: (Object) -> Value?
    ) {
        if let value = value(object) { members.append(JSONValue.Member("\(name)", value.reported)) }
    }

    @inline(never)
    mutating func include<Part: ReportObject>(_ part: (Object) -> Part?) {
        guard let part = part(object) else { return }
        var members = MemberValues<Part>(object: part, members: members)
        Part.describe(&members)
        self.members = members.members
    }
}
