import FlyingFox
import Foundation
import TestSupport
import Testing

/// `--render` and its flags, on the commands that have them.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled(if: Browser.isInstalled, "there is no Chromium: Scripts/setup browser")
)
struct RenderingCommandBrowserTests {
    private static let page = """
        <!DOCTYPE html><title>Served</title><p id=p>served<script>
        p.innerHTML = '<a href="/made">made by a script</a>'; p.className = 'ready';
        </script>
        """

    private static func run(_ line: String, in folder: URL) async throws -> Command.Outcome {
        try Data(page.utf8).write(to: folder.appending(path: "page.html"))
        let programs = try Command.file("webinspect").deletingLastPathComponent().path
        return try await Command.run(
            "/bin/bash",
            ["-c", line],
            environment: ["PATH": "\(programs):/usr/bin:/bin", "HOME": folder.path],
            folder: folder
        )
    }

    @Test(
        "What scripts make is what commands find",
        arguments: [
            ("links page.html --render --kind navigation", "/made"),
            ("select 'p.ready a' page.html --wait-for p.ready", "made by a script"),
            ("text page.html --wait 0.2", "made by a script"),
            ("extract -e 'made=#p a' page.html --render", "made by a script"),
            ("page.html --render --json", "\"of_scripts\":true"),
            ("save page.html --render -o x.html && cat x.html", "made by a script"),
            ("check page.html --render --format jsonl --no-external", "/made"),
        ]
    )
    func rendered(_ line: String, _ text: String) async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Self.run("webinspect \(line)", in: folder)
            #expect(outcome.text.contains(text), "\(outcome.text) \(outcome.errors)")
        }
    }

    @Test func `many pages are rendered by pipe, each by itself`() async throws {
        try await withTemporaryFolder { folder in
            let line = "printf 'page.html\\npage.html\\n' | webinspect pipe --run links --render --jobs 2"
            let outcome = try await Self.run(line, in: folder)
            #expect(outcome.status == 0)
            #expect(
                outcome.text.split(separator: "\n").count { $0.contains("/made") } == 2,
                "\(outcome.text)"
            )
        }
    }

    @Test func `pictures are written, and one that cannot be is an error`() async throws {
        try await withTemporaryFolder { folder in
            let line = "webinspect page.html --screenshot a.png --pdf a.pdf --selector '#p' --width 300"
            #expect(try await Self.run(line, in: folder).status == 0)
            let picture = try Data(contentsOf: folder.appending(path: "a.png"))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(try Data(contentsOf: folder.appending(path: "a.pdf")).starts(with: Data("%PDF".utf8)))
            let lost = try await Self.run(
                "webinspect page.html --screenshot b.png --selector table",
                in: folder
            )
            #expect(lost.status == 7 && lost.errors.contains("(render.picture)"))
            let vain = try await Self.run("webinspect page.html --full", in: folder)
            #expect(vain.status == 2)
        }
    }

    private static let app = """
        <!DOCTYPE html><html lang=en><meta charset=utf-8><title>Shop</title><meta name=robots content=noindex>
        <h1>Shop</h1><p hidden id=h>Opening hours</p><div id=r>Loading</div><script>
        document.title = 'Tea shop'; document.querySelector('[name=robots]').remove(); h.hidden = false;
        r.innerHTML = '<p>A cup costs $3. <a href="/green">Green</a>';
        const s = document.createElement('script'); s.type = 'application/ld+json';
        s.textContent = '{"@type":"Product"}'; document.head.append(s);
        console.warn('said by a script'); fetch('/nothing').catch(() => {});
        </script>
        """

    @Test func `what only scripts make is compared with what was served, and found`() async throws {
        try await withTemporaryFolder { folder in
            try Data(Self.app.utf8).write(to: folder.appending(path: "app.html"))
            let outcome = try await Self.run(
                "webinspect diff --served --rendered app.html --json --html d.html",
                in: folder
            )
            #expect(outcome.status == 1, "\(outcome.errors)")
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
            )
            let findings = report["findings"] as? [[String: Any]] ?? []
            #expect(
                findings.compactMap { $0["code"] as? String } == [
                    "render.indexing-by-script", "render.metadata-by-script", "render.text-only-by-script",
                    "render.text-removed-by-script", "render.links-only-by-script",
                    "render.structured-data-only-by-script",
                ]
            )
            // Text that existed but was hidden counts as served.
            #expect(
                findings[2]["message"] as? String
                    == "5 of 8 words (63 %) are there only once scripts have run"
            )
            let changes = report["changes"] as? [[String: Any]] ?? []
            #expect(changes.contains { $0["kind"] as? String == "metadata" }, "\(changes)")
            try Data("version: 1\nfields:\n  price: {select: '#r p'}\n".utf8)
                .write(to: folder.appending(path: "price.yaml"))
            // Standard input is read once.
            let data = try await Self.run(
                "webinspect diff --served --rendered - -r price.yaml < app.html",
                in: folder
            )
            #expect(data.status == 1 && data.text.contains("+A cup costs $3."), "\(data)")
            let page = try String(contentsOf: folder.appending(path: "d.html"), encoding: .utf8)
            #expect(page.contains("What only scripts make") && page.contains("app.html, rendered"))
            let findingsOfPage = try await Self.run(
                "webinspect app.html --render --fail-on error",
                in: folder
            )
            #expect(findingsOfPage.status == 1 && findingsOfPage.text.contains("render.indexing-by-script"))
        }
    }

    @Test(
        "What cannot be compared with what scripts make says so",
        arguments: [
            ("--served app.html", 2, "usage"), ("--rendered app.html", 2, "usage"),
            ("--served --rendered app.html app.html", 2, "usage"),
            ("--served --rendered app.html --learn", 2, "usage"),
            ("--served --rendered app.html --at 2026-01-01 --at 2026-01-02", 2, "usage"),
            ("--served --rendered notes.txt", 7, "parse.kind"),
            ("--served --rendered app.html --render-memory 1M", 6, "budget.memory"),
        ]
    )
    func notCompared(_ line: String, _ status: Int32, _ code: String) async throws {
        try await withTemporaryFolder { folder in
            try Data(Self.app.utf8).write(to: folder.appending(path: "app.html"))
            try Data("notes".utf8).write(to: folder.appending(path: "notes.txt"))
            let outcome = try await Self.run("webinspect diff \(line)", in: folder)
            #expect(outcome.status == status && outcome.errors.contains("(\(code))"), "\(outcome)")
        }
    }

    @Test func `a report shows the page, what its scripts have said, and what has failed`() async throws {
        try await withTemporaryFolder { folder in
            try Data(Self.app.utf8).write(to: folder.appending(path: "app.html"))
            let outcome = try await Self.run("webinspect report app.html --render -o report.html", in: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let report = try String(contentsOf: folder.appending(path: "report.html"), encoding: .utf8)
            for part in [
                "data:image/png;base64,", "said by a script", "Failed requests", "/nothing",
                "render.text-only-by-script",
            ] {
                #expect(report.contains(part), "\(part)")
            }
        }
    }

    @Test func `what a watched page is made to by its scripts is compared`() async throws {
        try await withTemporaryFolder { folder in
            func watch(_ list: String, _ price: Int, _ flags: String = "") async throws -> Command.Outcome {
                let page = """
                    <!DOCTYPE html><title>Tea</title><p id=p>Loading<script>p.textContent = '$\(price)'</script>
                    """
                try Data(page.utf8).write(to: folder.appending(path: "tea.html"))
                try Data(list.utf8).write(to: folder.appending(path: "pages.yaml"))
                return try await Self.run("webinspect watch pages.yaml \(flags)", in: folder)
            }
            let list = "- {url: tea.html, select: p, render: true}\n"
            #expect(try await watch(list, 3).text.hasPrefix("new"))
            #expect(try await watch(list, 3).status == 0)
            let change = try await watch(list, 4)
            #expect(change.status == 1 && change.text.contains("\"$3\" -> \"$4\""), "\(change)")
            // Another way to look at it is no change.
            let served = try await watch("- {url: tea.html, select: p}\n", 4)
            #expect(served.status == 0 && served.text.contains("as served from now on"), "\(served)")
            let rendered = try await watch("- {url: tea.html, select: p}\n", 4, "--render")
            #expect(rendered.status == 0 && rendered.text.contains("rendered from now on"), "\(rendered)")
            let killed = try await watch(list, 5, "--render-memory 1M")
            #expect(killed.status == 6 && killed.text.contains("budget.memory"), "\(killed)")
            #expect(try await watch(list, 4).status == 0)
        }
    }

    @Test func `text between elements is kept as it is`() async throws {
        try await withTemporaryFolder { folder in
            let page = """
                <!DOCTYPE html><title>x</title><p><a href=a>one</a> <a href=b>two</a>
                <i>three</i><b>four</b>
                """
            try Data(page.utf8).write(to: folder.appending(path: "links.html"))
            let outcome = try await Self.run("webinspect diff --served --rendered links.html", in: folder)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    /// A page that says nothing until its script has asked for what it is to say.
    private static let site = [
        "/": """
        <!DOCTYPE html><title>Shop</title><div id=r>Loading</div><script>
        fetch('/prices.json').then(answer => answer.json()).then(prices => {
            r.innerHTML = `<p>A cup costs ${prices.cup}. <a href="/green">Green</a><img src="/cup.svg">`
        })
        </script>
        """,
        "/prices.json": "{\"cup\": 3}",
        "/green":
            "<!DOCTYPE html><title>Green</title><p id=g>Green<script>g.textContent = 'Two minutes.'</script>",
        "/cup.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    ]

    private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let text = site[request.path] else { return HTTPResponse(statusCode: .notFound) }
        let tag = "\"\(text.utf8.count)\""
        let types = ["json": "application/json", "svg": "image/svg+xml"]
        let type = types[String(request.path.split(separator: ".").last ?? "")] ?? "text/html"
        let isKnown = request.headers[HTTPHeader("If-None-Match")] == tag
        var headers = HTTPHeaders()
        headers[.contentType] = type
        headers[HTTPHeader("ETag")] = tag
        return HTTPResponse(
            statusCode: isKnown ? .notModified : .ok,
            headers: headers,
            body: isKnown ? Data() : Data(text.utf8)
        )
    }

    @Test func `a mirror has pages as their scripts make them, and brings them up to date`() async throws {
        try await withTestServer {
            Self.answer($0)
        } _: { server in
            try await withTemporaryFolder { folder in
                let mirror = "webinspect mirror \(server.url("/")) -o m --render"
                for line in [mirror, "\(mirror) --update"] {
                    let outcome = try await Self.run(line, in: folder)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    let found = try await Self.run(
                        "grep -rhoE --include='*.html' 'A cup costs 3|Two minutes|Loading|<script' m",
                        in: folder
                    )
                    #expect(Set(found.text.split(separator: "\n")) == ["A cup costs 3", "Two minutes"])
                    let image = try await Self.run("find m -name 'cup*.svg' | wc -l", in: folder)
                    #expect(image.text.contains("1"))
                }
                let archive = "webinspect archive ls m/.mirror/*.warc.gz --jsonl | grep -c '\"conversion\"'"
                #expect(try await Self.run(archive, in: folder).text == "2\n")
                #expect(
                    try await Self.run("webinspect archive verify m/.mirror/*.warc.gz", in: folder).status
                        == 0
                )
                // A copy that is as pages are served is another one.
                let served = try await Self.run(
                    "webinspect mirror \(server.url("/")) -o m --update",
                    in: folder
                )
                #expect(served.status == 2 && served.errors.contains("state.settings"), "\(served.errors)")
                let vain = try await Self.run("\(mirror) --scripts", in: folder)
                #expect(vain.status == 2 && vain.errors.contains("--render"), "\(vain.errors)")
            }
        }
    }

    @Test(arguments: [("crawl URL -o x.warc.gz", 0), ("mirror URL -o m", 1)])
    func `a page that cannot be rendered has failed`(line: String, status: Int32) async throws {
        try await withTestServer {
            Self.answer($0)
        } _: { server in
            try await withTemporaryFolder { folder in
                let line = line.replacing("URL", with: server.url("/"))
                let outcome = try await Self.run(
                    "WEBINSPECT_BROWSER=/bin/false webinspect \(line) --render",
                    in: folder
                )
                #expect(outcome.status == status, "\(outcome)")
                #expect(outcome.errors.contains("render.unavailable"), "\(outcome)")
            }
        }
    }

    @Test func `a browser that ends is an error`() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Self.run(
                "WEBINSPECT_BROWSER=/bin/false webinspect page.html --render",
                in: folder
            )
            #expect(outcome.status == 70 && outcome.errors.contains("(render.unavailable)"))
        }
    }
}
