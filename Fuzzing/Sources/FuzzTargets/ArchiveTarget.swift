import WebArchive
import WebStandards

/// Opens the bytes as an archive of the format that they begin like, reads every record with its body, and verifies all
/// of it.
///
/// Reading ends, and no record lies outside of the file.
func fuzzArchive(_ input: UnsafeBufferPointer<UInt8>) {
    guard let contents = try? ArchiveOpening.open(ArchiveFile(bytes: Array(input), path: "fuzzed")) else {
        return
    }
    // Compressed bytes may have many more records than bytes; an endless number of records is a bug.
    var left = 1_000_000
    if let reader = try? contents.records() {
        while let record = try? reader.next() {
            left -= 1
            precondition(left > 0)
            if let offset = record.offset, record.part == nil { precondition(0...input.count ~= offset) }
            var size = 0
            try? reader.readPayload { piece throws(ArchiveError) in
                size += piece.count
                return size < 1 << 24
            }
            _ = record.fields.fields
            _ = record.http?.httpFields
            _ = try? reader.currentLength()
            if let offset = record.offset {
                _ = try? contents.records(at: ArchiveLocation(part: record.part, offset: offset)).next()
            }
            _ = reader.takeFindings()
        }
    }
    _ = try? contents.pages()
    if let url = try? WebURL("http://a.test/") { _ = try? contents.captures(of: url) }
    try? contents.verify { _ in }
}

/// Reads the bytes as a line of an index, and as an index of such lines.
func fuzzIndex(_ input: UnsafeBufferPointer<UInt8>) {
    let index = CDXJFile(ArchiveFile(bytes: Array(input), path: "fuzzed"))
    let text = String(decoding: input, as: UTF8.self)
    _ = SURT.key(of: text)
    _ = Timestamp(archiveDate: text)
    _ = try? index.lines(ofKey: "test,a)/")
    _ = try? index.lines(ofKey: SURT.key(of: text))
    _ = try? index.lines(startingWith: "test,")
}
