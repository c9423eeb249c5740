import Testing

@testable import WebDocument

/// Values of a program's own types, made of what selectors find.
struct NodeDecodingTests {
    private struct Offer: Decodable, Equatable {
        var name: String
        var price: Double?
        var tags: [String]
        var link: String?
    }

    private static let fields = ["name": "h2", "price": ".price", "tags": "li", "link": "a::attr(href)"]

    @Test func elementsBecomeValues() throws {
        let page = try ParsedPage(
            html: """
                <article><h2>Tea</h2><i class=price> 12.50 </i><ul><li>green<li>loose</ul><a href=tea>more</a></article>
                <article><h2>Coffee</h2></article>
                """
        )
        let offers = try page.select("article", as: Offer.self, fields: Self.fields)
        #expect(
            offers == [
                Offer(name: "Tea", price: 12.5, tags: ["green", "loose"], link: "tea"),
                Offer(name: "Coffee", tags: []),
            ]
        )
        #expect(try page.select("table", as: Offer.self, fields: Self.fields).isEmpty)
        #expect(
            try ParsedPage(data: [], mimeType: "text/plain").select("*", as: Offer.self, fields: [:]).isEmpty
        )
    }

    @Test func whatDoesNotFitIsNamed() throws {
        let page = try ParsedPage(html: "<p><b>1</b></p><p></p><p><b>x</b></p>")
        struct Number: Decodable { var b: Int }
        let missing = #expect(throws: JSONValue.MismatchError.self) {
            try page.select("p", as: Number.self, fields: ["b": "b"])
        }
        #expect(missing?.path == "[1].b")
        #expect(throws: SelectorError.self) { try page.select("p", as: Number.self, fields: ["b": "["]) }
        #expect(throws: SelectorError.self) { try page.select("::", as: Number.self, fields: [:]) }
    }

    @Test func nestedTextIsTakenAsOftenAsMemoryAllows() throws {
        let depth = String(repeating: "<div>", count: 500)
        let page = try ParsedPage(html: depth + String(repeating: "x", count: 1_000_000))
        struct Texts: Decodable { var texts: [String] }
        let error = #expect(throws: SelectorError.self) {
            try page.select("body", as: Texts.self, fields: ["texts": "*"])
        }
        #expect(error?.code == .limit)
    }
}
