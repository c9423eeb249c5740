import Foundation
import Testing

@testable import WebDocument

/// All parts of a page at once.
@Suite(.timeLimit(.minutes(10)))
struct InventoryTests {
    private static let markup = """
        <!doctype html><link rel=stylesheet href=a.css><style>b</style><!-- c --><header aria-label=d><h1>e</h1></header>
        <picture><source srcset="f 1x"><img src=g alt=h></picture><table><form action=i><tr><td><input name=j></table></form>
        <section><h3>k<img alt=l></h3><template><img src=m><script></script><!-- n --><h2>o</h2></template></section>
        <div><template shadowrootmode=open><h4>p</h4><form><input name=q></form><img src=r></template></div>
        <iframe src=s></iframe><svg><image href=t /><script href=u /></svg><script>v</script>
        """

    @Test func itIsWhatEachPartSays() throws {
        let page = try InspectionPages.page(Self.markup)
        let document = try #require(page.document)
        let inventory = page.inventory
        #expect(inventory.counts == document.counts)
        #expect(inventory.headings == document.headings)
        #expect(inventory.outline == document.outline)
        #expect(inventory.images == (page.images))
        #expect(inventory.forms == (page.forms))
        #expect(inventory.scripts == (page.scripts))
        #expect(inventory.stylesheets == (page.stylesheets))
        #expect(inventory.frames == (page.frames))
        #expect(inventory.comments == (page.comments))
        #expect(inventory.images.count == 5)
        #expect(inventory.forms.map(\.fields.count) == [1, 1])
        #expect(inventory.comments.count == 2)
    }

    @Test func itCanBeWrittenAndRead() throws {
        let inventory = try InspectionPages.page(Self.markup).inventory
        let data = try JSONEncoder().encode(inventory)
        #expect(try JSONDecoder().decode(PageInventory.self, from: data) == inventory)
    }

    @Test func whatIsNotParsedHasNone() throws {
        let page = try InspectionPages.page("<h1>x", type: "text/plain")
        #expect(page.inventory == PageInventory())
    }

    @Test func deepAndUnfinishedPagesAreTaken() throws {
        for name in [
            "div", "form", "select", "label", "picture", "svg", "template", "section", "fieldset", "h1",
        ] {
            _ = try InspectionPages.page(String(repeating: "<\(name)>", count: 20_000)).inventory
        }
        for length in stride(from: 0, through: Self.markup.utf8.count, by: 3) {
            _ = try InspectionPages.page(String(Self.markup.prefix(length))).inventory
        }
    }
}
