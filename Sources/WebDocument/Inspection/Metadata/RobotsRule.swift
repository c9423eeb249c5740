/// The directives of a page for crawlers, all of them or one.
///
/// [Robots Exclusion Protocol's page-level rules, as Google documents
/// them](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag)
public struct RobotsRule: Hashable, Sendable, Codable {
    /// The crawler, in lower case, as in "googlebot"; nil for all.
    public let agent: String?

    /// The directives in lower case and in their order, with their values: "noindex", "max-snippet:50".
    public let directives: [String]

    /// Where it was found.
    public let source: MetadataSource

    /// Whether the page is to be left out of search results.
    public var forbidsIndexing: Bool { directives.contains("noindex") || directives.contains("none") }

    /// Whether its links are not to be followed.
    public var forbidsFollowing: Bool { directives.contains("nofollow") || directives.contains("none") }

    /// Whether `meta` elements use this name for a crawler.
    static func isAgent(_ name: String) -> Bool {
        switch name {
        case "robots", "googlebot", "googlebot-news", "googlebot-image", "bingbot", "msnbot", "slurp",
            "yandex", "yandexbot", "baiduspider", "duckduckbot", "applebot", "gptbot",
            "adsbot-google", "ia_archiver", "teoma", "facebookexternalhit", "twitterbot", "petalbot":
            true
        default: false
        }
    }

    /// Reads the content of a `meta` element.
    init?(content: String, agent: String, source: MetadataSource) {
        directives = Self.directives(content)
        self.agent = agent == "robots" ? nil : agent
        self.source = source
        if directives.isEmpty { return nil }
    }

    private init(agent: String?, directives: [String], source: MetadataSource) {
        self.agent = agent
        self.directives = directives
        self.source = source
    }

    /// Reads a line of the X-Robots-Tag field: directives, with the name of a crawler and a colon before its
    /// own ones.
    static func read(field: String, source: MetadataSource) -> [RobotsRule] {
        var rules: [RobotsRule] = []
        var agent: String?
        var own: [String] = []
        func finish() {
            if !own.isEmpty { rules.append(RobotsRule(agent: agent, directives: own, source: source)) }
            own = []
        }
        for directive in directives(field) {
            let parts = directive.split(separator: ":", maxSplits: 1)
            if parts.count == 2, !hasValue(String(parts[0])) {
                finish()
                agent = String(parts[0])
                own.append(String(parts[1]).trimmingASCIIWhitespace)
            } else {
                own.append(directive)
            }
        }
        finish()
        return rules
    }

    private static func hasValue(_ name: String) -> Bool {
        switch name {
        case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview": true
        default: false
        }
    }

    /// The directives, which commas separate; the commas in a date do not.
    private static func directives(_ text: String) -> [String] {
        var directives: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            let directive = String(asciiLowercasing: part).collapsingASCIIWhitespace
            if directive.isEmpty { continue }
            // As in "unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT".
            let isRestOfDate = directive.utf8.first?.isASCIIDigit ?? false
            if isRestOfDate, let last = directives.last, last.hasPrefix("unavailable_after") {
                directives[directives.count - 1] = "\(last), \(directive)"
            } else {
                directives.append(directive)
            }
        }
        return directives
    }
}
