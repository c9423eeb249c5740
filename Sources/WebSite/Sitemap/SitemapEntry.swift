public import WebStandards

/// A sitemap's entry for a page, or for another sitemap.
public struct SitemapEntry: Sendable, Hashable {
    /// How often a page is likely to change, according to its site.
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
        /// Never: the page is archived.
        case never
    }

    /// The same page in another language.
    public struct Alternate: Sendable, Hashable {
        /// The language as written, such as "de-CH" or "x-default"; `nil` if it is not specified.
        public let language: String?

        /// The URL of the page in this language.
        public let location: WebURL
    }

    /// The URL; http or https.
    public let location: WebURL

    /// The number of the line on which the element of the URL begins; the first line is 1.
    public let line: Int

    /// When the page was last modified; `nil` if it is not specified, or is no date.
    public internal(set) var lastModified: Timestamp?

    /// How often the page is likely to change; `nil` if it is not specified.
    public internal(set) var changeFrequency: ChangeFrequency?

    /// The priority of the page on its site, from 0 to 1; `nil` if it is not specified.
    public internal(set) var priority: Double?

    /// The page in other languages.
    public internal(set) var alternates: [Alternate] = []

    /// The images of the page; empty unless they are requested.
    public internal(set) var images: [WebURL] = []

    init(location: WebURL, line: Int) {
        self.location = location
        self.line = line
    }
}
