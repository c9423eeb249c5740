import CLibXML2
import TestSupport
import Testing

@testable import WebDocument

/// Tests of the parser's guarantees besides the tree itself.
struct HTMLParserTests {
    /// Parses, calls a function with the result and frees it.
    private func withPage<Result>(
        _ html: String,
        options: HTMLParser.Options = HTMLParser.Options(),
        _ body: (ParsedHTML) throws -> Result
    ) throws -> Result {
        let parsed = try HTMLTreeSample.parse(html, options: options)
        defer { parsed.free() }
        return try body(parsed)
    }

    /// Returns the first element of that name, in the order of the tree.
    private func element(_ name: String, below root: TreeNode) -> TreeNode? {
        HTMLTreeWalk.nodes(below: root).first { $0.isElement && HTMLTreeWalk.name(of: $0) == name }
    }

    // MARK: - Places

    @Test(arguments: [
        ("<p>x", "p", 1, 1),
        ("<p>é</p>\n <b>", "b", 2, 2),
        ("a\r\nb\rc\n<i>", "i", 4, 1),
        ("<!-- é\n😀 --><b>", "b", 2, 6),
        ("<table><td>", "tbody", 1, 8),
    ])
    func elementsKnowWhereTheyBegan(html: String, name: String, line: Int, column: Int) throws {
        try withPage(html) { page in
            let found = try #require(element(name, below: page.documentNode))
            let word = unsafe UInt64(UInt(bitPattern: found.pointer.pointee._private))
            #expect(HTMLSourcePosition(packed: word) == HTMLSourcePosition(line: line, column: column))
            #expect(unsafe Int(found.pointer.pointee.line) == line)
        }
    }

    @Test func positionsBeyondTheirBitsStayAtTheGreatest() throws {
        let position = HTMLSourcePosition(line: 7, column: 1 << 40)
        #expect(HTMLSourcePosition(packed: position.packed)?.column == 0xFFF_FFFF)
        #expect(HTMLSourcePosition(packed: 0) == nil)
    }

    @Test func linesBeyondSixteenBitsAreInPrivate() throws {
        try withPage(String(repeating: "\n", count: 70_000) + "<b>") { page in
            let found = try #require(element("b", below: page.documentNode))
            let word = unsafe UInt64(UInt(bitPattern: found.pointer.pointee._private))
            #expect(HTMLSourcePosition(packed: word)?.line == 70_001)
            #expect(unsafe found.pointer.pointee.line == 65_535)
        }
    }

    // MARK: - The tree is libxml2's

