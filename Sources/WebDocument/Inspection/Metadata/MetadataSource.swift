/// The place on a page, or in its response, where a piece of metadata was found.
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

    /// The name of the place, among those of its kind.
    public let name: String

    /// Where the element stands in the source; nil for a header field, and where the parser did not keep it.
    public let position: SourcePosition?
}

/// A text that a page gives about itself, and its place.
public struct MetadataText: Hashable, Sendable, Codable {
    /// The text, white space stripped and collapsed; never empty.
    public let text: String

    /// Where it was found.
    public let source: MetadataSource
}

/// A date that a page gives about itself, and its place.
public struct MetadataDate: Hashable, Sendable, Codable {
    /// The date as it is written, white space stripped and collapsed; never empty.
    public let text: String

    /// The date in ISO 8601, as much of it as is given: `2026-11-21`, `2026-11-21T15:04:05+01:00`; nil where
    /// it is not a date, or is ambiguous (3/4/2026).
    public let date: String?

    /// Where it was found.
    public let source: MetadataSource
}
