package import WebStandards

/// The contents of an archive that could not be opened, in its place among others: every call throws the error.
package struct UnreadableContents: ArchiveContents {
    private let error: ArchiveError

    package init(_ error: ArchiveError) { self.error = error }

    package var format: String { "" }
    package func records() throws(ArchiveError) -> any RecordReader { throw error }
    package func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader {
        throw error
    }
    package func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]? { throw error }
    package func pages() throws(ArchiveError) -> [ArchivePage]? { throw error }
    package func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) { throw error }
}
