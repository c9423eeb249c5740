import FlyingFox
import Foundation
import TestSupport
import Testing

/// `webinspect crawl`: what is in its archive, how it ends, and that it goes on.
@Suite(.timeLimit(.minutes(20)))
struct CrawlCommandTests {
    /// Pages in a chain, each with a picture that all have, a redirect and a page that is not there.
    private static func answer(_ count: Int, robots: String? = nil) -> TestServer.Handler {
        { request in
            let html: HTTPHeaders = [.contentType: "text/html"]
            let image: HTTPHeaders = [.contentType: "image/png"]
            let css: HTTPHeaders = [.contentType: "text/css"]
            switch request.path {
            case "/robots.txt":
                guard let robots else { return HTTPResponse(statusCode: .notFound) }
                return HTTPResponse(statusCode: .ok, body: Data(robots.utf8))
            case "/moved":
                var headers = html
                headers[.location] = "/1"
                return HTTPResponse(statusCode: .found, headers: headers)
            case "/same.png", "/other.png":
                return HTTPResponse(
                    statusCode: .ok,
                    headers: image,
                    body: Data("PNG".utf8)
                )
            case "/style.css":
                let style = "@import 'more.css'; p { background: url(other.png) }"
                return HTTPResponse(
                    statusCode: .ok,
                    headers: css,
                    body: Data(style.utf8)
                )
            default: break
            }
            guard let number = Int(request.path.dropFirst()), number < count else {
                return HTTPResponse(statusCode: .notFound, headers: html, body: Data("none".utf8))
            }
            let page = """
                <title>\(number)</title><img src=same.png><link rel=stylesheet href=style.css><a href=/\(number + 1)>on</a>
                <a href=/moved>moved</a><a href=http://127.0.0.1:1/>elsewhere</a>
                """
            return HTTPResponse(statusCode: .ok, headers: html, body: Data(page.utf8))
        }
    }

    @Test func saysWhyNothingWasLoaded() async throws {
        try await withTemporaryFolder { folder in
            let port = try RefusingPort()
            let out = folder.appendingPathComponent("site.warc.gz").path
            let line = ["crawl", "http://127.0.0.1:\(port.number)/", "-o", out, "--retry", "0"]
            let outcome = try await Command.run("webinspect", line)
            #expect(outcome.status == 3)
            #expect(outcome.errors.contains("/robots.txt: "))
            #expect(outcome.errors.contains("(network.connect)"))
        }
    }

