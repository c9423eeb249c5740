import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import webinspect

/// `webinspect report`: the HTML page, and what a browser makes of it.
@Suite(.timeLimit(.minutes(20)))
struct ReportCommandTests {
    /// A page that does its best to get out of a report.
    private static let hostile = """
        <!doctype html><title></title><script>alert(1)</script>&lt;/title>&lt;script>alert(2)&lt;/script></title>
        <h1 id="&quot;><script>alert(3)</script>">A &amp; B</h1><a href="javascript:alert(4)">x</a>
        <a href='https://h.test/"onclick="alert(5)'>y</a><img src="https://h.test/i.png" alt='"><script>alert(6)</script>'>
        <img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(7)'/>"><p id=a><p id=a>
        """

    private func report(_ markup: String, _ arguments: String...) async throws -> String {
        let outcome = try await Command.run(
            "webinspect",
            ["report", "-", "--mime", "text/html", "--base-url", "https://h.test/d/"] + arguments,
            input: Data(markup.utf8)
        )
        #expect(outcome.status == 0)
        return outcome.text
    }

    @Test func whatComesFromThePageIsText() async throws {
        let html = try await report(Self.hostile)
        #expect(html.components(separatedBy: "<script").count == 2)
        #expect(!html.contains("href=\"javascript:"))
        #expect(!html.contains("onclick=\"alert"))
        #expect(html.contains("id.duplicate"))
        #expect(html.contains("link.javascript"))
    }

    @Test func isTheSameEveryTime() async throws {
        #expect(try await report(Self.hostile) == report(Self.hostile))
    }

    @Test func showsWhereFindingsAre() async throws {
        let html = try await report("<title>T</title>\r\n<p>ä <input name=n> after", "--encoding", "utf-8")
        #expect(html.contains("<pre>&lt;p&gt;ä <mark>&lt;input name=n&gt;</mark> after</pre>"))
    }

