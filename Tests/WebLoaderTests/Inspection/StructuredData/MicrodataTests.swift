import Testing

@testable import WebDocument

/// Microdata, by the HTML standard's algorithm.
@Suite(.timeLimit(.minutes(20)))
struct MicrodataTests {
    private func items(_ markup: String) throws -> [MicrodataItem] {
        try InspectionPages.page(markup).structuredData.microdata
    }

    /// Each property as "name=value", an item as its number.
    private func summary(_ item: MicrodataItem) -> [String] {
        item.properties.map { property in
            let value =
                switch property.value {
                case .text(let text): text
                case .url(let url): "<\(url.href)>"
                case .invalidURL(let reference): "!\(reference)"
                case .item(let place): "#\(place)"
                }
            return "\(property.name)=\(value)\(property.content.map { "|\($0)" } ?? "")"
        }
    }

    @Test(
        "A property's value depends on its element",
        arguments: [
            ("<b itemprop=p> a\n<i>b</i></b>", "p= a\nb"), ("<meta itemprop=p content=' x '>", "p= x "),
            ("<meta itemprop=p>", "p="), ("<a itemprop=p href=x>y</a>", "p=<http://h.test/d/x>"),
            ("<a itemprop=p>y</a>", "p="), ("<link itemprop=p href=/x>", "p=<http://h.test/x>"),
            ("<img itemprop=p src=x>", "p=<http://h.test/d/x>"),
            ("<video itemprop=p src=x></video>", "p=<http://h.test/d/x>"),
            ("<object itemprop=p data=x></object>", "p=<http://h.test/d/x>"),
            ("<a itemprop=p href='http://['>y</a>", "p=!http://["),
            ("<data itemprop=p value=1>x</data>", "p=1"), ("<meter itemprop=p value=.5>x</meter>", "p=.5"),
            ("<time itemprop=p datetime=2024>x</time>", "p=2024"), ("<time itemprop=p>x</time>", "p=x"),
            ("<b itemprop=p content=c>x</b>", "p=x|c"), ("<b itemprop='p q p'>x</b>", "p=x q=x"),
            ("<b itemprop=''>x</b>", ""), ("<template><b itemprop=p>x</b></template>", ""),
            ("<svg><g itemprop=p>x</g></svg>", ""), ("<b itemprop=p itemscope></b>", "p=#1"),
        ]
    )
    func values(markup: String, expected: String) throws {
        let item = try #require(try items("<div itemscope>\(markup)</div>").first)
        #expect(summary(item).joined(separator: " ") == expected)
    }

    @Test func itemsHaveTypesAndIDs() throws {
        let found = try items(
            "<p itemscope itemtype=' http://a/A  http://a/B ' itemid=x><p itemscope itemid='urn:isbn:1'>"
        )
        #expect(found[0].types == ["http://a/A", "http://a/B"])
        #expect(found.map(\.id) == ["http://h.test/d/x", "urn:isbn:1"])
        #expect(found[1].position == SourcePosition(line: 1, column: 59))
    }

    @Test func nestedItemsKeepTheirProperties() throws {
        let found = try items(
            """
            <div itemscope><b itemprop=a>1</b><div itemprop=b itemscope><b itemprop=c>2</b></div>
            <div itemscope><b itemprop=d>3</b></div><b itemprop=e>4</b></div><b itemprop=f>5</b>
            <div itemprop=g itemscope></div>
            """
        )
        #expect(found.map(summary) == [["a=1", "b=#1", "e=4"], ["c=2"], ["d=3"], []])
        #expect(found.map(\.isProperty) == [false, true, false, false])
        #expect(found.map(\.isStray) == [false, false, false, true])
    }

    @Test func itemrefAddsPropertiesInTreeOrder() throws {
        let found = try items(
            """
            <p id=z><b itemprop=a>1</b></p><div itemscope itemref="x z x y missing in"><b id=in itemprop=b>2</b></div>
            <p id=x itemprop=c>3</p><p id=x itemprop=no>4</p><div id=y><div itemscope><b itemprop=no>5</b></div>
            <b itemprop=d>6</b></div>
            """
        )
        #expect(summary(found[0]) == ["a=1", "b=2", "c=3", "d=6"])
    }

    @Test func cyclesEnd() throws {
        let own = try items("<div itemscope id=a itemprop=p itemref=a></div>")
        #expect(own.map(summary) == [[]])
        let around = try items(
            "<div id=a><b itemprop=q>1</b><div itemscope itemprop=p itemref=a></div></div>"
        )
        #expect(around.map(summary) == [["q=1"]])
        let crossed = try items(
            "<div id=a itemscope itemprop=p itemref=b></div><div id=b itemscope itemprop=q itemref=a></div>"
        )
        #expect(crossed.map(summary) == [["q=#1"], ["p=#0"]])
        #expect(crossed.map(\.isProperty) == [true, true])
    }

    // MARK: - Bad input

    @Test func itemsThatDoubleAreEachReadOnce() throws {
        let levels = (0..<200).map { level in
            let next = "itemref=l\(level + 1)"
            return
                "<p id=l\(level)><b itemprop=x itemscope \(next)></b><b itemprop=y itemscope \(next)></b></p>"
        }
        let data = try InspectionPages.page("<div itemscope itemref=l0></div>" + levels.joined())
            .structuredData
        #expect(data.microdata.count == 401)
        #expect(!data.isTruncated)
    }

    @Test func manyItemsThatReferToTheSamePartAreBounded() throws {
        let part = "<div id=a>" + String(repeating: "<b itemprop=p>x</b>", count: 20_000) + "</div>"
        let items = String(repeating: "<i itemscope itemref=a></i>", count: 20_000)
        let data = try InspectionPages.page(part + items).structuredData
        #expect(data.isTruncated)
        #expect(data.microdata.reduce(0) { $0 + $1.properties.count } < 2_000_000)
    }

    @Test func textsInsideTextsAreBounded() throws {
        let page = "<div itemscope>" + String(repeating: "<div itemprop=p>xxxxxxxx", count: 20_000)
        #expect(try InspectionPages.page(page).structuredData.isTruncated)
    }

    @Test func manyReferencesAndNamesTakeLinearTime() throws {
        let references = String(repeating: "a ", count: 100_000)
        let names = (0..<100_000).map { "p\($0)" }.joined(separator: " ")
        let found = try items(
            "<p id=a><b itemprop='\(names)'>x</b></p><i itemscope itemref='\(references)'></i>"
        )
        #expect(found.first?.properties.count == 100_000)
    }

    @Test func deepItemsTakeLinearTime() throws {
        let page = String(repeating: "<div itemscope itemprop=p>", count: 20_000)
        #expect(try items(page).count > 400)
    }
}
