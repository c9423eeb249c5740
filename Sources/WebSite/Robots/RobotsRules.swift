public import WebStandards

/// The rules of a site's robots.txt: which of its URLs an agent may request, how often, and where its sitemaps are.
///
/// Nothing in a file is an error. Unknown lines are ignored, and only the beginning of too long a file or line is read:
/// ``maximumSize`` bytes of the file, ``maximumLineLength`` bytes of a line. Parsing takes linear time and memory, and
/// matching a URL with a rule takes linear time in the length of both.
///
/// Beyond the RFC, UTF-16 is read if it has a byte order mark, and the errors that Google's crawler tolerates are
/// tolerated: a missing colon, frequent misspellings, a part of a byte order mark, words after an agent's name; and a
/// rule that allows `index.html` allows its directory.
///
/// [RFC 9309](https://www.rfc-editor.org/rfc/rfc9309)
public struct RobotsRules: Sendable {
    /// The maximum number of bytes of a file that are read: 500 KiB.
    ///
    /// A caller needs to load at most one byte more.
    public static let maximumSize = 500 << 10

    /// The maximum number of bytes of a line that are read: eight times the longest URL of old browsers.
    public static let maximumLineLength = 16_664

    /// The maximum number of bytes that are searched for wildcards in order to decide about one URL.
    ///
    /// A thousand rules with wildcards and a URL of 64 KiB reach it.
    public static let maximumEffort = 64 << 20

    /// The longest crawl delay; longer ones are reduced to it.
    public static let maximumCrawlDelay = Duration.seconds(3600)

    /// The number of redirects after which a file is unavailable: a caller follows that many, to other hosts too.
    ///
    /// [RFC 9309, section 2.3.1.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2)
    public static let maximumRedirects = 5

    /// A line of the file.
    public struct Line: Sendable, Hashable {
        /// The number of the line; the first line is 1.
        public let number: Int

        /// The text of the line without white space around it; at most ``RobotsRules/maximumLineLength`` bytes.
        public let text: String
    }

    /// A line that names a sitemap.
    public struct SitemapLine: Sendable, Hashable {
        /// The number of the line; the first line is 1.
        public let number: Int

        /// The value of the line: an absolute URL if the site follows the specification.
        public let location: String

        /// Returns the URL of the sitemap; `nil` if the value is invalid.
        ///
        /// - Parameter robots: The URL of the robots.txt.
        /// - Returns: The URL; `nil` if the value is invalid.
        public func url(relativeTo robots: WebURL) -> WebURL? {
            do throws(WebURLError) {
                return try WebURL(location, base: robots)
            } catch {
                return nil
            }
        }
    }

    /// The result of the request, which decides without a rule.
    let scope: Scope

    /// The part of the file that was read; ``Line/text`` is taken from it.
    let source: [UInt8]

    let groups: RobotsGroups

    /// The sitemaps that the file names, in order; they belong to no group.
    public let sitemaps: [SitemapLine]

    /// The number of lines that are unknown to this parser, and are neither empty nor comments.
    public let unknownLineCount: Int

    /// The scope of a site's rules.
    enum Scope: Sendable {
        /// The rules of a file.
        case rules
        /// There is no file: everything is allowed.
        case unavailable
        /// It is unknown whether there is a file: nothing is allowed.
        case unreachable
    }

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: The file, or the beginning of it; no more than ``maximumSize`` bytes are read.
    ///   - isComplete: Whether these are all bytes of the file. Otherwise the last line is ignored if it may be cut
    ///     off: half of a path would be a different rule.
    /// - Complexity: O(*n*) in the number of bytes that are read.
    public init(parsing bytes: [UInt8], isComplete: Bool = true) {
        let isCut = bytes.count > Self.maximumSize
        let source = Self.withoutUTF16(isCut ? Array(bytes[..<Self.maximumSize]) : bytes)
        var parser = RobotsParser(isComplete: isComplete && !isCut)
        parser.parse(source.span)
        self.init(scope: .rules, parser, source: source)
    }

    /// Returns the bytes in UTF-8, if a byte order mark shows that they are UTF-16, so that the site's intention is
    /// clear.
    private static func withoutUTF16(_ bytes: [UInt8]) -> [UInt8] {
        let encoding: TextEncoding
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFE, 0xFF): encoding = .utf16BE
        case (0xFF, 0xFE): encoding = .utf16LE
        default: return bytes
        }
        var decoder = TextDecoder(encoding)
        var text: [UInt8] = []
        unsafe bytes.withUnsafeBytes { bytes in
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2))
            unsafe decoder.decode(bytes, isLast: true, into: &text)
        }
        return text
    }

    init(scope: Scope, _ parser: RobotsParser = RobotsParser(), source: [UInt8] = []) {
        self.scope = scope
        self.source = source
        groups = parser.groups
        sitemaps = parser.sitemaps
        unknownLineCount = parser.unknownLineCount
    }
}
