/// Where on a page, or in its response, something about it is said.
public struct MetadataSource: Hashable, Sendable, Codable {
    /// The kind of place.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A member of a node object of JSON-LD, as in "datePublished".
        case jsonLD = "json-ld"
        /// A `meta` element, by its name in lower case, as in "article:published_time" or "description".
        case meta
        /// An `itemprop` of microdata, as in "datePublished".
        case microdata
        /// An element, as in "title" or "time".
        case element
        /// A `link`, `a` or `area` element, by the word of its `rel`.
        case link
        /// A `meta` element, by its `http-equiv` in lower case.
        case pragma
        /// A header field, as in "Last-Modified".
        case field
    }

    /// The kind of place.
    public let kind: Kind

    /// Its name, which says which one of its kind it is.
    public let name: String

    /// Where the element stands in the source; nil for a header field, and where the parser did not keep it.
    public let position: SourcePosition?
}

/// What a page says of itself in words, and where.
public struct MetadataText: Hashable, Sendable, Codable {
    /// The words, white space stripped and collapsed; never empty.
    public let text: String

    /// Where they stand.
    public let source: MetadataSource
}

/// A date that a page gives itself, and where.
public struct MetadataDate: Hashable, Sendable, Codable {
    /// The date as it is written, white space stripped and collapsed; never empty.
    public let text: String

    /// The date in ISO 8601, as much of it as is said: `2026-11-21`, `2026-11-21T15:04:05+01:00`; nil where it is no
    /// date, or may be two (3/4/2026).
    public let date: String?

    /// Where it stands.
    public let source: MetadataSource
}
