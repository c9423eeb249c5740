import WebLoader

extension StructuredData {
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
