import Foundation
import TestSupport
import Testing
import WebStandards

@testable import WebArchive

/// Records that are found where another has not ended: a server may have written them.
@Suite(.timeLimit(.minutes(20)))
struct RecoveredRecordTests {
    private static let forged = String(
        decoding: ArchiveSample.record(id: "forged", url: "https://bank.test/", block: reply("FORGED")),
        as: UTF8.self
    )
    private static let good = ArchiveSample.record(id: "good", url: "http://a.test/", block: reply("good"))
    private static let last = ArchiveSample.record(id: "last", url: "http://z.test/", block: reply("last"))

    private static func reply(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\(body)"
    }

    /// A page whose body has a record of another site in it.
    private static func evil(lengthChange: Int? = nil, hasLength: Bool = true) -> [UInt8] {
        let block = reply("xx\r\n\r\n\(forged)\(String(repeating: "y", count: 500))")
        let length = hasLength ? String(block.utf8.count + (lengthChange ?? 0)) : "none"
        let fields = hasLength ? [] : ["WARC-Block-Digest: md5:\(String(repeating: "0", count: 32))"]
        return ArchiveSample.record(
            id: "evil",
            url: "http://evil.test/",
            fields: fields,
            block: block,
            length: length
        )
    }

    /// A member of gzip that is damaged at its start, with the member of another record among its bytes.
    private static func damagedMember() -> [UInt8] {
        var member = packedBlock(around: ArchiveSample.gzip(Array(forged.utf8)))
        // A block of a kind that does not exist.
        member[10] = 7
        return member
    }

    static let archives: [(name: String, bytes: [UInt8], trusted: Set<String>)] = [
        ("cut", good + evil().dropLast(300), ["good", "evil"]),
        ("a length that is too large", good + evil(lengthChange: 7) + last + good, ["good", "evil"]),
        ("no length", good + evil(hasLength: false), ["good", "evil"]),
        ("one member, cut", ArchiveSample.gzip(good + evil()).dropLast(300), ["good", "evil"]),
        (
            "one member, a length that is too large",
            ArchiveSample.gzip(good + evil(lengthChange: 7) + last), ["good", "evil"]
        ),
        (
            "a damaged member", ArchiveSample.gzip(good) + damagedMember() + ArchiveSample.gzip(last),
            ["good"]
        ),
    ]

    @Test(arguments: archives.map(\.name))
    func whatIsInsideOfAnotherAnswersNothing(_ name: String) throws {
        let sample = try #require(Self.archives.first { $0.name == name })
        let contents = WARCContents(file: ArchiveFile(bytes: sample.bytes, path: "sample"))
        let reader = try contents.records()
        var trusted: Set<String> = []
        var isForgedListed = false
        while let record = try reader.next() {
            let id = String((record.id ?? "").dropFirst("urn:x:".count))
            if record.isRecovered {
                isForgedListed = isForgedListed || id == "forged"
            } else {
                trusted.insert(id)
            }
        }
        #expect(trusted.isSubset(of: sample.trusted.union(["last"])), "\(trusted)")
        #expect(trusted.contains("good"))
        // Behind where a member is cut nothing is read.
        #expect(isForgedListed == (name != "one member, cut"), "\(name)")
        let isSaid = reader.takeFindings().contains { $0.message.contains("found inside of another") }
        #expect(isSaid == isForgedListed)

        let archive = Archive(contents, path: "sample")
        let collection = ArchiveCollection([archive])
        #expect(throws: ArchiveError.self) {
            _ = try collection.response(to: WebURL("https://bank.test/"), within: .none)
        }
        let found = try collection.response(to: WebURL("http://a.test/"), within: .none)
        #expect(try found.reader.payload(maximumSize: 100) == Array("good".utf8))

