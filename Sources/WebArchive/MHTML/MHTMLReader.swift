import WebStandards

/// Reads the parts of an MHTML, each a resource.
package final class MHTMLReader: RecordReader {
    private var parts: MHTMLParts
    private let file: ArchiveFile
    private var current: (head: MIMEHead, body: Range<Int>?)?
    private var findings: [ArchiveFinding] = []

    private static let maximumFindings = 1000

    init(_ file: ArchiveFile, _ parts: consuming MHTMLParts) {
        self.file = file
        self.parts = parts
    }

    package func next() throws(ArchiveError) -> ArchiveRecord? {
        current = nil
        let next = try parts.next()
        let room = Self.maximumFindings - findings.count
        findings += parts.takeFindings().prefix(max(0, room))
        guard let (part, head, message) = next else { return nil }
        current = (head, part.body)
        return part.record(head, of: message)
    }

    package func currentLength() throws(ArchiveError) -> Int? { nil }

    package func readPayload(_ sink: Sink) throws(ArchiveError) {
        guard let current else { return }
        guard let body = current.body else {
            throw ArchiveError(.bodyMissing, "the archive ends before the body")
        }
        unsafe try MHTMLBodyReader.read(body, current.head, in: file, sink)
    }

    package func readBlock(_ sink: Sink) throws(ArchiveError) { unsafe try readPayload(sink) }

    package func takeFindings() -> [ArchiveFinding] {
        defer { findings = [] }
        return findings
    }
}
