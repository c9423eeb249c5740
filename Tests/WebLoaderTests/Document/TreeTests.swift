import Testing

@testable import WebDocument
@testable import WebLoader

/// The tree as it is read: nodes, walks, titles.
@Suite(.timeLimit(.minutes(20)))
struct TreeTests {
    private func html(_ text: String) async throws -> Document {
        let page = try await PageLoader.offline().loadHTMLString(text, baseURL: nil).parsed()
        return try #require(page.document)
    }

    private func xml(_ text: String) async throws -> Document {
        let page = try await PageLoader.offline().loadData(
            Array(text.utf8),
            mimeType: "text/xml",
            textEncodingName: nil,
            baseURL: nil
        ).parsed()
        return try #require(page.document)
    }

    private func elements(_ document: Document) -> [String] {
        var walk = TreeWalk(inside: document.node)
        var names: [String] = []
        while let element = walk.nextElement() { names.append(element.name) }
        return names
    }

    @Test func walksInDocumentOrder() async throws {
        let document = try await html(
            "<!--c--><title>t</title><body><a><b></b>x</a><i></i>y<!--d--></body><!--e-->"
        )
        #expect(elements(document) == ["html", "head", "title", "body", "a", "b", "i"])
    }

    @Test func walksInsideANodeOnly() async throws {
        let document = try await html("<p><a><b></b></a></p><p><i></i></p>")
        let body = try #require(document.root?.children.last)
        var names: [String] = []
        for paragraph in body.children {
            var walk = TreeWalk(inside: paragraph.treeNode)
            while let element = walk.nextElement() { names.append("\(element.name)") }
            names.append("|")
        }
        #expect(names == ["a", "b", "|", "i", "|"])
        var inside = TreeWalk(
            inside: try #require(body.children.first?.children.first?.children.first).treeNode
        )
        #expect(inside.next() == nil)
    }

    @Test func passesOverTemplatesAndDeclaredShadowRoots() async throws {
        let document = try await html(
            "<template><a></a></template><p><template shadowrootmode=open><b></b></template></p>"
        )
        #expect(elements(document).contains("a") == false)
    }

    @Test func passesOverEntityDeclarations() async throws {
        let document = try await xml("<!DOCTYPE x [<!ENTITY e '<y>z</y>'>]><x><a/>&e;<b/></x>")
        let names = elements(document)
        #expect(names.first == "x")
        #expect(names.last == "b")
    }

    @Test(arguments: [1000, 100_000])
    func walksAnyDepthWithoutRecursion(depth: Int) async throws {
        let loader = PageLoader.offline { $0.limits.maximumDepth = depth + 10 }
        let page = try await loader.loadHTMLString(
            String(repeating: "<div>", count: depth) + "x<h1>end</h1><a href=y>",
            baseURL: nil
        ).parsed()
        let document = try #require(page.document)
        #expect(page.warnings.isEmpty)
        #expect(document.counts.elements == depth + 5)
        #expect(document.headings.map(\.text) == ["end"])
        #expect(page.links.count == 1)
        #expect(document.root?.textContent == "xend")
        #expect(document.node.textContent == "xend")
    }

    @Test func deeperThanTheLimitIsPutBeside() async throws {
        let page = try await PageLoader.offline().loadHTMLString(
            String(repeating: "<div>", count: 1000) + "x",
            baseURL: nil
        ).parsed()
        #expect(page.document?.counts.elements == 1003)
        #expect(page.limits == [ReachedLimit(code: .depth, limit: 512, count: 489)])
        #expect(!page.isTruncated)
    }

    @Test func aNodeLimitStopsTheTree() async throws {
        let loader = PageLoader.offline { $0.limits.maximumNodes = 100 }
        let page = try await loader.loadHTMLString(String(repeating: "<p>x", count: 1000), baseURL: nil)
            .parsed()
        #expect(page.limits == [ReachedLimit(code: .nodes, limit: 100, count: nil)])
        #expect(page.isTruncated)
        #expect(try #require(page.document).counts.elements <= 100)
    }

    @Test(
        "The text content is that of all texts inside",
        arguments: [
            ("<p>a<b>b</b><!--c-->d", "abd"), ("<p>a<script>s</script>", "as"),
            ("<p>&amp;&nbsp;\u{1F600}", "&\u{A0}\u{1F600}"),
            ("<p> a\n b ", " a\n b "), ("<p><template>t</template>u", "u"), ("<p>", ""),
            ("<p>a<svg><text>b</text></svg>", "ab"),
        ]
    )
    func textContent(markup: String, expected: String) async throws {
        #expect(try await html(markup).root?.children.last?.textContent == expected)
    }

