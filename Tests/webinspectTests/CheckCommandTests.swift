import FlyingFox
import Foundation
import TestSupport
import Testing

/// `webinspect check`, on a folder and on a server.
@Suite(.timeLimit(.minutes(20)))
struct CheckCommandTests {
    private static let pages = [
        "index.html": """
        <!doctype html><title>T</title><h1 id=one>One</h1>
        <a href="/sub/">sub</a> <a href="#one">one</a> <a href="#two">two</a>
        <a href="gone.html">gone</a> <a href="mailto:a@b.test">mail</a> <a href="http://[">bad</a>
        """,
        "sub/index.html":
            "<base href=/sub/x/><p id=x><a href=../../#one>up</a><link rel=stylesheet href=../../a.css>",
        "a.css": "p { background: url(b.png) }\n",
    ]

    /// Checks the folder, whose path is replaced by "/site" in what is written.
    private func check(_ arguments: String...) async throws -> (status: Int32, text: String, errors: String) {
        try await withTemporaryFolder { folder in
            let site = folder.appending(path: "site")
            for (name, text) in Self.pages {
                let file = site.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            let outcome = try await Command.run(
                "webinspect",
                ["check", "site", "--recursive"] + arguments,
                environment: ["XDG_CACHE_HOME": folder.path],
                folder: folder
            )
            let text = outcome.text.replacing("\(folder.path)/site", with: "/site")
            return (outcome.status, text, outcome.errors)
        }
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

    @Test func textSaysWhatIsWrong() async throws {
        let outcome = try await check()
        #expect(outcome.status == 1)
        #expect(
            lines(outcome.text) == [
                "9 links on 3 pages: 4 ok, 4 broken, 1 skipped",
                "file:///site/a.css:1:17: broken: file:///site/b.png (file.not-found)",
                "file:///site/index.html:2:48: broken: file:///site/index.html#two (fragment.missing)",
                "file:///site/index.html:3:1: broken: file:///site/gone.html (file.not-found)",
                "file:///site/index.html:3:65: broken: http://[ (url.invalid)",
            ]
        )
        #expect(outcome.errors.isEmpty)
    }

    @Test func jsonLinesHaveTheContractsMembers() async throws {
        let outcome = try await check("--format", "jsonl")
        let objects = try outcome.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let summary = try #require(objects.last?["summary"] as? [String: Int])
        #expect(summary["links"] == objects.count - 1)
        #expect(summary["pages"] == 3)
        for object in objects.dropLast() {
            #expect(
                Set(object.keys) == [
                    "code", "column", "fragment", "from", "kind", "line", "page", "redirects", "result",
                    "status",
                    "url",
                ]
            )
        }
        let one = try #require(objects.first { $0["url"] as? String == "file:///site/index.html#one" })
        #expect(one["fragment"] as? String == "ok")
        #expect(one["from"] as? String == "file")
    }

