import Foundation
import TestSupport
import Testing
import WebArchive
import WebStandards

/// That what is written is whole, fits its manifest, and is found by its index.
@Suite(.timeLimit(.minutes(20)))
struct WACZWriterTests {
    @Test func readsBack() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.wacz").path
            var options = WACZWriter.Options()
            options.title = "A \"title\""
            let writer = try WACZWriter(path: path, options: options)
            for number in 0..<4000 {
                let url = "http://example.com/\(number)"
                try writer.append(try writtenExchange(url, "page \(number % 3500)"))
            }
            var post = try writtenExchange("http://example.com/form", "answer")
            post.method = "POST"
            post.requestFields.append(("Content-Type", Array("application/x-www-form-urlencoded".utf8)))
            post.requestBody = Array("a=b".utf8)
            try writer.append(post)
            #expect(!FileManager.default.fileExists(atPath: path))
            try writer.finish()
            #expect(throws: ArchiveError.self) { try writer.finish() }

            let archive = try WrittenArchive(path)
            #expect(archive.findings == [])
            #expect(archive.kinds.filter { $0 == "response" }.count == 3501)
            #expect(archive.kinds.filter { $0 == "revisit" }.count == 500)
            let contents = try WACZContents(file: ArchiveFile(path: path))
            #expect(try contents.pages()?.count == 4000)
            let capture = try #require(try contents.captures(of: WebURL("http://example.com/3333"))?.first)
            let reader = try contents.records(at: capture.location)
            #expect(try reader.next()?.url == "http://example.com/3333")
            #expect(try reader.payload(maximumSize: 100) == Array("page 3333".utf8))
            let zip = try ZIPArchive(file: ArchiveFile(path: path))
            #expect(
                zip.entries.map(\.name) == [
                    "archive/data.warc.gz", "indexes/index.cdx.gz", "indexes/index.idx", "pages/pages.jsonl",
                    "datapackage.json", "datapackage-digest.json",
                ]
            )
            #expect(zip["archive/data.warc.gz"]?.method == .stored)
        }
    }

    @Test func namesThePagesThatItIsGiven() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.wacz").path
            let writer = try WACZWriter(path: path)
            let exchange = try writtenExchange("http://example.com/", "x")
            try writer.append(exchange)
            try writer.append(try writtenExchange("http://example.com/other", "y"))
            try writer.appendPage(exchange.url, date: exchange.date, title: "Grüße")
            try writer.finish()
            let pages = try #require(try WACZContents(file: ArchiveFile(path: path)).pages())
            #expect(pages.map(\.url) == ["http://example.com/"])
            #expect(pages.first?.title == "Grüße")
            #expect(pages.first?.date == exchange.date)
        }
    }

    @Test func takesFilesWithoutAHead() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("a.wacz").path
            let writer = try WACZWriter(path: path)
            let resource = ArchivedResource(
                url: "http://example.com/a.css",
                date: .now,
                type: "text/css; charset=utf-8",
                body: .bytes(Array("p{}".utf8))
            )
            try writer.append(resource)
            try writer.finish()
            let archive = try WrittenArchive(path)
            #expect(archive.findings == [])
            #expect(archive.kinds == ["warcinfo", "resource"])
            #expect(archive.records.last?.fields["Content-Type"] == "text/css; charset=utf-8")
            let contents = try WACZContents(file: ArchiveFile(path: path))
            let capture = try #require(try contents.captures(of: WebURL("http://example.com/a.css"))?.first)
            #expect(capture.mimeType == "text/css")
        }
    }

    @Test func leavesTheOldFileUntilItIsFinished() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.wacz")
            try "old".write(to: url, atomically: false, encoding: .utf8)
            do {
                let writer = try WACZWriter(path: url.path)
                try writer.append(try writtenExchange("http://example.com/", "x"))
            }
            #expect(try String(contentsOf: url, encoding: .utf8) == "old")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wacz"])
            try WACZWriter(path: url.path).finish()
            #expect(try WrittenArchive(url.path).kinds == ["warcinfo"])
        }
    }

    @Test func refusesAPipe() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("pipe.wacz").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let error = #expect(throws: ArchiveError.self) { try WACZWriter(path: path) }
            #expect(error?.code == .unwritable)
        }
    }
}
