import WebStandards

/// Reads the records of all parts of a WACZ, one part after the other.
final class WACZReader: RecordReader {
    private let contents: WACZContents
    /// The number of the next part.
    private var number: Int
    private var location: ArchiveLocation?
    private var current: (reader: any RecordReader, name: String)?
    private var findings: [ArchiveFinding] = []

    /// A reader of all records from a part on, or from a record in it.
    init(_ contents: WACZContents, fromPart index: Int = 0, at location: ArchiveLocation? = nil) {
        self.contents = contents
        self.location = location
        number = index
    }

    func next() throws(ArchiveError) -> ArchiveRecord? {
        while true {
            if let (reader, name) = current {
                do throws(ArchiveError) {
                    if var record = try reader.next() {
                        record.part = name
                        return record
                    }
                } catch {
                    try pass(error, name)
                }
                takeFindings(of: reader, name)
                current = nil
            }
            guard number < contents.parts.count else { return nil }
            let entry = contents.parts[number]
            number += 1
            do throws(ArchiveError) {
                let (part, failure) = try contents.part(entry)
                if let failure {
                    findings.append(ArchiveFinding(.manifest, part: entry.name, failure.message))
                }
                if let location {
                    let place = ArchiveLocation(offset: location.offset, length: location.length)
                    current = (try part.records(at: place), entry.name)
                } else {
                    current = (try part.records(), entry.name)
                }
            } catch {
                try pass(error, entry.name)
            }
            location = nil
        }
    }

    /// Makes a finding of what keeps one part from being read; whatever keeps the archive from being read is thrown.
    private func pass(_ error: ArchiveError, _ name: String) throws(ArchiveError) {
        switch error.code {
        case .body, .limit, .notAnArchive:
            findings.append(ArchiveFinding(.manifest, part: name, error.message))
        default: throw error
        }
    }

    private func takeFindings(of reader: any RecordReader, _ name: String) {
        for var finding in reader.takeFindings() {
            finding.part = name
            findings.append(finding)
        }
    }

    func currentLength() throws(ArchiveError) -> Int? { try current?.reader.currentLength() }

    func readPayload(_ sink: Sink) throws(ArchiveError) {
        guard let current else { throw ArchiveError(.bodyMissing, "there is no record") }
        unsafe try current.reader.readPayload(sink)
    }

    func readEntity(_ sink: Sink) throws(ArchiveError) -> Bool {
        guard let current else { throw ArchiveError(.bodyMissing, "there is no record") }
        return unsafe try current.reader.readEntity(sink)
    }

    func readBlock(_ sink: Sink) throws(ArchiveError) {
        guard let current else { throw ArchiveError(.bodyMissing, "there is no record") }
        unsafe try current.reader.readBlock(sink)
    }

    func takeFindings() -> [ArchiveFinding] {
        if let (reader, name) = current { takeFindings(of: reader, name) }
        defer { findings = [] }
        return findings
    }
}
