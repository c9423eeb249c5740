import Testing

@testable import WebDocument
@testable import WebLoader

/// Base URL, headings, counts.
@Suite(.timeLimit(.minutes(20)))
struct InspectionTests {
    private func page(
        _ markup: String,
        base: String = "http://a.test/dir/page?q#f"
    ) async throws -> ParsedPage {
        try await PageLoader.offline().loadHTMLString(markup, baseURL: WebURL(base)).parsed()
    }

    @Test(
        "The base URL is that of the first base element with href",
        arguments: [
            ("", "http://a.test/dir/page?q#f"), ("<base href=http://b.test/x>", "http://b.test/x"),
            ("<base href=y/>", "http://a.test/dir/y/"), ("<base href=''>", "http://a.test/dir/page?q"),
            ("<base href='?r'>", "http://a.test/dir/page?r"),
            ("<base href='#g'>", "http://a.test/dir/page?q#g"),
            ("<base target=_top>", "http://a.test/dir/page?q#f"),
            ("<base target=_top><base href=y>", "http://a.test/dir/y"),
            ("<base href=y><base href=z>", "http://a.test/dir/y"),
            ("<body><p><base href=y>", "http://a.test/dir/y"),
            ("<base href='http://['>", "http://a.test/dir/page?q#f"),
            // The first one counts, even if its URL does not.
            ("<base href='http://['><base href=y>", "http://a.test/dir/page?q#f"),
            ("<base href='data:,x'>", "http://a.test/dir/page?q#f"),
            ("<base href='javascript:x'>", "http://a.test/dir/page?q#f"),
            ("<base href='about:blank'>", "about:blank"), ("<base href='mailto:a@b'>", "mailto:a@b"),
            ("<svg><base href=y /></svg>", "http://a.test/dir/page?q#f"),
            ("<template><base href=y></template>", "http://a.test/dir/page?q#f"),
            ("<base href=' \ty\n '>", "http://a.test/dir/y"),
        ]
    )
    func baseURL(markup: String, expected: String) async throws {
        #expect(try await page(markup).baseURL.href == expected)
    }

    @Test(
        "Headings come in document order with their text",
        arguments: [
            ("", []), ("<h1>a</h1><h2>b</h2>", ["1 a", "2 b"]), ("<h1> a\n <b>b</b>\tc </h1>", ["1 a b c"]),
            ("<h1></h1>", ["1 "]), ("<h7>x</h7><h0>y</h0><header>z</header>", []), ("<H3>x", ["3 x"]),
            ("<h1>a<h2>b</h1>c", ["1 a", "2 b"]), ("<h6>a<!-- x --></h6>", ["6 a"]),
            ("<svg><h1>x", ["1 x"]), ("<template><h1>x</h1></template>", []),
            ("<h2><img alt=x></h2>", ["2 "]), ("<hgroup><h4>a</h4></hgroup>", ["4 a"]),
            ("<h1>a<div><h2>b</h2></div></h1>", ["1 a", "2 b"]),
        ]
    )
    func headings(markup: String, expected: [String]) async throws {
        let document = try #require(try await page(markup).document)
        #expect(document.headings.map { "\($0.level) \($0.text)" } == expected)
    }

    @Test func headingsHaveTheirPlaces() async throws {
        let document = try #require(try await page("<p>\n  <h2>x</h2>").document)
        #expect(document.headings.first?.position == SourcePosition(line: 2, column: 3))
    }

    @Test func headingsOfXHTMLOnly() async throws {
        let page = try await PageLoader.offline().loadData(
            Array("<x xmlns:h='http://www.w3.org/1999/xhtml'><h1>no</h1><h:h1>yes</h:h1></x>".utf8),
            mimeType: "text/xml",
            textEncodingName: nil,
            baseURL: nil
        ).parsed()
        #expect(page.document?.headings.map(\.text) == ["yes"])
    }

    @Test func countsElementsOfHTML() async throws {
        let document = try #require(
            try await page(
                """
                <img><img><form></form><table><tr><td><table></table></table><script></script><style></style>
                <iframe></iframe><svg><script></script><style></style></svg><template><img></template>
                """
            ).document
        )
        var expected = PageCounts()
        expected.images = 2
        expected.forms = 1
        expected.tables = 2
        expected.scripts = 1
        expected.styles = 1
        expected.frames = 1
        // html, head, body, two img, form, table, tbody, tr, td, table, script, style, iframe, svg's three, template
        expected.elements = 18
        #expect(document.counts == expected)
        let frames = try #require(try await page("<frameset><frame><frame></frameset>").document)
        #expect(frames.counts.frames == 2)
    }
}
