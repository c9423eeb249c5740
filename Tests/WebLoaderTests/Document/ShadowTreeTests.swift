import Testing

@testable import WebDocument

/// Pages as they show with shadow roots and slots.
struct ShadowTreeTests {
    private static func page(_ markup: String) throws -> ParsedPage { try InspectionPages.page(markup) }

    /// A page, and all of its text.
    @Test(arguments: [
        ("<x-a><template shadowrootmode=open><p>in</p></template>out</x-a>", "in"),
        (
            "<x-a><template shadowrootmode=closed><p>1</p><slot></slot><p>3</p></template>2</x-a>",
            "1\n\n2\n\n3"
        ),
        (
            "<x-a><template shadowrootmode=open><slot name=b></slot><slot name=a>none</slot><slot name=c>else</slot>"
                + "</template><p slot=a>A</p><p slot=b>B</p><p slot=d>D</p></x-a>",
            "B\n\nA\n\nelse"
        ),
        // Only the first slot with a name shows anything but what is in it.
        ("<x-a><template shadowrootmode=open><slot></slot><slot>again</slot></template>x</x-a>", "xagain"),
        (
            "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>[<slot></slot>]</template>"
                + "<slot></slot></x-b></template>x</x-a>", "[x]"
        ),
        ("<p>a</p><template><p>b</p></template>", "a"),
    ])
    func textIsThatWhichShows(markup: String, text: String) throws {
        let found = try Self.page(markup).wholeText?.text
        #expect(found?.split(separator: "\n").joined(separator: "\n\n") == text)
    }

    @Test func headingsAndTablesAreInTheOrderInWhichTheyShow() throws {
        let page = try Self.page(
            "<x-a><template shadowrootmode=open><slot></slot><h2>2</h2><table><tr><td>in</table></template>"
                + "<h1>1</h1><template><h3>no</h3></template></x-a><table><tr><td>below</table>"
        )
        #expect(page.headings.map(\.text) == ["1", "2"])
        #expect(page.outline.headings.map(\.text) == ["1", "2"])
        #expect(page.tables.map { $0.cells.map(\.text) } == [["in"], ["below"]])
    }

    @Test func aLinkHasTheTextThatItShows() throws {
        let page = try Self.page(
            "<x-a><template shadowrootmode=open><a href=x><slot></slot>!</a></template>Read</x-a>"
                + "<a href=y><x-i><template shadowrootmode=open>Icon</template></x-i> on</a>"
        )
        #expect(page.links.map(\.text) == ["Read!", "Icon on"])
    }

    @Test func deepAndManySlotsEnd() throws {
        let slots = String(repeating: "<slot></slot><slot name=a></slot>", count: 2_000)
        let light = String(repeating: "<i slot=a>x</i>y", count: 2_000)
        let page = try Self.page("<x-a><template shadowrootmode=open>\(slots)</template>\(light)</x-a>")
        #expect(page.wholeText?.text.filter { $0 == "x" }.count == 2_000)
        let deep = String(repeating: "<x-a><template shadowrootmode=open><slot></slot>", count: 300)
        #expect(try Self.page(deep + "end").wholeText?.text.contains("end") == true)
    }
}
