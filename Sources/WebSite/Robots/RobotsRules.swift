public import WebStandards

/// What a site's robots.txt says: which of its URLs an agent may ask for, how often, and where its sitemaps are.
///
/// Nothing in a file is an error. Unknown lines are passed over, and of what exceeds a limit the beginning counts:
/// ``maximumSize`` bytes of the file, ``maximumLineLength`` bytes of a line. Time and memory for reading are linear in what
/// is read, and a URL is compared with a rule in a time that is linear in both.
///
/// Beyond the RFC, UTF-16 is read if it has a byte order mark, and what Google's crawler forgives is forgiven: a missing colon, frequent misspellings, a part of a byte
/// order mark, words after an agent's name; and a rule that allows `index.html` allows its directory.
///
/// [RFC 9309](https://www.rfc-editor.org/rfc/rfc9309)
public struct RobotsRules: Sendable {
    /// The bytes of a file that are read: 500 KiB.
    ///
    /// A caller needs no more of it than one byte past them.
    public static let maximumSize = 500 << 10

    /// The bytes of a line that count: eight times as many as browsers of old allowed a URL.
    public static let maximumLineLength = 16_664

    /// The bytes in which wildcards are looked for to say of one URL whether it is allowed.
    ///
    /// A thousand rules with wildcards and a URL of 64 KiB take as many.
    public static let maximumEffort = 64 << 20

    /// The longest wait that a file can ask for; longer ones become this one.
    public static let maximumCrawlDelay = Duration.seconds(3600)

    /// The redirects after which a file is taken for unavailable: a caller follows so many, to other hosts too.
    ///
    /// [RFC 9309, section 2.3.1.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2)
    public static let maximumRedirects = 5

    /// A line of the file.
    public struct Line: Sendable, Hashable {
        /// Its number; the first line is 1.
        public let number: Int

        /// Its text without white space around it; ``RobotsRules/maximumLineLength`` bytes at most.
        public let text: String
    }

    /// A line that names a sitemap.
    public struct SitemapLine: Sendable, Hashable {
        /// The number of the line; the first line is 1.
        public let number: Int

        /// What is named: an absolute URL if the site keeps to the rules.
        public let location: String

        /// The sitemap's URL; nil if the line names none.
        ///
        /// - Parameter robots: The URL of the robots.txt.
        /// - Returns: The URL; nil if there is none.
        public func url(relativeTo robots: WebURL) -> WebURL? {
            do throws(WebURLError) {
                return try WebURL(location, base: robots)
            } catch {
                return nil
            }
        }
    }

    /// What holds where no rule decides.
    let scope: Scope

    /// The part of the file that was read; lines are shown from it.
    let source: [UInt8]

    let groups: RobotsGroups

    /// The sitemaps that the file names, in its order; they belong to no group.
    public let sitemaps: [SitemapLine]

    /// The lines that mean nothing to this reader, and are neither empty nor comments.
    public let unknownLineCount: Int

    /// What a site's rules cover.
    enum Scope: Sendable {
        /// The rules of a file.
        case rules
        /// There is no file: all is allowed.
        case unavailable
        /// Nobody knows whether there is a file: nothing is allowed.
        case unreachable
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file, or as much of it as was got; no more than ``maximumSize`` bytes are looked at.
    ///   - isComplete: Whether these are all bytes of the file. Otherwise the last line, if it may be cut off, does not
    ///     count: half of a path would be another rule.
    /// - Complexity: O(*n*) in what is read.
    public init(parsing bytes: [UInt8], isComplete: Bool = true) {
        let isCut = bytes.count > Self.maximumSize
        let source = Self.withoutUTF16(isCut ? Array(bytes[..<Self.maximumSize]) : bytes)
        var parser = RobotsParser(isComplete: isComplete && !isCut)
        parser.parse(source.span)
        self.init(scope: .rules, parser, source: source)
    }

    /// The bytes in UTF-8, if a byte order mark says that they are UTF-16: what the site means is clear.
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
