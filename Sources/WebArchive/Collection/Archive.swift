import Synchronization
import WebStandards

/// An archive of web pages: WARC, ARC, WACZ, HAR or MHTML, detected from its bytes.
///
/// It is a sequence of its records, in the file's order and in bounded memory, whatever the file's size:
///
/// ```swift
/// for try await record in try Archive("crawl.warc.gz") {
///     print(record.kind.rawValue, record.url ?? "-")
/// }
/// ```
///
/// A damaged record does not end the sequence: reading continues at the next record that can be found, and
/// ``findings()`` reports the problems.
/// `PageLoader` of `WebLoader` loads pages from archives.
public final class Archive: Sendable {
    /// The path of its file.
    public let path: String

    /// The contents of the file.
    package let contents: any ArchiveContents

    /// The locations of its captures, by URL; `nil` before the first request for one.
    let captures = Mutex<CaptureTable?>(nil)

    /// The locations of the records to which revisits refer, by ID, URL and digest; `nil` before the first request for
    /// one.
    let originals = Mutex<CaptureTable?>(nil)

    /// Opens an archive.
    ///
    /// It blocks while it reads the beginning of the file, and a WACZ's list of files.
    ///
    /// - Parameter path: The file: a regular one, or a pipe, of which the records can be read once.
    /// - Throws: ``ArchiveError`` if the file cannot be read, or is no archive.
    public init(_ path: String) throws(ArchiveError) {
        self.path = path
        contents = try ArchiveOpening.open(path: path)
    }

    /// Takes an archive that is open.
    package init(_ contents: any ArchiveContents, path: String) {
        self.path = path
        self.contents = contents
    }

    /// The name of its format: "WARC", "ARC", "WACZ", "HAR" or "MHTML".
    public var format: String { contents.format }

    /// Everything that is wrong with it: digests, lengths, damage, an index that does not fit.
    ///
    /// - Returns: The findings, at most 10,000, in the order in which they were made; empty if all is well.
    /// - Throws: ``ArchiveError`` if there is nothing in it that could be checked, or it cannot be read.
    /// - Complexity: Linear in the size of what is archived.
    public func findings() async throws(ArchiveError) -> [ArchiveFinding] {
        try await BlockingWork.threads.run { [contents] () throws(ArchiveError) in
            var findings: [ArchiveFinding] = []
            try contents.verify { if findings.count < 10_000 { findings.append($0) } }
            return findings
        }
    }
}

extension Archive: AsyncSequence {
    /// A record, without its body.
    public typealias Element = ArchiveRecord

    /// Starts over with the first record.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: RecordFeed(self)) }

    /// Reads the records, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let feed: RecordFeed

        /// The next record; nil at the end.
        ///
        /// - Throws: ``ArchiveError`` if the file cannot be read on.
        public mutating func next() async throws(ArchiveError) -> ArchiveRecord? {
            try await BlockingWork.threads.run { [feed] () throws(ArchiveError) in try feed.next() }
        }
    }
}

/// The records of an archive, read where blocking work is done.
///
/// It is not used by two threads at a time: whoever has it waits for each call to end before the next.
package final class RecordFeed: @unchecked Sendable {
    private let archive: Archive
    private var started: (any RecordReader)?

    package init(_ archive: Archive) { self.archive = archive }

    /// The reader, which is made when it is first used.
    package func reader() throws(ArchiveError) -> any RecordReader {
        if let started { return started }
        let reader = try archive.contents.records()
        started = reader
        return reader
    }

    /// The next record; nil at the end.
    package func next() throws(ArchiveError) -> ArchiveRecord? { try reader().next() }
}
