import Testing
import WebArchive
import WebStandards

struct WARCReaderTests {
    private static let two = [
        ArchiveSample.record(id: "1"), ArchiveSample.record(id: "2", block: "HTTP/1.1 404 No\r\n\r\ngone"),
    ]

    @Test(
        arguments: [
            ("not packed", two), ("gzip, a member a record", two.map { ArchiveSample.gzip($0) }),
            ("Zstandard, a frame a record", two.map { ArchiveSample.zstandard($0) }),
        ] as [(String, [[UInt8]])]
    )
    func readsRecordsWithTheirPlace(form: String, parts: [[UInt8]]) throws {
        let reading = try ArchiveSample.read(parts[0] + parts[1])
        #expect(reading.ids == ["urn:x:1", "urn:x:2"])
        #expect(reading.offsets == [0, parts[0].count])
        #expect(reading.lengths == [parts[0].count, parts[1].count])
        #expect(reading.payloads == ["<p>x", "gone"])
        #expect(reading.findings == [])
    }

    @Test func readsTheFieldsOfARecord() throws {
        let bytes = ArchiveSample.record(
            "revisit",
            url: "<http://a.example/a b>",
            fields: [
                "warc-payload-digest :  sha1:ABC ", "WARC-Refers-To: <urn:x:0>",
                "WARC-Refers-To-Date: 2023-01-02T03:04:05.6Z",
                "WARC-Truncated:", "\tlength",
            ]
        )
        let record = try #require(try WARCReader(ArchiveFile(bytes: bytes, path: "x")).next())
        #expect(record.kind == .revisit)
        #expect(record.url == "http://a.example/a b")
        #expect(record.status == 200)
        #expect(record.mimeType == "text/html")
        #expect(record.payloadDigest == "sha1:ABC")
        #expect(record.truncated == "length")
        #expect(record.date == Timestamp(archiveDate: "20240304050607"))
        #expect(record.refersTo?.id == "urn:x:0")
        #expect(record.refersTo?.date == Timestamp(archiveDate: "2023-01-02T03:04:05.600Z"))
        #expect(record.http?["content-type"] == "text/html")
        #expect(record.fields["WARC-Type"] == "revisit")
    }

    @Test func readsManyRecordsOfAMemberAndManyMembersOfARecord() throws {
        let all = Self.two[0] + Self.two[1]
        let one = try ArchiveSample.read(ArchiveSample.gzip(all))
        #expect(one.payloads == ["<p>x", "gone"])
        #expect(one.offsets == [0, 0])
        #expect(one.findings == [])
        let cut = Self.two[0].count - 6
        let split = try ArchiveSample.read(
            ArchiveSample.gzip(Array(all[..<cut])) + ArchiveSample.gzip(Array(all[cut...]))
        )
        #expect(split.payloads == ["<p>x", "gone"])
        #expect(split.findings == ["archive.length"])
    }

    @Test(
        arguments: [
            ("too short", "3", "archive.length"), ("too long", "90", "archive.length"),
            ("negative", "-1", "archive.length"),
            ("no number", "0x20", "archive.length"), ("empty", "", "archive.length"),
            ("more than any file", "99999999999999999999", "archive.length"),
        ]
    )
    func findsTheNextRecordWhereALengthIsWrong(form: String, length: String, code: String) throws {
        let wrong = ArchiveSample.record(id: "w", length: length)
        for pack in [{ $0 }, { ArchiveSample.gzip($0) }] as [([UInt8]) -> [UInt8]] {
            let reading = try ArchiveSample.read(pack(Self.two[0]) + pack(wrong) + pack(Self.two[1]))
            #expect(reading.ids == ["urn:x:1", "urn:x:w", "urn:x:2"])
            #expect(reading.payloads.last == "gone")
            #expect(reading.findings.contains(code))
        }
    }

    @Test func goesOnBehindGarbage() throws {
        let garbage = Array("nothing of a record\r\nat all\r\n".utf8)
        let plain = try ArchiveSample.read(garbage + Self.two[0] + garbage + Self.two[1])
        #expect(plain.payloads == ["<p>x", "gone"])
        #expect(plain.findings == ["archive.header", "archive.header"])
        let packed = Self.two.map { ArchiveSample.gzip($0) }
        let between = try ArchiveSample.read(packed[0] + garbage + packed[1])
        #expect(between.payloads == ["<p>x", "gone"])
        #expect(between.findings == ["archive.compression"])
        let before = try ArchiveSample.read(garbage + packed[0] + packed[1])
        #expect(before.payloads == ["<p>x", "gone"])
        #expect(before.offsets.first == garbage.count)
    }

