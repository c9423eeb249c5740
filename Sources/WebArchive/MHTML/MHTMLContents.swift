import Synchronization
package import WebStandards

/// A page and what it needs, as the parts of one message.
///
/// A place in it is the offset of a part's head.
///
/// [RFC 2557](https://www.rfc-editor.org/rfc/rfc2557)
package final class MHTMLContents: ArchiveContents {
    private let file: ArchiveFile
    /// Where the parts are, once somebody asked for one of them.
    private let index = Mutex<MHTMLIndex?>(nil)

    package init(file: ArchiveFile) { self.file = file }

    package var format: String { "MHTML" }

    package func records() throws(ArchiveError) -> any RecordReader {
        let file = try file.inMemoryIfNeeded()
        return MHTMLReader(file, .scanned(MHTMLScanner(file)))
    }

    package func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader {
        let file = try file.inMemoryIfNeeded()
        let index = try index.withLock { known throws(ArchiveError) in
            if let known { return known }
            let new = try MHTMLIndex(file)
            known = new
            return new
        }
        return MHTMLReader(file, .indexed(index, index.place(of: location.offset), file))
    }

    package func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]? { nil }

    /// The main part: the one that the message names as its start, or else the first document.
    package func pages() throws(ArchiveError) -> [ArchivePage]? {
        var scanner = MHTMLScanner(try file.inMemoryIfNeeded())
        var first: ArchiveRecord?
        var document: ArchiveRecord?
        var start: ArchiveRecord?
        while start == nil, let part = try scanner.next() {
            _ = scanner.takeFindings()
            let record = part.record(scanner.head, of: scanner.message)
            guard record.url != nil else { continue }
            if first == nil { first = record }
            if document == nil, record.mimeType == "text/html" || record.mimeType == "application/xhtml+xml" {
                document = record
            }
            guard let name = scanner.message.start else {
                if document != nil { break }
                continue
            }
            if scanner.head.contentID == name { start = record }
        }
        guard let main = start ?? document ?? first, let url = main.url else { return nil }
        let title = scanner.messageHead.text("subject").map(EncodedWords.decoded)
        return [ArchivePage(url: url, date: main.date, title: title)]
    }

    package func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        let file = try file.inMemoryIfNeeded()
        var scanner = MHTMLScanner(file)
        var hasParts = false
        while let part = try scanner.next() {
            hasParts = true
            scanner.takeFindings().forEach(report)
            if let body = part.body,
                let fault = try MHTMLBodyReader.fault(of: scanner.head, body, isCut: part.isCut, in: file)
            {
                report(ArchiveFinding(.header, offset: part.offset, fault))
            }
        }
        guard scanner.isMessage else { throw ArchiveError(.notAnArchive, "\(file.path): no MHTML") }
        scanner.takeFindings().forEach(report)
        if !hasParts { report(ArchiveFinding(.header, offset: 0, "the message has no parts")) }
    }
}
