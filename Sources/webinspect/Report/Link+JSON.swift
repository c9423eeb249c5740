import WebLoader

extension Link {
    /// The link as an object, with whether its target is in the cache if anybody asked.
    ///
    /// docs/json-report.md describes it to users.
    func json(isCached: Bool? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("kind", .string(kind.rawValue)), .init("reference", .string(reference)),
            .init("url", JSONValue(url?.description)),
        ]
        if let element { members.append(.init("element", .string(element))) }
        if let attribute { members.append(.init("attribute", .string(attribute))) }
        if let field { members.append(.init("field", .string(field))) }
        if let failure { members.append(.init("failure", .string("\(failure)"))) }
        if !rel.isEmpty { members.append(.init("rel", .array(rel.map(JSONValue.string)))) }
        if let text { members.append(.init("text", .string(text))) }
        if let width = descriptor?.width { members.append(.init("width", .integer(Int64(width)))) }
        if let height = descriptor?.height { members.append(.init("height", .integer(Int64(height)))) }
        if let density = descriptor?.density { members.append(.init("density", .number(density))) }
        if isInert { members.append(.init("inert", true)) }
        if let isCached { members.append(.init("cached", .bool(isCached))) }
        return .object(members + JSONValue.members(position))
    }
}

extension JSONValue {
    /// A place in the source as members, none where it is unknown.
    static func members(_ position: SourcePosition?) -> [Member] {
        guard let position else { return [] }
        var members: [Member] = [Member("line", .integer(Int64(position.line)))]
        if let column = position.column { members.append(Member("column", .integer(Int64(column)))) }
        return members
    }
}
