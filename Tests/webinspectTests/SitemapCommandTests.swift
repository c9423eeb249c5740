import FlyingFox
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct SitemapCommandTests {
    private static let map = """
        <urlset xmlns:x="http://www.w3.org/1999/xhtml">
        <url><loc>http://h.test/a</loc><lastmod>2024-05-01T10:00:00+02:00</lastmod><changefreq>daily</changefreq>
        <priority>0.5</priority><x:link rel="alternate" hreflang="de" href="http://h.test/de"/>
        <i:image><i:loc>http://h.test/i.png</i:loc></i:image></url>
        <url><loc>http://h.test/b</loc></url>
        </urlset>
        """

    private func sitemap(_ arguments: String..., input: String = map) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["sitemap", "-"] + arguments, input: Data(input.utf8))
    }

    private func withSite<Result: Sendable>(
        _ files: [String: String],
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        try await withTestServer { request in
            guard let text = files[request.path] else { return HTTPResponse(statusCode: .notFound) }
            return HTTPResponse(statusCode: .ok, body: Data(text.utf8))
        } _: { server in
            try await body(server)
        }
    }

    @Test func textIsAURLALine() async throws {
        let outcome = try await sitemap()
        #expect(outcome.status == 0)
        #expect(outcome.text == "http://h.test/a\nhttp://h.test/b\n")
        #expect(outcome.errors == "")
    }

    @Test func jsonLinesHaveAllOfAnEntry() async throws {
        let lines = try await sitemap("--jsonl", "--images").text.split(separator: "\n").map(String.init)
        let first = #"""
            {"url":"http://h.test/a","lastmod":"2024-05-01T08:00:00Z","changefreq":"daily","priority":0.5,\#
            "sitemap":"file:///dev/stdin","line":2,"alternates":[{"language":"de","url":"http://h.test/de"}],\#
            "images":["http://h.test/i.png"]}
            """#
        let second = #"""
            {"url":"http://h.test/b","lastmod":null,"changefreq":null,"priority":null,"sitemap":"file:///dev/stdin","line":5}
            """#
        #expect(lines == [first, second])
    }

    @Test func jsonIsOneDocumentWithFaults() async throws {
        let report = try await sitemap("--json", input: Self.map + "<x>").json()
        #expect(
            (report["entries"] as? [[String: Any]])?.map { $0["url"] as? String } == [
                "http://h.test/a", "http://h.test/b",
            ]
        )
        let faults = try #require(report["faults"] as? [[String: Any]])
        #expect(faults.map { $0["code"] as? String } == ["sitemap.markup"])
        let empty = try await sitemap("--json", input: "<urlset/>")
        #expect(empty.status == 1)
        #expect(try empty.json()["entries"] as? [String] == [])
    }

    @Test func aSitesSitemapsAreFound() async throws {
        let files = [
            "/robots.txt": "Sitemap: /index.xml\nUser-agent: *\nDisallow: /",
            "/index.xml":
                "<sitemapindex><sitemap><loc>/t.txt</loc></sitemap><sitemap><loc>/lost</loc></sitemap></sitemapindex>",
            "/t.txt": "http://h.test/1\nhttp://h.test/2\n", "/sitemap.xml": "http://h.test/3",
        ]
        try await withSite(files) { server in
            let outcome = try await Command.run("webinspect", ["sitemap", server.url("/")])
            #expect(outcome.status == 0)
            #expect(outcome.text == "http://h.test/1\nhttp://h.test/2\n")
            #expect(outcome.errors.contains("/lost: HTTP status 404 (sitemap.status)"))
            let strict = try await Command.run("webinspect", ["sitemap", server.url("/"), "--fail", "-s"])
            #expect(strict.status == 4)
            #expect(strict.errors == "")
            let listed = try await Command.run("webinspect", ["sitemap", server.url("/"), "--no-follow"])
            #expect(listed.text == "\(server.url("/t.txt"))\n\(server.url("/lost"))\n")
            let both = try await Command.run(
                "webinspect",
                ["sitemap", server.url("/sitemap.xml"), server.url("/t.txt")]
            )
            #expect(both.text == "http://h.test/3\nhttp://h.test/1\nhttp://h.test/2\n")
        }
    }

    @Test(arguments: [
        (["--max-urls", "1"], "http://h.test/a\nhttp://h.test/b\n", Int32(6)), ([], "", 7), ([], "<html>", 7),
        ([], "<urlset/>", 1), ([], "<urlset><url><loc>no:x</loc></url></urlset>", 1),
        (["--depth", "-1"], "http://h.test/a", 2), (["--json", "--jsonl"], "http://h.test/a", 2),
        (["-"], "http://h.test/a", 2),
    ])
    func theStatusSaysHowItEnded(arguments: [String], input: String, status: Int32) async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["sitemap", "-"] + arguments,
            input: Data(input.utf8)
        )
        #expect(outcome.status == status, "\(outcome.errors)")
    }

    @Test func oneThatCannotBeLoadedDecidesTheStatus() async throws {
        try await withSite(["/s.txt": "http://h.test/1"]) { server in
            let outcome = try await Command.run(
                "webinspect",
                ["sitemap", "http://127.0.0.1:1/s.xml", server.url("/s.txt"), "/none.xml"]
            )
            #expect(outcome.status == 3)
            #expect(outcome.text == "http://h.test/1\n")
            #expect(outcome.errors.split(separator: "\n").count == 2)
        }
        let only = try await Command.run("webinspect", ["sitemap", "http://127.0.0.1:1/s.xml", "--json"])
        #expect(only.status == 3)
        #expect(try only.json()["error"] != nil)
    }

    @Test func aFileTakesItsPlaceAsAWhole() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "urls.txt")
            #expect(try await sitemap("-o", file.path).status == 0)
            #expect(try String(contentsOf: file, encoding: .utf8) == "http://h.test/a\nhttp://h.test/b\n")
            let failed = try await Command.run(
                "webinspect",
                ["sitemap", "http://127.0.0.1:1/", "-o", file.path]
            )
            #expect(failed.status == 3)
            #expect(try String(contentsOf: file, encoding: .utf8) == "http://h.test/a\nhttp://h.test/b\n")
            #expect(try await sitemap("-o", "\(folder.path)/no/file").status == 8)
        }
    }

    @Test(arguments: [["/dev/zero"], ["/dev/zero", "--jsonl"]])
    func memoryIsBoundedWhateverComes(arguments: [String]) async throws {
        let cost = try await MeasuredCommand.run("webinspect", ["sitemap"] + arguments)
        #expect(cost.status == 6)
        #expect(cost.peakMemory < 100 << 20)
    }
}
