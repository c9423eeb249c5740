import TestSupport
import Testing

@testable import WebDocument

/// Microformats, of today and classic ones.
@Suite(.timeLimit(.minutes(20)))
struct MicroformatTests {
    private func items(_ markup: String) throws -> [MicroformatItem] {
        try InspectionPages.page(markup).structuredData.microformats
    }

    private func summary(_ item: MicroformatItem) -> [String] {
        item.properties.map { property in
            let value =
                switch property.value {
                case .text(let text): text
                case .url(let url, let alternative): "<\(url)>\(alternative.map { "|\($0)" } ?? "")"
                case .markup(let markup, let text): "\(markup)|\(text)"
                case .item(let place, let value): "#\(place) \(value.text)"
                }
            return "\(property.name)=\(value)"
        }
    }

    @Test(
        "Properties are read by their prefixes and elements",
        arguments: [
            ("<b class=p-name> a <i>b</i> </b>", "name=a b"), ("<abbr class=p-x title=t>a</abbr>", "x=t"),
            ("<data class=p-x value=v>a</data>", "x=v"), ("<img class=p-x alt=a src=s>", "x=a"),
            ("<b class=p-x>a<script>no</script> <img alt=i>s</b>", "x=a is"),
            ("<a class=u-url href=x>a</a>", "url=<http://h.test/d/x>"),
            ("<img class=u-photo src=x alt=y>", "photo=<http://h.test/d/x>|y"),
            ("<b class=u-url>/x</b>", "url=<http://h.test/x>"),
            ("<time class=dt-published datetime=2024>x</time>", "published=2024"),
            (
                "<b class=dt-start><i class=value>2024-05-01</i> at <i class=value>10:00</i></b>",
                "start=2024-05-01 10:00"
            ),
            ("<b class=p-tel><i class=value>+1</i>-<i class=value>23</i></b>", "tel=+123"),
            ("<b class=p-x><i class=value-title title=t> </i>y</b>", "x=t"),
            ("<div class=e-content> <b>x</b> </div>", "content=<b>x</b>|x"),
            ("<b class='p-a p-b u-c'>x</b>", "a=x b=x c=<http://h.test/d/x>"),
            ("<b class='p-A p- p-a_b x-p-a p-1 p-1-a'>x</b>", "1-a=x"),
        ]
    )
    func properties(markup: String, expected: String) throws {
        let item = try #require(
            try items("<div class=h-x>\(markup)<p class='p-name e-y u-z'></p></div>").first
        )
        let own = summary(item).filter { !["name=", "y=|", "z=<http://h.test/d/page.html>"].contains($0) }
        #expect(own.joined(separator: " ") == expected)
    }

    @Test(
        "What is not named follows from what is there",
        arguments: [
            ("<a class=h-card href=x> A  B</a>", "name=A  B url=<http://h.test/d/x>"),
            ("<img class=h-card alt=A src=x>", "name=A photo=<http://h.test/d/x>|A"),
            ("<abbr class=h-card title=T>x</abbr>", "name=T"), ("<abbr class=h-card title>x</abbr>", "name="),
            ("<p class=h-card>a<img alt=b>c <img src=d></p>", "name=abc"),
            ("<p class=h-card><img><img alt=b src=x></p>", "name=b"),
            ("<p class=h-card><a>A</a><a href=x>B</a></p>", "name=AB"),
            (
                "<p class=h-card><a href=x><img alt=A src=y></a></p>",
                "name=A photo=<http://h.test/d/y>|A url=<http://h.test/d/x>"
            ),
            ("<p class=h-card><a href=x>A</a><a href=y>B</a></p>", "name=AB"),
            ("<p class=h-card>x<b class=p-org>y</b></p>", "org=y"),
            ("<p class=h-card><b class=h-x>y</b></p>", ""),
        ]
    )
    func implied(markup: String, expected: String) throws {
        let item = try #require(try items(markup).first)
        #expect(summary(item).joined(separator: " ") == expected)
    }

    @Test(
        "A date and a time may stand in several elements",
        arguments: [
            ("2024-05-01|7pm", "2024-05-01 19:00"), ("2024-05-01|12am", "2024-05-01 00:00"),
            ("2024-05-01|12:30 P.M.", "2024-05-01 12:30"), ("2024-05-01|7:05:09a.m.", "2024-05-01 07:05:09"),
            ("9:30|2024-122", "2024-122 09:30"), ("2024-05-01|10:00|+02:00", "2024-05-01 10:00+0200"),
            ("2024-05-01|10:00-8", "2024-05-01 10:00-08"), ("2024-05-01|10:00z", "2024-05-01 10:00Z"),
            ("2024-05-01T10:00+02:00", "2024-05-01T10:00+02:00"),
            ("2024-05-01 10:00|+0200", "2024-05-01 10:00+0200"),
            ("10:00|2023-01-01 11:00|2024-05-01", "2024-05-01 10:00"),
            ("2024-05-01|2023-01-01", "2024-05-01"),
            ("2024-05-01|noon|12:00|13:00", "2024-05-01 12:00"), ("10:00", "10:00"), ("soon", "x soon"),
            ("2024-05-01|13pm|24:61|7", "2024-05-01"), ("2024-05-01|10:00:00.5", "2024-05-01 10:00:00.5"),
        ]
    )
    func datesInParts(values: String, expected: String) throws {
        let parts = values.split(separator: "|").map { "<i class=value>\($0)</i>" }.joined(separator: " at ")
        let item = try #require(try items("<p class=h-event>x<b class=dt-start>x \(parts)</b></p>").first)
        #expect(item["start"] == [.text(expected)])
    }

    @Test(
        "A time has the date before it in the same item",
        arguments: [
            ("<i class=dt-start>2024-05-01</i><i class=dt-end>7pm</i>", "2024-05-01 19:00"),
            (
                "<b class=dt-start><i class=value>2024-05-01</i><i class=value>9:00</i></b><i class=dt-end>10:00Z</i>",
                "2024-05-01 10:00Z"
            ),
            (
                "<time class=dt-start datetime=2024-05-01T09:00></time><b class=dt-end><i class=value>10:00</i></b>",
                "2024-05-01 10:00"
            ),
            ("<b class=h-x><i class=dt-start>2024-05-01</i></b><i class=dt-end>10:00</i>", "10:00"),
            ("<i class=dt-start>2024-05-01</i><i class=dt-end>2024-05-02</i>", "2024-05-02"),
            ("<i class=dt-start>2024-05-01</i><i class=dt-end>at ten</i>", "at ten"),
        ]
    )
    func datesOfTimes(markup: String, expected: String) throws {
        let item = try #require(try items("<div class=h-event>\(markup)</div>").first)
        #expect(item["end"] == [.text(expected)])
    }

    @Test(
        "Values are not taken from other properties and items",
        arguments: [
            ("<i class=value>1</i><b class=p-b><i class=value>2</i></b>", "1"),
            ("<i class=value>1</i><b class=h-b><i class=value>2</i></b>", "1"),
            ("<b><b><i class='value p-b'>1</i></b></b>", "1"), ("<template class=value>2</template>1", "1"),
            ("<img class=value alt=' 1 '><area class=value alt=2>", " 1 2"),
            ("<abbr class=value title=1>2</abbr>", "1"),
        ]
    )
    func valuesElsewhere(markup: String, expected: String) throws {
        let item = try #require(try items("<div class=h-x><div class=p-a>\(markup)</div></div>").first)
        #expect(item["a"] == [.text(expected)])
    }

    @Test(
        "Markup has absolute URLs",
        arguments: [
            ("<a href=x>t</a>", "<a href=\"http://h.test/d/x\">t</a>"),
            ("<img src=/x alt='&quot;'>", "<img src=\"http://h.test/x\" alt=\"&quot;\">"),
            ("<q cite='?a&amp;b'>t</q>", "<q cite=\"http://h.test/d/page.html?a&amp;b\">t</q>"),
            ("<a href=#x>t</a>", "<a href=\"#x\">t</a>"),
            ("<a href='http://['>t</a>", "<a href=\"http://[\">t</a>"),
            ("<b title=x>t</b>", "<b title=\"x\">t</b>"),
            ("<a href>t</a>", "<a href=\"http://h.test/d/page.html\">t</a>"),
        ]
    )
    func absoluteMarkup(markup: String, expected: String) throws {
        let item = try #require(try items("<div class=h-x><div class=e-content>\(markup)</div></div>").first)
        guard case .markup(let found, _) = item["content"].first else {
            Issue.record("no markup")
            return
        }
        #expect(found == expected)
    }

    @Test func imagesStandInTexts() throws {
        let markup = "<b class=p-a>a<img src=x>b</b><b class=e-b><img src=x></b><b class=u-c>c<img alt=d></b>"
        let item = try #require(
            try items("<div class=h-x>\(markup)<b class=dt-d>e<img alt=f></b></div>").first
        )
        #expect(item["a"] == [.text("a http://h.test/d/x b")])
        #expect(item["b"].map(\.text) == ["http://h.test/d/x"])
        #expect(item["c"].map(\.text) == ["http://h.test/d/c"])
        #expect(item["d"] == [.text("e")])
    }

    @Test func emptyIDsAndTemplatesAreIgnored() throws {
        let found = try items("<div class=h-x id><template class=p-a>b</template><p class=p-b>c</p></div>")
        #expect(found.map(\.id) == [nil])
        #expect(found.map(summary) == [["b=c"]])
    }

    @Test func itemsHaveWhatTheirPropertiesSay() throws {
        let found = try items(
            """
            <div class=h-x><p class="h-y e-a"><b class=p-name>n</b></p><p class="h-y u-b"><img class=u-url src=x alt=t></p>
            <p class="h-y p-c"><b class=dt-name>1</b>2</p><p class="h-y dt-d"><b class=p-name>n</b>3</p></div>
            """
        )
        #expect(found[0]["a"] == [.item(1, value: .markup("<b class=\"p-name\">n</b>", text: "n"))])
        #expect(found[0]["b"] == [.item(2, value: .url("http://h.test/d/x", alternative: "t"))])
        #expect(found[0]["c"] == [.item(3, value: .text("12"))])
        #expect(found[0]["d"] == [.item(4, value: .text("n3"))])
    }

    @Test func itemsNestAsPropertiesAndChildren() throws {
        let found = try items(
            """
            <div class=h-entry id=e><a class="p-author h-card" href=a>Ann</a><div class="h-cite c"><b class=p-name>C</b>
            </div><b class="u-like-of h-cite"><a class=u-url href=u></a></b></div>
            """
        )
        #expect(found.map(\.types) == [["h-entry"], ["h-card"], ["h-cite"], ["h-cite"]])
        #expect(summary(found[0]) == ["author=#1 Ann", "like-of=#3 http://h.test/d/u"])
        #expect(found[0].children == [2])
        #expect(found[0].id == "e")
        #expect(found.map(\.isNested) == [false, true, true, true])
    }

    @Test func classicOnesAreWhatTheyAreToday() throws {
        let found = try items(
            """
            <div class=hentry><h1 class="entry-title p-x">T</h1><b class="author vcard"><a class="fn url" href=a>A</a></b>
            <abbr class=published title=2024>x</abbr><a rel=tag href=/tags/New%20s?x>y</a><a rel=bookmark href=b>z</a></div>
            """
        )
        #expect(found.map(\.types) == [["h-entry"], ["h-card"]])
        #expect(
            summary(found[0]) == [
                "name=T", "author=#1 A", "published=2024", "category=New s", "url=<http://h.test/d/b>",
            ]
        )
        #expect(summary(found[1]) == ["name=A", "url=<http://h.test/d/a>"])
        #expect(found.map(\.isClassic) == [true, true])
    }

    @Test(
        "Properties of classic ones are items even without a root class name",
        arguments: [
            ("hentry", "<b class=author>A</b>", "author=#1 A", "h-card name=A"),
            (
                "hentry", "<b class=author>By <a class='fn url' href=a>A</a></b>", "author=#1 A",
                "h-card name=A url=<http://h.test/d/a>"
            ),
            (
                "hreview", "<b class=item><i class=fn>A</i><img class=photo src=a></b>", "item=#1 A",
                "h-item name=A photo=<http://h.test/d/a>"
            ),
            ("hreview", "<b class='item vcard'><i class=fn>A</i></b>", "item=#1 A", "h-card name=A"),
            ("hresume", "<b class=education><i class=summary>A</i></b>", "education=#1 A", "h-event name=A"),
            (
                "hnews", "<b class='entry hentry'><i class=entry-title>A</i></b>", "entry=#1 A",
                "h-entry name=A"
            ),
        ]
    )
    func classicProperties(root: String, markup: String, outer: String, inner: String) throws {
        let found = try items("<div class=\(root)>\(markup)</div>")
        try #require(found.count == 2)
        #expect(summary(found[0]) == [outer])
        #expect((found[1].types + summary(found[1])).joined(separator: " ") == inner)
    }

    @Test(arguments: ["h-", "h-A", "h-1", "xh-card", "vcards", "hentry2", "p-name", "geode"])
    func otherClassesAreNone(name: String) throws {
        #expect(try items("<p class='a \(name) b'>x").isEmpty)
    }

    @Test func nestedTextsAreBounded() throws {
        for name in ["p-x", "e-x"] {
            let page = "<div class=h-x>" + String(repeating: "<div class=\(name)>xxxxxxxx", count: 4_000)
            #expect(try InspectionPages.page(page).structuredData.isTruncated)
        }
    }

    @Test(
        "What is large takes no more time than its length",
        arguments: Abbreviated.each([
            "<p class='h-x \(String(repeating: "p-a ", count: 200_000))'>",
            "<p class='hentry vcard hreview'><b class='\(String(repeating: "fn ", count: 200_000))'>x",
            "<p class=h-x><b class='p-a u-a dt-a'>"
                + String(repeating: "<i class=value>1</i>", count: 100_000),
            "<p class=h-x><time class=dt-a datetime='\(String(repeating: "2024-05-01 ", count: 500_000))'>",
            "<p class=h-x>" + String(repeating: "<b class=p-a><i class=value>1</i>", count: 50_000),
            "<p class=h-x><b class='\((0..<5_000).map { "e-\(String($0, radix: 36).filter(\.isLetter)) " }.joined())'>"
                + String(repeating: "<a href=x>", count: 5_000),
        ])
    )
    func largeOnesAreRead(markup: Abbreviated<String>) throws {
        #expect(try items(markup.value).first != nil)
    }

    @Test func deepItemsAreBounded() throws {
        let page = String(repeating: "<div class='h-x p-x'>", count: 20_000)
        _ = try items(page)
    }
}
