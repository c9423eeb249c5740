import Foundation
import TestSupport
import Testing

@testable import WebDocument

struct FindingTests {
    /// Returns a page around the tested markup that causes no other findings.
    private static func page(_ body: String, head: String = "") -> String {
        """
        <!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
        <title>T</title>\(head)<h1>H</h1>\(body)
        """
    }

    private static func codes(
        _ markup: String,
        url: String = "https://h.test/p",
        type: String = "text/html; charset=utf-8",
        fields: [(String, String)] = []
    ) throws -> [String] {
        try InspectionPages.page(markup, type: type, url: url, fields: fields).findings.findings
            .map(\.code.rawValue)
    }

    @Test func anOrdinaryPageHasNone() throws {
        let body = """
            <p>Text <a href="#there">there</a> <a href=/b><img src=i.png alt="A picture" width=1 height=1></a>
            <h2 id=there>There</h2><label>Name <input name=n></label><label for=q>Q</label><input id=q>
            <input type=hidden><input type=submit><button>Send</button><iframe src=f title=F></iframe>
            """
        #expect(try Self.codes(Self.page(body)) == [])
    }

    @Test(arguments: [
        ("<img src=a.png width=1 height=1>", "image.alt-missing"),
        ("<input type=image src=a.png>", "image.alt-missing"),
        ("<img src=a.png alt=a>", "image.size-missing"),
        ("<input>", "field.label-missing"), ("<select></select>", "field.label-missing"),
        ("<label for=x>X</label><div id=x></div><textarea></textarea>", "field.label-missing"),
        ("<button> </button>", "button.name-missing"), ("<input type=button>", "button.name-missing"),
        ("<a href=/x><img src=a alt='' width=1 height=1></a>", "link.name-missing"),
        ("<iframe src=x></iframe>", "frame.title-missing"),
        ("<div tabindex=2></div>", "tabindex.positive"),
        ("<h2></h2>", "heading.empty"), ("<h3>x</h3>", "heading.gap"),
        ("<p id=a></p><p id=a></p>", "id.duplicate"),
        ("<label for=nowhere>x</label>", "id.reference"),
        ("<p aria-labelledby='nowhere'>x</p>", "id.reference"),
        ("<center>x</center>", "html.obsolete-element"),
        ("<a href='http://[x'>x</a>", "link.url-invalid"),
        ("<a href='#nowhere'>x</a>", "link.fragment-broken"),
        ("<a href='javascript:void(0)'>x</a>", "link.javascript"),
        ("<script src='http://h.test/s.js'></script>", "content.mixed"),
        ("<img src='http://h.test/i' alt=i width=1 height=1>", "content.mixed-passive"),
        ("<form action='http://h.test/f'></form>", "form.insecure"),
    ])
    func bodiesAreLookedOver(body: String, code: String) throws {
        #expect(try Self.codes(Self.page(body)) == [code])
    }

    @Test(arguments: [
        ("<link rel=canonical href=/a><link rel=canonical href=/b>", "canonical.conflict"),
        ("<link rel=canonical href='http://[x'>", "canonical.invalid"),
        ("<meta name=robots content='noindex, follow'>", "robots.blocked"),
        ("<meta name=viewport content='user-scalable=no'>", "viewport.zoom"),
        ("<meta name=viewport content='width=1, maximum-scale=1.0'>", "viewport.zoom"),
        ("<script type=application/ld+json>{\"a\":}</script>", "structured-data.invalid"),
        ("<script type=application/ld+json>{\"a\":1,}</script>", "structured-data.repaired"),
        ("<meta http-equiv=Refresh content='5; url=/x'>", "refresh.declared"),
    ])
    func headsAreLookedOver(head: String, code: String) throws {
        #expect(try Self.codes(Self.page("", head: head)) == [code])
    }

    @Test(arguments: [
        "<div hidden><img src=a><a href=/x></a><input></div>",
        "<div aria-hidden=true><button></button></div>",
        "<template><img src=a><p id=a></p><p id=a></p></template>",
        "<a href=/x aria-label=X></a><a href=/y><svg><title>Y</title></svg></a>",
        "<a href='#TOP'>up</a><a href='#'>up</a><a href='#:~:text=H'>h</a><a href='#a%C3%A4'>ä</a><i id='aä'></i>",
        "<a name=there></a><a href='#there'>there</a><p id=x></p><a href='#x:~:text=y'>x</a>",
        "<h2><a href=/x>text</a></h2>", "<img src=a role=presentation width=1 height=1>",
    ])
    func nothingIsFoundWhereNothingIsWrong(body: String) throws {
        #expect(try Self.codes(Self.page(body)) == [])
    }

    private static let text = "render.text-only-by-script"