    @Test(arguments: [
        ("site.zip", 2), ("site.html", 2), ("mine", 8), ("mine.wacz", 8), ("example.com", 3),
        ("site.zip/", 3),
    ])
    func writesIntoNothingOfOthers(name: String, status: Int32) async throws {
        try await withTemporaryFolder { folder in
            let mine = folder.appending(path: "mine")
            try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: mine.appending(path: "notes.txt"))
            let archive = folder.appending(path: "mine.wacz")
            try Data("mine".utf8).write(to: archive)
            let port = try RefusingPort()
            let line = ["crawl", "http://127.0.0.1:\(port.number)/", "-o", name, "--retry", "0"]
            let outcome = try await Command.run("webinspect", line, folder: folder)
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: mine.path) == ["notes.txt"])
            #expect(try Data(contentsOf: archive) == Data("mine".utf8))
        }
    }

    @Test(arguments: ["crawl", "check", "mirror", "batch", "pipe"])
    func whatIsNoArchiveIsSaidOnce(command: String) async throws {
        try await withTemporaryFolder { folder in
            try Data("no record".utf8).write(to: folder.appending(path: "a.warc"))
            let more: [String] =
                switch command {
                case "check": ["http://h.test/"]
                case "batch": ["-", "--run", "links", "-o", "out.jsonl"]
                case "pipe": ["--run", "links"]
                default: ["http://h.test/", "-o", "out.warc"]
                }
            let line = [command] + more + ["--from", "a.warc"]
            let outcome = try await Command.run(
                "webinspect",
                line,
                input: Data("http://h.test/".utf8),
                folder: folder
            )
            #expect(outcome.status == 7, "\(outcome.errors)")
            #expect(outcome.errors.contains("(archive.format)"))
        }
    }

    @Test func countsAnswersWithAnError() async throws {
        try await withTestServer(Self.answer(2)) { server in
            try await withTemporaryFolder { folder in
                let out = folder.appendingPathComponent("site.warc.gz")
                let outcome = try await crawl(server, "/0", out)
                #expect(outcome.errors.contains("3 pages, "))
                #expect(outcome.errors.contains(", 1 answer with an error (404: 1)"))
                let state = try await Command.run(
                    "webinspect",
                    ["crawl", "--status", "--json", "-o", out.path]
                )
                #expect(state.text.contains("\"errors\":{\"404\":1}"))
            }
        }
    }

    private func crawl(
        _ server: TestServer,
        _ path: String,
        _ out: URL,
        _ more: String...
    ) async throws -> Command.Outcome {
        try await Command.run(
            "webinspect",
            ["crawl", server.url(path), "-o", out.path, "--retry", "0"] + more
        )
    }

    /// The paths of an archive's captures, each with its kind and status.
    private func captures(_ archive: URL) async throws -> [String] {
        let outcome = try await Command.run("webinspect", ["archive", "ls", archive.path, "--jsonl"])
        return try outcome.text.split(separator: "\n").compactMap { line in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let type = record?["type"] as? String, type == "response" || type == "revisit",
                let url = (record?["url"] as? String).flatMap({ URL(string: $0) })
            else { return nil }
            return "\(url.path) \(type) \(record?["status"] as? Int ?? 0)"
        }.sorted()
    }

    @Test(arguments: ["site.warc.gz", "site.warc", "site.warc.zst", "site.wacz"])
    func recordsEachURLOnce(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(3)) { server in
                let out = folder.appendingPathComponent(name)
                let outcome = try await crawl(server, "/0", out)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let found = try await captures(out)
                let whole = found.map { $0.split(separator: " ")[0] }
                #expect(Set(whole).count == found.count)
                let expected = [
                    "/0 response 200", "/1 response 200", "/2 response 200",
                    "/moved response 302",
                    "/style.css response 200",
                ]
                #expect(Set(expected).isSubset(of: found))
                // Of equal bodies, one is a record that refers to the other.
                #expect(found.count { $0.contains(".png revisit") } == 1)
                #expect(found.count { $0.hasSuffix("revisit 404") } == 1)
                let verified = try await Command.run("webinspect", ["archive", "verify", out.path])
                #expect(verified.status == 0, "\(verified.text)")

                let requests = server.requestedPaths.count
                let again = try await crawl(server, "/0", out)
                #expect(again.status == 0)
                #expect(server.requestedPaths.count == requests)
            }
        }
    }

    @Test func pagesAndProgressAreLinesOfJSON() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(3)) { server in
                let out = folder.appendingPathComponent("site.warc.gz")
                let outcome = try await crawl(server, "/0", out, "--jsonl", "--progress", "json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let pages = try outcome.text.split(separator: "\n").map { line in
                    let page = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    let url = (page?["url"] as? String).flatMap { URL(string: $0) }
                    let (status, depth) = (page?["status"] as? Int, page?["depth"] as? Int)
                    return "\(url?.path ?? "") \(status ?? 0) \(depth ?? -1)"
                }
                #expect(pages.sorted() == ["/0 200 0", "/1 200 1", "/2 200 2", "/3 404 3"])
                let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
                let last = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
                let progress = try #require((last as? [String: [String: Any]])?["progress"])
                #expect(try #require(progress["bytes"] as? Int) > 0)
                #expect(progress["waiting"] as? Int == 0)
                // All is done: no page is loaded, and none is said.
                #expect(try await crawl(server, "/0", out, "--jsonl").text == "")
            }
        }
    }

    @Test func aPageOnTheNetworkBringsNoFiles() async throws {
        try await withTemporaryFolder { folder in
            let secret = folder.appendingPathComponent("secret.html")
            try Data("<title>secret</title>".utf8).write(to: secret)
            let handler: TestServer.Handler = { request in
                guard request.path == "/" else {
                    return HTTPResponse(
                        statusCode: .found,
                        headers: [.location: secret.absoluteString],
                        body: Data()
                    )
                }
                let page = """
                    <title>page</title><img src="\(secret.absoluteString)"><iframe src="\(secret.absoluteString)"></iframe>
                    <a href="\(secret.absoluteString)">on</a><a href=/moved>moved</a>
                    """
                return HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html"],
                    body: Data(page.utf8)
                )
            }
            try await withTestServer(handler) { server in
                for scope in ["host", "any"] {
                    let out = folder.appendingPathComponent("\(scope).warc")
                    _ = try await crawl(server, "/", out, "--scope", scope, "--no-robots")
                    let text = try String(contentsOf: out, encoding: .utf8)
                    #expect(text.contains("<title>page</title>"))
                    #expect(!text.contains("<title>secret</title>"))
                }
            }
        }
    }

    @Test func aSeedNeedNotMatchWhatIsIncluded() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(9)) { server in
                let out = folder.appendingPathComponent("site.warc")
                let outcome = try await crawl(server, "/0", out, "--include", "*/1", "--no-resources")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try await captures(out) == ["/0 response 200", "/1 response 200"])
            }
        }
    }

    @Test(arguments: [("--max-pages", "limit.pages"), ("--max-bytes", "limit.bytes")])
    func saysWhichLimitWasReached(_ flag: String, _ code: String) async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(5)) { server in
                let out = folder.appendingPathComponent("site.warc")
                let outcome = try await crawl(server, "/0", out, flag, "1")
                #expect(outcome.status == 6)
                #expect(outcome.errors.contains("(\(code))"), "\(outcome.errors)")
            }
        }
    }

    @Test func becomesACache() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(3)) { server in
                let out = folder.appendingPathComponent("cache")
                let outcome = try await crawl(server, "/0", out)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let kept = try await Command.run(
                    "webinspect",
                    ["fetch", server.url("/2"), "--cache-dir", out.path, "--cache-only"]
                )
                #expect(kept.text.contains("<title>2</title>"))
            }
        }
    }

    @Test func beginsAnotherFile() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(20)) { server in
                let out = folder.appendingPathComponent("site.warc")
                let first = try await crawl(server, "/0", out, "--warc-size", "4K", "--max-pages", "5")
                #expect(first.status == 6, "\(first.errors)")
                let second = try await crawl(server, "/0", out, "--warc-size", "4K")
                #expect(second.status == 0, "\(second.errors)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .filter { $0.hasSuffix(".warc") }.sorted()
                #expect(names.count > 2)
                #expect(names.contains("site-00001.warc"))
                var all: [String] = []
                for name in names { all += try await captures(folder.appendingPathComponent(name)) }
                #expect(Set(all).count == all.count)
                #expect(all.count { $0.hasSuffix(" 200") } >= 20)
            }
        }
    }

    @Test func endsWithWhatHappened() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(9, robots: "User-agent: *\nDisallow: /\n")) { server in
                let out = folder.appendingPathComponent("none.warc.gz")
                let none = try await crawl(server, "/0", out)
                #expect(none.status == 1)
                #expect(server.requestedPaths == ["/robots.txt"])
                let without = folder.appendingPathComponent("all.warc.gz")
                let all = try await crawl(server, "/0", without, "--no-robots", "--max-pages", "2")
                #expect(all.status == 6)
            }
            let nobody = try await Command.run(
                "webinspect",
                ["crawl", "http://127.0.0.1:1/", "-o", "\(folder.path)/no.warc.gz", "--retry", "0"]
            )
            #expect(nobody.status == 3)
        }
    }

    @Test func saysWhatDiffersAndHowFarItIs() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(9)) { server in
                let out = folder.appendingPathComponent("site.warc.gz")
                let first = try await crawl(server, "/0", out, "--max-pages", "2")
                #expect(first.status == 6)
                let other = try await crawl(server, "/0", out, "--depth", "1")
                #expect(other.status == 2)
                #expect(other.errors.contains("--depth was not set, and is 1"))
                let status = try await Command.run(
                    "webinspect",
                    ["crawl", "--status", "--json", "-o", out.path]
                )
                let queued = try status.json()["queued"] as? Int
                #expect(queued ?? 0 > 0)
            }
        }
    }

    @Test(arguments: ["a.har", "folder.warc.gz", "link.warc.gz", "pipe.warc.gz", "full.warc.gz", "plain"])
    func refusesWhatItCannotContinue(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let out = folder.appendingPathComponent(name)
            switch name {
            case "folder.warc.gz":
                try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
            case "link.warc.gz":
                let target = folder.appendingPathComponent("target.warc.gz")
                try Data().write(to: target)
                try FileManager.default.createSymbolicLink(at: out, withDestinationURL: target)
            case "pipe.warc.gz":
                let result = unsafe mkfifo(out.path, 0o600)
                #expect(result == 0)
            case "full.warc.gz", "plain": try Data("theirs".utf8).write(to: out)
            default: break
            }
            let outcome = try await Command.run(
                "webinspect",
                ["crawl", "http://127.0.0.1:1/", "-o", out.path]
            )
            #expect([2, 8].contains(outcome.status))
            #expect(outcome.errors.split(separator: "\n").count == 1)
            if name == "full.warc.gz" || name == "plain" {
                let kept = try String(contentsOf: out, encoding: .utf8)
                #expect(kept == "theirs")
            }
        }
    }
}
