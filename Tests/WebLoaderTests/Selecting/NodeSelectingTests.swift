import TestSupport
import Testing

@testable import WebDocument

/// Selecting from nodes, extensions, and steps through the tree.
struct NodeSelectingTests {
    static let markup = """
        <main id=m><ul id=u><li id=a>one <b>1</b></li><li id=b class="x  y">two</li><!--c-->text<li id=c>three</li></ul><p id=p title=t>P</p></main>
        """

    private func node(_ id: String) throws -> Node {
        try #require(try SelectorPages.html(Self.markup).querySelector("#\(id)"))
    }

    @Test func pathsWrittenInAnyOrderAreThoseOfEachNodeAlone() throws {
        // Lists of more than 64 children are remembered, others counted again.
        let list = "<ul>" + String(repeating: "<li>x<b>1</b><i>2</i></li><!--c-->", count: 70) + "</ul>"
        let document = try SelectorPages.html(
            Self.markup + "<p>x<b>1</b>y<b>2</b></p><svg><a/><a/></svg>" + list + list
        )
        guard case .nodes(let found) = try document.evaluate("//node()") else { return }
        let nodes = found.compactMap { if case .node(let node) = $0 { node } else { nil } }
        #expect(nodes.count > 800)
        var random = SeededGenerator(seed: 7)
        let half = nodes.count / 2
        let alternating = zip(nodes[..<half], nodes[half...]).flatMap { [$0, $1] }
        for order in [nodes, nodes.reversed(), nodes.shuffled(using: &random), nodes + nodes, alternating] {
            var paths = NodePath()
            for node in order {
                #expect(paths.css(node) == node.cssPath)
                #expect(paths.xpath(node) == node.xpath)
            }
        }
    }

    @Test func aNodeSelectsInsideItself() throws {
        let list = try node("u")
        #expect(try list.querySelectorAll("li").compactMap(\.id) == ["a", "b", "c"])
        #expect(try list.querySelectorAll("main li").count == 3)
        #expect(try list.querySelectorAll("ul, p").isEmpty)
        #expect(try list.querySelectorAll(":scope > li").count == 3)
        #expect(try list.querySelector("li + li")?.id == "b")
        #expect(try list.querySelector("p") == nil)
        #expect(try list.document.querySelectorAll(":scope > body").count == 1)
        #expect(try list.document.querySelector("li")?.id == "a")
    }

    @Test func aNodeMatchesAndFindsWhatIsAroundIt() throws {
        let item = try node("b")
        #expect(try item.matches("li.x:nth-child(2)"))
        #expect(try !item.matches("p"))
        #expect(try item.matches(":scope"))
        #expect(try item.closest("li")?.id == "b")
        #expect(try item.closest("main")?.id == "m")
        #expect(try item.closest("p") == nil)
        #expect(try item.closest(":has(p)")?.id == "m")
        #expect(try !item.document.documentNode.matches("*"))
        #expect(throws: SelectorError.self) { try item.matches("..") }
        #expect(throws: SelectorError.self) { try item.closest("..") }
        #expect(throws: SelectorError.self) { try item.querySelector("..") }
        #expect(throws: SelectorError.self) { try item.querySelectorAll("..") }
    }

    @Test func elementsComeOneByOne() throws {
        var cursor = try node("m").elements(matching: try Selector("li"))
        #expect(try cursor.next()?.id == "a")
        #expect(try cursor.next()?.id == "b")
        #expect(try cursor.next()?.id == "c")
        #expect(try cursor.next() == nil)
        #expect(try cursor.next() == nil)
        var all = try node("m").document.elements(matching: try Selector("p"))
        #expect(try all.next()?.id == "p")
    }

