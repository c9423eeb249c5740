import FlyingFox
import Foundation
import TestSupport
import Testing

/// Tests of the properties that `webinspect serve-reader` reports of stored pages, and of its views of them.
@Suite(.timeLimit(.minutes(20)))
struct ServeReaderPageTests {
    private typealias Frame = ReaderProcess.Frame

    private static let page = """
        <!DOCTYPE html><html lang=en><head><title>Tea \u{1B}[31m&lt;script></title></head><body>
        <!--note--><h1 id=top>Tea</h1>
        <p class=a>One</p><p class=a>Two <b>bold</b> words, and more of them.</p>
        <table><caption>Prices</caption><tr><th>Name<th>Price<tr><td>Green<td>3<tr><td>Black<td>4</table>
        <template><i>inside</i></template><div><template shadowrootmode=open><u>dark</u></template>light</div>
        <script>alert(1)</script><img src=/dot.png alt=dot onclick=alert(2)>
        <ul id=l><li id=m>x</ul><x\u{0}y title=odd>z</x\u{0}y>
        </body></html>
        """

    private static let others: [String: (type: String, body: String)] = [
        "/text": ("text/plain", "a <script>\r\nb\rc\n\(String(repeating: "é", count: 5000))"),
        "/json": ("application/json", #"{"a":"<script>"}"#),
        "/feed": (
            "application/rss+xml", "<?xml version='1.0'?><rss><channel><title>T</title></channel></rss>"
        ),
        "/broken.xml": ("text/xml", "<a><b></a>"),
        "/dot.png": ("image/png", "\u{1}\u{2}\u{3}"),
        "/dot.svg": (
            "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        ),
        "/bytes": ("application/octet-stream", "\u{0}\u{1}"),
        "/many": ("text/html", "<!doctype html><body>\(String(repeating: "<i></i>", count: 50_000))"),
        "/large": (
            "text/html",
            "<!doctype html>\(String(repeating: "<p>\(String(repeating: "word ", count: 2000))", count: 1800))"
        ),
        "/made": ("text/html", "<!doctype html><title>T</title><table><tr id=r><td id=d>x</table>tail"),
        "/page.xhtml": (
            "application/xhtml+xml",
            "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title></head><body><p>x</p></body></html>"
        ),
    ]

    private static let handler: TestServer.Handler = { request in
        let (type, body) = others[request.path] ?? ("text/html", page)
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: type, HTTPHeader("Cache-Control"): "max-age=600"],
            body: Data(body.utf8)
        )
    }

    /// A cache with pages of a server that is still there.
    private func withKept(
        _ paths: [String] = ["/"],
        _ body: (_ cache: URL, _ server: TestServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            try await withTestServer(Self.handler) { (server) async throws in
                let loads = paths.map { ["do": "load", "url": server.url($0)] }
                let frames = try await ReaderProcess.ask(loads, cache).filter { $0.kind != "event" }
                try #require(frames.map(\.kind) == paths.map { _ in "answer" })
                let asked = server.requestedPaths
                try await body(cache, server)
                // Nothing but a load asks anybody.
                #expect(server.requestedPaths == asked)
            }
        }
    }

    /// The answers to questions about a page; an error is one whose code is there.
    private func ask(_ url: String, _ requests: [[String: Any]], _ cache: URL) async throws -> [Frame] {
        let frames = try await ReaderProcess.ask(requests.map { $0.merging(["url": url]) { $1 } }, cache)
        try #require(frames.count == requests.count)
        return frames
    }

    /// The answer to one question, in a process of its own.
    private func ask(_ url: String, _ request: [String: Any], _ cache: URL) async throws -> [String: Any] {
        let frame = try await ask(url, [request], cache)[0]
        #expect(frame.kind == "answer", "\(frame.text)")
        return frame.object
    }

    /// The nodes that a selector or an expression matches.
    private func nodes(_ url: String, _ what: [String: Any], _ cache: URL) async throws -> [Int] {
        let answer = try await ask(url, what.merging(["do": "select"]) { $1 }, cache)
        return try #require(answer["matches"] as? [[String: Any]]).compactMap { $0["node"] as? Int }
    }

    private func view(_ url: String, _ more: [String: Any], _ cache: URL) async throws -> String {
        let frame = try await ask(url, [more.merging(["do": "view"]) { $1 }], cache)[0]
        #expect(frame.kind == "answer", "\(frame.text)")
        return frame.text
    }

