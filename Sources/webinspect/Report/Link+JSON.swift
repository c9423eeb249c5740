import WebLoader

extension Link {
    /// The link as an object, with whether its target is in the cache if anybody asked.
    ///
    /// docs/json-report.md describes it to users.
    func json(isCached: Bool? = nil) -> JSONValue {
        // A page is mostly links: these are in the order in which they are written, so that nothing has to be sorted.
        var members: [JSONValue.Member] = []
        members.reserveCapacity(12)
        members.add("attribute", attribute)
        if let isCached { members.append(.init("cached", .bool(isCached))) }
        members.add("column", position?.column)
        if let density = descriptor?.density { members.append(.init("density", .number(density))) }
        members.add("element", element)
        if let failure { members.append(.init("failure", .string("\(failure)"))) }
        members.add("field", field)
        members.add("height", descriptor?.height)
        members.add("inert", if: isInert)
        members.append(.init("kind", .string(kind.rawValue)))
        members.add("line", position?.line)
        members.append(.init("reference", .string(reference)))
        members.add("rel", rel)
        members.add("text", text)
        members.append(.init("url", JSONValue(url?.description)))
        members.add("width", descriptor?.width)
        return .object(members)
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
