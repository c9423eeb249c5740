public import WebStandards

/// A list of a site's URLs, or of other sitemaps, as published by the site.
///
/// All formats of the protocol are read: its own XML, indexes, RSS 2.0, Atom and plain text, with or without gzip. The
/// format is detected from the first bytes, whatever the file's name and type.
///
/// A damaged file is read as far as possible, and its errors are in ``faults``. Memory is bounded by
/// ``maximumEntryCount`` and ``maximumSize``; ``SitemapReader`` reads a file without storing its entries.
///
/// [Sitemaps XML format](https://www.sitemaps.org/protocol.html)
public struct Sitemap: Sendable {
    /// The maximum number of entries of a file, by the protocol; further ones are omitted, which is a fault.
    public static let maximumEntryCount = 50_000

    /// The maximum number of unpacked bytes of a file, by the protocol; the rest is omitted, which is a fault.
    public static let maximumSize = 50 << 20

    /// The maximum number of bytes of a URL; an entry with a longer one is omitted, which is a fault.
    public static let maximumLocationLength = 16 << 10

    /// The maximum number of alternates and images of a file; further ones are omitted, which is a fault.
    public static let maximumLinkCount = 200_000

    /// The maximum number of stored faults; ``faultCount`` counts the others too.
    public static let maximumFaultCount = 100

    /// The format of a file.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A list of pages.
        case urlset
        /// A list of sitemaps.
        case index = "sitemapindex"
        /// RSS 2.0: the links of the items.
        case rss
        /// Atom: the links of the entries.
        case atom
        /// A URL on each line.
        case text
    }

    /// The format; `nil` if it is unknown.
    public let kind: Kind?

    /// The pages, or the sitemaps of an index, in the file's order.
    public let entries: [SitemapEntry]

    /// The faults of the file, in order; the first ``maximumFaultCount``.
    public let faults: [SitemapFault]

    /// The number of all faults of the file.
    public let faultCount: Int

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - url: The URL of the file, to which its URLs may be relative.
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
