import TestSupport
import Testing

@testable import WebDocument
@testable import WebRendering

/// The tree of a browser, written as HTML.
struct DOMTreeTests {
    private func markup(of root: String, maximumBytes: Int = 1 << 20) throws -> DOMTree.Markup {
        try DOMTree(of: Array(Self.message(root).utf8)).html(maximumBytes: maximumBytes)
    }

    private func html(_ root: String) throws -> String {
        String(decoding: try markup(of: root).html, as: UTF8.self)
    }

    private static func message(_ node: String, member: String = "root") -> String {
        #"{"id":7,"result":{"\#(member)":\#(node)},"sessionId":"D9"}"#
    }

    private static func document(_ children: String, _ more: String = "") -> String {
        #"{"nodeType":9,"children":[\#(children)]\#(more)}"#
    }

    /// An HTML element, its members in Chromium's order.
    private static func element(_ name: String, _ children: String = "", _ more: String = "") -> String {
        #"{"nodeType":1,"nodeName":"\#(name.uppercased())","localName":"\#(name)","nodeValue":"","#
            + #""children":[\#(children)],"attributes":[]\#(more)}"#
    }

    private static func text(_ value: String) -> String {
        #"{"nodeType":3,"nodeValue":"\#(value)"}"#
    }

    // MARK: - Nodes

