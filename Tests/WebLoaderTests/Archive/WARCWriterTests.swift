import Foundation
import TestSupport
import Testing
import WebArchive
import WebStandards

/// Tests of the records that are written, of which only complete ones remain in a file.
@Suite(.timeLimit(.minutes(20)))
struct WARCWriterTests {
    static let names = ["a.warc", "a.warc.gz", "a.warc.zst"]

    /// The text of a WARC that is not compressed, with exchanges written by one writer.
    private func text(_ exchanges: [ArchivedExchange]) async throws -> String {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.warc").path
            let writer = try WARCWriter(path: path)
            for exchange in exchanges { try writer.append(exchange) }
            try writer.finish()
            return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }
    }

    // MARK: - Records

    @Test(arguments: names) func readsBack(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent(name).path
            let writer = try WARCWriter(path: path)
            var exchange = try writtenExchange("http://example.com/a?b", "<p>one")
            exchange.timing = LoadTiming()
            exchange.timing?.total = .milliseconds(5)
            try writer.append(exchange)
            try writer.append(try writtenExchange("http://example.com/empty", "", status: 404))
            try writer.finish()
            let archive = try WrittenArchive(path)
            #expect(archive.findings == [])
            #expect(archive.kinds == ["warcinfo", "response", "request", "metadata", "response", "request"])
            #expect(archive.payloads["http://example.com/a?b"] == Array("<p>one".utf8))
            let response = archive.records[1]
            #expect(response.date == exchange.date)
            #expect(response.status == 200)
            #expect(response.payloadDigest == "sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL")
            #expect(response.fields["WARC-IP-Address"] == "192.0.2.7")
            #expect(archive.records[2].fields["WARC-Concurrent-To"] == response.fields["WARC-Record-ID"])
            #expect(archive.records[3].fields["WARC-Concurrent-To"] == response.fields["WARC-Record-ID"])
            #expect(FileManager.default.fileExists(atPath: path + ".unfinished") == false)
        }
    }

    @Test func saysWhatItIs() async throws {
        let text = try await text([])
        #expect(text.hasPrefix("WARC/1.1\r\nWARC-Type: warcinfo\r\n"))
        #expect(text.contains("\r\nWARC-Filename: a.warc\r\n"))
        #expect(text.contains("\r\nformat: WARC File Format 1.1\r\nconformsTo: http"))
    }

    @Test(arguments: [
        // The fields that came, and those that are written before a body of five bytes.
        (
            [("A", "1"), ("Transfer-Encoding", "chunked"), ("B", "2")],
            "A: 1\r\nX-Orig-Transfer-Encoding: chunked\r\nContent-Length: 5\r\nB: 2\r\n"
        ),
        ([("content-length", "5")], "content-length: 5\r\n"),
        ([("Content-Length", "9"), ("Content-Length", "8")], "Content-Length: 5\r\n"),
        (
            [("Content-Encoding", "gzip"), ("Set-Cookie", "a"), ("set-cookie", "b")],
            "Content-Encoding: gzip\r\nSet-Cookie: a\r\nset-cookie: b\r\n"
        ),
        ([("A", "1\r\nB: 2\n")], "A: 1  B: 2 \r\n"),
        ([(":status", "200"), ("a", "")], "a: \r\n"),
    ])
    func writesFieldsThatFitTheBody(_ fields: [(String, String)], _ written: String) async throws {
        let text = try await text([writtenExchange("http://example.com/", "12345", fields: fields)])
        #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n\(written)\r\n12345\r\n\r\n"))
    }

    @Test(arguments: ["2", "3"]) func translatesTheHead(_ version: String) async throws {
        var exchange = try writtenExchange("https://example.com/", "12345")
        exchange.version = version
        exchange.reason = ""
        let text = try await text([exchange])
        #expect(text.contains("\r\nWARC-Protocol: h\(version)\r\n"))
        #expect(text.contains("\r\n\r\nHTTP/1.1 200 \r\nContent-Type: text/html\r\n"))
        #expect(text.contains("\r\n\r\nGET / HTTP/1.1\r\n"))
    }

    @Test func keepsTheLengthOfWhatWasCutOff() async throws {
        var exchange = try writtenExchange("http://example.com/", "12345", fields: [("Content-Length", "99")])
        exchange.truncated = "time"
        let text = try await text([exchange])
        #expect(text.contains("\r\nWARC-Truncated: time\r\n"))
        #expect(text.contains("\r\nContent-Length: 99\r\n\r\n12345\r\n\r\n"))
    }

    @Test func leavesSecretsOfTheURLAndTheProxyOut() async throws {
        var exchange = try writtenExchange("http://user:secret@example.com/a?b#secret", "12345")
        exchange.requestFields.append(("Proxy-Authorization", Array("secret".utf8)))
        let text = try await text([exchange])
        #expect(text.contains("\r\nWARC-Target-URI: http://example.com/a?b\r\n"))
        #expect(text.contains("\r\n\r\nGET /a?b HTTP/1.1\r\n"))
        #expect(!text.contains("secret"))
    }

    @Test func refersToPayloadsThatWereWritten() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.warc.gz").path
            let writer = try WARCWriter(path: path)
            for name in ["a", "b"] {
                try writer.append(try writtenExchange("http://example.com/\(name)", "the same"))
                try writer.append(try writtenExchange("http://example.com/empty-\(name)", ""))
            }
            let archive = try WrittenArchive(path)
            #expect(archive.findings == [])
            let revisits = archive.records.filter { $0.kind == .revisit }
            let revisit = try #require(revisits.first)
            #expect(revisits.count == 1)
            #expect(revisit.url == "http://example.com/b")
            #expect(revisit.refersTo?.url == "http://example.com/a")
            #expect(revisit.refersTo?.id == archive.records[1].id)
            #expect(revisit.refersTo?.date == archive.records[1].date)
            #expect(
                revisit.fields["WARC-Profile"]
                    == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            )
        }
    }

    @Test(arguments: names) func takesLargeBodiesFromFiles(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let large = folder.appendingPathComponent("body")
            let body = [[UInt8]](repeating: Array(0...255), count: 35_000).flatMap { $0 }
            try Data(body).write(to: large)
            let descriptor = unsafe open(large.path, O_RDONLY)
            defer { close(descriptor) }
            let path = folder.appendingPathComponent(name).path
            let writer = try WARCWriter(path: path)
            var exchange = try writtenExchange("http://example.com/", nil)
            exchange.body = .file(descriptor: descriptor, count: body.count)
            try writer.append(exchange)
            let archive = try WrittenArchive(path)
            #expect(archive.findings == [])
            #expect(archive.payloads["http://example.com/"] == body)

            // A file that is shorter than was said: nothing of the exchange stays.
            let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
            exchange.body = .file(descriptor: descriptor, count: body.count + 1)
            #expect(throws: ArchiveError.self) { try writer.append(exchange) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == size)
        }
    }

    @Test func beginsAnotherFileWhenOneIsFull() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.warc.gz").path
            var options = WARCWriter.Options()
            options.maximumFileSize = 1000
            for number in 0..<4 {
                // Each time anew: the last file is found.
                let writer = try WARCWriter(path: path, options: options)
                try writer.append(try writtenExchange("http://example.com/\(number)", "\(number)"))
                try writer.finish()
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["a-00001.warc.gz", "a.warc.gz"])
            for name in names {
                let archive = try WrittenArchive(folder.appendingPathComponent(name).path)
                #expect(archive.findings == [])
                #expect(archive.kinds.first == "warcinfo")
                #expect(archive.kinds.filter { $0 == "warcinfo" }.count == 1)
            }
        }
    }
}