    @Test func textContentTakesCDATAAndEntities() async throws {
        let document = try await xml(
            "<!DOCTYPE x [<!ENTITY e 'E'>]><x y='1&lt;&#65;'>a<![CDATA[<b>]]>&lt;<!--c--></x>"
        )
        #expect(document.root?.textContent == "a<b><")
        #expect(document.root?.attribute("y") == "1<A")
    }

    @Test func attributesAreThoseInNoNamespace() async throws {
        let document = try await html(
            "<svg xlink:href=a href=b HREF=c data-x=''></svg><p title='&quot;x&quot;'>"
        )
        let body = try #require(document.root?.children.last)
        let svg = try #require(body.children.first)
        #expect(svg.attribute("href") == "b")
        #expect(svg.attribute("data-x") == "")
        #expect(svg.treeNode.hasAttribute("data-x"))
        #expect(svg.attribute("missing") == nil)
        #expect(svg.namespaceName == "http://www.w3.org/2000/svg")
        #expect(!svg.treeNode.isHTMLElement)
        let paragraph = try #require(body.children.last)
        #expect(paragraph.attribute("title") == "\"x\"")
        #expect(paragraph.attribute("TITLE") == nil)
        #expect(paragraph.namespaceName == nil)
        #expect(paragraph.treeNode.isHTMLElement)
        #expect(paragraph.parent == body)
        #expect(paragraph != svg)
        #expect(document.root?.parent?.parent == nil)
        #expect(document.root?.parent?.name == "")
    }

    @Test func positionsAreOfTheTags() async throws {
        let document = try await html("<p>a\n  <b>\u{1F600}<i>x</i></b>")
        let paragraph = try #require(document.root?.children.last?.children.first)
        let bold = try #require(paragraph.children.first)
        #expect(paragraph.position == SourcePosition(line: 1, column: 1))
        #expect(bold.position == SourcePosition(line: 2, column: 3))
        #expect(bold.children.first?.position == SourcePosition(line: 2, column: 7))
        #expect(try await xml("<x>\n<y/></x>").root?.children.first?.position?.line == 2)
    }

    @Test func aNodeKeepsItsDocument() async throws {
        var document: Document? = try await html("<p>kept")
        weak let reference = document
        let node = document?.root?.children.last?.children.first
        document = nil
        #expect(reference != nil)
        #expect(node?.textContent == "kept")
    }

    @Test(
        "The title is the first title element's, white space collapsed",
        arguments: [
            ("<title>T</title>", "T"), ("<title> a \n\t b </title>", "a b"), ("<title></title>", ""),
            ("", nil),
            ("<title>a</title><title>b</title>", "a"), ("<body><p><title>late</title>", "late"),
            ("<svg><title>s</title></svg>", nil), ("<svg><title>s</title></svg><title>h</title>", "h"),
            ("<title>a<b>c</b></title>", "a<b>c</b>"), ("<title>&amp;&#xE4;\u{A0}</title>", "&ä\u{A0}"),
            ("<template><title>t</title></template><title>u</title>", "u"), ("<TITLE>x", "x"),
            ("<title>a<!-- b --></title>", "a<!-- b -->"), ("<math><mi><title>m", "m"),
        ] as [(String, String?)]
    )
    func titles(markup: String, expected: String?) async throws {
        #expect(try await html(markup).title == expected)
    }

    @Test(
        "The title of XML is XHTML's or SVG's",
        arguments: [
            ("<svg xmlns='http://www.w3.org/2000/svg'><title> s <b>x</b></title></svg>", "s"),
            ("<svg xmlns='http://www.w3.org/2000/svg'><g><title>s</title></g></svg>", nil),
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", nil),
            ("<x xmlns:h='http://www.w3.org/1999/xhtml'><h:title>t</h:title></x>", "t"),
            ("<x><title>t</title></x>", nil), ("<rss><channel><title>t</title></channel></rss>", nil),
        ] as [(String, String?)]
    )
    func xmlTitles(markup: String, expected: String?) async throws {
        #expect(try await xml(markup).title == expected)
    }
}
