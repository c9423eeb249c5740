import WebStandards

/// The relevant elements of sitemaps and feeds, by their local names.
enum SitemapElement: UInt8 {
    case urlset
    case sitemapIndex
    case rss
    case feed
    case channel
    case url
    case sitemap
    case item
    case entry
    case location
    case lastModified
    case changeFrequency
    case priority
    case image
    case link
    case guid
    case publicationDate
    case updated
    case published
    case other

    private static let names: [(StaticString, SitemapElement)] = [
        ("url", .url), ("loc", .location), ("lastmod", .lastModified), ("changefreq", .changeFrequency),
        ("priority", .priority), ("link", .link), ("image", .image), ("sitemap", .sitemap), ("item", .item),
        ("entry", .entry), ("guid", .guid), ("pubdate", .publicationDate), ("updated", .updated),
        ("published", .published), ("channel", .channel), ("urlset", .urlset),
        ("sitemapindex", .sitemapIndex),
        ("rss", .rss), ("feed", .feed),
    ]

    /// Creates the element with a local name, ignoring case: "lastMod" is frequent.
    init(_ name: ArraySlice<UInt8>) {
        self = Self.names.first { name.equalsIgnoringASCIICase($0.0) }?.1 ?? .other
    }

    /// The format of a file with this root element; `nil` for other elements.
    var kind: Sitemap.Kind? {
        switch self {
        case .urlset: .urlset
        case .sitemapIndex: .index
        case .rss: .rss
        case .feed: .atom
        default: nil
        }
    }

    /// Whether the element is an entry, in a file of this format; an image of RSS has a "url" too.
    func isEntry(of kind: Sitemap.Kind?) -> Bool {
        switch kind {
        case .urlset, .index: self == .url || self == .sitemap
        case .rss: self == .item
        case .atom: self == .entry
        case .text, nil: false
        }
    }
}

/// The relevant attributes.
struct SitemapAttributes {
    enum Name {
        case href
        case relation
        case language
        case isPermanentLink

        init?(_ name: ArraySlice<UInt8>) {
            if name.equalsIgnoringASCIICase("href") {
                self = .href
            } else if name.equalsIgnoringASCIICase("rel") {
                self = .relation
            } else if name.equalsIgnoringASCIICase("hreflang") {
                self = .language
            } else if name.equalsIgnoringASCIICase("ispermalink") {
                self = .isPermanentLink
            } else {
                return nil
            }
        }
    }

    private(set) var href: [UInt8]?
    private(set) var relation: [UInt8]?
    private(set) var language: [UInt8]?
    private(set) var isPermanentLink: [UInt8]?

    mutating func set(_ name: Name, _ value: [UInt8]) {
        switch name {
        case .href: href = value
        case .relation: relation = value
        case .language: language = value
        case .isPermanentLink: isPermanentLink = value
        }
    }

    /// Whether a link is an alternate: by its relation, or if `withoutRelation` is true, also if it has none.
    func isAlternate(withoutRelation: Bool) -> Bool {
        guard let relation else { return withoutRelation }
        return relation[...].split(whereSeparator: \.isASCIIWhitespace)
            .contains { $0.equalsIgnoringASCIICase("alternate") }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes equal a word in lower case, ignoring case.
    func equalsIgnoringASCIICase(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        var offset = 0
        for byte in self {
            guard unsafe byte.asciiLowercased == word.utf8Start[offset] else { return false }
            offset += 1
        }
        return true
    }
}
