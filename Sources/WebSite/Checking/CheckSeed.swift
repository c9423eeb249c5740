package import WebStandards

/// Where a check begins.
package struct CheckSeed: Equatable, Sendable {
    /// What a seed is.
    package enum Kind: String, Sendable {
        /// A page that was named.
        case seed
        /// A line of a list.
        case list
        /// An entry of a sitemap.
        case sitemap
    }

    package let url: WebURL
    package let kind: Kind
    /// The line of a list; nil for others.
    package let line: Int?

    package init(_ url: WebURL, _ kind: Kind = .seed, line: Int? = nil) {
        self.url = url
        self.kind = kind
        self.line = line
    }
}
