/// Something that is wrong with a sitemap.
public struct SitemapFault: Sendable, Hashable {
    /// What is wrong.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The identifier, such as "sitemap.location".
        public let rawValue: String

        /// Creates a code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a code with an identifier.
        public init(stringLiteral identifier: String) { self.init(rawValue: identifier) }

        /// It is no sitemap of any kind.
        public static var kind: Self { "sitemap.kind" }
        /// An entry has no URL, or none of http or https; it is left out.
        public static var location: Self { "sitemap.location" }
        /// It is not well-formed XML.
        public static var markup: Self { "sitemap.markup" }
        /// An ampersand stands alone, or begins an entity that is not known; it is read as it stands.
        public static var entity: Self { "sitemap.entity" }
        /// It ends too early.
        public static var truncated: Self { "sitemap.truncated" }
        /// The compressed file is damaged; what could be unpacked was read.
        public static var compression: Self { "sitemap.compression" }
        /// It exceeds a limit of the protocol or of this reader; the rest is left out.
        public static var limit: Self { "sitemap.limit" }
        /// The server answered with a status that says that there is no sitemap.
        public static var status: Self { "sitemap.status" }
    }

    /// What is wrong.
    public let code: Code

    /// The number of the line, nil if it is about none; the first line is 1.
    public let line: Int?

    /// A description for people.
    public let message: String
}

/// The faults of a file: the first of them, and how many there are.
struct SitemapFaults: Sendable {
    private(set) var kept: [SitemapFault] = []
    private(set) var count = 0

    mutating func add(_ code: SitemapFault.Code, line: Int, _ message: @autoclosure () -> String) {
        count += 1
        guard kept.count < Sitemap.maximumFaultCount else { return }
        kept.append(SitemapFault(code: code, line: line, message: message()))
    }
}