    @Test func goesOnBehindADamagedMember() throws {
        var damaged = ArchiveSample.gzip(Self.two[0])
        damaged[damaged.count - 12] ^= 1
        let reading = try ArchiveSample.read(damaged + ArchiveSample.gzip(Self.two[1]))
        #expect(reading.ids.last == "urn:x:2")
        #expect(reading.findings.contains("archive.compression"))
    }

    @Test func saysWhereTheFileIsCut() throws {
        let plain = try ArchiveSample.read(Self.two[0] + Self.two[1].dropLast(6))
        #expect(plain.findings == ["archive.truncated"])
        #expect(plain.payloads == ["<p>x", "archive.body"])
        let packed = try ArchiveSample.read(
            ArchiveSample.gzip(Self.two[0]) + ArchiveSample.gzip(Self.two[1]).dropLast(20)
        )
        #expect(packed.findings.contains("archive.truncated"))
        #expect(packed.payloads.first == "<p>x")
    }

    @Test(
        arguments: [
            ("in chunks", "Transfer-Encoding: chunked", "2\r\nab\r\n1;x=y\r\nc\r\n0\r\nT: 1\r\n\r\n", "abc"),
            ("its chunks removed", "Transfer-Encoding: chunked", "abc", "abc"),
            ("its coding removed", "Content-Encoding: gzip", "abc", "abc"),
            ("in Brotli, removed", "Content-Encoding: br", "<!doctype html>", "<!doctype html>"),
            ("in gzip, empty", "Content-Encoding: gzip", "", ""),
            ("in chunks that break off", "Transfer-Encoding: chunked", "3\r\nabc\r\n5\r\nde", "archive.body"),
            (
                "in a chunk that is no chunk", "Transfer-Encoding: chunked", "3\r\nabc\r\nzz\r\n",
                "archive.body"
            ),
        ]
    )
    func decodesPayloads(form: String, field: String, body: String, expected: String) throws {
        let bytes = ArchiveSample.record(block: "HTTP/1.1 200 OK\r\n\(field)\r\n\r\n\(body)")
        #expect(try ArchiveSample.read(bytes).payloads == [expected])
    }

    @Test func joinsSegments() throws {
        let first = ArchiveSample.record(
            id: "s",
            fields: ["WARC-Segment-Number: 1"],
            block: "HTTP/1.1 200 OK\r\n\r\none "
        )
        let rest = ["two ", "three"].enumerated().flatMap { index, text in
            ArchiveSample.record(
                "continuation",
                id: "c\(index)",
                contentType: nil,
                fields: ["WARC-Segment-Number: \(index + 2)", "WARC-Segment-Origin-ID: <urn:x:s>"]
                    + (index == 1 ? ["WARC-Segment-Total-Length: 13"] : []),
                block: text
            )
        }
        let reading = try ArchiveSample.read(first + Self.two[0] + rest)
        #expect(reading.payloads.first == "one two three")
        #expect(try ArchiveSample.read(first).payloads == ["archive.body"])
    }

    @Test func beginsAtARecord() throws {
        let contents = WARCContents(file: ArchiveFile(bytes: Self.two[0] + Self.two[1], path: "x"))
        let reader = try contents.records(at: ArchiveLocation(offset: Self.two[0].count))
        #expect(try reader.next()?.id == "urn:x:2")
        #expect(try reader.payload(maximumSize: 100) == Array("gone".utf8))
    }

    @Test func headsHaveALimit() throws {
        let long = ArchiveSample.record(fields: ["X: " + String(repeating: "a", count: 2 << 20)])
        let reading = try ArchiveSample.read(long + Self.two[1])
        #expect(reading.ids == ["urn:x:2"])
        #expect(reading.findings.first == "archive.header")
    }

    @Test func aRecordThatIsMissingFieldsIsReadAllTheSame() throws {
        let bytes = Array(
            "WARC/1.0\r\nWARC-Type: x-mine\r\nno field\r\nContent-Length: 2\r\n\r\nab\r\n\r\n".utf8
        )
        let reading = try ArchiveSample.read(bytes)
        #expect(reading.kinds == ["x-mine"])
        #expect(reading.payloads == ["ab"])
        #expect(reading.findings == ["archive.header"])
    }
}
