package import WebStandards

/// A URL where a check begins.
package struct CheckSeed: Equatable, Sendable {
    /// The source of a seed.
    package enum Kind: String, Sendable {
        /// A page given by its URL.
        case seed
        /// A line of a list.
        case list
        /// An entry of a sitemap.
        case sitemap
    }

    package let url: WebURL
    package let kind: Kind
    /// The line number in the list; `nil` for other kinds.
    package let line: Int?

    package init(_ url: WebURL, _ kind: Kind = .seed, line: Int? = nil) {
        self.url = url
        self.kind = kind
        self.line = line
    }
}