    @Test(arguments: [
        // Text that is the same, and text that exists but is hidden, is not made by scripts.
        ("<p>one two", "<p>one two", [String]()), ("<p hidden>one <b>t</b>wo", "<p>one <b>t</b>wo", []),
        ("<template><p>one</template>", "<p>one", []), ("<a href=/a>x", "<a href=/a#b>x", []),
        // Data in a script is not text.
        ("<script>one</script>", "<p>one", [text]), ("<p>one", "<p>one one", [text]),
        ("<p>one", "<p>two", [text, "render.text-removed-by-script"]),
        ("<p>茶", "<p>茶 一杯", [text]),
        ("x", "<a href=/a>x", ["render.links-only-by-script"]),
        ("<a href=/a>x", "<a href=javascript:a()>x", []), ("x", "<template><a href=/a></template>x", []),
        ("<template><a href=/a></template>x", "<a href=/a></a>x", []),
        // Content of a frame is not the page's own.
        ("<iframe src=/f></iframe>x", "<iframe srcdoc='<a href=/a>y</a>'></iframe>x", []),
        ("<meta name=robots content=noindex>x", "x", ["render.indexing-by-script"]),
        ("x", "<meta name=robots content=none>x", ["render.indexing-by-script"]),
        ("<meta name=robots content=nofollow>x", "x", []),
        ("<title>A</title>x", "<title>B</title>x", ["render.metadata-by-script"]),
        (
            "x", "<meta name=description content=d><link rel=canonical href=/c><p lang=en>x",
            ["render.metadata-by-script", "render.metadata-by-script"]
        ),
        (
            "x",
            "<script type=application/ld+json>{\"@type\":\"A\"}</script><i itemscope itemtype=//s.test/A></i>x",
            ["render.structured-data-only-by-script", "render.structured-data-only-by-script"]
        ),
        ("<meta property=og:title content=a>x", "<meta property=og:title content=b>x", []),
        ("", "", []),
    ])
    func whatOnlyScriptsMakeIsFound(served: String, rendered: String, codes: [String]) throws {
        let (served, rendered) = try (InspectionPages.page(served), InspectionPages.page(rendered))
        #expect(rendered.scriptFindings(served: served).findings.map(\.code.rawValue) == codes)
        #expect(served.scriptFindings(served: served).findings.isEmpty)
    }

    @Test func pagesAreLookedOver() throws {
        #expect(
            try Self.codes("<p>x") == [
                "doctype.quirks", "title.missing", "viewport.missing", "heading.missing", "language.missing",
            ]
        )
        let robots = [("X-Robots-Tag", "googlebot: noindex")]
        #expect(try Self.codes(Self.page(""), fields: robots) == ["robots.blocked"])
    }

    @Test func encodingsAreLookedOver() throws {
        let plain = "text/html"
        #expect(try Self.codes(Self.page(""), type: plain) == [])
        #expect(try Self.codes(Self.page(""), type: "text/html; charset=koi8-r") == ["charset.conflict"])
        let late =
            "<!doctype html><html lang=en><title>T</title><!--\(String(repeating: "x", count: 1100))-->"
        let rest = "<meta charset=utf-8><meta name=viewport content=x><h1>H</h1>"
        #expect(try Self.codes(late + rest, type: plain) == ["charset.late"])
        let silent = "<!doctype html><html lang=en><title>T</title><meta name=viewport content=x><h1>H</h1>"
        #expect(try Self.codes(silent, type: plain) == ["charset.missing"])
    }

    @Test func findingsAreInTheOrderOfTheirPlaces() throws {
        let body = "\n<input>\n<img src=a alt=a>\n<a href='#nowhere'>x</a>"
        let page = try InspectionPages.page(Self.page(body))
        let lines = page.findings.findings.map { $0.position?.line ?? 0 }
        #expect(lines == lines.sorted())
        #expect(lines.count == 3)
    }

    @Test func findingsAreBounded() throws {
        let page = try InspectionPages.page(Self.page(String(repeating: "<input>", count: 20_000)))
        let findings = page.findings
        #expect(findings.findings.count == Findings.maximumCount)
        #expect(findings.isTruncated)
        #expect(findings.worst == .warning)
    }

    @Test func theWorstIsKnownThoughItIsNotKept() throws {
        let markup = Self.page(String(repeating: "<input>", count: 10_001) + "<p id=a><p id=a>")
        #expect(try InspectionPages.page(markup).findings.worst == .error)
    }

    @Test func depthIsNoMatter() throws {
        let markup = String(repeating: "<a href=x><div>", count: 50_000)
        #expect(try !InspectionPages.page(markup).findings.findings.isEmpty)
    }

    @Test(arguments: Finding.Code.allCases)
    func theDocumentationHasEachCode(code: Finding.Code) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/findings.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.contains(
                "| `\(code.rawValue)` | \(code.severity.rawValue) | \(code.summary). \(code.advice) |"
            )
        )
    }
}
