import WebArchive
import WebStandards

/// Bytes as an archive of whatever format they begin like: every record is read, its body too, and all is checked.
///
/// Reading ends, and no record lies outside of the file.
func fuzzArchive(_ input: UnsafeBufferPointer<UInt8>) {
    guard let contents = try? ArchiveOpening.open(ArchiveFile(bytes: Array(input), path: "fuzzed")) else {
        return
    }
    // Of bytes that are packed there may be many more records than bytes; there is no end to them only by mistake.
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

/// A line of an index, and an index of such lines.
func fuzzIndex(_ input: UnsafeBufferPointer<UInt8>) {
    let index = CDXJFile(ArchiveFile(bytes: Array(input), path: "fuzzed"))
    let text = String(decoding: input, as: UTF8.self)
    _ = SURT.key(of: text)
    _ = Timestamp(archiveDate: text)
    _ = try? index.lines(ofKey: "test,a)/")
    _ = try? index.lines(ofKey: SURT.key(of: text))
    _ = try? index.lines(startingWith: "test,")
}
