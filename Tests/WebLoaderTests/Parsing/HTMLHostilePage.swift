import Testing

/// Pages that are made to take long.
///
/// Each is linear; the benchmark shows it, and here they only have to be survived.
struct HTMLHostilePage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var html: String

    private init(_ name: String, _ html: String) {
        testDescription = name
        self.html = html
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    static let all: [HTMLHostilePage] = [
        HTMLHostilePage("nested div", repeated("<div>", 20_000)),
        HTMLHostilePage("nested b and i", repeated("<b><i></b>x", 5_000)),
        HTMLHostilePage(
            "attributes, all different",
            "<p " + (0..<20_000).map { "a\($0)=1" }.joined(separator: " ") + ">"
        ),
        HTMLHostilePage("attributes, all the same", "<p " + repeated("a=1 ", 20_000) + ">"),
        HTMLHostilePage("names, all different", (0..<25_000).map { "<x\($0) y\($0)>" }.joined()),
        HTMLHostilePage(
            "font and p",
            (0..<200).map { "<font size=\($0)><p>" }.joined() + repeated("</p></font>", 200)
        ),
        HTMLHostilePage("unclosed p", repeated("<p>", 20_000)),
        HTMLHostilePage("nested tables", repeated("<table><tr><td>", 5_000)),
        HTMLHostilePage("tables in tables", repeated("<table><td>", 5_000) + repeated("</table>", 5_000)),
        HTMLHostilePage("nested SVG", "<svg>" + repeated("<g>", 20_000) + repeated("</x>", 20_000)),
        HTMLHostilePage("comments", repeated("<!--x-->", 20_000)),
        HTMLHostilePage("entities", repeated("&amp;&notit;&#x41;", 20_000)),
        HTMLHostilePage(
            "unmatched end tags",
            repeated("<span>", 10_000) + repeated("</foo></b></p>", 10_000)
        ),
        HTMLHostilePage("NUL", repeated("<p\0 a\0=\0>\0x\0<!--\0-->", 5_000)),
        HTMLHostilePage("replacement characters", repeated("\u{FFFD}", 50_000)),
        HTMLHostilePage("a long attribute", "<p a=\"" + repeated("x&amp;", 100_000) + "\">"),
        HTMLHostilePage("plaintext", "<plaintext>" + repeated("<x>", 20_000)),
        HTMLHostilePage("script", "<script><!--" + repeated("<script ", 20_000)),
        HTMLHostilePage("comment", "<!--" + repeated("-x --! <!--", 20_000)),
        HTMLHostilePage("fostered text", "<table>" + repeated("<tr><td>y</td></tr>x", 5_000)),
        HTMLHostilePage("anchors and blocks", repeated("<a><div>", 5_000)),
        HTMLHostilePage("adoption", "<b>" + repeated("<div><span>", 500) + repeated("</b>", 500)),
        HTMLHostilePage("templates", repeated("<template>", 5_000)),
        HTMLHostilePage("templates in tables", repeated("<template><table>x", 3_000)),
        HTMLHostilePage("options", "<select>" + repeated("<option>x", 20_000)),
        HTMLHostilePage(
            "selected options",
            "<select><button><selectedcontent></button>" + repeated("<option selected>x", 5_000)
        ),
        HTMLHostilePage("bodies", (0..<5_000).map { "<body a\($0)=1>" }.joined()),
        HTMLHostilePage("frameset", "<div>" + repeated("<frameset><frame></frameset>", 5_000)),
        HTMLHostilePage("unfinished tag", "<p " + repeated("a='", 20_000)),
    ]
}
