/// The metadata of a page, from the page and its response.
///
/// Where several places give the same kind of value, all values are there, the most trusted first: the first
/// one is the preferred one.
public struct PageMetadata: Hashable, Sendable, Codable {
    // MARK: - Words

    /// Titles: of the `title` element, of Open Graph, of Twitter cards, of JSON-LD.
    public internal(set) var titles: [MetadataText] = []

    /// Descriptions.
    public internal(set) var descriptions: [MetadataText] = []

    /// Languages, as BCP 47 tags: of the outermost element, of the Content-Language pragma, of that field.
    ///
    /// <https://html.spec.whatwg.org/multipage/dom.html#language>
    public internal(set) var languages: [MetadataText] = []

    /// The site's names.
    public internal(set) var siteNames: [MetadataText] = []

    /// Authors; of one source there may be several.
    public internal(set) var authors: [MetadataText] = []

    /// The software that made the page.
    public internal(set) var generators: [MetadataText] = []

    /// The keywords, one by one.
    public internal(set) var keywords: [MetadataText] = []

    /// How phones lay the page out, as in "width=device-width".
    public internal(set) var viewports: [MetadataText] = []

    /// The preferred title; nil where there is none.
    public var title: String? { titles.first?.text }

    /// The preferred description; nil where there is none.
    public var description: String? { descriptions.first?.text }

    /// The preferred language; nil where none is given.
    public var language: String? { languages.first?.text }

    /// The preferred name of the site; nil where none is given.
    public var siteName: String? { siteNames.first?.text }

    // MARK: - Dates

    /// When the page was published.
    public internal(set) var published: [MetadataDate] = []

    /// When it was last modified.
    public internal(set) var modified: [MetadataDate] = []

    /// The preferred date of publication: the first that can be read as a date, else the first; nil where
    /// none is given.
    public var publicationDate: MetadataDate? { published.first { $0.date != nil } ?? published.first }

    /// The preferred date of the last modification: the first that can be read as a date, else the first; nil
    /// where none is given.
    public var modificationDate: MetadataDate? { modified.first { $0.date != nil } ?? modified.first }

    // MARK: - URLs

    /// The canonical URL; several where the page contradicts itself, or says it twice.
    ///
    /// [RFC 6596](https://www.rfc-editor.org/rfc/rfc6596)
    public internal(set) var canonicals: [MetadataLink] = []

    /// The page in other languages, for other media or as other types, except feeds.
    public internal(set) var alternates: [MetadataLink] = []

    /// Feeds: RSS, Atom, JSON Feed.
    public internal(set) var feeds: [MetadataLink] = []

    /// Icons.
    public internal(set) var icons: [MetadataLink] = []

    /// The web application's manifest.
    public internal(set) var manifests: [MetadataLink] = []

    /// The page as AMP.
    public internal(set) var ampPages: [MetadataLink] = []

    /// The page before this one, in a series.
    public internal(set) var previousPages: [MetadataLink] = []

    /// The page after this one, in a series.
    public internal(set) var nextPages: [MetadataLink] = []

    /// The licence.
    public internal(set) var licenses: [MetadataLink] = []

    // MARK: - Others

    /// The rules for crawlers.
    public internal(set) var robots: [RobotsRule] = []

    /// The colours of the browser's user interface around the page.
    public internal(set) var themeColors: [ThemeColor] = []

    /// Whether something is missing, since the page has more metadata than the budget allows.
    public internal(set) var isTruncated = false

    /// Creates empty metadata.
    public init() {}
}
