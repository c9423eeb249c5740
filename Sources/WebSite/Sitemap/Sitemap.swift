public import WebStandards

/// A list of a site's URLs, or of other such lists, as the site publishes it.
///
/// All forms that the protocol allows are read: its own XML, indexes, RSS 2.0, Atom and plain text, each of them packed by
/// gzip or not. What a file is, its first bytes say, whatever its name and its type are.
///
/// A file that is damaged is read as far as that makes sense, and what is wrong with it is in ``faults``. Memory is bounded
/// by ``maximumEntryCount`` and ``maximumSize``; ``SitemapReader`` reads a file without keeping its entries.
///
/// [Sitemaps XML format](https://www.sitemaps.org/protocol.html)
public struct Sitemap: Sendable {
    /// The entries of a file that are read, by the protocol; more are left out, which is a fault.
    public static let maximumEntryCount = 50_000

    /// The unpacked bytes of a file that are read, by the protocol; what follows is left out, which is a fault.
    public static let maximumSize = 50 << 20

    /// The bytes of a URL; an entry with a longer one is left out, which is a fault.
    public static let maximumLocationLength = 16 << 10

    /// The alternates and images of a file; more are left out, which is a fault.
    public static let maximumLinkCount = 200_000

    /// The faults that are kept; ``faultCount`` counts the others too.
    public static let maximumFaultCount = 100

    /// The form of a file.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A list of pages.
        case urlset
        /// A list of sitemaps.
        case index = "sitemapindex"
        /// RSS 2.0: the links of its items.
        case rss
        /// Atom: the links of its entries.
        case atom
        /// A URL on each line.
        case text
    }

    /// The form; nil if it is none of them.
    public let kind: Kind?

    /// The pages, or of an index the sitemaps, in the file's order.
    public let entries: [SitemapEntry]

    /// What is wrong with the file, in its order; the first ``maximumFaultCount``.
    public let faults: [SitemapFault]

    /// How much is wrong with the file.
    public let faultCount: Int

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - url: Its URL, to which those in it may be relative.
    ///   - includesImages: Whether the images of a page are read.
    /// - Complexity: O(*n*) in the unpacked bytes.
    public init(parsing bytes: [UInt8], url: WebURL, includesImages: Bool = false) {
        var reader = SitemapReader(url: url, includesImages: includesImages)
        reader.read(bytes)
        reader.finish()
        kind = reader.kind
        entries = reader.takeEntries()
        faults = reader.faults
        faultCount = reader.faultCount
    }
}