    @Test func progressIsLinesOfJSON() async throws {
        let outcome = try await check("--progress", "json", "--silent")
        let lines = try outcome.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: [String: Any]])
        }
        let last = try #require(lines.last?["progress"])
        #expect(last["waiting"] as? Int == 0)
        #expect(try #require(last["done"] as? Int) >= 3)
        #expect(try #require(last["failed"] as? Int) >= 2)
        #expect(last["current"] is NSNull)
        #expect((last["note"] as? String)?.hasPrefix("\(last["done"] ?? "") done") == true)
        #expect(Set(last.keys).isSuperset(of: ["bytes", "elapsed_ms"]))
        #expect(try await check("--progress", "none").errors == "")
        #expect(try await check("--progress", "often").status == 2)
    }

    @Test func documentsHaveAllLinksByTheirPlace() async throws {
        let json = try await check("--format", "json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        )
        let links = try #require(object["links"] as? [[String: Any]])
        #expect(links.count == 9)
        #expect(links.first?["page"] as? String == "file:///site/a.css")
        let sarif = try await check("--format", "sarif")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(sarif.text.utf8)) as? [String: Any]
        )
        let runs = try #require(document["runs"] as? [[String: Any]])
        #expect((runs.first?["results"] as? [[String: Any]])?.count == 4)
        let junit = try await check("--format", "junit")
        #expect(
            junit.text.hasPrefix(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"9\" failures=\"4\""
            )
        )
        #expect(junit.text.components(separatedBy: "<failure ").count == 5)
        let html = try await check("--format", "html")
        #expect(html.text.contains("file:///site/gone.html"))
        #expect([json.status, sarif.status, junit.status, html.status] == [1, 1, 1, 1])
    }

    @Test func aBaselineFailsOnlyForWhatIsNew() async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appending(path: "p.html")
            let state = folder.appending(path: "old.jsonl")
            try Data("<a href=gone>x</a>".utf8).write(to: page)
            let first = try await Command.run("webinspect", ["check", page.path, "--format", "jsonl"])
            #expect(first.status == 1)
            try first.output.write(to: state)
            #expect(!first.text.contains("\"new\""))
            let again = ["check", page.path, "--baseline", state.path]
            let known = try await Command.run("webinspect", again)
            #expect(known.status == 0)
            #expect(
                known.text.contains(": broken (known): file://") && known.text.contains("1 broken (0 new)")
            )
            try Data("<a href=gone>x</a><a href=too>y</a>".utf8).write(to: page)
            #expect(try await Command.run("webinspect", again).status == 1)
            let lines = try await Command.run("webinspect", again + ["--format", "jsonl"]).text
            #expect(lines.components(separatedBy: "\"known\":true").count == 2)
            #expect(lines.contains("\"new\":1"))
            let junit = try await Command.run("webinspect", again + ["--format", "junit"]).text
            #expect(junit.contains("failures=\"1\" errors=\"0\" skipped=\"1\""))
            let sarif = try await Command.run("webinspect", again + ["--format", "sarif"]).text
            #expect(sarif.components(separatedBy: "\"baselineState\":\"unchanged\"").count == 2)
        }
    }

    @Test func linksAreSummedUpByWhatTheyLeadTo() async throws {
        try await withTemporaryFolder { folder in
            for name in ["a.html", "b.html"] {
                try Data("<a href=gone>x</a><a href=gone>x</a><a href=\(name)2>y</a>".utf8)
                    .write(to: folder.appending(path: name))
            }
            func check(_ more: String...) async throws -> Command.Outcome {
                try await Command.run(
                    "webinspect",
                    ["check", "a.html", "b.html", "--group"] + more,
                    folder: folder
                )
            }
            let text = try await check()
            #expect(text.status == 1)
            let lines = text.text.split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines.first?.contains("/gone (file.not-found): 4 links on 2 pages: ") == true)
            #expect(lines.first?.hasSuffix(", …") == true)
            let json = try await check("--format", "json").json()
            let groups = try #require(json["groups"] as? [[String: Any]])
            #expect(groups.map { $0["links"] as? Int } == [4, 1, 1])
            #expect(groups.map { $0["pages"] as? Int } == [2, 1, 1])
            #expect((groups.first?["places"] as? [Any])?.count == 3)
            #expect(try await check("--format", "sarif").status == 2)
        }
    }

    @Test func aStateThatIsDoneSaysTheSameAgain() async throws {
        let handler: TestServer.Handler = { request in
            let isThere = request.path == "/" || request.path == "/a"
            return HTTPResponse(
                statusCode: isThere ? .ok : .notFound,
                headers: [.contentType: "text/html"],
                body: Data("<a href=/a>a</a><a href=/b>b</a>".utf8)
            )
        }
        try await withTestServer(handler) { server in
            try await withTemporaryFolder { folder in
                let state = folder.appending(path: "state").path
                let line = ["check", server.url("/"), "--recursive", "--state", state, "--format", "json"]
                let first = try await Command.run("webinspect", line)
                #expect(first.status == 1)
                let again = try await Command.run("webinspect", line)
                #expect(again.text == first.text)
                let other = try await Command.run("webinspect", line + ["--depth", "1"])
                #expect(other.status == 2)
                #expect(other.errors.contains("depth was"))
            }
        }
    }

    @Test(arguments: [
        ["check"], ["check", "x", "--format", "xml"], ["check", "http://h.test/", "--fail-on", "all"],
        ["check", "http://h.test/", "--rate", "fast"],
        ["check", "http://h.test/", "--cache-results", "soon"],
        ["check", "-"],
    ])
    func mistakesAreUsage(line: [String]) async throws {
        #expect(try await Command.run("webinspect", line).status == 2)
    }
}
