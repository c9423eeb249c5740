import WebStandards

/// The limits of a record, within which readers find its end, and its line in an index.
enum RecordLimits {
    /// The most bytes of a URL: a line of an index contains it twice, once in a form that may take three bytes for one.
    static let longestURL = 64 << 10
    /// The most Unicode scalars of a page's title.
    static let longestTitle = 4096

    static func check(url: String) throws(ArchiveError) {
        try check("the URL", url.utf8.count, longestURL)
    }

    static func check(head: [UInt8]) throws(ArchiveError) {
        try check("the head of the HTTP message", head.count, WARCReader.longestHead)
    }

    private static func check(_ what: String, _ count: Int, _ most: Int) throws(ArchiveError) {
        guard count <= most else {
            throw ArchiveError(.recordTooLong, "\(what) has \(count) bytes, and a record takes \(most)")
        }
    }

    /// A title as a list of pages has it.
    static func title(_ title: String) -> String {
        String(String.UnicodeScalarView(title.unicodeScalars.prefix(longestTitle)))
    }
}
