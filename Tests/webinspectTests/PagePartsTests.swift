import FlyingFox
import Foundation
import TestSupport
import Testing

/// The parts of a page in the report, and `--with-resources`.
@Suite(.timeLimit(.minutes(20)))
struct PagePartsTests {
    private static let page = """
        <!doctype html><title>T</title><meta http-equiv=content-security-policy content="script-src *">
        <link rel=stylesheet href=/style.css><header></header><main><h1>A</h1><h3>B</h3>
        <!-- note --><img src=/dot.svg alt=""><img src=/missing.png><img src=/dot.svg>
        <form action=/find><input name=q value=x><button>Go</button></form>
        <script src=/a.js></script><iframe src=/f sandbox></iframe></main>
        """

    private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        func response(_ type: String, _ body: String) -> HTTPResponse {
            HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: type, .init("Cache-Control"): "max-age=3600"],
                body: Data(body.utf8)
            )
        }
        switch request.path {
        case "/": return response("text/html; charset=utf-8", page)
        case "/style.css": return response("text/css", "p { color: red }")
        case "/dot.svg": return response("image/svg+xml", "<svg width='30' height='20'/>")
        default: return HTTPResponse(statusCode: .notFound)
        }
    }

    private func count(_ report: [String: Any], _ name: String) -> Int? { (report[name] as? [Any])?.count }

    @Test func everyPartIsInTheReport() async throws {
        let report = try await Command.run(
            "webinspect",
            ["-", "--json", "--base-url", "https://h.test/"],
            input: Data(Self.page.utf8)
        ).json()
        #expect(count(report, "images") == 3)
        #expect(count(report, "scripts") == 1)
        #expect(count(report, "styles") == 1)
        #expect(count(report, "frames") == 1)
        #expect(count(report, "comments") == 1)
        let outline = try #require(report["outline"] as? [String: Any])
        #expect(count(outline, "headings") == 2)
        #expect(count(outline, "landmarks") == 2)
        #expect(count(outline, "sections") == 0)
        #expect(((outline["headings"] as? [[String: Any]])?.last?["skipped_levels"] as? Int) == 1)
        let form = try #require((report["forms"] as? [[String: Any]])?.first)
        let submission = try #require(form["submission"] as? [String: Any])
        #expect(submission["url"] as? String == "https://h.test/find?q=x")
        let response = try #require(report["response"] as? [String: Any])
        let security = try #require(response["security"] as? [String: Any])
        let policy = try #require((security["csp"] as? [[String: Any]])?.first)
        #expect(count(policy, "weaknesses") == 3)
        #expect(report["resources"] == nil)
    }

    @Test func peopleReadWhatStandsOut() async throws {
        let text = try await Command.run("webinspect", ["-"], input: Data(Self.page.utf8)).text
        #expect(text.contains("Outline   banner, main; 1 heading skips a level (line 2)\n"))
        #expect(text.contains("Images    3 images: 2 without alt, 1 decorative, 3 without a size\n"))
        #expect(text.contains("Scripts   1 external (1 blocks parsing)\n"))
        #expect(text.contains("Frames    1 frame: 1 sandboxed, 1 without title\n"))
        #expect(text.contains("Comments  1 comment\n"))
    }

    @Test func withResourcesThePageIsWholeOffline() async throws {
        try await withTemporaryFolder { cache in
            let server = try await TestServer { Self.answer($0) }
            let url = server.url("/")
            func run(_ flags: String...) async throws -> Command.Outcome {
                try await Command.run(
                    "webinspect",
                    ["url", url, "--json", "--cache-dir", cache.path] + flags
                )
            }
            func sizes(_ outcome: Command.Outcome) throws -> [Double?] {
                let images = try #require(try outcome.json()["images"] as? [[String: Any]])
                return images.map { ($0["file"] as? [String: Any])?["width"] as? Double }
            }
            #expect(try sizes(await run()) == [nil, nil, nil])
            let loading = try await run("--with-resources")
            #expect(loading.status == 0, "\(loading.errors)")
            #expect(try sizes(loading) == [30, nil, 30])
            let resources = try #require(try loading.json()["resources"] as? [String: Any])
            #expect(resources["count"] as? Int == 2)
            #expect(resources["from_network"] as? Int == 2)
            let failures = try #require(resources["failures"] as? [[String: Any]])
            #expect(failures.map { $0["code"] as? String } == ["http.status"])
            #expect(failures.map { $0["url"] as? String } == [server.url("/missing.png")])
            await server.stop()
            #expect(server.requestedPaths.sorted() == ["/", "/dot.svg", "/missing.png", "/style.css"])
            // The server is gone.
            let offline = try await run("--cache-only", "--with-resources")
            #expect(offline.status == 0)
            #expect(try sizes(offline) == [30, nil, 30])
            let stored = try #require(try offline.json()["resources"] as? [String: Any])
            #expect(stored["count"] as? Int == 2)
            #expect(stored["from_network"] as? Int == 0)
            #expect(try sizes(await run("--cache-only")) == [30, nil, 30])
        }
    }

    @Test func resourcesThatCannotBeHadAreListedAndNoReasonToFail() async throws {
        try await withTemporaryFolder { cache in
            let outcome = try await Command.run(
                "webinspect",
                ["url", "-", "--json", "--with-resources", "--cache-dir", cache.path],
                input: Data(
                    "<!doctype html><img src=http://127.0.0.1:1/a><img src=ftp://h/b><link rel=stylesheet href=http://127.0.0.1:1/c>"
                        .utf8
                )
            )
            #expect(outcome.status == 0)
            let resources = try #require(try outcome.json()["resources"] as? [String: Any])
            #expect(resources["count"] as? Int == 0)
            #expect(count(resources, "failures") == 2)
        }
    }

    @Test func aResponseIsExplained() async throws {
        try await withTemporaryFolder { cache in
            try await withTestServer { _ in
                HTTPResponse(
                    statusCode: .ok,
                    headers: [
                        .contentType: "text/html", .init("Cache-Control"): "no-store",
                        .init("Set-Cookie"): "sid=1; HttpOnly",
                    ],
                    body: Data("<p>".utf8)
                )
            } _: { server in
                let arguments = ["url", server.url("/"), "--cache-dir", cache.path]
                let report = try await Command.run("webinspect", arguments + ["--json"]).json()
                let response = try #require(report["response"] as? [String: Any])
                let caching = try #require(response["caching"] as? [String: Any])
                #expect(caching["storable"] as? Bool == false)
                #expect(caching["refusal"] as? String == "no-store")
                let cookie = try #require((response["cookies"] as? [[String: Any]])?.first)
                #expect(cookie["findings"] as? [String] == ["not-secure", "no-same-site"])
                #expect(response["http_version"] as? String == "1.1")
                let text = try await Command.run("webinspect", arguments).text
                #expect(text.contains("Caching   not stored: the response has Cache-Control: no-store\n"))
                #expect(
                    text.contains(
                        "Cookies   sid (the cookie is also sent without TLS; SameSite is not set)\n"
                    )
                )
                #expect(
                    text.contains("Security  the response was sent without TLS, no Content-Security-Policy")
                )
            }
        }
    }
}
