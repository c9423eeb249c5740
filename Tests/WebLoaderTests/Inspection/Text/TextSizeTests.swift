import Testing

@testable import WebDocument

/// Pages made to take long, small here; the text and the Markdown of each is bounded by the page.
struct TextSizeTests {
    static let shapes: [(name: String, shape: @Sendable (Int) -> String)] = [
        ("nothing", { _ in "" }), ("a paragraph", { "<p>" + String(repeating: "word ", count: $0 / 5) }),
        ("links", { String(repeating: "<a href=/a title=b>c</a> ", count: $0 / 25) }),
        ("divisions", { String(repeating: "<div></div>", count: $0 / 11) }),
        ("nested divisions", { String(repeating: "<div>a", count: $0 / 6) }),
        ("lists", { String(repeating: "<ul><li>a", count: $0 / 9) }),
        ("quotes", { String(repeating: "<blockquote>a", count: $0 / 13) }),
        ("a row", { "<table><tr>" + String(repeating: "<td>a", count: $0 / 5) }),
        ("tables", { String(repeating: "<table><tr><td>a<td>", count: $0 / 20) }),
        ("asterisks", { String(repeating: "*", count: $0) }),
        ("backticks", { "<code>" + String(repeating: "`", count: $0) + "</code>" }),
        ("code", { String(repeating: "<code>a", count: $0 / 7) + "<p>b" }),
        (
            "blocks under a long class",
            {
                "<div class='\(String(repeating: "a ", count: $0 / 4))'>"
                    + String(repeating: "<pre>a</pre>", count: $0 / 24)
            }
        ),
        ("marks", { String(repeating: "<b>a<i>b<s>c", count: $0 / 12) }),
        ("readings", { String(repeating: "<ruby>a<rt>", count: $0 / 11) }),
        ("formulas", { String(repeating: "<math><mi>", count: $0 / 10) }),
        ("notes", { String(repeating: "<sup><a href=#n>1</a></sup><p id=n>a", count: $0 / 36) }),
        ("figures", { String(repeating: "<figure><img src=a>", count: $0 / 19) }),
    ]

    @Test(arguments: shapes.indices)
    func outputIsBounded(shape: Int) throws {
        let size = 100_000
        let page = try InspectionPages.page("<!DOCTYPE html><body>" + Self.shapes[shape].shape(size))
        let text = try #require(page.wholeText)
        #expect(text.text.utf8.count <= 2 * size)
        // Links are absolute, and each line of twelve quotes or lists begins with their marks.
        #expect(text.markdown.utf8.count <= 8 * size)
    }
}
