/// Reads the entries of a HAR.
///
/// The entry is a response: what was asked is not a record of its own.
package final class HARReader: RecordReader {
    private var scanner: HARScanner
    private let bodies: HARBodyReader
    private var current: HAREntry?
    private var findings: [ArchiveFinding] = []
    private var isAtEnd = false

    /// Findings that are kept for one call of ``takeFindings()``.
    private static let maximumFindings = 1000

    init(_ file: ArchiveFile, entry offset: Int? = nil) {
        scanner = HARScanner(file, entry: offset)
        bodies = HARBodyReader(file: file)
    }

    package func next() throws(ArchiveError) -> ArchiveRecord? {
        try nextEntry()?.record
    }

    /// The next entry that has a URL.
    func nextEntry() throws(ArchiveError) -> HAREntry? {
        current = nil
        while !isAtEnd {
            let step = try scanner.next()
            for finding in scanner.takeFindings() { note(finding) }
            switch step {
            case .entry(let capture):
                guard let entry = HAREntry(capture, note) else { continue }
                current = entry
                return entry
            case .pages, .other: continue
            case .end:
                isAtEnd = true
                guard scanner.hasLog else {
                    throw ArchiveError(.notAnArchive, "\(bodies.file.path): there is no log of HTTP in it")
                }
                if !scanner.hasEntries, !scanner.isCut {
                    note(ArchiveFinding(.header, offset: 0, "there is no list of entries in a log"))
                }
            }
        }
        return nil
    }

    private func note(_ finding: ArchiveFinding) {
        if findings.count < Self.maximumFindings { findings.append(finding) }
    }

    package func currentLength() throws(ArchiveError) -> Int? { current?.record.length }

    package func readPayload(_ sink: Sink) throws(ArchiveError) {
        guard let current else { return }
        unsafe try bodies.read(current, sink)
    }

    package func readBlock(_ sink: Sink) throws(ArchiveError) {
        if let head = current?.record.http {
            guard unsafe try pass(HARMessage.withoutCodings(head), to: sink) else { return }
        }
        unsafe try readPayload(sink)
    }

    package func takeFindings() -> [ArchiveFinding] {
        defer { findings = [] }
        return findings
    }
}
