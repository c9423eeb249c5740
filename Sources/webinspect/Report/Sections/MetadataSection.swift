import WebLoader

extension PageMetadata {
    /// The section `metadata` of the JSON report, which docs/json-report.md describes to users.
    var json: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ items: [JSONValue]) {
            if !items.isEmpty { members.append(.init(name, .array(items))) }
        }
        add("titles", titles.map(\.json))
        add("descriptions", descriptions.map(\.json))
        add("languages", languages.map(\.json))
        add("site_names", siteNames.map(\.json))
        add("authors", authors.map(\.json))
        add("generators", generators.map(\.json))
        add("keywords", keywords.map(\.json))
        add("viewports", viewports.map(\.json))
        add("published", published.map(\.json))
        add("modified", modified.map(\.json))
        add("canonicals", canonicals.map(\.json))
        add("alternates", alternates.map(\.json))
        add("feeds", feeds.map(\.json))
        add("icons", icons.map(\.json))
        add("manifests", manifests.map(\.json))
        add("amp_pages", ampPages.map(\.json))
        add("previous_pages", previousPages.map(\.json))
        add("next_pages", nextPages.map(\.json))
        add("licenses", licenses.map(\.json))
        add("robots", robots.map(\.json))
        add("theme_colors", themeColors.map(\.json))
        if isTruncated { members.append(.init("truncated", true)) }
        return .object(members)
    }

    /// The lines for people, of what is there.
    var text: [String] {
        var lines: [String] = []
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            lines.append(name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + value)
        }
        add("About", description)
        add("Site", siteName)
        add("Author", authors.isEmpty ? nil : Self.joined(authors.map(\.text)))
        add("Published", publicationDate.map(Self.line))
        add("Modified", modificationDate.map(Self.line))
        add("Language", language)
        add("Canonical", canonicals.first.map { $0.url?.description ?? $0.reference })
        add("Robots", robots.isEmpty ? nil : robots.map(Self.line).joined(separator: "; "))
        add("Languages", alternates.isEmpty ? nil : Self.joined(alternates.compactMap(\.language)))
        for feed in feeds.prefix(Self.maximumLines) { add("Feed", feed.url?.description ?? feed.reference) }
        return lines
    }

    private static var maximumLines: Int { 8 }

    /// The texts, each once, and how many more there are.
    private static func joined(_ texts: [String]) -> String? {
        var shown: [String] = []
        var others = 0
        for text in texts where !shown.contains(text) {
            if shown.count < maximumLines { shown.append(text) } else { others += 1 }
        }
        guard !shown.isEmpty else { return nil }
        return shown.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }

    private static func line(_ date: MetadataDate) -> String {
        "\(date.date ?? date.text) (\(date.source.name))"
    }

    private static func line(_ rule: RobotsRule) -> String {
        "\(rule.agent.map { "\($0): " } ?? "")\(rule.directives.joined(separator: ", "))"
    }
}

extension MetadataSource {
    /// Where something is said, as members of what is said.
    fileprivate var members: [JSONValue.Member] {
        [.init("source", .string(kind.rawValue)), .init("name", .string(name))] + JSONValue.members(position)
    }
}

extension MetadataText {
    fileprivate var json: JSONValue { .object([.init("text", .string(text))] + source.members) }
}

extension MetadataDate {
    fileprivate var json: JSONValue {
        .object([.init("text", .string(text)), .init("date", JSONValue(date))] + source.members)
    }
}

extension MetadataLink {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("reference", .string(reference)), .init("url", JSONValue(url?.description)),
            .init("rel", .array(rel.map(JSONValue.string))),
        ]
        if let type { members.append(.init("type", .string(type))) }
        if let media { members.append(.init("media", .string(media))) }
        if let language { members.append(.init("language", .string(language))) }
        if let title { members.append(.init("title", .string(title))) }
        if let color { members.append(.init("color", .string(color))) }
        if !sizes.isEmpty {
            members.append(
                .init(
                    "sizes",
                    .array(
                        sizes.map {
                            ["width": .integer(Int64($0.width)), "height": .integer(Int64($0.height))]
                        }
                    )
                )
            )
        }
        if isScalable { members.append(.init("scalable", true)) }
        return .object(members + source.members)
    }
}

extension RobotsRule {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("directives", .array(directives.map(JSONValue.string)))]
        if let agent { members.append(.init("agent", .string(agent))) }
        return .object(members + source.members)
    }
}

extension ThemeColor {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("color", .string(color))]
        if let media { members.append(.init("media", .string(media))) }
        return .object(members + source.members)
    }
}