    static let nodes: [(node: String, html: String)] = [
        (element("p", text(#"a<b>&\u00a0\"\ud83d\ude00\u00e9"#)), "<p>a&lt;b&gt;&amp;&nbsp;\"😀é</p>"),
        (text(#"\ud800x\udc00\u0000\r"#), "\u{FFFD}x\u{FFFD}\u{FFFD}&#13;"),
        (text(#"\n\t\f\b\/\\"#), "\n\t\u{C}\u{8}/\\"), (element("br", text("lost")), "<br>"),
        (element("script", text("a<b&&c")), "<script>a<b&&c</script>"),
        (element("noscript", text("<b>")), "<noscript><b></noscript>"),
        (element("noscript", element("b", text("<"))), "<noscript><b>&lt;</b></noscript>"),
        (element("pre", text(#"\n\nx"#)), "<pre>\n\n\nx</pre>"),
        (element("textarea", text(#"\n"#) + "," + element("b")), "<textarea>\n\n</textarea>"),
        (element("pre", element("b", text(#"\n"#))), "<pre><b>\n</b></pre>"),
        (#"{"nodeType":8,"nodeValue":"c"}"#, "<!--c-->"), (#"{"nodeType":8}"#, "<!---->"),
        (#"{"nodeType":4,"nodeValue":"<x>"}"#, "&lt;x&gt;"),
        (#"{"nodeType":7,"nodeName":"pi","nodeValue":"x"}"#, "<?pi x>"),
        (#"{"nodeType":7,"nodeName":"pi","nodeValue":"<b>"}"#, ""),
        (#"{"nodeType":10,"nodeName":"html","publicId":"","systemId":""}"#, "<!DOCTYPE html>"),
        (
            #"{"nodeType":10,"nodeName":"html","publicId":"-//W3C//DTD HTML 4.01//EN","systemId":"a\"b"}"#,
            #"<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" 'a"b'>"#
        ), (#"{"nodeType":10,"nodeName":"html","systemId":"s"}"#, #"<!DOCTYPE html SYSTEM "s">"#),
        (#"{"nodeType":10,"nodeName":"html","publicId":"a>b"}"#, "<!DOCTYPE html>"),
        (#"{"nodeType":1,"nodeName":"P:DIV","localName":"div"}"#, "<div></div>"),
        (#"{"nodeType":1,"nodeName":"BIG","localName":"BIG"}"#, "<big></big>"),
        (#"{"nodeType":1,"nodeName":"P"}"#, "<p></p>"),
        (
            #"{"nodeType":1,"nodeName":"svg","localName":"svg","isSVG":true,"attributes":["viewBox","0","xlink:href","x"],"children":["#
                + #"{"nodeType":1,"nodeName":"s:style","localName":"style","isSVG":true,"children":[\#(text("a<b"))]},"#
                + #"{"nodeType":1,"nodeName":"foreignObject","localName":"foreignObject","isSVG":true,"children":["#
                + element("br") + "]}]}",
            #"<svg viewBox="0" xlink:href="x"><style>a&lt;b</style><foreignObject><br></foreignObject></svg>"#
        ),
        (
            #"{"nodeType":1,"nodeName":"math","localName":"math","children":[{"nodeType":1,"nodeName":"script","localName":"script","#
                + #""children":[\#(text("<"))]}]}"#, "<math><script>&lt;</script></math>"
        ),
        (
            #"{"nodeType":1,"nodeName":"Style","localName":"Style","xmlVersion":"1.0","children":[\#(text("<"))]}"#,
            "<style><</style>"
        ),
        (
            element(
                "p",
                "",
                #","pseudoElements":[{"nodeType":1,"nodeName":"::before","localName":"::before"}]"#
            ),
            "<p></p>"
        ),
    ]

    @Test(arguments: nodes)
    func nodesAreWrittenAsTheStandardHasIt(node: String, html expected: String) throws {
        #expect(try html(Self.document(node)) == expected)
    }

    @Test func membersMayStandInAnyOrder() throws {
        let html = try html(
            #"{"children":[{"children":[{"nodeValue":"t","nodeType":3}],"shadowRoots":[{"children":[\#(Self.text("s"))],"#
                + #""shadowRootType":"closed","nodeType":11}],"localName":"p","attributes":["a","1"],"nodeName":"P","#
                + #""nodeType":1}],"unknown":[{"nodeType":[[1]]},{}],"nodeType":9}"#
        )
        #expect(html == #"<p a="1"><template shadowrootmode="closed">s</template>t</p>"#)
    }

    @Test func aDocumentOfNoOldRulesHasADoctype() throws {
        let mode = #","compatibilityMode":"NoQuirksMode""#
        #expect(try html(Self.document(Self.element("p"), mode)) == "<!DOCTYPE html><p></p>")
        #expect(
            try html(Self.document(Self.element("p"), #","compatibilityMode":"QuirksMode""#)) == "<p></p>"
        )
        let doctype = #"{"nodeType":10,"nodeName":"html"},"#
        #expect(try html(Self.document(doctype + Self.element("p"), mode)) == "<!DOCTYPE html><p></p>")
    }

    // MARK: - Text that looks like markup

    static let attributes: [(attributes: String, html: String)] = [
        (#""class","","title","a\"<b>&\u00a0""#, #" class="" title="a&quot;&lt;b&gt;&amp;&nbsp;""#),
        (#""a\"b","1","c<d","2","=e","3""#, #" a"b="1" c<d="2" =e="3""#),
        (#""a b","1","a>b","2","a/b","3","a=b","4","","5","a\n","6","ok","7""#, #" ok="7""#),
        (#""a","1","odd""#, #" a="1""#), (#""a",["b"],"c","d""#, ""), (#""a",1"#, ""),
        (#""x\u0000","\ud800""#, " x\u{FFFD}=\"\u{FFFD}\""),
    ]

    @Test(arguments: attributes)
    func attributesThatNoTagCanHaveAreLeftOut(attributes: String, html expected: String) throws {
        let node = #"{"nodeType":1,"nodeName":"P","localName":"p","attributes":[\#(attributes)]}"#
        #expect(try html(Self.document(node)) == "<p\(expected)></p>")
    }

    @Test(arguments: ["", "a b", "a>b", "a/b", "1a", "é", "!--", "/p", "_"])
    func elementsThatNoTagCanNameAreTheirContents(name: String) throws {
        #expect(try html(Self.document(Self.element(name, Self.text("x")))) == "x")
    }

    static let unescaped: [(node: String, html: String)] = [
        (#"{"nodeType":8,"nodeValue":"--><b>"}"#, "<!---- ><b>-->"),
        (#"{"nodeType":8,"nodeValue":"a--!>b-->"}"#, "<!--a--! >b-- >-->"),
        (#"{"nodeType":8,"nodeValue":">"}"#, "<!-- >-->"),
        (#"{"nodeType":8,"nodeValue":"->"}"#, "<!--- >-->"),
        (#"{"nodeType":8,"nodeValue":"a>b->c-"}"#, "<!--a>b->c--->"),
        (element("style", text("</style ><b>")), #"<style><\/style ><b></style>"#),
        (element("style", text("</styles></style")), "<style></styles></style</style>"),
        (element("xmp", text("</XMP/>")), #"<xmp><\/XMP/></xmp>"#),
        (element("script", text("</script>")), #"<script><\/script></script>"#),
        (element("script", text("<!--<script>")), #"<script><\!--<script></script>"#),
        (element("script", text("<!--<script></script>-->")), "<script><!--<script></script>--></script>"),
        (element("script", text("<!--<script>-->")), "<script><!--<script>--></script>"),
        (element("script", text("<!--></script>")), #"<script><\!--><\/script></script>"#),
        (element("script", element("b", text("lost")) + "," + text("kept")), "<script>kept</script>"),
        (element("title", element("b", text("lost")) + "," + text("<")), "<title>&lt;</title>"),
        (element("plaintext", text("<p>")) + "," + text("<"), "<plaintext><p>&lt;"),
    ]

    @Test(arguments: unescaped)
    func nothingEndsWhatCannotBeEscaped(node: String, html expected: String) throws {
        #expect(try html(Self.document(node)) == expected)
        // A parser sees as much: what stands behind is not in it, and nothing of it is.
        guard !node.contains("PLAINTEXT") else { return }
        let page = Self.document(
            Self.element(
                "html",
                Self.element("head") + "," + Self.element("body", node + "," + Self.element("i"))
            )
        )
        let tree = try #require(try InspectionPages.page(try html(page)).document)
        #expect(try tree.querySelectorAll("body > *").map(\.name).last == "i")
        #expect(try tree.querySelectorAll("b").isEmpty)
    }

    // MARK: - Shadow roots, templates and frames

    @Test func shadowRootsOfThePageAreTemplates() throws {
        let roots = [
            #"{"nodeType":11,"shadowRootType":"user-agent","children":[\#(Self.text("browser"))]}"#,
            #"{"nodeType":11,"shadowRootType":"open","children":[\#(Self.element("b"))]}"#,
        ]
        let host = Self.element(
            "div",
            Self.text("light"),
            #","shadowRoots":[\#(roots.joined(separator: ","))]"#
        )
        #expect(
            try html(Self.document(host))
                == #"<div><template shadowrootmode="open"><b></b></template>light</div>"#
        )
        let input = Self.element("textarea", Self.text("t"), #","shadowRoots":[\#(roots[0])]"#)
        #expect(try html(Self.document(input)) == "<textarea>t</textarea>")
    }

    @Test func aTemplateIsItsContentsAndNoShadowRoot() throws {
        let template =
            #"{"nodeType":1,"nodeName":"TEMPLATE","localName":"template","children":[\#(Self.text("lost"))],"#
            + #""attributes":["shadowrootmode","open","id","t"],"templateContent":{"nodeType":11,"children":[\#(Self.text("x"))]}}"#
        #expect(try html(Self.document(template)) == #"<template id="t">x</template>"#)
    }

    private static func frame(
        _ content: String,
        url: String,
        base: String? = nil,
        _ attributes: String = ""
    ) -> String {
        let more = #","documentURL":"\#(url)","baseURL":"\#(base ?? url)""#
        return #"{"nodeType":1,"nodeName":"IFRAME","localName":"iframe","attributes":[\#(attributes)],"#
            + #""contentDocument":\#(document(content, more))}"#
    }

    private static func page(_ body: String, head: String = "") -> String {
        element("html", element("head", head) + "," + element("body", body))
    }

    static let frames: [(frame: String, html: String)] = [
        (frame(page(""), url: "about:blank", base: "http://a.test/"), "<iframe></iframe>"),
        (frame(page(text("error")), url: "chrome-error://chromewebdata/"), "<iframe></iframe>"),
        (
            frame(
                page(text("<\\\"")),
                url: "about:srcdoc",
                base: "http://a.test/",
                #""SrcDoc","old","src","s""#
            ),
            #"<iframe src="s" srcdoc="&lt;html&gt;&lt;head&gt;&lt;/head&gt;&lt;body&gt;&amp;lt;&quot;&lt;/body&gt;&lt;/html&gt;"></iframe>"#
        ),
        (
            frame(page(text("x")), url: "http://b.test/?a&b"),
            #"<iframe srcdoc="&lt;html&gt;&lt;head&gt;&lt;base href=&quot;http://b.test/?a&amp;amp;b&quot;&gt;&lt;/head&gt;"#
                + #"&lt;body&gt;x&lt;/body&gt;&lt;/html&gt;"></iframe>"#
        ),
        (
            frame(frame(text("<"), url: "about:blank"), url: "about:blank"),
            #"<iframe srcdoc="&lt;iframe srcdoc=&quot;&amp;amp;lt;&quot;&gt;&lt;/iframe&gt;"></iframe>"#
        ),
    ]

    @Test(arguments: frames)
    func aFrameHasItsDocumentInAnAttribute(frame: String, html expected: String) throws {
        #expect(try html(Self.document(frame, #","baseURL":"http://a.test/""#)) == expected)
    }

    @Test func framesInFramesAreReadAgain() throws {
        let inner = Self.frame(Self.page(Self.text("a&b\\\"<")), url: "about:blank")
        let middle = Self.frame(Self.page(inner), url: "about:blank")
        var source = try html(Self.document(Self.page(middle)))
        for _ in 0..<2 {
            let document = try #require(try InspectionPages.page(source).document)
            let frame = try #require(try document.querySelector("iframe"))
            source = try #require(frame.attribute("srcdoc"))
        }
        #expect(source == "<html><head></head><body>a&amp;b\"&lt;</body></html>")
    }

    // MARK: - Missing nodes

    @Test func nodesAreCompletedByLaterAnswers() throws {
        let template =
            #"{"nodeType":1,"nodeName":"TEMPLATE","localName":"template","children":[],"templateContent":"#
            + #"{"backendNodeId":5,"nodeType":11,"childNodeCount":1}}"#
        let cut =
            #"{"backendNodeId":6,"nodeType":1,"nodeName":"DIV","localName":"div","childNodeCount":2,"attributes":["a","b"]}"#
        let browser =
            #"{"nodeType":1,"nodeName":"INPUT","localName":"input","shadowRoots":[{"backendNodeId":8,"childNodeCount":1,"#
            + #""nodeType":11,"shadowRootType":"user-agent"}]}"#
        var tree = try DOMTree(of: Array(Self.message(Self.document("\(template),\(cut),\(browser)")).utf8))
        #expect(tree.html(maximumBytes: 1000).isCut)
        #expect([tree.nextIncomplete(), tree.nextIncomplete(), tree.nextIncomplete()] == [5, 6, nil])
        let nested = #"{"backendNodeId":9,"nodeType":11,"childNodeCount":1,"shadowRootType":"open"}"#
        let answers = [
            #"{"backendNodeId":5,"nodeType":11,"childNodeCount":1,"children":[\#(Self.element("td"))]}"#,
            #"{"backendNodeId":6,"nodeType":1,"nodeName":"DIV","localName":"div","childNodeCount":2,"children":[\#(Self.text("x"))],"#
                + #""shadowRoots":[\#(nested)]}"#,
        ]
        for answer in answers { try tree.add(Array(Self.message(answer, member: "node").utf8)) }
        #expect([tree.nextIncomplete(), tree.nextIncomplete()] == [9, nil])
        // An invalid answer, and an answer that was not requested, change nothing.
        let before = tree.html(maximumBytes: 1000)
        for message in [
            #"{"id":8,"error":{"code":-32000}}"#, Self.message(#"{"nodeType":1,"#, member: "node"),
        ] {
            #expect(throws: DOMTreeError.self) { try tree.add(Array(message.utf8)) }
        }
        try tree.add(Array(Self.message(answers[0], member: "node").utf8))
        #expect(tree.html(maximumBytes: 1000) == before)
        try tree.add(
            Array(
                Self.message(
                    #"{"backendNodeId":9,"nodeType":11,"children":[\#(Self.text("s"))]}"#,
                    member: "node"
                ).utf8
            )
        )
        let markup = tree.html(maximumBytes: 1000)
        #expect(!markup.isCut)
        #expect(
            String(decoding: markup.html, as: UTF8.self)
                == #"<template><td></td></template><div a="b"><template shadowrootmode="open">s</template>x</div><input>"#
        )
    }

    // MARK: - Limits

    @Test func whatDoesNotFitIsLeftOutWithItsElementsWhole() throws {
        let frame = Self.frame(Self.page(Self.element("p", Self.text("a<b"))), url: "about:blank")
        let shadow =
            #","shadowRoots":[{"nodeType":11,"shadowRootType":"open","children":[\#(Self.element("a\\\"b"))]}]"#
        let page = Self.document(
            Self.page(Self.element("div", Self.text("one"), shadow) + "," + frame + "," + Self.element("br"))
        )
        let whole = try markup(of: page)
        #expect(!whole.isCut)
        var last = ""
        for limit in 0...whole.html.count {
            let part = try markup(of: page, maximumBytes: limit)
            #expect(part.html.count <= limit)
            #expect(part.isCut == (limit < whole.html.count))
            let html = String(decoding: part.html, as: UTF8.self)
            #expect(html.count(where: { $0 == "<" }) == html.count(where: { $0 == ">" }), "\(html)")
            // All end tags are there, so that they are the ends of what is there.
            let isWhole = html.isEmpty || html.hasSuffix("</html>")
            #expect(isWhole, "\(html)")
            #expect(html.utf8.count >= last.utf8.count)
            last = html
        }
        #expect(try markup(of: page, maximumBytes: -1) == DOMTree.Markup(html: [], isCut: true))
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        arguments: ["children", "shadowRoots"]
    )
    func nothingIsTooDeep(member: String) throws {
        let depth = 200_000
        let type =
            member == "children" ? #""nodeType":1,"nodeName":"I""# : #""nodeType":11,"shadowRootType":"open""#
        let nested =
            String(repeating: #"{\#(type),"\#(member)":["#, count: depth)
            + String(repeating: "]}", count: depth)
        let markup = try markup(of: nested, maximumBytes: 10 << 20)
        if member == "children" { #expect(markup.html.count == 7 * depth) }
        #expect(!markup.isCut)
        let frames = String(
            repeating:
                #"{"nodeType":1,"nodeName":"IFRAME","contentDocument":{"documentURL":"x","nodeType":9,"children":["#,
            count: 2000
        )
        let cut = try self.markup(of: frames + String(repeating: "]}}", count: 2000), maximumBytes: 1 << 20)
        #expect(cut.isCut)
        #expect(cut.html.count > 1 << 19)
    }

    @Test func otherJSONMayBeAsDeep() throws {
        let nested =
            String(repeating: #"[{"a":"#, count: 200_000) + "1" + String(repeating: "}]", count: 200_000)
        #expect(try html(#"{"x":\#(nested),"nodeType":3,"nodeValue":"t","attributes":[\#(nested)]}"#) == "t")
    }

    // MARK: - Invalid answers

    @Test(
        arguments: [
            "", "[]", "null", "{}",
            #"{"id":1,"error":{"code":-32000,"message":"CBOR: stack limit exceeded"}}"#,
            #"{"result":{}}"#, #"{"result":{"root":null}}"#, #"{"result":{"root":{}}}"#,
            #"{"result":[{"root":{}}]}"#,
            #"{"result":{"root":{"nodeType":99999999999999999999}}}"#,
            #"{"result":{"root":{"nodeType":-1}}}"#, #"{"result":{"root":{"nodeType":1.0}}}"#,
            #"{"result":{"root":{"nodeType":"9"}}}"#, #"{"result":{"root":{"nodeType":9}}}x"#,
            #"{"result":{"root":{"nodeType":9,}}}"#, #"{"result":{"root":{"nodeType":09}}}"#,
            #"{"result":{"root":{"nodeType":9,"nodeName":"\x"}}}"#, #"{"result":{"root":{"nodeType":9]}}"#,
            "{\"result\":{\"root\":{\"nodeType\":9,\"nodeName\":\"\u{1}\"}}}",
            #"{"result":{"root":{nodeType:9}}}"#,
        ]
    )
    func whatIsNoDocumentIsAnError(message: String) {
        #expect(throws: DOMTreeError.self) { try DOMTree(of: Array(message.utf8)) }
    }

    @Test func bytesThatAreNoTextAreAnError() {
        var message = Array(Self.message(Self.document(Self.text("äx"))).utf8)
        #expect(throws: Never.self) { try DOMTree(of: message) }
        guard let index = message.firstIndex(of: 0xC3) else { return }
        message[index] = 0xC0
        #expect(throws: DOMTreeError.malformed(offset: index)) { try DOMTree(of: message) }
    }

    /// A message with a bit of everything.
    private static let everything: [UInt8] = {
        let shadow =
            #","shadowRoots":[{"nodeType":11,"shadowRootType":"open","children":[\#(element("b", text(#"\u00e9\ud83d\ude00"#)))]}]"#
        let frame = Self.frame(page(text("x")), url: "http://b.test/", #""src","a\\b""#)
        let cut =
            #"{"backendNodeId":6,"nodeType":1,"nodeName":"A","localName":"a","childNodeCount":2,"attributes":["a","b"]}"#
        let body = [
            element("div", text(#"\n"#), shadow), frame, cut, element("script", text("<!--")),
            element("pre", text(#"\n"#)),
        ]
        return Array(
            message(document(page(body.joined(separator: ",")), #","baseURL":"http://a.test/""#)).utf8
        )
    }()

    /// Reads a message to its end, whatever it is; whether it is one.
    @discardableResult
    private func isRead(_ message: [UInt8]) -> Bool {
        guard var tree = try? DOMTree(of: message) else { return false }
        for limit in [100, 1 << 20] { #expect(tree.html(maximumBytes: limit).html.count <= limit) }
        while tree.nextIncomplete() != nil { try? tree.add(message) }
        return true
    }

    @Test func noBeginningOfAMessageIsAMessage() {
        for count in 0..<Self.everything.count { #expect(!isRead(Array(Self.everything[..<count]))) }
        #expect(isRead(Self.everything))
    }

    @Test(arguments: PropertySeeds.first(20))
    func noBytesTrap(seed: Int) {
        var random = SeededSequence(seed)
        let special = Array(#"{}[]":,\u0 -9"#.utf8)
        for _ in 0..<500 {
            var message = Self.everything
            for _ in 0...random.next(4) {
                let index = random.next(message.count)
                switch random.next(4) {
                case 0: message[index] = UInt8(random.next(256))
                case 1: message[index] = random.pick(special)
                case 2: message.remove(at: index)
                default:
                    let end = min(message.count, index + random.next(100))
                    message.insert(contentsOf: message[index..<end], at: random.next(message.count))
                }
            }
            isRead(message)
        }
    }
}
