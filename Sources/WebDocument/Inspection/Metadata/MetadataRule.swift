/// The meaning of a place that holds words or dates about a page, with the table of all these places, the
/// most trusted first.
struct MetadataRule {
    /// The subject of the words or the date.
    enum Meaning {
        case title, description, siteName, author, published, modified, generator, keywords, viewport
    }

    let meaning: Meaning
    let kind: MetadataSource.Kind
    let name: StaticString

    private init(_ meaning: Meaning, _ kind: MetadataSource.Kind, _ name: StaticString) {
        self.meaning = meaning
        self.kind = kind
        self.name = name
    }

    static let all: [MetadataRule] = [
        MetadataRule(.title, .element, "title"),
        MetadataRule(.title, .meta, "og:title"),
        MetadataRule(.title, .jsonLD, "headline"),
        MetadataRule(.title, .jsonLD, "name"),
        MetadataRule(.title, .meta, "twitter:title"),
        MetadataRule(.title, .meta, "dcterms.title"),
        MetadataRule(.title, .meta, "dc.title"),
        MetadataRule(.title, .meta, "citation_title"),

        MetadataRule(.description, .meta, "description"),
        MetadataRule(.description, .meta, "og:description"),
        MetadataRule(.description, .jsonLD, "description"),
        MetadataRule(.description, .meta, "twitter:description"),
        MetadataRule(.description, .meta, "dcterms.description"),
        MetadataRule(.description, .meta, "dc.description"),

        MetadataRule(.siteName, .meta, "og:site_name"),
        MetadataRule(.siteName, .jsonLD, "publisher"),
        MetadataRule(.siteName, .meta, "application-name"),
        MetadataRule(.siteName, .meta, "apple-mobile-web-app-title"),
        MetadataRule(.siteName, .meta, "dcterms.publisher"),
        MetadataRule(.siteName, .meta, "dc.publisher"),
        MetadataRule(.siteName, .meta, "citation_journal_title"),

        MetadataRule(.author, .jsonLD, "author"),
        MetadataRule(.author, .meta, "author"),
        MetadataRule(.author, .meta, "article:author"),
        MetadataRule(.author, .meta, "og:article:author"),
        MetadataRule(.author, .meta, "og:author"),
        MetadataRule(.author, .microdata, "author"),
        MetadataRule(.author, .meta, "parsely-author"),
        MetadataRule(.author, .meta, "sailthru.author"),
        MetadataRule(.author, .meta, "cxenseparse:author"),
        MetadataRule(.author, .meta, "byl"),
        MetadataRule(.author, .meta, "citation_author"),
        MetadataRule(.author, .meta, "dcterms.creator"),
        MetadataRule(.author, .meta, "dc.creator"),
        // Behind a label that says so.
        MetadataRule(.author, .meta, "twitter:data1"),
        MetadataRule(.author, .meta, "twitter:data2"),
        MetadataRule(.author, .meta, "twitter:creator"),
        MetadataRule(.author, .link, "author"),

        MetadataRule(.published, .jsonLD, "datePublished"),
        MetadataRule(.published, .meta, "article:published_time"),
        MetadataRule(.published, .meta, "article:published"),
        MetadataRule(.published, .meta, "og:published_time"),
        MetadataRule(.published, .meta, "og:article:published_time"),
        MetadataRule(.published, .microdata, "datePublished"),
        MetadataRule(.published, .jsonLD, "uploadDate"),
        MetadataRule(.published, .jsonLD, "dateCreated"),
        MetadataRule(.published, .microdata, "dateCreated"),
        MetadataRule(.published, .meta, "dcterms.issued"),
        MetadataRule(.published, .meta, "dc.date.issued"),
        MetadataRule(.published, .meta, "dcterms.created"),
        MetadataRule(.published, .meta, "dc.date.created"),
        MetadataRule(.published, .meta, "dcterms.date"),
        MetadataRule(.published, .meta, "dc.date"),
        MetadataRule(.published, .meta, "parsely-pub-date"),
        MetadataRule(.published, .meta, "sailthru.date"),
        MetadataRule(.published, .meta, "citation_publication_date"),
        MetadataRule(.published, .meta, "citation_date"),
        MetadataRule(.published, .meta, "pubdate"),
        MetadataRule(.published, .meta, "publishdate"),
        MetadataRule(.published, .meta, "publish-date"),
        MetadataRule(.published, .meta, "publish_date"),
        MetadataRule(.published, .meta, "publication_date"),
        MetadataRule(.published, .meta, "published"),
        MetadataRule(.published, .meta, "published-date"),
        MetadataRule(.published, .meta, "published_date"),
        MetadataRule(.published, .meta, "ptime"),
        MetadataRule(.published, .meta, "date"),
        // The first one of the page.
        MetadataRule(.published, .element, "time"),

        MetadataRule(.modified, .jsonLD, "dateModified"),
        MetadataRule(.modified, .meta, "article:modified_time"),
        MetadataRule(.modified, .meta, "article:modified"),
        MetadataRule(.modified, .meta, "og:updated_time"),
        MetadataRule(.modified, .meta, "og:modified_time"),
        MetadataRule(.modified, .meta, "og:article:modified_time"),
        MetadataRule(.modified, .microdata, "dateModified"),
        MetadataRule(.modified, .meta, "dcterms.modified"),
        MetadataRule(.modified, .meta, "dc.date.modified"),
        MetadataRule(.modified, .meta, "lastmod"),
        MetadataRule(.modified, .meta, "last-modified"),
        MetadataRule(.modified, .meta, "utime"),
        MetadataRule(.modified, .meta, "revised"),
        MetadataRule(.modified, .pragma, "last-modified"),
        MetadataRule(.modified, .field, "Last-Modified"),

        MetadataRule(.generator, .meta, "generator"),
        MetadataRule(.keywords, .meta, "keywords"),
        MetadataRule(.keywords, .meta, "news_keywords"),
        MetadataRule(.viewport, .meta, "viewport"),
    ]

    /// The indices in ``all`` of the rules of a kind, by the first letter of the name.
    private static let places: [[Int]] = {
        var places = [[Int]](repeating: [], count: 7 * 26)
        for (place, rule) in all.enumerated() {
            if let key = key(rule.kind, unsafe rule.name.utf8Start[0]) { places[key].append(place) }
        }
        return places
    }()

    private static func key(_ kind: MetadataSource.Kind, _ initial: UInt8) -> Int? {
        guard initial.isASCIIAlpha else { return nil }
        let row =
            switch kind {
            case .jsonLD: 0
            case .meta: 1
            case .microdata: 2
            case .element: 3
            case .link: 4
            case .pragma: 5
            case .field: 6
            }
        return row * 26 + Int(initial | 0x20) - Int(UInt8(ascii: "a"))
    }

    /// The index in ``all`` of the rule for a name, whatever the case of its letters; nil if there is none.
    static func place(of kind: MetadataSource.Kind, _ name: String) -> Int? {
        guard let initial = name.utf8.first, let key = key(kind, initial) else { return nil }
        return places[key].first { name.isEqualIgnoringASCIICase(to: all[$0].name) }
    }
}
