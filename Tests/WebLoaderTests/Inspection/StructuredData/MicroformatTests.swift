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
                case .item(let place, let text): "#\(place) \(text)"
                }
            return "\(property.name)=\(value)"
        }
    }

    @Test(
        "Properties are read by their prefixes and elements",
        arguments: [
            ("<b class=p-name> a <i>b</i> </b>", "name=a b"), ("<abbr class=p-x title=t>a</abbr>", "x=t"),
            ("<data class=p-x value=v>a</data>", "x=v"), ("<img class=p-x alt=a src=s>", "x=a"),
            ("<b class=p-x>a<script>no</script><img alt=i></b>", "x=a i"),
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
            ("<a class=h-card href=x>A  B</a>", "name=A B url=<http://h.test/d/x>"),
            ("<img class=h-card alt=A src=x>", "name=A photo=<http://h.test/d/x>|A"),
            ("<abbr class=h-card title=T>x</abbr>", "name=T"),
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

    @Test func deepItemsAreBounded() throws {
        let page = String(repeating: "<div class='h-x p-x'>", count: 20_000)
        _ = try items(page)
    }
}
