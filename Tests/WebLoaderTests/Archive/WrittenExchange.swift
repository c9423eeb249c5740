import TestSupport
import WebArchive
import WebStandards

/// An exchange as tests write it.
func writtenExchange(
    _ url: String,
    _ body: String?,
    status: Int = 200,
    fields: [(String, String)] = [("Content-Type", "text/html")]
) throws -> ArchivedExchange {
    let date = Timestamp(millisecondsSince1970: 1_700_000_000_123)
    var exchange = ArchivedExchange(url: try WebURL(url), date: date, status: status)
    exchange.reason = "OK"
    exchange.address = "192.0.2.7"
    exchange.requestFields = [("Host", Array("example.com".utf8))]
    exchange.responseFields = fields.map { ($0, Array($1.utf8)) }
    exchange.body = body.map { .bytes(Array($0.utf8)) }
    return exchange
}

/// The records of an archive, the payloads of its responses, and what is wrong with it.
struct WrittenArchive {
    var records: [ArchiveRecord] = []
    var payloads: [String: [UInt8]] = [:]
    var findings: [String] = []

    init(_ path: String) throws {
        let file = try ArchiveFile(path: path)
        let contents: any ArchiveContents =
            path.hasSuffix(".wacz") ? try WACZContents(file: file) : WARCContents(file: file)
        let reader = try contents.records()
        while let record = try reader.next() {
            records.append(record)
            if record.kind == .response, let url = record.url {
                payloads[url] = try reader.payload(maximumSize: 64 << 20)
            }
        }
        var findings: [String] = []
        try contents.verify { findings.append("\($0.code.rawValue): \($0.message)") }
        self.findings = findings
    }

    /// The kinds of the records, in order.
    var kinds: [String] { records.map(\.kind.rawValue) }
}
