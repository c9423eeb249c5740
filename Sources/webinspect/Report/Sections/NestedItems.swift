import WebLoader

/// Writes items that have others in them, which may be the same, or have the first in them again.
///
/// An item stands where it is met first, 32 levels deep at most; anywhere else stands its number. So the report is as
/// long as the items are, whatever refers to what.
struct NestedItems {
    private var isWritten: [Bool]
    private var depth = 0

    private static var maximumDepth: Int { 32 }

    init(count: Int) {
        isWritten = [Bool](repeating: false, count: count)
    }

    /// Writes items, outermost ones first, then those that no outermost one has in it.
    mutating func write(
        outermost: (Int) -> Bool,
        _ members: (inout NestedItems, Int) -> [JSONValue.Member]
    ) -> [JSONValue] {
        var items: [JSONValue] = []
        for place in isWritten.indices where outermost(place) { items.append(write(place, members)) }
        for place in isWritten.indices where !isWritten[place] { items.append(write(place, members)) }
        return items
    }

    /// Writes an item, or its number.
    mutating func write(
        _ place: Int,
        _ members: (inout NestedItems, Int) -> [JSONValue.Member]
    ) -> JSONValue {
        let number = JSONValue.Member("item", .integer(Int64(place)))
        guard !isWritten[place], depth < Self.maximumDepth else { return .object([number]) }
        isWritten[place] = true
        depth += 1
        defer { depth -= 1 }
        return .object([number] + members(&self, place))
    }
}

extension StructuredData {
    /// The items of microdata, those that are properties inside the others.
    var microdataJSON: [JSONValue] {
        var items = NestedItems(count: microdata.count)
        return items.write(outermost: { !microdata[$0].isProperty }, members)
    }

    private func members(_ items: inout NestedItems, _ place: Int) -> [JSONValue.Member] {
        let item = microdata[place]
        var properties: [(String, JSONValue)] = []
        for property in item.properties {
            let value: JSONValue
            switch property.value {
            case .text(let text): value = .string(text)
            case .url(let url): value = .string(url.description)
            case .invalidURL(let reference): value = .string(reference)
            case .item(let other): value = items.write(other, members)
            }
            guard let content = property.content else {
                properties.append((property.name, value))
                continue
            }
            properties.append((property.name, ["value": value, "content": .string(content)]))
        }
        var members: [JSONValue.Member] = [
            .init("types", .array(item.types.map(JSONValue.string))),
            .init("properties", .grouped(properties)),
        ]
        if let id = item.id { members.append(.init("id", .iri(id))) }
        if item.isStray { members.append(.init("stray", true)) }
        return members + JSONValue.members(item.position)
    }

    /// The microformats, those inside others inside them.
    var microformatsJSON: [JSONValue] {
        var items = NestedItems(count: microformats.count)
        return items.write(outermost: { !microformats[$0].isNested }, formatMembers)
    }

    private func formatMembers(_ items: inout NestedItems, _ place: Int) -> [JSONValue.Member] {
        let item = microformats[place]
        var properties: [(String, JSONValue)] = []
        for property in item.properties {
            properties.append((property.name, json(property.value, &items)))
        }
        var members: [JSONValue.Member] = [
            .init("types", .array(item.types.map(JSONValue.string))),
            .init("properties", .grouped(properties)),
        ]
        if !item.children.isEmpty {
            var children: [JSONValue] = []
            for child in item.children { children.append(items.write(child, formatMembers)) }
            members.append(.init("children", .array(children)))
        }
        if let id = item.id { members.append(.init("id", .string(id))) }
        if item.isClassic { members.append(.init("classic", true)) }
        return members + JSONValue.members(item.position)
    }

    private func json(_ value: MicroformatItem.Value, _ items: inout NestedItems) -> JSONValue {
        switch value {
        case .text(let text): return .string(text)
        case .url(let url, nil): return .iri(url)
        case .url(let url, let alternative?):
            return ["value": .iri(url), "alt": .string(alternative)]
        case .markup(let markup, let text): return ["html": .string(markup), "value": .string(text)]
        case .item(let other, let text):
            guard case .object(let members) = items.write(other, formatMembers) else { return .null }
            return .object(members + [.init("value", .string(text))])
        }
    }
}
