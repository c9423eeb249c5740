import WebLoader

extension ContentKind {
    /// As in "article, 97 % likely".
    var text: String { "\(name.rawValue), \(TextReport.percent(confidence)) likely" }
}

extension PageMetadata {
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
