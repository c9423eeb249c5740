import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing
import WebLoader

/// `webinspect diff`.
@Suite(.timeLimit(.minutes(20))) struct DiffCommandTests {
    private func diff(
        _ old: String,
        _ new: String,
        _ flags: [String] = []
    ) async throws -> (status: Int32, output: String) {
        try await withTemporaryFolder { folder in
            let files = ["old.html", "new.html"].map { folder.appendingPathComponent($0) }
            try Data(old.utf8).write(to: files[0])
            try Data(new.utf8).write(to: files[1])
            let result = try await Command.run("webinspect", ["diff"] + files.map(\.path) + flags)
            return (result.status, result.text)
        }
    }

    @Test func `equal pages say nothing and exit with 0`() async throws {
        let (status, output) = try await diff("<p>a", "<p>a<!-- later -->")
        #expect(status == 0)
        #expect(output.isEmpty)
    }

    @Test func `other pages exit with 1 and show both sides`() async throws {
        let (status, output) = try await diff("<p>one cup", "<p>one pot")
        #expect(status == 1)
        #expect(output.contains("-one cup\n+one pot\n"))
    }

    @Test func `the JSON has the contract's keys`() async throws {
        let (status, output) = try await diff("<p>one cup", "<p>one pot", ["--json"])
        #expect(status == 1)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        )
        #expect(document["same"] as? Bool == false)
        #expect(document["coarse"] as? Bool == false)
        let change = try #require((document["changes"] as? [[String: Any]])?.first)
        #expect(
            Set(change.keys) == [
                "kind", "op", "name", "old", "new", "old_path", "new_path", "old_line", "new_line", "summary",
            ]
        )
    }

    @Test func `what is written keeps to its schema, which is published`() async throws {
        let published = try Data(
            contentsOf: ProjectFolder.root.appendingPathComponent("docs/diff.schema.json")
        )
        // Mended by: webinspect schema diff > docs/diff.schema.json
        #expect(try await Command.run("webinspect", ["schema", "diff"]).output == published)
        let validator = try SchemaValidator(JSONValue(parsing: published))
        for (old, new) in [
            ("<p>one cup", "<p>one pot"), ("<p>x", "<p>x"),
            ("<p>x<img src=a>", "<ul><li>y</ul><script nonce=a1b2c3d4>"),
        ] {
            let output = try await diff(old, new, ["--json", "--explain", "--all"]).output
            #expect(validator.errors(of: try JSONValue(parsing: Data(output.utf8))).isEmpty)
        }
        #expect(try await Command.run("webinspect", ["schema", "none"]).status == 2)
    }

    @Test func `--explain says which rule hid what`() async throws {
        let flags = ["--ignore", ".clock", "--ignore-text", "[0-9]+ cups", "--ignore-numbers", "10%"]
        let (old, new) = (
            "<p class=clock>10:00<p>3 cups of tea<p>100 leaves",
            "<p class=clock>11:00<p>4 cups of tea<p>109 leaves"
        )
        let (status, output) = try await diff(old, new, flags)
        #expect(status == 0)
        #expect(output.isEmpty)
        let (_, explained) = try await diff(old, new, flags + ["--explain"])
        #expect(explained.contains("# selector .clock: @@ -1 +1 @@ text changed: \"10:00\" -> \"11:00\""))
        #expect(explained.contains("# pattern [0-9]+ cups: "))
        #expect(explained.contains("# numbers within 10.0 %: "))
        let (_, json) = try await diff(old, new, flags + ["--explain", "--json"])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((document["hidden"] as? [[String: Any]])?.count == 3)
        #expect(document["same"] as? Bool == true)
    }

    @Test(arguments: [
        ["--ignore-numbers", "many"], ["--ignore-numbers", "-1"], ["--ignore-text", "("],
        ["--format", "xml"],
        ["--format", "html", "--json"], ["--side-by-side", "--json"], ["--learn"],
        ["--at", "2024-01-01", "--at", "2024-01-02", "--at", "2024-01-03"],
        ["-r", "none.yaml", "--side-by-side"],
    ])
    func `flags that say nothing are refused`(_ flags: [String]) async throws {
        #expect(try await diff("<p>a", "<p>b", flags).status == 2)
    }

    @Test func `a source alone needs dates`() async throws {
        #expect(try await Command.run("webinspect", ["diff", "one.html"]).status == 2)
    }

    @Test func `both pages stand in two columns`() async throws {
        let many = (0..<20).map { "<p>paragraph number \($0)" }.joined()
        let (status, output) = try await diff(
            "\(many)<p>one cup of tea<p>gone<img src=a alt=b>",
            "\(many)<p>one pot of tea<img src=a alt=c>",
            ["--side-by-side"]
        )
        #expect(status == 1)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.contains("  … 19 blocks"))
        #expect(lines.contains { $0.hasPrefix("one cup of tea ") && $0.hasSuffix("| one pot of tea") })
        #expect(lines.contains { $0.hasPrefix("gone ") && $0.hasSuffix(" <") })
        #expect(lines.contains("! image (alt of img) changed: \"b\" -> \"c\""))
        #expect(lines.allSatisfy { $0.count <= 130 })
    }

    // MARK: - HTML

    private static let hostile =
        "</td><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u{202E}\u{1B}[31m"

    private func report() async throws -> String {
        let escaped = Self.hostile.replacing("<", with: "&lt;")
        return try await diff(
            "<title>\(escaped)</title><p>one cup, \(escaped)<p>gone \(escaped)<p>same \(escaped)<p id='\(escaped)'>x",
            "<title>b</title><p>one pot, \(escaped)<p>same \(escaped)<p id=b>x<p>come \(escaped)",
            ["--format", "html"]
        ).output
    }

    @Test func `the HTML report is one file, and shows pages as text`() async throws {
        let html = try await report()
        #expect(!html.contains("<script") && !html.contains("<img"))
        #expect(html.contains("<del>cup</del>") && html.contains("<ins>pot</ins>"))
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("url("))
        #expect(html.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: a browser"),
        .enabled(if: Browser.isInstalled, "Chromium is not installed")
    )
    func `a browser shows both sides, and loads and runs nothing`() async throws {
        let report = try await report()
        let harness = """
            <!doctype html><body><iframe id=f src=/report.html style="width:900px;height:800px;border:0"></iframe>
            <script>
            f.onload = () => {
              const page = f.contentDocument, view = f.contentWindow, said = {};
              said.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
              said.requests = view.performance.getEntriesByType("resource")
                .filter((entry) => !entry.name.startsWith("data:")).length;
              said.scripts = page.querySelectorAll("script, img, iframe, [onerror]").length;
              const sides = page.querySelector(".sides.changed");
              const boxes = [...sides.children].map((side) => side.getBoundingClientRect());
              said.beside = boxes[0].right <= boxes[1].left && boxes[0].top === boxes[1].top;
              const marks = [...page.querySelectorAll("del, ins")];
              said.marked = marks.length > 0 && marks.every((mark) =>
                view.getComputedStyle(mark).backgroundColor !== "rgba(0, 0, 0, 0)");
              said.marks = marks.map((mark) => mark.textContent).includes("pot");
              document.body.append(JSON.stringify(said));
            };
            </script>
            """
        try await withTestServer { request in
            let body = request.path == "/report.html" ? report : harness
            return HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: "text/html; charset=utf-8"],
                body: Data(body.utf8)
            )
        } _: { server in
            let (document, console) = try await withTemporaryFolder { folder in
                try await Browser.open(server.url("/harness.html"), in: folder)
            }
            let start = try #require(document.range(of: "{\"overflow\""))
            let end = try #require(document.range(of: "}", range: start.lowerBound..<document.endIndex))
            let said = try #require(
                try JSONSerialization.jsonObject(
                    with: Data(document[start.lowerBound..<end.upperBound].utf8)
                ) as? [String: Any]
            )
            #expect(said["overflow"] as? Int == 0)
            #expect(said["requests"] as? Int == 0)
            #expect(said["scripts"] as? Int == 0)
            for name in ["beside", "marked", "marks"] { #expect(said[name] as? Bool == true, "\(name)") }
            #expect(console == [])
        }
    }

    @Test func `--html writes the report beside the answer`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("report.html")
            let (status, output) = try await diff("<p>a cup", "<p>a pot", ["--html", file.path, "--json"])
            #expect(status == 1)
            #expect(output.hasPrefix("{"))
            #expect(try String(contentsOf: file, encoding: .utf8).contains("<ins>pot</ins>"))
        }
    }

    // MARK: - Dates, data, archives

    /// A page that is another each time it is asked for.
    private final class Site: Sendable {
        private let count = Mutex(0)

        var handler: TestServer.Handler {
            { [self] _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html", HTTPHeader("Cache-Control"): "no-store"],
                    body: Data("<!doctype html><title>Tea</title><p>visit \(number) of this page<p>Milk".utf8)
                )
            }
        }
    }

    @Test func `--learn leaves out what differs by itself`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("old.html")
            try await withTestServer(Site().handler) { server in
                let arguments = [
                    "diff", file.path, server.url("/page"), "--cache-dir", folder.path + "/cache",
                ]
                try Data("<!doctype html><title>Tea</title><p>visit 0 of this page<p>Milk".utf8).write(
                    to: file
                )
                #expect(try await Command.run("webinspect", arguments).status == 1)
                let learned = try await Command.run("webinspect", arguments + ["--learn"])
                #expect(learned.status == 0, "\(learned.text)\(learned.errors)")
                try Data("<!doctype html><title>Tea</title><p>visit 0 of this page<p>Sugar".utf8).write(
                    to: file
                )
                let other = try await Command.run("webinspect", arguments + ["--learn"])
                #expect(other.status == 1)
                #expect(!other.text.contains("visit"))
                #expect(other.text.contains("+Milk"))
            }
        }
    }

    private static func archive(_ bodies: [(url: String, date: String, body: String)]) -> ArchiveFixture {
        var archive = ArchiveFixture()
        for (url, date, body) in bodies { archive.add(url, date: date, body: body) }
        return archive
    }

    @Test func `--at twice compares two copies of an archive`() async throws {
        try await withTemporaryFolder { folder in
            let file = try Self.archive([
                ("http://site.test/", "2023-01-01T00:00:00Z", "<title>Tea</title><p>one"),
                ("http://site.test/", "2024-01-01T00:00:00Z", "<title>Tea</title><p>two"),
                ("http://site.test/", "2025-01-01T00:00:00Z", "<title>Tea</title><p>three"),
            ]).write(to: folder)
            let arguments = ["diff", "http://site.test/", "--from", file]
            let both = try await Command.run(
                "webinspect",
                arguments + ["--at", "2023-06-01", "--at", "2024-06-01"]
            )
            #expect(both.status == 1, "\(both.errors)")
            #expect(both.text.contains("-one\n+two\n"))
            #expect(both.text.contains("--- http://site.test/ at 2023-06-01"))
            // A date alone: that copy, and the newest.
            let one = try await Command.run("webinspect", arguments + ["--at", "2023-06-01"])
            #expect(one.text.contains("-one\n+three\n"), "\(one.errors)")
        }
    }

    @Test func `a recipe's data is compared`() async throws {
        try await withTemporaryFolder { folder in
            let recipe = folder.appendingPathComponent("tea.yaml")
            try Data("version: 1\nfields: {title: {select: title}, price: {select: .price}}\n".utf8).write(
                to: recipe
            )
            let (old, new) = (
                "<title>Tea</title><p class=price>3<p>a", "<title>Tea</title><p class=price>4<p>b"
            )
            let (status, output) = try await diff(old, new, ["-r", recipe.path])
            #expect(status == 1)
            #expect(output.contains("structured-data (price) changed: \"3\" -> \"4\""))
            #expect(!output.contains("+b"))
            #expect(try await diff(old, old + "<p>c", ["-r", recipe.path]).status == 0)
        }
    }

    @Test(arguments: [
        "", " ", "{", #"{"a":1}"#, "\u{1F}\u{8B}", "WARC", "plain text: of two lines\n\nx", "PK",
    ])
    func `what is no archive is a page`(_ text: String) async throws {
        let (status, output) = try await diff(text, text, ["--json"])
        #expect(status == 0)
        #expect(output.contains(#""changes":[]"#), "\(output)")
    }

    @Test func `JSON is compared by its paths, and what is no text by its bytes`() async throws {
        try await withTemporaryFolder { folder in
            func diff(_ old: Data, _ new: Data, _ suffix: String) async throws -> (Int32, [[String: Any]]) {
                let files = ["old", "new"].map { folder.appending(path: "\($0).\(suffix)") }
                try old.write(to: files[0])
                try new.write(to: files[1])
                let outcome = try await Command.run("webinspect", ["diff", "--json"] + files.map(\.path))
                return (outcome.status, try outcome.json()["changes"] as? [[String: Any]] ?? [])
            }
            let (one, other) = (Data(#"{"a":[1,2]}"#.utf8), Data(#"{"a":[1,3]}"#.utf8))
            let data = try await diff(one, other, "json")
            #expect(data.0 == 1 && data.1.count == 1)
            #expect(data.1.first?["kind"] as? String == "structured-data")
            #expect(data.1.first?["name"] as? String == "a[1]")
            #expect(try await diff(one, Data(#"{ "a": [1, 2] }"#.utf8), "json").0 == 0)
            let (bytes, others) = (Data([0, 1, 2, 0xFF]), Data([0, 1, 3]))
            let binary = try await diff(bytes, others, "bin")
            #expect(binary.0 == 1 && binary.1.count == 1)
            #expect(binary.1.first?["old"] as? String == "4 bytes, from 2 on 02 ff")
            #expect(binary.1.first?["new"] as? String == "3 bytes, from 2 on 03")
            #expect(try await diff(bytes, bytes, "bin").0 == 0)
            #expect(
                try await diff(bytes, bytes.prefix(2), "bin").1.first?["new"] as? String
                    == "2 bytes, from 2 on none"
            )
        }
    }

    @Test func `of two archives all pages are compared`() async throws {
        try await withTemporaryFolder { folder in
            let (day, later) = ("2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z")
            let old = try Self.archive([
                ("http://site.test/", day, "<title>Tea</title><p>one"),
                ("http://site.test/gone", day, "<p>x"),
                ("http://site.test/same", day, "<p class=css-1a2b3c>x"),
            ]).write(to: folder, as: "old.warc")
            let new = try Self.archive([
                ("http://site.test/", later, "<title>Tea</title><p>two"),
                ("http://site.test/new", later, "<p>x"),
                ("http://site.test/same", later, "<p class=css-9z8y7x>x"),
            ]).write(to: folder, as: "new.warc")
            let outcome = try await Command.run("webinspect", ["diff", old, new, "--json"])
            #expect(outcome.status == 1, "\(outcome.errors)")
            let document = try outcome.json()
            let pages = try #require(document["pages"] as? [[String: Any]])
            #expect(
                pages.map { "\($0["op"] ?? "") \($0["url"] ?? "")" } == [
                    "changed http://site.test/", "removed http://site.test/gone",
                    "added http://site.test/new",
                ]
            )
            #expect((pages.first?["changes"] as? [Any])?.count == 1)
            #expect(document["same_pages"] as? Int == 1)
            #expect(document["same"] as? Bool == false)
            let text = try await Command.run("webinspect", ["diff", old, new])
            #expect(text.text.contains("- http://site.test/gone\n"))
            #expect(try await Command.run("webinspect", ["diff", old, old]).status == 0)
        }
    }

    @Test func `of two folders the pages of each path are compared`() async throws {
        try await withTemporaryFolder { folder in
            let pages = [
                ("a/index.html", "<p>one"), ("b/index.html", "<p>two"),
                ("a/d/same.html", "<p class=css-1a2b3c><a href=x>x</a>"),
                ("b/d/same.html", "<p class=css-9z8y7x><a href=x>x</a>"),
                ("a/gone.htm", "x"), ("b/new.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'/>"),
                ("a/.hidden/x.html", "x"), ("b/notes.txt", "x"),
            ]
            for (name, text) in pages {
                let file = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "b/around"),
                withDestinationURL: folder
            )
            let outcome = try await Command.run("webinspect", ["diff", "a", "b/", "--json"], folder: folder)
            #expect(outcome.status == 1, "\(outcome.errors)")
            let document = try outcome.json()
            let changed = try #require(document["pages"] as? [[String: Any]])
            #expect(
                changed.map { "\($0["op"] ?? "") \($0["url"] ?? "")" } == [
                    "removed gone.htm", "changed index.html", "added new.xhtml",
                ]
            )
            #expect(document["same_pages"] as? Int == 1)
            #expect(try await Command.run("webinspect", ["diff", "a", "a"], folder: folder).status == 0)
            // That folders without a page are the same is no answer.
            try FileManager.default.createDirectory(
                at: folder.appending(path: "e"),
                withIntermediateDirectories: true
            )
            let empty = try await Command.run("webinspect", ["diff", "e", "e"], folder: folder)
            #expect(empty.status == 8)
            #expect(
                empty.errors.contains("no page (.html, .htm, .xhtml) is in either folder (file.not-found)")
            )
            // A mirror's own list of what it has is made anew each time.
            try FileManager.default.createDirectory(
                at: folder.appending(path: "b/.mirror"),
                withIntermediateDirectories: true
            )
            let mirror = try await Command.run("webinspect", ["diff", "a", "b"], folder: folder)
            #expect(mirror.text.contains("- index.html\n"), "\(mirror.text)")
        }
    }

    @Test func `a page that is too large is not compared, and said`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["a", "b"] {
                let site = folder.appending(path: name)
                try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
                try Data(String(repeating: name, count: 2000).utf8).write(to: site.appending(path: "x.html"))
            }
            let line = ["diff", "a", "b", "--max-filesize", "1000"]
            let outcome = try await Command.run("webinspect", line, folder: folder)
            #expect(outcome.status == 7)
            #expect(outcome.errors.contains("a/x.html: it has more than 1000 bytes"))
            #expect(outcome.errors.contains("(limit.size)"))
        }
    }
}