    private func count(_ part: String, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    // MARK: - Search

    @Test func `a report is that of the command, and says what the cache would do`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            let answer = try await ask(url, ["do": "report"], cache)
            let report = try #require(answer["report"] as? [String: Any])
            let command = try await Command.run(
                "webinspect",
                [url, "--findings", "--json", "--cache-only", "--cache-dir", cache.path]
            ).json()
            #expect(Set(report.keys) == Set(command.keys))
            let names = [
                "title", "findings", "links", "headings", "images", "tables", "outline", "status", "source",
            ]
            let parts = [report, command].map { object in
                object.filter { names.contains($0.key) } as NSDictionary
            }
            #expect(parts[0].count == names.count)
            #expect(parts[0] == parts[1])
            let codes = (report["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
            #expect(!codes.isEmpty)
            let freshness = try #require(answer["freshness"] as? [String: Any])
            #expect(freshness["received_ms"] as? Int != nil)
            #expect(freshness["fresh_for_s"] as? Int == 600)
            let uses = try #require(freshness["use"] as? [String: [String: Any]])
            #expect(uses["useProtocolCachePolicy"]?["used"] as? Bool == true)
            #expect(uses["reloadIgnoringLocalCacheData"]?["used"] as? Bool == false)
        }
    }

    @Test func `the text is that of the command, and what is no text has none`() async throws {
        try await withKept(["/", "/dot.png"]) { (cache, server) async throws in
            let url = server.url("/")
            let text = try await ask(url, ["do": "text"], cache)
            let command = try await Command.run(
                "webinspect",
                ["text", url, "--json", "--cache-only", "--cache-dir", cache.path]
            ).json()
            #expect(text["markdown"] as? String == command["markdown"] as? String)
            #expect(text["words"] as? Int == command["word_count"] as? Int)
            let image = try await ask(server.url("/dot.png"), ["do": "text"], cache)
            #expect(image["found"] as? Bool == false)
            #expect(image["markdown"] as? String == "")
        }
    }

    @Test func `the source comes line by line, however lines end`() async throws {
        try await withKept(["/text", "/dot.png"]) { (cache, server) async throws in
            let frames = try await ask(
                server.url("/text"),
                [
                    ["do": "source"], ["do": "source", "line": 2, "count": 2],
                    ["do": "source", "line": 99], ["do": "source", "line": -1, "count": 1_000_000],
                    ["do": "source", "line": 1e300, "count": -5],
                    ["do": "source", "line": "3", "count": "1"],
                ],
                cache
            )
            let lines = frames.map { $0.object["lines"] as? [String] ?? [] }
            #expect(frames.allSatisfy { $0.object["total_lines"] as? Int == 4 })
            #expect(lines[0].prefix(3) == ["a <script>", "b", "c"])
            #expect(lines[0].last == String(repeating: "é", count: 4096))
            #expect(lines[1] == ["b", "c"])
            #expect(lines[2].isEmpty && lines[4].isEmpty)
            #expect(lines[3].count == 4)
            #expect(lines[5] == ["c"])
            let image = try await ask(server.url("/dot.png"), [["do": "source"]], cache)[0]
            #expect(image.code == "parse.kind")
        }
    }

    @Test func `rows of a table come with the names of its columns`() async throws {
        try await withKept { (cache, server) async throws in
            let frames = try await ask(
                server.url("/"),
                [
                    ["do": "tables"], ["do": "tables", "table": 0, "from": 1, "count": 1],
                    ["do": "tables", "from": 1e18], ["do": "tables", "count": -1],
                    ["do": "tables", "table": 1],
                ],
                cache
            )
            let rows = frames.map { $0.object["rows"] as? [[String]] }
            #expect(frames[0].object["columns"] as? [String] == ["Name", "Price"])
            #expect(frames[0].object["total"] as? Int == 2)
            #expect(rows[0] == [["Green", "3"], ["Black", "4"]])
            #expect(rows[1] == [["Black", "4"]])
            #expect(rows[2] == [] && rows[3] == [])
            #expect(frames[4].code == "input.form")
        }
    }

    // MARK: - The tree

    @Test func `the tree is walked node by node, and its numbers are the same in each process`() async throws
    {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            var kinds: [Int: String] = [:]
            var waiting = [0]
            while let node = waiting.popLast() {
                let answer = try await ask(url, ["do": "tree", "node": node], cache)
                let children = try #require(answer["children"] as? [[String: Any]])
                #expect(children.count == answer["total"] as? Int)
                for child in children {
                    let number = try #require(child["node"] as? Int)
                    let kind = try #require(child["kind"] as? String)
                    #expect(kinds[number] == nil)
                    kinds[number] = "\(kind) \(child["name"] as? String ?? "")"
                    if child["children"] as? Int ?? 0 > 0, number < 12 || kind != "element" {
                        waiting.append(number)
                    }
                }
            }
            #expect(kinds[1] == "doctype html" && kinds[2] == "element html" && kinds[3] == "element head")
            let inside = try await nodes(url, ["xpath": "//template"], cache)
            let contents = try await ask(url, ["do": "tree", "node": try #require(inside.first)], cache)
            let first = try #require((contents["children"] as? [[String: Any]])?.first)
            #expect(first["kind"] as? String == "contents")
            #expect(first["text"] is NSNull)
            let host = try #require(try await nodes(url, ["selector": "div"], cache).first)
            let shadow = try await ask(url, ["do": "tree", "node": host], cache)
            let names = (shadow["children"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
            #expect(names == ["shadow root", "text"])
        }
    }

    @Test func `a node has its text, its attributes and its line`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            let body = try #require(try await nodes(url, ["selector": "body"], cache).first)
            let answer = try await ask(url, ["do": "tree", "node": "\(body)", "from": 1, "count": 2], cache)
            let children = try #require(answer["children"] as? [[String: Any]])
            try #require(children.count == 2)
            #expect(children[0]["kind"] as? String == "comment")
            #expect(children[0]["text"] as? String == "note")
            #expect(children[1]["name"] as? String == "h1")
            #expect(children[1]["attributes"] as? [[String]] == [["id", "top"]])
            #expect(children[1]["line"] as? Int == 2)
            #expect(children[1]["children"] as? Int == 1)
        }
    }

    @Test func `the way to a node leads there`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            let bold = try #require(try await nodes(url, ["selector": "b"], cache).first)
            let answer = try await ask(url, ["do": "ancestors", "node": bold], cache)
            let branch = try #require(answer["ancestors"] as? [[String: Int]])
            #expect(branch.last?["node"] == bold)
            var parent = 0
            for step in branch {
                let index = try #require(step["index"])
                let tree = try await ask(
                    url,
                    ["do": "tree", "node": parent, "from": index, "count": 1],
                    cache
                )
                let found = (tree["children"] as? [[String: Any]])?.first?["node"] as? Int
                #expect(found == step["node"])
                parent = try #require(step["node"])
            }
            let root = try await ask(url, ["do": "ancestors", "node": 0], cache)
            #expect((root["ancestors"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `of many siblings those are told that are asked for`() async throws {
        try await withKept(["/many"]) { (cache, server) async throws in
            let url = server.url("/many")
            let body = try #require(try await nodes(url, ["selector": "body"], cache).first)
            let frames = try await ask(
                url,
                [
                    ["do": "tree", "node": body, "from": 49_999], ["do": "tree", "node": body, "count": 1e9],
                    ["do": "tree", "node": body, "from": 1e9], ["do": "tree", "node": body, "count": -1],
                    ["do": "select", "selector": "i", "from": 49_998, "count": 10],
                ],
                cache
            )
            let counts = frames.dropLast().map { ($0.object["children"] as? [Any])?.count }
            #expect(counts == [1, 1000, 0, 0])
            #expect(frames.allSatisfy { $0.object["total"] as? Int == 50_000 })
            #expect((frames[4].object["matches"] as? [Any])?.count == 2)
        }
    }

    @Test(arguments: ["tree", "ancestors"])
    func `a node that is not there is an error, and so is a tree of what has none`(
        _ name: String
    ) async throws {
        try await withKept(["/", "/json"]) { (cache, server) async throws in
            let wrong = try await ask(
                server.url("/"),
                [["do": name, "node": 1_000_000], ["do": name, "node": 1e300]],
                cache
            )
            #expect(wrong.map(\.code) == ["input.form", "input.form"])
            #expect(try await ask(server.url("/json"), [["do": name]], cache)[0].code == "select.type")
        }
    }

    // MARK: - Selecting

    @Test func `a match has its place, its path and its start`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            let answer = try await ask(
                url,
                ["do": "select", "selector": "p.a, h1", "from": 1, "count": 1],
                cache
            )
            #expect(answer["total"] as? Int == 3)
            #expect(answer["time_ms"] as? Double != nil)
            let matches = try #require(answer["matches"] as? [[String: Any]])
            try #require(matches.count == 1)
            #expect(matches[0]["line"] as? Int == 3)
            #expect(matches[0]["column"] as? Int == 1)
            #expect(matches[0]["text"] as? String == "One")
            #expect(matches[0]["html"] as? String == #"<p class="a">"#)
            let path = try #require(matches[0]["path"] as? String)
            #expect(
                try await nodes(url, ["selector": path], cache) == [try #require(matches[0]["node"] as? Int)]
            )
            let texts = try await ask(url, ["do": "select", "xpath": "//p[2]/text()[1] | //p/@class"], cache)
            let found = try #require(texts["matches"] as? [[String: Any]])
            #expect(found.map { $0["text"] as? String } == ["a", "a", "Two"])
            #expect(found.allSatisfy { $0["node"] as? Int != nil && $0["line"] as? Int == 3 })
        }
    }

    @Test func `an expression may have a value in place of nodes`() async throws {
        try await withKept { (cache, server) async throws in
            let frames = try await ask(
                server.url("/"),
                [
                    ["do": "select", "xpath": "count(//p)"], ["do": "select", "xpath": "0 div 0"],
                    ["do": "select", "xpath": "string(//h1)"], ["do": "select", "xpath": "//p = 'One'"],
                ],
                cache
            )
            #expect(frames[0].object["value"] as? Double == 2)
            #expect(frames[1].object["value"] as? String == "NaN")
            #expect(frames[2].object["value"] as? String == "Tea")
            #expect(frames[3].object["value"] as? Bool == true)
            #expect(
                frames.allSatisfy { $0.object["matches"] == nil && $0.object["time_ms"] as? Double != nil }
            )
        }
    }

    @Test func `what is no selector is an error that says so`() async throws {
        try await withKept(["/", "/text"]) { (cache, server) async throws in
            let frames = try await ask(
                server.url("/"),
                [
                    ["do": "select", "selector": "p["], ["do": "select", "xpath": "//["], ["do": "select"],
                    ["do": "view", "mark": "p["],
                    ["do": "select", "selector": "p", "from": -9, "count": 1e99],
                ],
                cache
            )
            #expect(
                frames.map(\.code) == [
                    "selector.invalid", "xpath.invalid", "input.form", "selector.invalid", nil,
                ]
            )
            #expect(frames[4].object["total"] as? Int == 2)
            let text = try await ask(server.url("/text"), [["do": "select", "selector": "p"]], cache)[0]
            #expect(text.code == "select.type")
        }
    }

    // MARK: - The view

    @Test func `a page is drawn from its copy, without scripts`() async throws {
        try await withKept(["/", "/dot.png"]) { (cache, server) async throws in
            let view = try await view(server.url("/"), [:], cache)
            #expect(view.contains("<h1 id=top>Tea</h1>"))
            #expect(view.contains("src=\"data:image/png;base64,AQID\""))
            #expect(view.contains("default-src 'none'"))
            #expect(!view.contains("alert("))
            #expect(!view.contains("webinspect-"))
        }
    }

    @Test func `what a selector matches is marked, and nothing else`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            let marked = try await view(url, ["mark": "p.a"], cache)
            #expect(marked.contains("<p data-webinspect-mark=\"\" class=a>One</p>"))
            #expect(count("data-webinspect-mark=\"\"", in: marked) == 2)
            #expect(marked.contains("<style>[data-webinspect-mark]{"))
            // A tag whose name has another length than is written.
            let odd = try await view(url, ["mark": "[title=odd]"], cache)
            #expect(odd.contains("<x\u{0}y data-webinspect-mark=\"\" title=odd>"))
            let rows = try await view(url, ["mark": "tbody"], cache)
            #expect(rows.contains("<tr data-webinspect-mark=\"\"><th>Name"))
            #expect(count("data-webinspect-mark=\"\"", in: rows) == 1)
            #expect(
                count("data-webinspect-mark=\"\"", in: try await view(url, ["mark": "title"], cache)) == 0
            )
        }
    }

    @Test func `a fragment leads to a node, whose page keeps its IDs`() async throws {
        try await withKept { (cache, server) async throws in
            let url = server.url("/")
            func view(_ xpath: String) async throws -> String {
                let node = try #require(try await nodes(url, ["xpath": xpath], cache).first)
                let view = try await self.view(url, ["at": node, "mark": "li"], cache)
                #expect(count(" id=\"webinspect-at\"", in: view) == 1)
                #expect(count("data-webinspect-at=\"\"", in: view) == 1)
                return view
            }
            #expect(
                try await view("//p").contains("<p data-webinspect-at=\"\" id=\"webinspect-at\" class=a>One")
            )
            // Texts have no tags.
            #expect(
                try await view("//b/text()").contains("<b data-webinspect-at=\"\" id=\"webinspect-at\">bold")
            )
            let item = try await view("//li")
            #expect(
                item.contains(
                    "<li data-webinspect-mark=\"\" data-webinspect-at=\"\" id=m><span id=\"webinspect-at\""
                )
            )
            #expect(try await view("//tbody").contains("<tr data-webinspect-at=\"\" id=\"webinspect-at\">"))
            #expect(try await view("//img").contains("<img data-webinspect-at=\"\" id=\"webinspect-at\""))
        }
    }

    @Test func `a node that is not seen is shown by what is around it`() async throws {
        try await withKept(["/", "/made"]) { (cache, server) async throws in
            let url = server.url("/")
            let host = try #require(try await nodes(url, ["selector": "div"], cache).first)
            // Its shadow root, and what is in that.
            for inside in [host + 1, host + 2, host + 3] {
                let view = try await view(url, ["at": inside], cache)
                #expect(view.contains("<div data-webinspect-at=\"\" id=\"webinspect-at\">"))
            }
            for at in [-1, 1_000_000, 1e300, "x", NSNull()] as [Any] {
                #expect(!(try await view(url, ["at": at], cache)).contains("webinspect-at"))
            }
            let made = server.url("/made")
            let row = try #require(try await nodes(made, ["selector": "tr"], cache).first)
            let view = try await view(made, ["at": row], cache)
            #expect(view.contains("<tr data-webinspect-at=\"\" id=r><td id=d><span id=\"webinspect-at\""))
        }
    }

    @Test func `what is no page is shown as what it is`() async throws {
        let paths = Self.others.keys.filter { $0 != "/large" && $0 != "/many" }
        try await withKept(paths) { (cache, server) async throws in
            let text = try await view(server.url("/text"), ["mark": "p", "at": 3], cache)
            #expect(text.contains("<pre>\na &lt;script&gt;\nb\nc\n"))
            #expect(
                try await view(server.url("/json"), [:], cache).contains(
                    "{&quot;a&quot;:&quot;&lt;script&gt;"
                )
            )
            #expect(try await view(server.url("/feed"), [:], cache).contains("&lt;rss&gt;&lt;channel&gt;"))
            #expect(
                try await view(server.url("/broken.xml"), [:], cache).contains("&lt;a&gt;&lt;b&gt;&lt;/a&gt;")
            )
            let image = try await view(server.url("/dot.png"), [:], cache)
            #expect(image.contains("src=\"data:image/png;base64,AQID\""))
            let drawing = try await view(server.url("/dot.svg"), [:], cache)
            #expect(drawing.contains("src=\"data:image/svg+xml;base64,"))
            #expect(!drawing.contains("<script"))
            let bytes = try await view(server.url("/bytes"), [:], cache)
            #expect(bytes.contains("application/octet-stream, 2 bytes"))
            let xhtml = server.url("/page.xhtml")
            let node = try #require(try await nodes(xhtml, ["xpath": "//*[local-name()='p']"], cache).first)
            let page = try await view(xhtml, ["at": node], cache)
            #expect(page.contains("<p data-webinspect-at=\"\" id=\"webinspect-at\">x</p>"))
        }
    }

    @Test func `of a page that is too large the start is shown`() async throws {
        try await withKept(["/large"]) { (cache, server) async throws in
            let view = try await view(server.url("/large"), ["mark": "p", "at": 5], cache)
            #expect((15 << 20...17 << 20).contains(view.utf8.count))
            #expect(view.contains("Only the start of this page is shown"))
            #expect(count("data-webinspect-at=\"\"", in: view) == 1)
        }
    }

    // MARK: - Bad input

    @Test(arguments: ["report", "tree", "ancestors", "source", "text", "tables", "select", "view"])
    func `a page that is not kept, or is not named, is an error`(_ name: String) async throws {
        try await withTemporaryFolder { (cache) async throws in
            let request: [String: Any] = ["do": name, "selector": "p", "url": "http://127.0.0.1:1/"]
            let frames = try await ReaderProcess.ask(
                [
                    request, request.merging(["url": "file:///etc/passwd"]) { $1 },
                    request.merging(["url": "http://["]) { $1 }, request.merging(["url": 5]) { $1 },
                    request.merging(["date": "yesterday"]) { $1 },
                ],
                cache
            )
            #expect(
                frames.map(\.code) == ["cache.miss", "url.unsupported", "url.invalid", "input.form", "usage"]
            )
        }
    }
}
