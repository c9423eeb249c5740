package import WebStandards

/// The contents of an archive of any format.
///
/// Its calls block.
package protocol ArchiveContents: Sendable {
    /// Its format, for people: "WARC", "WACZ".
    var format: String { get }

    /// A reader of all records, in the file's order.
    func records() throws(ArchiveError) -> any RecordReader

    /// A reader that begins at a record, which its first ``RecordReader/next()`` returns.
    func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader

    /// The captures of a URL in the archive's own index, oldest first; `nil` if there is no index or it does not list
    /// the URL, and the records must be read instead.
    func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]?

    /// The pages that the archive names itself, in its order; nil if it names none.
    func pages() throws(ArchiveError) -> [ArchivePage]?

    /// Checks all that can be checked.
    ///
    /// - Parameter report: Takes each finding.
    /// - Throws: ``ArchiveError/Code/notAnArchive`` if there is nothing in it to check; what keeps it from being read.
    func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError)
}

/// Where a record is.
package struct ArchiveLocation: Hashable, Sendable {
    /// The file in the archive; nil if the archive is the file.
    package var part: String?
    /// Where its member begins, in bytes; in formats without offsets the number of the entry.
    package var offset: Int
    /// Bytes of its member; nil if not known.
    package var length: Int?

    package init(part: String? = nil, offset: Int, length: Int? = nil) {
        self.part = part
        self.offset = offset
        self.length = length
    }
}

/// A response, a resource or a revisit in an archive, as an index has it.
package struct ArchiveCapture: Sendable {
    package var url: String
    package var date: Timestamp?
    package var status: Int?
    package var mimeType: String?
    /// As written, nil if there is none.
    package var payloadDigest: String?
    package var isRevisit: Bool
    /// For revisits.
    package var refersTo: ArchiveRecord.Reference?
    package var location: ArchiveLocation

    package init(url: String, location: ArchiveLocation, isRevisit: Bool = false) {
        self.url = url
        self.location = location
        self.isRevisit = isRevisit
    }
}

/// A page that an archive names.
package struct ArchivePage: Sendable {
    package var url: String
    package var date: Timestamp?
    package var title: String?

    package init(url: String, date: Timestamp? = nil, title: String? = nil) {
        self.url = url
        self.date = date
        self.title = title
    }
}
