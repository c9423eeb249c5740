import Foundation
import Testing

@testable import WebDocument

/// Tests of the text that counts as the content of a page, and of its properties.
struct ReadableTextTests {
    private static let paragraph = """
        <p>The harbour wall was built in three parts, of stone that came by sea, and each of them is older than the \
        town hall, the church, and most of the houses that one can see from it on a clear day in winter.</p>
        """

    private static func article(_ inside: String) -> String {
        """
        <!DOCTYPE html><html lang=en-GB><title>The harbour wall of the town | The Gazette</title>
        <meta name=author content="A. Writer">
        <body><nav><a href=/>Home</a> <a href=/news>News</a></nav>
        <div id=main><h1>The harbour wall of the town</h1>\(paragraph)\(paragraph)\(inside)\(paragraph)</div>
        <div class=sidebar><p>Weather: rain, then wind, then rain again, as far as anybody can tell today.</p></div>
        <footer>Imprint</footer>
        """
    }

    private static func readable(_ markup: String) throws -> ReadableText {
        try #require(try InspectionPages.page(markup).mainText)
    }

    /// The row of a heading.
    @Test(arguments: [
        "<h2>Wind</h2>", "<h2 id=w><a href=#w>Wind</a></h2>",
        "<div class=heading-row><h2>Wind</h2><a href=/edit/1>Edit this section</a></div>",
        "<div class=mw-heading><h2 id=w>Wind</h2><span class=mw-editsection>[<a href=/edit>edit</a>]</span></div>",
    ])
    func headingsOfSectionsStay(row: String) throws {
        let found = try Self.readable(Self.article(row + Self.paragraph + row))
        #expect(
            found.markdown.split(separator: "\n").count { $0.hasPrefix("## ") && $0.contains("Wind") } == 2
        )
    }

    @Test func aBoxThatAsksForAnAddressIsNoContent() throws {
        let words = "<p>Sign up and get the best of the week.</p>"
        for box in [
            "<div class=newsletter-box>\(words)<button>Sign up</button></div>",
            "<div>\(words)<form><input type=email><button>Sign up</button></form></div>",
        ] {
            let found = try Self.readable(Self.article(box + Self.paragraph))
            #expect(!found.text.contains("Sign up"))
            #expect(found.text.split(separator: "\n").count { $0.hasPrefix("The harbour wall was") } == 4)
        }
    }

    @Test func anArticleIsFoundWithWhatIsSaidOfIt() throws {
        let found = try Self.readable(Self.article(""))
        #expect(found.title == "The harbour wall of the town")
        #expect(found.byline == "A. Writer")
        #expect(found.language == "en-GB")
        #expect(found.path == "html > body:nth-child(2) > div:nth-child(2)")
        #expect(found.position?.line == 4)
        #expect(found.text.hasPrefix("The harbour wall was built"))
        #expect(found.text.ranges(of: "\n\n").count == 2)
        #expect(found.wordCount == 129)
    }

    /// Parts of an article, and whether they belong to its text.
    private static let parts: [(String, Bool)] = [
        ("<p>KEY</p>", true),
        ("<p hidden>KEY</p>", false),
        ("<p style='color: red; Display : NONE'>KEY</p>", false),
        ("<p style='visibility:hidden'>KEY</p>", false),
        ("<p aria-hidden=true>KEY</p>", false),
        ("<script>KEY</script><style>KEY</style><template>KEY</template><noscript>KEY</noscript>", false),
        ("<aside>KEY</aside>", false),
        ("<form><input><input><input> KEY</form>", false),
        ("<div class=share>KEY</div>", false),
        ("<div class=related-posts>KEY</div>", false),
        ("<div role=complementary>KEY</div>", false),
        ("<div><a href=/a>KEY and more</a> <a href=/b>More</a></div>", false),
        ("<ul><li>KEY is the first thing, of several<li>and here is another one</ul>", true),
        ("<div>Advertisement</div><p>KEY</p>", true),
        ("<table><tr><th>KEY<th>b<tr><td>1<td>2</table>", true),
        ("<pre><code>KEY = 1</code></pre>", true),
        ("<select><option>KEY</select><textarea>KEY</textarea><button>KEY</button>", false),
        ("<dialog><p>KEY, and more of it, for those who open it</p></dialog>", false),
        ("<svg><title>KEY</title></svg>", false),
    ]

    @Test(arguments: parts)
    func partsBelongOrDoNot(part: String, isContent: Bool) throws {
        let found = try Self.readable(Self.article(part))
        #expect(found.text.contains("KEY") == isContent)
        #expect(found.markdown.contains("KEY") == isContent)
        #expect(!found.text.contains("Advertisement"))
    }

    /// Readers' comments below an article are not part of it.
    @Test(arguments: [1, 2, 3, 6])
    func commentsAreNoContent(count: Int) throws {
        let comments = (1...count).map { number in
            """
            <div class=comment><a class=comment-author href=/user/\(number)>User \(number)</a>
            <time datetime=2026-01-0\(number)>January \(number)</time><p>KEY, she said, and he, and they, all of them.</p></div>
            """
        }
        let below = "\(Self.paragraph)<div class=comment-list>\(comments.joined())</div></div>"
        let found = try Self.readable(Self.article("").replacing("\(Self.paragraph)</div>", with: below))
        #expect(!found.text.contains("KEY"))
        #expect(found.text.ranges(of: "The harbour wall was").count == 3)
    }

    @Test func captionsStandWithTheirFiguresOnly() throws {
        let figure =
            "<figure><img src=/wall.png alt=Wall><figcaption>The wall, <b>in snow</b></figcaption></figure>"
        let found = try Self.readable(Self.article(figure))
        #expect(!found.text.contains("in snow"))
        #expect(found.markdown.contains("The wall, **in snow**"))
    }

    /// A script shows the whole page, or there is only what stands there for browsers without scripts.
    @Test(arguments: ["<div style='display: none'>", "<div hidden>", "<noscript><div>"])
    func aPageThatHidesAllOfItselfIsRead(start: String) throws {
        let found = try Self.readable(
            "<title>Wall</title><body>\(start)\(Self.paragraph)\(Self.paragraph)</div>"
        )
        #expect(found.text.ranges(of: "harbour wall").count == 2)
    }

    @Test func bylinesOfThePageAreTakenOutOfIt() throws {
        let markup = Self.article("<p class=byline>By B. Writer</p>")
            .replacing("<meta name=author content=\"A. Writer\">", with: "")
        let found = try Self.readable(markup)
        #expect(found.byline == "By B. Writer")
        #expect(!found.text.contains("B. Writer"))
    }

    @Test func doubledLineBreaksMakeParagraphs() throws {
        let text = String(repeating: "It rained, it blew, and then it rained again for days. ", count: 4)
        let markup =
            "<body><ul class=sidebar><li><a href=/w>Weather</a></ul><div><div>\(text)<br><br>\(text)<br> <br>\(text)</div></div>"
        let found = try Self.readable(markup)
        #expect(found.text.ranges(of: "It rained").count == 12)
    }

    @Test(arguments: [
        ("", ""), ("<p>", ""), ("<p>Short.", "Short.\n"),
        ("<body><div>One<div>Two</div></div>", "One\nTwo\n"),
        ("<frameset><frame src=a></frameset>", ""),
    ])
    func littlePagesAreTakenWhole(markup: String, expected: String) throws {
        #expect(try Self.readable(markup).text == expected)
    }

    /// The whole of a document of XML may be what never shows.
    @Test(arguments: ["script", "style", "template", "head", "title", "noscript"])
    func aDocumentThatShowsNothingHasNoText(root: String) throws {
        let markup = "<\(root) xmlns='http://www.w3.org/1999/xhtml'>x</\(root)>"
        let page = try InspectionPages.page(markup, type: "application/xhtml+xml")
        #expect(page.mainText?.text == "")
        #expect(page.wholeText?.markdown == "")
    }

    @Test func textIsTakenAsItIs() throws {
        let page = try InspectionPages.page("a *b*\n", type: "text/plain")
        let readable = try #require(page.mainText)
        #expect(readable.text == "a *b*\n")
        #expect(readable.markdown == "```\na *b*\n```\n")
        #expect(try InspectionPages.page("PNG", type: "image/png").mainText == nil)
    }

    @Test(arguments: [
        ("", 0), ("a b, c", 3), ("don't", 2), ("2026-11-21", 3), ("Grüße", 1), ("e\u{301}te", 1), ("漢字かな", 4),
        ("кот и пёс", 3),
    ])
    func wordsAreCounted(text: String, count: Int) {
        #expect(ReadableText.wordCount(Array(text.utf8)) == count)
    }

    @Test func readableTextIsKeptAsJSON() throws {
        let readable = try Self.readable(Self.article(""))
        let data = try JSONEncoder().encode(readable)
        let decoded = try JSONDecoder().decode(ReadableText.self, from: data)
        #expect(decoded == readable)
    }

    /// Pages made to take long, each linear in its length.
    private static let hostile: [HostilePage] = [
        HostilePage("nested divisions", String(repeating: "<div>a", count: 3000)),
        HostilePage(
            "nested divisions and spans",
            String(repeating: "<div><span>", count: 2000) + paragraph
        ),
        HostilePage("nested emphasis", String(repeating: "<b><i>a", count: 2000)),
        HostilePage("nested quotes", String(repeating: "<blockquote><p>a", count: 2000)),
        HostilePage("nested lists", String(repeating: "<ul><li>a", count: 2000)),
        HostilePage("nested tables", String(repeating: "<table><tr><td>a", count: 1000)),
        HostilePage(
            "spans of tables",
            "<table>" + String(repeating: "<tr><td colspan=1000 rowspan=65534>a<td>b", count: 1000)
        ),
        HostilePage("line breaks", "<p>" + String(repeating: "a<br><br>", count: 10_000)),
        HostilePage("list items", "<ol>" + String(repeating: "<li>a", count: 10_000)),
        HostilePage(
            "notes",
            "<p>" + String(repeating: "<sup><a href=#n>1</a></sup>", count: 3000) + "<ol><li id=n>N</ol>"
        ),
        HostilePage("backticks", "<p><code>" + String(repeating: "`", count: 50_000)),
        HostilePage("markup", "<p>" + String(repeating: "*_[]()<>`\\&amp;!|", count: 3000)),
        HostilePage("classes", "<p class='" + String(repeating: "comment ", count: 10_000) + "'>a"),
        HostilePage("styles", "<p style='" + String(repeating: "display:", count: 10_000) + "'>a"),
    ]

    @Test(.timeLimit(.minutes(20)), arguments: hostile)
    func hostilePagesAreRead(hostile: HostilePage) throws {
        let page = try InspectionPages.page(hostile.markup)
        let found = try #require(page.mainText)
        let whole = try #require(page.wholeText)
        #expect(found.markdown.utf8.count < 40 * hostile.markup.utf8.count)
        #expect(whole.text.utf8.count <= 2 * hostile.markup.utf8.count)
    }
}
