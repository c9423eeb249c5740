import Foundation
import Testing

@testable import WebDocument

/// All parts of a page at once.
@Suite(.timeLimit(.minutes(20)))
struct InventoryTests {
    private static let markup = """
        <!doctype html><link rel=stylesheet href=a.css><style>b</style><!-- c --><header aria-label=d><h1>e</h1></header>
        <picture><source srcset="f 1x"><img src=g alt=h></picture><table><form action=i><tr><td><input name=j></table></form>
        <section><h3>k<img alt=l></h3><template><img src=m><script></script><!-- n --><h2>o</h2></template></section>
        <div><template shadowrootmode=open><h4>p</h4><form><input name=q></form><img src=r></template></div>
        <iframe src=s></iframe><svg><image href=t /><script href=u /></svg><script>v</script>
        """

    @Test func eachPartHasWhatIsInThePage() throws {
        let inventory = try InspectionPages.page(Self.markup).inventory
        let counts = inventory.counts
        #expect(counts.elements == 26)
        #expect(counts.images == 2)
        let others = [counts.forms, counts.tables, counts.scripts, counts.styles, counts.frames]
        #expect(others.allSatisfy { $0 == 1 })
        #expect(inventory.headings.map { "\($0.level) \($0.text)" } == ["1 e", "3 k", "4 p"])
        let outline = inventory.outline
        #expect(
            outline.headings.map { "\($0.level) \($0.text) +\($0.skippedLevels)" } == [
                "1 e +0", "3 kl +1", "4 p +0",
            ]
        )
        #expect(outline.landmarks.map { "\($0.role.rawValue) \($0.label ?? "-")" } == ["banner d"])
        #expect(outline.sections.map(\.heading) == [1])
        let images = inventory.images.map {
            "\($0.reference ?? "-") \($0.alternativeText ?? "-") \($0.isInert)"
        }
        #expect(images == ["g h false", "- l false", "m - true", "r - false", "t - false"])
        #expect(
            inventory.images.map { $0.sources.flatMap { $0.candidates.map(\.reference) } } == [
                ["f"], [], [], [], [],
            ]
        )
        #expect(inventory.forms.map { $0.fields.map(\.name) } == [["j"], ["q"]])
        #expect(inventory.scripts.map(\.reference) == [nil, "u", nil])
        #expect(inventory.scripts.map(\.isInert) == [true, false, false])
        #expect(inventory.stylesheets.map(\.reference) == ["a.css", nil])
        #expect(inventory.frames.map(\.reference) == ["s"])
        #expect(inventory.comments.map(\.text) == [" c ", " n "])
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
