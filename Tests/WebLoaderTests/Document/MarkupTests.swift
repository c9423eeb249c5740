import CLibXML2
import Testing

@testable import WebDocument
@testable import WebLoader

/// Trees as text: as browsers write them, for people, and as XML.
@Suite(.timeLimit(.minutes(20)))
struct MarkupTests {
    private func document(_ text: String, mimeType: String = "text/html") async throws -> Document {
        let page = try await PageLoader.offline().loadData(
            Array(text.utf8),
            mimeType: mimeType,
            textEncodingName: "utf-8",
            baseURL: nil
        ).parsed()
        return try #require(page.document)
    }

    private func body(_ text: String) async throws -> Node {
        try #require(try await document(text).root?.children.last)
    }

    @Test(
        arguments: [
            ("<p>a<b>b</p>c", "<p>a<b>b</b></p><b>c</b>"),
            // "Escaping a string".
            (
                "<p title='a\"b<c>&amp;\u{A0}'>1 &lt; 2 &amp;&nbsp;3 > 0 \"",
                #"<p title="a&quot;b&lt;c&gt;&amp;&nbsp;">1 &lt; 2 &amp;&nbsp;3 &gt; 0 "</p>"#
            ),
            // "Serializes as void".
            ("<br/><hr><img src=x><input></br>", #"<br><hr><img src="x"><input><br>"#),
            // Raw text, and RCDATA, which is not raw text.
            ("<script>a<b&&c</script><style>a>b</style>", "<script>a<b&&c</script><style>a>b</style>"),
            ("<textarea><b>&amp;</textarea>", "<textarea>&lt;b&gt;&amp;</textarea>"),
            ("<xmp><b></xmp><noscript><b>x</b></noscript>", "<xmp><b></xmp><noscript><b>x</b></noscript>"),
            // Foreign elements and attributes; a foreign `style` is not HTML's.
            (
                "<svg viewbox='0 0 1 1' xlink:href=#a xml:lang=en><style>a<c></c></style><br2/></svg>",
                "<svg viewBox=\"0 0 1 1\" xlink:href=\"#a\" xml:lang=\"en\"><style>a<c></c></style><br2></br2></svg>"
            ),
            ("<!--a--b--><?php x?>", "<!--a--b--><?php x?>"),
            ("<template><p>in</template>", "<template><p>in</p></template>"),
            ("<div><template shadowrootmode=open><p>shadow</template>light</div>", "<div>light</div>"),
            ("<pre>\n\nx</pre>", "<pre>\nx</pre>"),
        ]
    )
    func writesHTMLAsBrowsersDo(input: String, output: String) async throws {
        #expect(try await body("<body>" + input).innerHTML == output)
    }

    @Test func writesNamesAsTheyAre() async throws {
        let body = try await body("<body><a\"b c<d=e>x")
        #expect(body.innerHTML == "<a\"b c<d=\"e\">x</a\"b>")
    }

    @Test func writesWholeDocuments() async throws {
        let text =
            "<!--a--><!DOCTYPE html><html lang=\"en\"><head><title>t</title></head><body>x</body></html><!--b-->"
        #expect(try await document(text).markup() == text)
        let root = try #require(try await document(text).root)
        #expect(root.outerHTML == "<html lang=\"en\"><head><title>t</title></head><body>x</body></html>")
        #expect(root.children.first?.innerHTML == "<title>t</title>")
        #expect(try await body("<body><br>").children.first?.innerHTML == "")
        #expect(try await body("<body><template><i>").children.first?.innerHTML == "<i></i>")
        #expect(
            try await body("<body><template><i>").children.first?.outerHTML == "<template><i></i></template>"
        )
    }

    @Test(
        arguments: [
            (
                "<p>one <b> two</b>\n three<p>four",
                "<body>\n  <p>one <b> two</b> three</p>\n  <p>four</p>\n</body>\n"
            ),
            (
                "<ul><li>a<li>b <ul><li>c</ul>d</ul>",
                "<body>\n  <ul>\n    <li>a</li>\n    <li>b\n      <ul>\n        <li>c</li>\n      </ul>\n      d\n    </li>\n  </ul>\n</body>\n"
            ),
            ("<pre>a\n  b</pre>x", "<body>\n  <pre>a\n  b</pre>\n  x\n</body>\n"),
            ("<script>if (a)\n  b()</script>", "<body>\n  <script>if (a)\n  b()</script>\n</body>\n"),
            ("a &amp; b<br>c", "<body>a &amp; b<br>c</body>\n"),
            (
                "<table><tr><td>1<td>2</table>",
                "<body>\n  <table>\n    <tbody>\n      <tr>\n        <td>1</td>\n        <td>2</td>\n      </tr>\n    </tbody>\n  </table>\n</body>\n"
            ),
            ("  \n  ", "<body></body>\n"),
            ("<p> a <i> b </i> </p>", "<body>\n  <p>a <i> b </i></p>\n</body>\n"),
        ]
    )
    func writesForPeople(input: String, output: String) async throws {
        #expect(try await body("<body>" + input).markup(.pretty) == output)
    }

