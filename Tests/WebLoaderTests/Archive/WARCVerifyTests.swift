import Testing
import WebArchive

struct WARCVerifyTests {
    private static let block = "HTTP/1.1 200 OK\r\n\r\nabc"
    // SHA-1 of "abc", of the block, and of "abc" in a chunk.
    private static let payload = "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"

    private static func digest(_ text: String) throws(ArchiveError) -> String {
        var digest = try Digest(.sha1)
        digest.update(Array(text.utf8))
        return Digest.Value(.sha1, digest.finish()).text
    }

    @Test func rightDigestsAreNothingToReport() throws {
        let fields = [
            "WARC-Payload-Digest: \(Self.payload)", "WARC-Block-Digest: \(try Self.digest(Self.block))",
        ]
        #expect(try ArchiveSample.verify(ArchiveSample.record(fields: fields, block: Self.block)) == [])
    }

    @Test func wrongDigestsAreReported() throws {
        let fields = ["WARC-Payload-Digest: \(try Self.digest("x"))", "WARC-Block-Digest: sha1:nothing"]
        let codes = try ArchiveSample.verify(ArchiveSample.record(fields: fields, block: Self.block))
        #expect(codes == ["archive.block-digest", "archive.payload-digest"])
    }

    @Test func aPayloadDigestMayBeOfTheChunks() throws {
        let body = "3\r\nabc\r\n0\r\n\r\n"
        for digest in [Self.payload, try Self.digest(body)] {
            let record = ArchiveSample.record(
                fields: ["WARC-Payload-Digest: \(digest)"],
                block: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
            )
            #expect(try ArchiveSample.verify(record) == [])
        }
    }

    @Test func revisitsNeedWhatTheyReferTo() throws {
        let original = ArchiveSample.record(
            id: "o",
            fields: ["WARC-Payload-Digest: \(Self.payload)"],
            block: Self.block
        )
        func revisit(_ fields: [String]) -> [UInt8] {
            ArchiveSample.record("revisit", id: "r", fields: fields, block: "HTTP/1.1 200 OK\r\n\r\n")
        }
        let byID = revisit(["WARC-Refers-To: <urn:x:o>"])
        let byURL = revisit([
            "WARC-Refers-To-Target-URI: http://a.example/", "WARC-Refers-To-Date: 2024-03-04T05:06:07Z",
        ])
        let byDigest = revisit(["WARC-Payload-Digest: \(Self.payload)"])
        #expect(try ArchiveSample.verify(byID + byURL + byDigest + original) == [])
        #expect(try ArchiveSample.verify(byID + byDigest) == ["archive.revisit", "archive.revisit"])
        #expect(try ArchiveSample.verify(revisit([])) == [])
    }

    @Test func revisitsInACircleHaveNoOriginal() throws {
        let circle = (0..<50).flatMap { index in
            ArchiveSample.record(
                "revisit",
                id: "\(index)",
                fields: ["WARC-Refers-To: <urn:x:\((index + 1) % 50)>"],
                block: ""
            )
        }
        #expect(try ArchiveSample.verify(circle).count == 50)
    }

    @Test(arguments: [
        Array("hello\n".utf8), [], ArchiveSample.gzip(Array("hello\n".utf8)),
        [UInt8](repeating: 0, count: 5000),
    ])
    func whatHasNoRecordIsNoArchive(bytes: [UInt8]) {
        let error = #expect(throws: ArchiveError.self) { try ArchiveSample.verify(bytes) }
        #expect(error?.code == .notAnArchive)
    }
}
