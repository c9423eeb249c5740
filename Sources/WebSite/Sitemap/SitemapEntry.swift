public import WebStandards

/// What a sitemap says of a page, or of another sitemap.
public struct SitemapEntry: Sendable, Hashable {
    /// How often a page is likely to change, as its site says.
    public enum ChangeFrequency: String, Sendable, Hashable, CaseIterable {
        /// At each access.
        case always
        /// Each hour.
        case hourly
        /// Each day.
        case daily
        /// Each week.
        case weekly
        /// Each month.
        case monthly
        /// Each year.
        case yearly
        /// Not any more: it is archived.
        case never
    }

    /// The same page in another language.
    public struct Alternate: Sendable, Hashable {
        /// The language as written, such as "de-CH" or "x-default"; nil if none is named.
        public let language: String?

        /// Its URL.
        public let location: WebURL
    }

    /// The URL; http or https.
    public let location: WebURL

    /// The number of the line on which the element of the URL begins; the first line is 1.
    public let line: Int

    /// When it was last modified; nil if that is not said, or is no date.
    public internal(set) var lastModified: Timestamp?

    /// How often it is likely to change; nil if that is not said.
    public internal(set) var changeFrequency: ChangeFrequency?

    /// Its priority among the site's pages, 0 to 1; nil if that is not said.
    public internal(set) var priority: Double?

    /// The page in other languages.
    public internal(set) var alternates: [Alternate] = []

    /// The images of the page; empty unless they are asked for.
    public internal(set) var images: [WebURL] = []

    init(location: WebURL, line: Int) {
        self.location = location
        self.line = line
    }
}