    @Test(
        arguments: [
            ("<p>a<br>b &nbsp;&lt;", "<p>a<br/>b \u{A0}&lt;</p>"),
            ("<div></div>", "<div></div>"),
            ("<a<b c:d=1>", "<aU00003Cb cU00003Ad=\"1\"></aU00003Cb>"),
            ("<!--a--b---><!-- -->", "<!--a- -b- --><!-- -->"),
            ("<?x a?>b?>", "<?x a?>b?&gt;"),
            ("\u{1}\u{FFFF}", "\u{FFFD}\u{FFFD}"),
            ("<p title='a\n\t\"'>", "<p title=\"a&#10;&#9;&quot;\"></p>"),
            ("<script>a<b&c</script>", "<script>a&lt;b&amp;c</script>"),
            (
                "<svg xlink:href=a><path/><foreignObject><p>x",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"a\"><path/>"
                    + "<foreignObject><p xmlns=\"http://www.w3.org/1999/xhtml\">x</p></foreignObject></svg>"
            ),
            ("<template><p>x</template>", "<template><p>x</p></template>"),
        ]
    )
    func writesXML(input: String, output: String) async throws {
        let xml = try await document("<!DOCTYPE html><body>" + input).markup(.xml)
        let start = "<!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\"><head></head><body>"
        #expect(xml == start + output + "</body></html>")
    }

    @Test(
        arguments: [
            "<a:x xmlns:a=\"u:a\" a:b=\"c\"><y xmlns=\"u:y\"/>t&lt;<!--c--><?p d?></a:x>",
            "<!DOCTYPE x [\n<!ENTITY e \"v\">\n]>\n<x>&e;</x>",
        ]
    )
    func writesXMLDocumentsAsTheyWere(text: String) async throws {
        let document = try await document(text, mimeType: "text/xml")
        #expect(document.markup().replacing("\n", with: "") == text.replacing("\n", with: ""))
        #expect(document.markup() == document.markup(.xml))
    }

    @Test func declaresWhatAnInnerElementUses() async throws {
        let document = try await document(
            "<a:x xmlns:a=\"u:a\"><a:y><a:z/></a:y></a:x>",
            mimeType: "text/xml"
        )
        let inner = try #require(document.root?.children.first)
        #expect(inner.outerHTML == "<a:y xmlns:a=\"u:a\"><a:z/></a:y>")
        #expect(inner.innerHTML == "<a:z xmlns:a=\"u:a\"/>")
    }

    @Test(
        arguments: [
            ("<td>a", "body", "a"), ("<td>a", "tr", "<td>a</td>"), ("<p>a</p>b", "div", "<p>a</p>b"),
            ("<g/>", "svg svg", "<g></g>"), ("a<b>", "textarea", "a&lt;b&gt;"), ("", "body", ""),
        ]
    )
    func parsesFragmentsInsideAnElement(html: String, context: String, output: String) throws {
        let (document, limits) = try Document.fragment(html, inside: context)
        #expect(document.root?.innerHTML == output)
        #expect(limits == [])
    }

    @Test func fragmentsHaveLimits() throws {
        var limits = LoadLimits()
        limits.maximumNodes = 10
        let (_, reached) = try Document.fragment(String(repeating: "<p>x", count: 100), limits: limits)
        #expect(reached.map(\.code) == [.nodes])
    }

    @Test(arguments: MarkupForm.allCases)
    func isLinearInDepth(form: MarkupForm) async throws {
        let loader = PageLoader.offline { $0.limits.maximumDepth = 200_000 }
        let page = try await loader.loadHTMLString(
            String(repeating: "<div>", count: 100_000) + "x",
            baseURL: nil
        ).parsed()
        let document = try #require(page.document)
        #expect(document.markup(form).utf8.count < 20_000_000)
    }

    /// `plaintext` is left out: nothing ends it, so that it grows by the end tags after it.
    @Test(
        arguments: HTMLTreeConstructionTests.cases.filter {
            $0.fragment == nil && !$0.tree.contains("<plaintext>")
        }
    )
    func staysWhenParsedAgain(_ testCase: HTMLConformanceData.TreeCase) async throws {
        let first = try await document(testCase.data).markup()
        let second = try await document(first).markup()
        let third = try await document(second).markup()
        // The formatting elements of a first parse may move once more; then nothing does.
        let fourth = try await document(third).markup()
        #expect(fourth == third)
    }

    /// libxml2's XML parser takes what is written as XML, and without a word.
    @Test(arguments: HTMLTreeConstructionTests.cases.filter { $0.fragment == nil })
    func xmlIsWellFormed(_ testCase: HTMLConformanceData.TreeCase) async throws {
        let xml = try await document(testCase.data).markup(.xml)
        let page = try await PageLoader.offline().loadData(
            Array(xml.utf8),
            mimeType: "application/xhtml+xml",
            textEncodingName: "utf-8",
            baseURL: nil
        )
        #expect(page.warnings == [], "\(xml)")
    }
}