    @Test func saysOnceWhatToDoAboutFindingsOfAKind() async throws {
        let html = try await report(
            "<img src=a width=1 height=1><img src=b width=1 height=1><p id=a><p id=a>"
        )
        #expect(html.components(separatedBy: "Describe the image in alt").count == 2)
        for image in ["a", "b"] { #expect(html.contains("<mark>&lt;img src=\(image) ")) }
        let errors = try #require(html.range(of: "id=\"findings-error\""))
        let warnings = try #require(html.range(of: "id=\"findings-warning\""))
        #expect(errors.upperBound < warnings.lowerBound)
    }

    @Test func everyLinkInsideItLeadsSomewhere() async throws {
        let parts = "<form><input></form><table><tr><td>x</table><script></script>"
        for markup in [Self.hostile, "<title>T</title>", parts] {
            let html = try await report(markup)
            let places = html.matches(of: /href="?#([\w-]+)/).map(\.output.1)
            #expect(places.count > 8)
            for place in Set(places) {
                #expect(html.contains("id=\"\(place)\"") || html.contains("id=\(place)>"), "\(place)")
            }
        }
    }

    @Test func itsLookIsThatOfTheLocalServer() async throws {
        let file = ProjectFolder.root.appending(path: "Sources/CLook/look.css")
        let look = try String(contentsOf: file, encoding: .utf8)
        #expect(try await report("x").contains("<style>\(look)"))
        // Text that could end the style sheet, or load something.
        for word in ["</", "url(", "@import", "http"] { #expect(!ReportStyle.css.description.contains(word)) }
    }

    @Test func elementsAreATreeToOpen() async throws {
        let html = try await report("<main id=m><p>a <b>c</b></p></main>")
        #expect(html.contains("<summary><b>main</b> <span class=\"muted\">id=</span><bdi>m</bdi> </summary>"))
        #expect(html.contains("<div><b>b</b> <bdi>c</bdi></div>"))
        // Elements that are too deep or too many are omitted.
        let deep = try await report(String(repeating: "<div>", count: 400) + "x")
        #expect(deep.contains("<div>…</div>"))
        let many = try await report(String(repeating: "<hr>", count: 3000))
        #expect(many.contains("2000 elements are shown at most."))
    }

    @Test func writesNoJSON() async throws {
        #expect(try await Command.run("webinspect", ["report", "data:,x", "--json"]).status == 2)
    }

    @Test func thePolicyAllowsTheScript() async throws {
        let html = try await report("x")
        let start = try #require(html.range(of: "<script>"))
        let end = try #require(html.range(of: "</script>"))
        let script = html[start.upperBound..<end.lowerBound]
        let digest = try await Command.run(
            "/usr/bin/openssl",
            ["dgst", "-sha256", "-binary"],
            input: Data(script.utf8)
        ).output
        #expect(html.contains("script-src 'sha256-\(digest.base64EncodedString())'"))
    }

    @Test func imagesOfTheCacheAreInIt() async throws {
        let image = Data([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0])
        try await withTestServer { request in
            request.path == "/i.gif"
                ? HTTPResponse(statusCode: .ok, headers: [.contentType: "image/gif"], body: image)
                : HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html"],
                    body: Data("<img src=/i.gif alt=I><img src=/other.gif>".utf8)
                )
        } _: { server in
            try await withTemporaryFolder { cache in
                let flags = ["--cache-dir", cache.path]
                _ = try await Command.run("webinspect", ["fetch", server.url("/i.gif"), "--keep"] + flags)
                let html = try await Command.run("webinspect", ["report", server.url("/page")] + flags).text
                #expect(html.contains("src=\"data:image/gif;base64,R0lGODlhAQABAAAAAA==\" alt=\"I\""))
                #expect(html.contains("not in the cache"))
                #expect(!server.requestedPaths.contains("/other.gif"))
            }
        }
    }

    /// Opened 360 and 1440 pixels wide: it fits, cuts no words, sorts, filters, loads nothing, and nothing goes wrong.
    @Test(
        .enabled(if: Nightly.isOn, "nightly: a browser"),
        .enabled(if: Browser.isInstalled, "Chromium is not installed"),
        arguments: [360, 1440]
    )
    func aBrowserShowsIt(width: Int) async throws {
        let links = (1...20).map {
            "<a href='/page\($0)/\(String(repeating: "long", count: 30))'>Link \($0)</a>"
        }
        let report = try await report(Self.hostile + "<link rel=alternate href=/a>" + links.joined())
        let harness = """
            <!doctype html><body><iframe id=f src=/report.html style="width:\(width)px;height:800px;border:0"></iframe>
            <script>
            f.onload = () => {
              const page = f.contentDocument, view = f.contentWindow, said = {};
              said.width = page.documentElement.clientWidth;
              said.overflow = page.documentElement.scrollWidth - said.width;
              said.requests = view.performance.getEntriesByType("resource")
                .filter((entry) => !entry.name.startsWith("data:")).length;
              const table = [...page.querySelectorAll("#links table")][0];
              const kinds = [...table.tBodies[0].rows].map((row) => row.cells[0].firstElementChild);
              said.lines = kinds.find((kind) => kind.textContent === "alternate").getClientRects().length;
              const cell = () => table.tBodies[0].rows[0].cells[1].textContent;
              const button = table.tHead.rows[0].cells[1].querySelector("button");
              button.click(); button.click();
              said.last = cell();
              const input = page.querySelector("#links input");
              input.value = "LINK 13"; input.dispatchEvent(new view.Event("input"));
              said.shown = [...table.tBodies[0].rows].filter((row) => !row.hidden).length;
              said.styled = view.getComputedStyle(page.querySelector(".cards")).display;
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
            let start = try #require(document.range(of: "{\"width\""))
            let end = try #require(document.range(of: "}", range: start.lowerBound..<document.endIndex))
            let said = try #require(
                try JSONSerialization.jsonObject(
                    with: Data(document[start.lowerBound..<end.upperBound].utf8)
                ) as? [String: Any]
            )
            #expect(said["overflow"] as? Int == 0)
            #expect(said["requests"] as? Int == 0)
            #expect(said["last"] as? String == "y")
            #expect(said["shown"] as? Int == 1)
            #expect(said["lines"] as? Int == 1)
            #expect(said["styled"] as? String == "grid")
            #expect(console == [])
            // The harness has no icon of its own, and the browser asks for one.
            #expect(
                Set(server.requestedPaths).subtracting(["/favicon.ico"]) == ["/harness.html", "/report.html"]
            )
        }
    }
}
