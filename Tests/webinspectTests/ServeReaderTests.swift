import FlyingFox
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// `webinspect serve-reader`: what the server's processes answer, frame by frame.
@Suite(.timeLimit(.minutes(20)))
struct ServeReaderTests {
    /// The answer to one request, the last of its frames.
    private func ask(_ request: [String: Any], _ cache: URL) async throws -> ReaderProcess.Frame {
        try #require(try await ReaderProcess.ask([request], cache).last)
    }

    private func index(
        _ cache: URL,
        _ folder: String,
        known: [String: String] = [:]
    ) async throws -> (rows: [[String: Any]], gone: [String]) {
        let frame = try await ask(["do": "index", "folder": folder, "known": known], cache)
        #expect(frame.kind == "answer")
        return (
            try #require(frame.object["rows"] as? [[String: Any]]),
            try #require(frame.object["gone"] as? [String])
        )
    }

    private static let handler: TestServer.Handler = { request in
        switch request.path {
        case "/page", "/page*":
            return HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "text/html", HTTPHeader("Cache-Control"): "max-age=60"],
                body: Data("<!doctype html><title>One\n &amp; \u{1B}[31mtwo</title><p>\(request.path)".utf8)
            )
        case "/moved":
            return HTTPResponse(statusCode: .found, headers: [.location: "/page"], body: Data())
        case "/large":
            let body = Data("<title>Large</title>\(String(repeating: "<p>word ", count: 40_000))".utf8)
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/html"], body: body)
        default:
            return HTTPResponse(
                statusCode: .notFound,
                headers: [.contentType: "text/html"],
                body: Data("<title>Gone</title>".utf8)
            )
        }
    }

    /// A cache with the page of a server, kept by a reader, and where it is.
    private func withKeptPage(
        _ path: String = "/page",
        _ body: (_ cache: URL, _ url: String, _ folder: String, _ stem: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            try await withTestServer(Self.handler) { (server) async throws in
                let url = server.url(path)
                let frame = try await ask(["do": "load", "url": url], cache)
                try #require(frame.kind == "answer", "\(String(decoding: frame.content, as: UTF8.self))")
                let place = try #require(frame.object["stem"] as? String).split(separator: "/").map(
                    String.init
                )
                try #require(place.count == 2)
                try await body(cache, url, place[0], place[1])
            }
        }
    }

    // MARK: - The index

    @Test func `an entry is listed with what the list shows of it`() async throws {
        try await withKeptPage { (cache, url, folder, stem) async throws in
            let row = try #require(try await index(cache, folder).rows.first)
            #expect(row["stem"] as? String == stem)
            #expect(row["url"] as? String == url)
            #expect(row["title"] as? String == "One & \u{1B}[31mtwo")
            #expect(row["status"] as? Int == 200)
            #expect(row["type"] as? String == "text/html")
            #expect(row["is_page"] as? Bool == true)
            #expect(row["kept"] as? Bool == false)
            let received = try #require(row["received_ms"] as? Int)
            let expires = try #require(row["expires_ms"] as? Int)
            // A minute, less the time that the answer took.
            #expect((1...60_999).contains(expires - received))
        }
    }

    @Test func `an entry that is known is not listed again, and one that is no more is gone`() async throws {
        try await withKeptPage { (cache, _, folder, stem) async throws in
            let row = try #require(try await index(cache, folder).rows.first)
            let stamp = try #require(row["stamp"] as? String)
            let other = String(repeating: "0", count: 30)
            let again = try await index(cache, folder, known: [stem: stamp, other: "1:1"])
            #expect(again.rows.isEmpty)
            #expect(again.gone == [other])
            let older = try await index(cache, folder, known: [stem: "1.2:3"])
            #expect(older.rows.count == 1)
            #expect(older.gone.isEmpty)
            let missing = try await index(cache, folder == "00" ? "01" : "00", known: [stem: stamp])
            #expect(missing.rows.isEmpty)
            #expect(missing.gone == [stem])
        }
    }

    @Test(arguments: ["text", "fifo", "link", "folder"])
    func `what is no entry is damaged, and is not waited for`(_ kind: String) async throws {
        try await withKeptPage { (cache, _, folder, stem) async throws in
            let path = cache.appendingPathComponent("\(folder)/\(stem)").path
            try FileManager.default.removeItem(atPath: path)
            switch kind {
            case "fifo": #expect(unsafe mkfifo(path, 0o600) == 0)
            case "link":
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            case "folder":
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default: try Data("no entry".utf8).write(to: URL(fileURLWithPath: path))
            }
            let row = try #require(try await index(cache, folder).rows.first)
            #expect(row["stem"] as? String == stem)
            #expect(row["url"] is NSNull)
            #expect((row["damaged"] as? String)?.isEmpty == false)
        }
    }

    @Test(arguments: ["zz", "..", "", "abc"])
    func `a folder that is none of the cache's is refused`(_ folder: String) async throws {
        try await withTemporaryFolder { (cache) async throws in
            let frame = try await ask(["do": "index", "folder": folder], cache)
            #expect(frame.kind == "error")
            #expect(frame.code == "input.form")
        }
    }

    /// Pages, and what the list calls them.
    private static let titles: [(page: String, title: String?)] = [
        ("<title>Tea</title>", "Tea"), ("<TITLE>Tea</TITLE >x", "Tea"), ("<title>Tea", "Tea"),
        ("<title></title><title>Tea</title>", nil), ("<p>no title", nil),
        ("<!-- <title>no</title> --><title>Tea</title>", "Tea"),
        ("<script>'<title>no</title>'</script><title>Tea</title>", "Tea"),
        ("<svg><title>no</title></svg><title>Tea</title>", "Tea"),
        ("<title>a</titlex>b</title>", "a</titlex>b"),
        ("<title>T\u{E9}</title>\(String(repeating: " ", count: 2000))<meta charset=utf-8>", "T\u{E9}"),
        ("\(String(repeating: " ", count: 70_000))<title>late</title>", nil),
        ("<title>\(String(repeating: "x", count: 400))</title>", String(repeating: "x", count: 300)),
    ]

    @Test(arguments: titles.indices)
    func `the list has the title of the page, if that is in its start`(_ index: Int) async throws {
        let (page, title) = Self.titles[index]
        let handler: TestServer.Handler = { _ in
            HTTPResponse(statusCode: .ok, headers: [.contentType: "text/html"], body: Data(page.utf8))
        }
        try await withTemporaryFolder { (cache) async throws in
            try await withTestServer(handler) { (server) async throws in
                let loaded = try await ask(["do": "load", "url": server.url("/")], cache)
                let place = try #require(loaded.object["stem"] as? String)
                let row = try #require(try await self.index(cache, String(place.prefix(2))).rows.first)
                #expect(row["title"] as? String == title)
            }
        }
    }

    // MARK: - Loading and removing

    @Test func `a load tells how far it is, and then what it has kept`() async throws {
        try await withTemporaryFolder { (cache) async throws in
            try await withTestServer(Self.handler) { (server) async throws in
                let url = server.url("/large")
                let frames = try await ReaderProcess.ask([["do": "load", "url": url]], cache)
                let stages = frames.dropLast().compactMap { $0.object["stage"] as? String }
                #expect(stages.first == "connecting")
                #expect(stages.last == "parsing")
                #expect(frames.dropLast().allSatisfy { $0.kind == "event" && $0.id == 1 })
                let answer = try #require(frames.last)
                #expect(answer.kind == "answer")
                #expect(answer.object["title"] as? String == "Large")
                #expect(answer.object["url"] as? String == url)
                #expect(answer.object["bytes"] as? Int == 320_020)
                #expect(answer.object["stored"] as? Bool == true)
            }
        }
    }

    @Test func `an error status and a redirect are answers, and a server that is not there is an error`()
        async throws
    {
        try await withTemporaryFolder { (cache) async throws in
            try await withTestServer(Self.handler) { (server) async throws in
                let requests: [[String: Any]] = [
                    ["do": "load", "url": server.url("/none")], ["do": "load", "url": server.url("/moved")],
                    ["do": "load", "url": "http://127.0.0.1:1/"],
                    ["do": "load", "url": "file:///etc/passwd"],
                    ["do": "load", "url": server.url("/page"), "policy": "other"],
                ]
                let frames = try await ReaderProcess.ask(requests, cache).filter { $0.kind != "event" }
                try #require(frames.map(\.id) == [1, 2, 3, 4, 5])
                #expect(frames.map(\.kind) == ["answer", "answer", "error", "error", "error"])
                #expect(frames[0].object["status"] as? Int == 404)
                #expect(frames[1].object["url"] as? String == server.url("/page"))
                #expect(frames[2].code == "network.connect")
                #expect(frames[3].code == "url.unsupported")
                #expect(frames[4].code == "input.form")
            }
        }
    }

    @Test func `an asterisk in a URL that is removed is a character like others`() async throws {
        try await withKeptPage("/page*") { (cache, url, folder, stem) async throws in
            let other = String(url.dropLast())
            let frames = try await ReaderProcess.ask(
                [
                    ["do": "load", "url": other], ["do": "remove", "url": url], ["do": "remove", "url": url],
                    ["do": "history", "url": other],
                ],
                cache
            ).filter { $0.kind != "event" }
            try #require(frames.map(\.kind) == ["answer", "answer", "answer", "answer"])
            #expect(frames[1].object["removed"] as? Int == 1)
            #expect(frames[2].object["removed"] as? Int == 0)
            #expect((frames[3].object["versions"] as? [Any])?.count == 1)
            #expect(try await index(cache, folder, known: [stem: "1.1:1"]).gone == [stem])
        }
    }

    // MARK: - Versions

    @Test func `history and differences are those of the commands`() async throws {
        let count = Mutex(0)
        let handler: TestServer.Handler = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "text/html"],
                body: Data("<!doctype html><title>T</title><p>\(number == 1 ? "one" : "two")".utf8)
            )
        }
        try await withTemporaryFolder { (cache) async throws in
            try await withTestServer(handler) { (server) async throws in
                let url = server.url("/")
                let load: [String: Any] = ["do": "load", "url": url, "policy": "reload"]
                _ = try await ReaderProcess.ask([load, load], cache)
                let history = try await ask(["do": "history", "url": url], cache)
                let command = try await Command.run(
                    "webinspect",
                    ["history", url, "--json", "--cache-dir", cache.path]
                )
                #expect(history.object as NSDictionary == (try command.json()) as NSDictionary)
                let dates = try #require(history.object["versions"] as? [[String: Any]]).compactMap {
                    $0["date"] as? String
                }
                try #require(dates.count == 2)
                let between: [String: Any] = ["url": url, "old": dates[1], "new": dates[0]]
                let frames = try await ReaderProcess.ask(
                    [
                        between.merging(["do": "diff"]) { $1 }, between.merging(["do": "diff-view"]) { $1 },
                        ["do": "diff", "url": url], ["do": "diff", "url": url, "old": "yesterday"],
                    ],
                    cache
                )
                try #require(frames.map(\.kind) == ["answer", "answer", "error", "error"])
                #expect(frames[0].object["same"] as? Bool == false)
                let page = String(decoding: frames[1].content, as: UTF8.self)
                #expect(page.hasPrefix("<!DOCTYPE html>"))
                #expect(page.contains("<del>one</del>"))
                #expect(!page.lowercased().contains("<script"))
                #expect(frames[2].code == "input.form")
                #expect(frames[3].code == "usage")
            }
        }
    }

    // MARK: - Lines

    @Test func `whatever a line is, the next one is answered`() async throws {
        try await withTemporaryFolder { (cache) async throws in
            let long = String(repeating: "x", count: 5_000_000)
            let deep = String(repeating: "[", count: 100_000)
            let lines = [
                #"{"id":1,"do":"frob"}"#, "no JSON", #"{"do":"index"}"#, #"{"id":"x","do":"index"}"#, "[]",
                deep,
                long, #"{"id":2,"do":"index","folder":"\#(long)"}"#, "", #"{"id":3,"do":"history"}"#,
                #"{"id":4,"do":"index","folder":"00"}"#,
            ]
            let frames = try await ReaderProcess.read(Data(lines.joined(separator: "\n").utf8), cache)
            #expect(frames.map(\.id) == [1, 0, 0, 0, 0, 0, 0, 0, 3, 4])
            #expect(
                frames.map(\.code) == [
                    "usage", "input.json", "input.form", "input.form", "input.form", "input.json",
                    "input.line",
                    "input.line", "input.form", nil,
                ]
            )
            #expect(frames.last?.kind == "answer")
        }
    }
}
