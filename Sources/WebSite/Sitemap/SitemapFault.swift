/// An error in a sitemap.
public struct SitemapFault: Sendable, Hashable {
    /// The kind of an error.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The identifier, such as "sitemap.location".
        public let rawValue: String

        /// Creates a code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a code with an identifier.
        public init(stringLiteral identifier: String) { self.init(rawValue: identifier) }

        /// The file is no sitemap of any format.
        public static var kind: Self { "sitemap.kind" }
        /// An entry has no URL, or one with another scheme than http and https; it is omitted.
        public static var location: Self { "sitemap.location" }
        /// The file is not well-formed XML.
        public static var markup: Self { "sitemap.markup" }
        /// An ampersand begins no entity, or an unknown one; it is read as written.
        public static var entity: Self { "sitemap.entity" }
        /// The file ends too early.
        public static var truncated: Self { "sitemap.truncated" }
        /// The compressed file is damaged; the part that could be unpacked was read.
        public static var compression: Self { "sitemap.compression" }
        /// The file exceeds a limit of the protocol or of this reader; the rest is omitted.
        public static var limit: Self { "sitemap.limit" }
        /// The server answered with a status that means that there is no sitemap.
        public static var status: Self { "sitemap.status" }
    }

    /// The kind of the error.
    public let code: Code

    /// The line number, from 1; `nil` if the error concerns no line.
    public let line: Int?

    /// A description of the error in words.
    public let message: String
}

/// The faults of a file: the first ones, and the count of all.
struct SitemapFaults: Sendable {
    private(set) var kept: [SitemapFault] = []
    private(set) var count = 0

    mutating func add(_ code: SitemapFault.Code, line: Int, _ message: @autoclosure () -> String) {
        count += 1
        guard kept.count < Sitemap.maximumFaultCount else { return }
        kept.append(SitemapFault(code: code, line: line, message: message()))
    }
}
