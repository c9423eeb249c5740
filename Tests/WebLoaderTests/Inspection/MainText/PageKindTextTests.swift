import Testing

@testable import WebDocument

/// The main text of pages that are no articles: lists, shops, discussions, manuals.
struct PageKindTextTests {
    private static func text(
        _ body: String,
        head: String = "<title>Harbour</title>",
        url: String
    ) throws -> String {
        let page = try InspectionPages.page(
            "<!DOCTYPE html><html lang=en><head>\(head)</head><body>\(body)",
            url: url
        )
        return try #require(page.mainText).text
    }

    private static let around = (
        """
        <header><a href=/>Harbour</a><nav><ul><li><a href=/news>NAV</a><li><a href=/shop>Shop</a><li><a href=/about>About us</a></ul></nav></header>
        """,
        "<footer><p>NAV 2026 The Harbour Company</p><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>"
    )

    private static func page(_ main: String) -> String { around.0 + "<main>\(main)</main>" + around.1 }

    @Test func allCardsOfAListAreRead() throws {
        let cards = (1...12).map { number in
            """
            <article class=card><h2><a href=/boats/\(number)>Boat number \(number)KEY</a></h2>
            <p>Built in \(1900 + number) at the old yard, with room for \(number) people, and a small cabin.</p></article>
            """
        }
        let text = try Self.text(
            Self.page("<h1>Boats for hire</h1><p>All of our boats, by age.</p>" + cards.joined()),
            url: "https://harbour.example.org/boats/"
        )
        #expect(text.ranges(of: "KEY").count == 12)
        #expect(text.ranges(of: "at the old yard").count == 12)
        #expect(!text.contains("NAV"))
    }

    @Test func allPostsOfADiscussionAreRead() throws {
        let posts = (1...8).map { number in
            """
            <div class=post id=post-\(number)><div class=author><a href=/user/\(number)>User \(number)</a></div>
            <time datetime=2026-01-0\(number)>January \(number), 2026</time>
            <div class=post-body><p>KEY I went there on a boat of my own, \(number) years ago, and it was too windy to land; has
            anybody been there since then?</p></div><a class=reply href=/reply/\(number)>Reply</a></div>
            """
        }
        let text = try Self.text(
            Self.page("<h1>Landing on the island</h1><div class=thread>" + posts.joined() + "</div>"),
            url: "https://forum.example.org/threads/landing-on-the-island.123/"
        )
        #expect(text.ranges(of: "KEY").count == 8)
        #expect(!text.contains("NAV"))
    }

    @Test func theContentsOfAManualAreRead() throws {
        let chapters = (1...9).map { chapter in
            """
            <li><a href=chapter\(chapter).html>\(chapter). Chapter KEY</a><ul>
            <li><a href=chapter\(chapter).html#a>\(chapter).1. Moorings</a><li><a href=chapter\(chapter).html#b>\(chapter).2. Anchors</a></ul>
            """
        }
        let text = try Self.text(
            """
            <div class=related role=navigation><a href=genindex.html>NAV index</a> | <a href=chapter1.html>next</a></div>
            <div class=document role=main><h1>Contents</h1><ul>\(chapters.joined())</ul></div>
            <div class=footer role=contentinfo>NAV Copyright 2026.</div>
            """,
            head:
                "<title>The manual of moorings</title><link rel=index href=genindex.html><link rel=next href=chapter1.html>",
            url: "https://harbour.example.org/manual/index.html"
        )
        #expect(text.ranges(of: "KEY").count == 9)
        #expect(text.ranges(of: "Moorings").count == 9)
        #expect(!text.contains("NAV"))
    }

    @Test func theReferenceOfAFunctionKeepsItsSignature() throws {
        let functions = (1...6).map { number in
            """
            <section id=f\(number)><h3>moor\(number)</h3><div class=member-signature>public func moor\(number)KEY(at place: Int) -> Bool</div>
            <div class=block>Moors the boat.</div><dl><dt>Parameters:</dt><dd><code>place</code> - the place</dd>
            <dt>Returns:</dt><dd>whether it holds</dd></dl></section>
            """
        }
        let text = try Self.text(
            Self.page("<h1>Class Mooring</h1><p>What boats are tied to.</p>" + functions.joined()),
            url: "https://harbour.example.org/api/Mooring.html"
        )
        #expect(text.ranges(of: "KEY").count == 6)
        #expect(text.ranges(of: "whether it holds").count == 6)
    }

    /// The type that a page states in JSON-LD, wherever it stands, even if the rest of the data is invalid.
    @Test(arguments: [
        (#"{"@type":"Product"}"#, "says-dataOfProduct"),
        (#"{"@graph":[{"@type" : [ "NewsArticle"]}]}"#, "says-dataOfArticle"),
        (#"{"@type":"https://schema.org/FAQPage""#, "says-dataOfQuestions"),
        (#"[{"a":{"@type":"ItemList"}}"#, "says-dataOfList"),
        (#"{"@type":"#, nil), (#"{"@type":["#, nil), (#"{"@type":"Product"#, "says-dataOfProduct"),
        (#""@type""@type""#, nil),
    ])
    func statementsInDataAreRead(data: String, expected: String?) throws {
        let page = try InspectionPages.page("<body><script type=application/ld+json>\(data)</script><p>Text")
        let root = try #require(page.document?.root?.treeNode)
        let tree = ContentTree(root)
        var row = ContentRows()
        row.begin(0)
        PageSigns(tree, root, nil).describe(into: &row)
        let found = zip(PageSigns.names, row.last).filter { $0.0.hasPrefix("says-") && $0.1 == 1 }.map(\.0)
        #expect(found == [expected].compactMap(\.self))
    }

    @Test(arguments: [
        ("$12", true), ("12 €", true), ("EUR 12", false), ("£ 3.50", true), ("$ and 12", false),
        ("12 ₹", true), ("€", false), ("12$", true),
    ])
    func pricesAreKnown(text: String, isPrice: Bool) throws {
        let page = try InspectionPages.page("<body><p>\(text)")
        let tree = ContentTree(try #require(page.document?.root?.treeNode.body))
        let blocks = ContentBlocks(tree, ArticleFacts(page.metadata)).blocks
        #expect(blocks.map(\.hasPrice) == [isPrice])
    }

    /// The main element, where it has half of the text without navigation and its like.
    @Test(arguments: [
        ("<main><p>Long enough text</p></main>", MainRegion.Place.main),
        ("<div role=main><p>Long enough text</p></div>", .main),
        ("<main>a</main><p>Long enough text</p>", .page),
        ("<nav>menu</nav><main><p>Long enough text</p></main>", .main),
        ("<form><p>Long enough text</p></form>", .page),
        ("<nav><p>Text</p></nav><p>Longer than that</p>", .other),
    ])
    func placesAreKnown(markup: String, expected: MainRegion.Place) throws {
        let page = try InspectionPages.page("<body>\(markup)")
        let tree = ContentTree(try #require(page.document?.root?.treeNode.body))
        let region = MainRegion(tree)
        let paragraph = try #require(tree.entries.firstIndex { $0.element == .p })
        #expect(region.place(of: paragraph) == expected)
    }
}