        var exchanges: [String] = []
        try ExchangeReader(archive, in: collection).forEach(report: { _, _ in }, findings: { _ in }) {
            exchanges.append($0.url.href)
        }
        #expect(!exchanges.contains("https://bank.test/"))
        var index = CDXJWriter()
        _ = try index.append(contents.records(), filename: "sample")
        var lines = ""
        try index.finish { lines += String(decoding: $0, as: UTF8.self) }
        #expect(!lines.contains("bank"))
        #expect(lines.contains("a.test"))
    }

    /// A damaged member reaches up to where members follow each other without a gap.
    @Test func whatFollowsWithoutAGapAnswers() throws {
        let between = ArchiveSample.gzip(ArchiveSample.record(id: "b", block: Self.reply("b")))
        let last = ArchiveSample.gzip(Self.last)
        let good = ArchiveSample.gzip(Self.good)
        #expect(try trusted(in: good + Self.damagedMember() + between + last) == ["good", "b", "last"])

        // Where the end is damaged too, nobody knows what is one after the other by chance.
        let cut = last.dropLast(4)
        #expect(try trusted(in: good + Self.damagedMember() + between + cut) == ["good"])

        // A file that is cut in a body ends where a member of that body does, by chance or behind zeros.
        let inner = ArchiveSample.gzip(Array(Self.forged.utf8))
        let body = Self.packedBlock(around: inner)
        let start = try #require(body.firstRange(of: inner)?.lowerBound)
        let cutThere = good + body[..<(start + inner.count)]
        #expect(try trusted(in: Array(cutThere)) == ["good", "evil"])
        #expect(try trusted(in: cutThere + [UInt8](repeating: 0, count: 512)) == ["good", "evil"])
    }

    /// A member of gzip whose record's body has other bytes in it as they are.
    private static func packedBlock(around inner: [UInt8]) -> [UInt8] {
        let room = "AAAA" + String(repeating: "x", count: inner.count) + String(repeating: "y", count: 500)
        var member = ArchiveSample.gzip(ArchiveSample.record(id: "evil", block: reply(room)))
        if let start = member.firstRange(of: Array("AAAA".utf8))?.upperBound {
            member.replaceSubrange(start..<start + inner.count, with: inner)
        }
        return member
    }

    /// One member for all records says nothing of where each ends.
    @Test func membersOfManyRecordsAreNoEnds() throws {
        let inner = ArchiveSample.gzip(Array(Self.forged.utf8))
        let evil = ArchiveSample.record(
            id: "evil",
            block: Self.reply("AAAA" + String(repeating: "x", count: 10_000))
        )
        var whole = ArchiveSample.gzip(Self.good + evil + Self.last)
        let start = try #require(whole.firstRange(of: Array("AAAA".utf8))?.upperBound) + 8000
        whole.replaceSubrange(start..<start + inner.count, with: inner)
        #expect(try !trusted(in: whole).contains("forged"))

        // Members of one size, as a program makes them that cuts what it packs.
        let cut =
            Self.good + ArchiveSample.record(id: "evil", block: Self.reply("x\r\n\r\n" + Self.forged + "y"))
        let place = try #require(cut.firstRange(of: Array(Self.forged.utf8))?.lowerBound)
        let pieces = ArchiveSample.gzip(Array(cut[..<place])) + ArchiveSample.gzip(Array(cut[place...]))
        #expect(try trusted(in: pieces) == ["good", "evil"])
    }

    /// Bytes beyond the end that a length states, or after an unreadable line, may be a part of a body too.
    @Test func aLengthThatIsTooSmallOrALineThatIsDamagedHidesNothing() throws {
        let short = Self.good + Self.evil(lengthChange: -Self.forged.utf8.count - 450) + Self.last
        #expect(try trusted(in: short) == ["good", "evil"])
        let block = Self.reply("whole")
        var digest = try Digest(.sha1)
        digest.update(Array(block.utf8))
        let field = "WARC-Block-Digest: \(Digest.Value(.sha1, digest.finish()).text)"
        let proven = ArchiveSample.record(id: "first", fields: [field], block: block, length: "20")
        #expect(try trusted(in: proven + Self.last + Self.good) == ["first", "last", "good"])

        var flipped = Self.evil()
        flipped[0] ^= 1
        #expect(try trusted(in: Self.good + flipped + Self.last) == ["good", "last"])
    }

    private func trusted(in bytes: [UInt8]) throws -> [String] {
        let reader = try WARCReader(ArchiveFile(bytes: bytes, path: "sample"))
        var trusted: [String] = []
        while let record = try reader.next() {
            if !record.isRecovered { trusted.append(String((record.id ?? "").dropFirst("urn:x:".count))) }
        }
        return trusted
    }

    /// Nobody can choose what has a digest.
    @Test func aDigestSaysWhereARecordEnds() throws {
        let block = Self.reply("whole")
        var digest = try Digest(.sha1)
        digest.update(Array(block.utf8))
        let field = "WARC-Block-Digest: \(Digest.Value(.sha1, digest.finish()).text)"
        for (length, isTrusted) in [("1000", true), ("-1", true), ("1001", false), ("-2", false)] {
            let first = ArchiveSample.record(
                id: "first",
                fields: [isTrusted ? field : String(field.dropLast(2)) + "AA"],
                block: block,
                length: length
            )
            let ids = try trusted(in: first + Self.last + Self.good)
            #expect(ids == (isTrusted ? ["first", "last", "good"] : ["first"]), "\(length)")
        }
        // A record that may be a part of a body can have any digest.
        let inner = ArchiveSample.record(id: "inner", fields: [field], block: block, length: "1000")
        let outer = ArchiveSample.record(
            id: "outer",
            block: String(decoding: Array(Self.reply("x\r\n\r\n").utf8) + inner + Self.last, as: UTF8.self)
        )
        #expect(try trusted(in: outer.dropLast(10) + Self.good) == ["outer"])
        // Without either of them it ends where the next begins.
        let plain = ArchiveSample.record(id: "first", block: block, length: "-1")
        #expect(try trusted(in: plain + Self.last) == ["first", "last"])
    }

    // MARK: - Heads that nobody reads

    @Test func theBlockOfAHeadThatIsTooLongIsPassedOver() throws {
        let long = ArchiveSample.record(
            id: "long",
            url: "http://evil.test/\(String(repeating: "a", count: 1 << 20))",
            block: Self.reply("xx\r\n\r\n\(Self.forged)")
        )
        for pack in [{ $0 }, { ArchiveSample.gzip($0) }] as [([UInt8]) -> [UInt8]] {
            let reading = try ArchiveSample.read(pack(Self.good) + pack(long) + pack(Self.last))
            #expect(reading.ids == ["urn:x:good", "urn:x:last"])
            #expect(reading.findings == ["archive.header"])
        }
    }

    @Test(arguments: ["a.warc", "a.warc.gz", "a.wacz"])
    func whatNobodyCouldReadIsNotWritten(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let sink = try ArchiveSink(path, withSecrets: false)
            try sink.append(writtenExchange("http://a.test/first", "first"))
            let long = String(repeating: "a", count: 1 << 20)
            let refused = [
                try writtenExchange("http://a.test/?\(long)", "long"),
                try writtenExchange("http://a.test/?\(long.prefix(70_000))", "long"),
                try writtenExchange("http://a.test/fields", "long", fields: [("X", long)]),
            ]
            for exchange in refused {
                let error = #expect(throws: ArchiveError.self) { try sink.append(exchange) }
                #expect(error?.code == .recordTooLong)
            }
            try sink.append(writtenExchange("http://a.test/last", "last"))
            try sink.finish()
            let written = try WrittenArchive(path)
            #expect(Set(written.payloads.keys) == ["http://a.test/first", "http://a.test/last"])
            #expect(written.findings.isEmpty)
        }
    }
}