    @Test func htmlHasNoNamespaceAndForeignElementsHaveTheirs() throws {
        try withPage("<p><svg viewBox=1 xlink:href=x><g/></svg><math><mi>") { page in
            let root = page.documentNode
            #expect(HTMLTreeWalk.count(of: "//p", in: page) == 1)
            #expect(HTMLTreeWalk.count(of: "//svg", in: page) == 0)
            #expect(
                HTMLTreeWalk.count(of: "//*[namespace-uri()='http://www.w3.org/2000/svg']", in: page) == 2
            )
            #expect(
                HTMLTreeWalk.count(of: "//*[namespace-uri()='http://www.w3.org/1998/Math/MathML']", in: page)
                    == 2
            )
            #expect(
                HTMLTreeWalk.count(of: "//@*[namespace-uri()='http://www.w3.org/1999/xlink']", in: page) == 1
            )
            let svg = try #require(element("svg", below: root))
            let inner = try #require(element("g", below: root))
            // Declared once, on the outermost
            #expect(unsafe svg.pointer.pointee.nsDef != nil)
            #expect(unsafe inner.pointer.pointee.nsDef == nil)
        }
    }

    @Test func textsAndValuesOfAnyLengthReadAsLibxml2ReadsThem() throws {
        for length in [0, 1, 7, 15, 16, 31, 32, 33, 167, 168, 255, 256, 257, 5_000] {
            let text = String(repeating: "x", count: length)
            try withPage("<p title='\(text)'>\(text)&amp;\(text)") { page in
                let paragraph = try #require(element("p", below: page.documentNode))
                #expect(HTMLTreeWalk.content(of: paragraph) == text + "&" + text)
                #expect(HTMLTreeWalk.attribute("title", of: paragraph) == text)
                let copy = unsafe TreeNode(xmlDocCopyNode(paragraph.pointer, page.document, 1))
                #expect(copy.flatMap(HTMLTreeWalk.content) == text + "&" + text)
                unsafe xmlFreeNode(copy?.pointer)
            }
        }
    }

    // MARK: - Beside the tree

    @Test func templateContentsAreBesideTheTree() throws {
        try withPage("<template><p>in</template><p>out") { page in
            #expect(HTMLTreeWalk.count(of: "//p", in: page) == 1)
            let template = try #require(page.sideTables.templates.first)
            #expect(page.sideTables.templates.count == 1)
            #expect(template.element.fragment == template.contents)
            #expect(HTMLTreeWalk.content(of: template.contents) == "in")
        }
    }

    @Test func declarativeShadowRootsAreBesideTheTree() throws {
        let html = "<div id=h><template shadowrootmode=Closed shadowrootclonable><p>in</template>out</div>"
        try withPage(html) { page in
            let shadow = try #require(page.sideTables.shadowRoots.first)
            #expect(shadow.mode == .closed)
            #expect(shadow.isClonable && !shadow.isSerializable && !shadow.delegatesFocus)
            #expect(HTMLTreeWalk.attribute("id", of: shadow.host) == "h")
            #expect(HTMLTreeWalk.content(of: shadow.contents) == "in")
            #expect(page.sideTables.templates.isEmpty)
        }
    }

    @Test func innerHTMLMakesNoShadowRootsUnlessAllowed() throws {
        for allowed in [false, true] {
            var options = HTMLParser.Options()
            var context = HTMLFragmentContext(localName: "div")
            context.allowsDeclarativeShadowRoots = allowed
            options.fragmentContext = context
            try withPage("<p><template shadowrootmode=open>x</template></p>", options: options) { page in
                #expect(page.sideTables.shadowRoots.count == (allowed ? 1 : 0))
                #expect(page.sideTables.templates.count == (allowed ? 0 : 1))
            }
        }
    }

    @Test func metaElementsTellTheEncodingTheyDeclare() throws {
        let html = """
            <meta name=x content=y><meta charset="Shift_JIS">
            <body><meta http-equiv=Content-Type content="text/html; charset=koi8-r">
            """
        try withPage(html) { page in
            #expect(
                page.encodingDeclarations == [
                    .charset("Shift_JIS"), .contentType("text/html; charset=koi8-r"),
                ]
            )
        }
    }

    @Test(arguments: [
        ("<p>", HTMLQuirksMode.quirks),
        ("<!DOCTYPE html>", .noQuirks),
        ("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", .noQuirks),
        ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>", .quirks),
        ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'x'>", .limitedQuirks),
        ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'>", .limitedQuirks),
        ("<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'>", .quirks),
    ])
    func doctypesTellTheMode(html: String, mode: HTMLQuirksMode) throws {
        try withPage(html) { #expect($0.quirksMode == mode) }
    }

    @Test func errorsHaveTheirNamesAndPlacesAndAreOffByDefault() throws {
        let html = "<!doctype html>\n<p a a>&#0;\u{1}<b/></ x>"
        try withPage(html) { #expect($0.errors == ParseErrors()) }
        var options = HTMLParser.Options()
        options.reportsErrors = true
        try withPage(html, options: options) { page in
            #expect(
                page.errors.errors.map { "\($0.line):\($0.column ?? 0) \($0.name)" } == [
                    "2:7 duplicate-attribute", "2:12 null-character-reference",
                    "2:12 control-character-in-input-stream",
                    "2:16 non-void-html-element-start-tag-with-trailing-solidus",
                    "2:19 invalid-first-character-of-tag-name",
                ]
            )
        }
    }

    // MARK: - Limits

    @Test func elementsBeyondTheDepthAreBesideTheirParent() throws {
        let html = "<!DOCTYPE html>" + String(repeating: "<div>", count: 2_000) + "x"
        try withPage(html) { page in
            #expect(page.limits.flattenedElements == 2_000 - 511)
            #expect(page.limits.isTruncated)
            #expect(HTMLTreeWalk.depth(below: page.documentNode) == 514)
            #expect(HTMLTreeWalk.count(of: "//div", in: page) == 2_000)
        }
        var options = HTMLParser.Options()
        options.maximumDepth = 1_000_000
        try withPage(html, options: options) { page in
            #expect(!page.limits.isTruncated)
            #expect(HTMLTreeWalk.depth(below: page.documentNode) == 2_003)
        }
    }

    @Test func theNodeLimitStopsTheParse() throws {
        var options = HTMLParser.Options()
        options.maximumNodes = 100
        try withPage(String(repeating: "<p>x", count: 1_000), options: options) { page in
            #expect(page.limits.stop == .nodeLimit)
            #expect(HTMLTreeWalk.nodes(below: page.documentNode).count <= 101)
        }
    }

    @Test func attributesBeyondTheLimitAreCounted() throws {
        var options = HTMLParser.Options()
        options.maximumAttributes = 3
        try withPage("<p a b c d e a>", options: options) { page in
            #expect(page.limits.droppedAttributes == 2)
            #expect(HTMLTreeWalk.count(of: "//p/@*", in: page) == 3)
        }
        try withPage("<body a b><body c d e>", options: options) { page in
            #expect(page.limits.droppedAttributes == 2)
        }
    }

    @Test func longTextIsCutBetweenCharacters() throws {
        var options = HTMLParser.Options()
        options.maximumTextLength = 4
        try withPage("<p title=éééé>ééé&amp;é<!--ééé-->", options: options) { page in
            let paragraph = try #require(element("p", below: page.documentNode))
            #expect(HTMLTreeWalk.content(of: paragraph) == "éé")
            #expect(HTMLTreeWalk.attribute("title", of: paragraph) == "éé")
            #expect(page.limits.truncatedTextBytes == 4 + 2 + 1 + 2 + 2)
        }
    }

    @Test func aCancelledParseLeavesTheTreeSoFar() throws {
        var options = HTMLParser.Options()
        options.interruption = { .cancelled }
        try withPage(String(repeating: "<p>x", count: 100_000), options: options) { page in
            #expect(page.limits.stop == .cancelled)
        }
        options.interruption = { nil }
        let html = String(repeating: "<p title='&amp;'>x\r\n", count: 20_000)
        let whole = try HTMLTreeSample.tree(of: html)
        #expect(try HTMLTreeSample.tree(of: html, options: options) == whole)
    }

    // MARK: - Pieces

    @Test(arguments: [1, 2, 3, 5, 7, 64, 4_096])
    func piecesMakeTheSameTreeAsTheWhole(length: Int) throws {
        let html = """
            <!DOCTYPE html>\r\n<title>a &amp; b</title><script><!-- <script> x </script> --></script>\r
            <p class="a&#x41;\r\nb" title='é'>é 😀&notin;&noti<!-- x -- y --!><?pi a?b?><svg><![CDATA[x]]]>\
            </svg><table>x<tr><td>y</table><textarea>\r\nx</textarea><plaintext>z\r
            """
        let page = String(repeating: html, count: 1) + String(repeating: "long ", count: 5_000)
        let whole = try HTMLTreeSample.tree(of: page)
        #expect(try HTMLTreeSample.tree(of: page, pieceLength: length) == whole)
        var options = HTMLParser.Options()
        options.reportsErrors = true
        let parsed = try HTMLTreeSample.parse(page, options: options)
        defer { parsed.free() }
        let pushed = try HTMLTreeSample.parse(page, options: options, pieceLength: length)
        defer { pushed.free() }
        #expect(pushed.errors == parsed.errors)
    }

    @Test func theTreeCanBeLookedAtBetweenPieces() throws {
        var parser = try HTMLParser()
        var piece = "<title>x</title><base href=/y><p"
        try piece.withUTF8 { try unsafe parser.push($0) }
        let soFar = unsafe parser.document
        let document = unsafe try #require(soFar)
        let root = unsafe TreeNode(UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self))
        #expect(element("base", below: root) != nil)
        #expect(element("p", below: root) == nil)
        let parsed = try parser.finish()
        parsed.free()
        #expect(throws: HTMLParserError(code: .finished)) { _ = try parser.finish() }
    }

    @Test func aParserThatIsDroppedFreesItsTree() throws {
        var parser = try HTMLParser()
        var piece = "<template><p>x</template><div><template shadowrootmode=open>y"
        try piece.withUTF8 { try unsafe parser.push($0) }
    }

    // MARK: - Hostile pages

    @Test(.timeLimit(.minutes(20)), arguments: HTMLHostilePage.all)
    func hostilePagesParse(_ page: HTMLHostilePage) throws {
        let parsed = try HTMLTreeSample.parse(page.html)
        defer { parsed.free() }
        #expect(HTMLTreeWalk.isConsistent(parsed))
    }

    @Test(.timeLimit(.minutes(20)), .enabled(if: HTMLConformanceData.isPresent))
    func splicedPagesMakeConsistentTrees() throws {
        var generator = SeededGenerator(seed: 20_261_121)
        let samples = (HTMLTreeConstructionTests.cases + HTMLTreeConstructionTests.chromiumCases).map {
            Array($0.data.utf8)
        }
        for _ in 0..<3_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                guard let sample = samples.randomElement(using: &generator), !sample.isEmpty else { continue }
                let start = Int.random(in: 0..<sample.count, using: &generator)
                let end = Int.random(in: start..<sample.count, using: &generator)
                bytes += Bool.random(using: &generator) ? sample[...] : sample[start...end]
            }
            let html = String(decoding: bytes, as: UTF8.self)
            var options = HTMLParser.Options()
            options.maximumDepth = Bool.random(using: &generator) ? 512 : 6
            options.scripting = Bool.random(using: &generator)
            let parsed = try HTMLTreeSample.parse(html, options: options)
            #expect(HTMLTreeWalk.isConsistent(parsed), "\(html.debugDescription)")
            let whole = HTMLTreeSample.tree(of: parsed)
            parsed.free()
            let length = Int.random(in: 1...40, using: &generator)
            let pushed = try HTMLTreeSample.tree(of: html, options: options, pieceLength: length)
            #expect(pushed == whole, "\(html.debugDescription)")
        }
    }
}
