import WebArchive
import WebStandards

/// The contents of an archive in memory, for tests.
struct ReadArchive {
    var records: [ArchiveRecord] = []
    /// The bodies; nil for those that cannot be read.
    var bodies: [[UInt8]?] = []
    var codes: [String] = []
    /// The codes that verifying reports.
    var verified: [String] = []

    init(_ contents: any ArchiveContents) throws {
        let reader = try contents.records()
        while let record = try reader.next() {
            records.append(record)
            bodies.append(try? reader.payload(maximumSize: 1 << 28))
        }
        codes = reader.takeFindings().map(\.code.rawValue)
        try contents.verify { verified.append($0.code.rawValue) }
    }

    var urls: [String?] { records.map(\.url) }

    /// The bodies as text.
    var texts: [String?] { bodies.map { $0.map { String(decoding: $0, as: UTF8.self) } } }
}

extension HARContents {
    init(text: String) { self.init(bytes: Array(text.utf8)) }

    init(bytes: [UInt8]) { self.init(file: ArchiveFile(bytes: bytes, path: "a.har")) }
}

extension MHTMLContents {
    convenience init(text: String) { self.init(bytes: Array(text.utf8)) }

    convenience init(bytes: [UInt8]) { self.init(file: ArchiveFile(bytes: bytes, path: "a.mhtml")) }
}
