import WebLoader

extension StructuredData {
    /// The section `structured_data` of the JSON report, which docs/json-report.md describes to users.
    var json: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ items: [JSONValue]) {
            if !items.isEmpty { members.append(.init(name, .array(items))) }
        }
        add("json_ld", jsonLD.map(\.json))
        add("microdata", microdataJSON)
        add("rdfa", rdfa.map(\.json))
        add("open_graph", openGraph.properties.map(\.json))
        add("open_graph_images", openGraph.images.map(\.json))
        add("open_graph_videos", openGraph.videos.map(\.json))
        add("open_graph_audios", openGraph.audios.map(\.json))
        add("twitter_card", twitterCard.map(\.json))
        add("dublin_core", dublinCore.map(\.json))
        add("microformats", microformatsJSON)
        if isTruncated { members.append(.init("truncated", true)) }
        return .object(members)
    }

    /// The lines for people: how much there is of what, with types.
    var text: [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String) {
            lines.append(name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + value)
        }
        let nodes = jsonLD.flatMap(\.nodes)
        if !nodes.isEmpty { add("JSON-LD", Self.counts(nodes.map(\.jsonLDTypes))) }
        for failure in jsonLD.compactMap(\.failure) { add("JSON-LD", "cannot be read: \(failure)") }
        if !microdata.isEmpty { add("Microdata", Self.counts(microdata.map(\.types))) }
        let typed = rdfa.map(\.types).filter { !$0.isEmpty }
        if !typed.isEmpty { add("RDFa", Self.counts(typed)) }
        if !openGraph.properties.isEmpty {
            let type = openGraph["og:type"].first.map { "\($0), " } ?? ""
            add("OpenGraph", type + Self.counted(openGraph.properties.count, "properties", "property"))
        }
        if !twitterCard.isEmpty {
            let type = twitterCard.first { $0.name == "twitter:card" }.map { "\($0.content), " } ?? ""
            add("Twitter", type + Self.counted(twitterCard.count, "properties", "property"))
        }
        if !dublinCore.isEmpty { add("Dublin", Self.counted(dublinCore.count, "statements", "statement")) }
        if !microformats.isEmpty { add("Formats", Self.counts(microformats.map(\.types))) }
        return lines
    }

    private static func counted(_ count: Int, _ many: String, _ one: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    /// As in "NewsArticle, 2 Person", the vocabularies' addresses left out.
    private static func counts(_ types: [[String]]) -> String {
        var places: [String: Int] = [:]
        var counts: [(name: String, count: Int)] = []
        for types in types {
            let names = types.map { $0.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? $0 }
            let name = names.isEmpty ? "(no type)" : names.joined(separator: "+")
            if let place = places[name] {
                counts[place].count += 1
            } else {
                places[name] = counts.count
                counts.append((name, 1))
            }
        }
        let shown = counts.prefix(12).map { $0.count == 1 ? $0.name : "\($0.count) \($0.name)" }
        let rest = counts.count > 12 ? " and \(counts.count - 12) more types" : ""
        return shown.joined(separator: ", ") + rest
    }
}

extension JSONLDBlock {
    fileprivate var json: JSONValue {
        var members = JSONValue.members(position)
        if let value { members.append(.init("value", value)) }
        if let failure {
            members.append(
                .init(
                    "failure",
                    [
                        "message": .string(failure.message), "line": .integer(Int64(failure.line)),
                        "column": .integer(Int64(failure.column)),
                    ]
                )
            )
        }
        if !repairs.isEmpty {
            members.append(.init("repairs", .array(repairs.map { .string($0.rawValue) })))
        }
        return .object(members)
    }
}

extension MetaProperty {
    fileprivate var json: JSONValue {
        .object(
            [.init("name", .string(name)), .init("content", .string(content))] + JSONValue.members(position)
        )
    }
}

extension OpenGraph.Media {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = []
        // The page names them as it likes, and as often; what is said first counts.
        for name in ["secure_url", "type", "width", "height", "alt"] {
            members.add(name, properties.first { $0.name == name }?.content)
        }
        if let reference {
            members.append(.init("reference", .string(reference)))
            members.append(.init("url", JSONValue(url?.description)))
        }
        return .object(members)
    }
}

extension DublinCoreStatement {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name)), .init("term", .string(term))]
        if let content { members.append(.init("content", .string(content))) }
        if let reference {
            members.append(.init("reference", .string(reference)))
            members.append(.init("url", JSONValue(url?.description)))
        }
        if let scheme { members.append(.init("scheme", .string(scheme))) }
        return .object(members + JSONValue.members(position))
    }
}

extension RDFaNode {
    fileprivate var json: JSONValue {
        [
            "id": .iri(id),
            "properties": .grouped(properties.map { ($0.name, Self.json($0.value)) }),
        ]
    }

    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .resource(let iri): return ["id": .iri(iri)]
        case .literal(let text, let language, let datatype):
            var members: [JSONValue.Member] = [.init("text", .string(text))]
            if let language { members.append(.init("language", .string(language))) }
            if let datatype { members.append(.init("datatype", .string(datatype))) }
            return .object(members)
        }
    }
}

extension JSONValue {
    /// An IRI, or a name that may be one, without credentials.
    static func iri(_ text: String) -> JSONValue {
        guard text.utf8.contains(UInt8(ascii: "@")), let url = try? WebURL(text) else { return .string(text) }
        return .string(url.description)
    }

    /// An object of arrays: the values of each name, names in the order in which they come up.
    static func grouped(_ properties: [(name: String, value: JSONValue)]) -> JSONValue {
        var places: [String: Int] = [:]
        var groups: [(name: String, values: [JSONValue])] = []
        for (name, value) in properties {
            if let place = places[name] {
                groups[place].values.append(value)
            } else {
                places[name] = groups.count
                groups.append((name, [value]))
            }
        }
        return .object(groups.map { Member($0.name, .array($0.values)) })
    }
}