    @Test func stepsThroughTheTree() throws {
        let item = try node("b")
        #expect(item.parentElement?.id == "u")
        #expect(item.previousElementSibling?.id == "a")
        #expect(item.nextElementSibling?.id == "c")
        #expect(item.nextElementSibling?.nextElementSibling == nil)
        #expect(item.firstElementChild == nil)
        #expect(item.parentElement?.firstElementChild?.id == "a")
        #expect(item.parentElement?.lastElementChild?.id == "c")
        #expect(Array(item.ancestors).map(\.name) == ["ul", "main", "body", "html"])
        #expect(try node("m").descendants.prefix(3).map(\.name) == ["ul", "li", "b"])
        #expect(try Array(node("u").descendants).count == 4)
        #expect(item.document.root?.parentElement == nil)
        #expect(item.classList == ["x", "y"])
        #expect(try node("p").attributes.map(\.name) == ["id", "title"])
        #expect(try node("p").attributes.map(\.value) == ["p", "t"])
        #expect(try node("a").classList.isEmpty)
    }

    @Test(
        "Extensions",
        arguments: [
            ("li::text", ["one ", "two", "three"]), ("li ::text", ["1"]), ("li *::text", ["1"]),
            ("li::attr(id)", ["a", "b", "c"]), ("li::attr(class)", ["x  y"]),
            ("li:eq(1)::text", ["two"]), ("li:eq(-1)", ["three"]), ("li:eq(9)", []),
            ("li:eq(0), p", ["one 1", "P"]), ("li:contains('1')", ["one 1"]),
            ("li:contains(t)", ["two", "three"]),
            ("li:contains('one 1')", ["one 1"]), ("li:not(:contains(t))", ["one 1"]),
            ("li:matches('^t\\\\w+$')", ["two", "three"]), ("li:matches('(?i)^ONE')", ["one 1"]),
            ("li:eq(0)::attr(id), li::text", ["a", "one ", "two", "three"]),
            ("p::text, p::attr(title)", ["P", "t"]), ("p", ["P"]), (":contains('')", [] as [String]),
        ]
    )
    func extensions(text: String, expected: [String]) throws {
        var options = Selector.Options()
        options.dialect = .extended
        let selector = try Selector(text, options: options)
        let values = try SelectorPages.html(Self.markup).documentNode.values(of: selector)
        if text == ":contains('')" {
            #expect(values.count == 10)
        } else {
            #expect(values == expected)
        }
    }

    @Test func positionsCountAmongTheMatches() throws {
        var options = Selector.Options()
        options.dialect = .extended
        let list = try node("m")
        #expect(
            try list.querySelectorAll(Selector("li:eq(1), p:eq(0)", options: options)).compactMap(\.id) == [
                "b", "p",
            ]
        )
        #expect(try list.querySelector(Selector("li:eq(2)", options: options))?.id == "c")
    }

    @Test func pathsLeadToOneElement() throws {
        let document = try SelectorPages.html(
            "<div><p>1<p>2<svg><a><path/></a><path/></svg></div><x:y><a'b></a'b><A.b><i>t</i></A.b></x:y><p lang=x>é<ö-ü>"
        )
        let all = try #require(document.root).descendants
        for node in [try #require(document.root)] + Array(all) {
            let path = try #require(node.cssPath)
            #expect(try document.querySelectorAll(path) == [node], "\(path)")
            let xpath = try #require(node.xpath)
            #expect(try document.evaluate(xpath) == .nodes([.node(node)]), "\(xpath)")
        }
        #expect(
            try document.querySelector("i")?.parentElement?.cssPath?.hasSuffix(" > a\\.b:nth-child(2)")
                == true
        )
        #expect(document.documentNode.xpath == "/")
        #expect(document.documentNode.cssPath == nil)
    }

    @Test func textsAndCommentsHaveAnXPath() throws {
        let document = try SelectorPages.html("<p>a<!--c-->b<b></b>c</p>")
        guard case .nodes(let nodes) = try document.evaluate("//p/node()") else { return }
        for node in nodes {
            guard case .node(let node) = node else { continue }
            #expect(try document.evaluate(try #require(node.xpath)) == .nodes([.node(node)]))
        }
        #expect(nodes.count == 5)
    }
}
