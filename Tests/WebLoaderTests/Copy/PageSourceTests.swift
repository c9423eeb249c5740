import Testing
import WebStandards

@testable import WebDocument

/// The tags, attributes and references of a source with their places.
struct PageSourceTests {
    private static func source(_ html: String) throws -> PageSource {
        try PageSource(ParsedPage(html: html, baseURL: WebURL("http://h.test/")))
    }

    private static func text(_ source: PageSource, _ range: Range<Int>) -> String {
        String(decoding: source.bytes[range], as: UTF8.self)
    }

    @Test(arguments: [
        ("<a b>", ["b||"]), ("<a b=>", ["b=||"]),
        ("<a b=c d='e' f=\"g\">", ["b=c|c|", "d='e'|e|'", "f=\"g\"|g|\""]),
        ("<a =b=c>", ["=b=c|c|"]), ("<a b = c>", ["b = c|c|"]), ("<a b/c=d/e>", ["b||", "c=d/e|d/e|"]),
        ("<a b='>'c=\"'\">", ["b='>'|>|'", "c=\"'\"|'|\""]), ("<a\nb\t=\r\n'c'/>", ["b\t=\r\n'c'|c|'"]),
        ("<a b=c\"d'>", ["b=c\"d'|c\"d'|"]), ("</a b=c>", []), ("<a b=c", []), ("<a/b>", ["b||"]),
    ])
    func attributesAreWhereTheTokenizerFindsThem(_ html: String, _ expected: [String]) throws {
        let source = try Self.source(html)
        let found = source.attributes.map { attribute in
            let quote = attribute.quote.map { String(Unicode.Scalar($0)) } ?? ""
            return "\(Self.text(source, attribute.range))|\(Self.text(source, attribute.value))|\(quote)"
        }
        #expect(found == expected)
    }

    @Test func valuesAreDecodedAsTheTreeHasThem() throws {
        let source = try Self.source("<a b='&amp;&lt;x&copy=&copy;\u{0}\r\n&#x41;&#0;&notit;' B=c>")
        #expect(source.value("b", of: source.tags[0]) == "&<x&copy=©\u{FFFD}\nA\u{FFFD}&notit;")
        #expect(source.attributes.map(\.isDuplicate) == [false, true])
    }

    @Test func partsOfADecodedTextAreFoundInTheSource() throws {
        let source = try Self.source("<p style='a:url(&quot;b&amp;c&quot;)'>")
        let place = try #require(source.references.first?.place)
        let attribute = source.attributes[try #require(place.attribute)]
        let decoded = try #require(attribute.decoded)
        #expect(Self.text(source, decoded.source(of: place.range)) == "b&amp;c")
        #expect(Self.text(source, decoded.source(of: place.value)) == "url(&quot;b&amp;c&quot;)")
    }

    @Test(arguments: [
        ("<!doctype html>x", 15), ("<!-->a--><!doctype html>x", 0), ("<!---><!doctype html>x", 21),
        ("<!-- a --!><!doctype html>x", 26), ("<?xml version='1.0'?><!doctype html>x", 36),
        ("x<!doctype html>", 0),
        ("<!--> <img src=a>-->", 0), ("<!doctype html><!doctype html>", 15), ("<p><!doctype html>", 0),
        ("<!doctype html><html>x", 21),
    ])
    func theHeadBeginsWhereNothingStandsBefore(_ html: String, _ place: Int) throws {
        #expect(try Self.source(html).headStart == place)
    }

    @Test func attributesBeyondTheLimitAreOneRange() throws {
        var limits = LoadLimits()
        limits.maximumAttributes = 2
        let page = try ParsedPage(
            html: "<img a=b c=d e=f g=h><svg><image a=b c=d href=e /></svg>",
            baseURL: WebURL("http://h.test/"),
            limits: limits
        )
        let source = try PageSource(page)
        #expect(source.attributes.map(\.name) == ["a", "c", "a", "c"])
        #expect(source.tags.compactMap(\.excess).map { Self.text(source, $0) } == ["e=f g=h", "href=e "])
        #expect(source.isTruncated)
    }

    @Test func tagsSayWhatTheyMade() throws {
        let source = try Self.source(
            "<svg><a></svg><math></math><tr><template><b></template><div><template shadowrootmode=open><u>"
        )
        func tag(_ name: String) -> SourceTag? { source.tags.first { $0.name == name && !$0.isEnd } }
        #expect(tag("a")?.vocabulary == .svg)
        #expect(tag("math")?.vocabulary == .mathML)
        #expect(tag("tr")?.hasElement == false)
        #expect(tag("b")?.isInert == true)
        #expect(tag("u")?.isInShadowRoot == true)
        #expect(tag("div")?.isInShadowRoot == false)
    }

    @Test func everyReferenceHasAPlaceInXMLToo() throws {
        let svg = """
            <?xml version="1.0"?><?xml-stylesheet href="a&amp;b.css"?><svg xmlns="http://www.w3.org/2000/svg">
            <style>p{q:url(&quot;c&quot;)}</style><image href='d'/><a xmlns:l="http://www.w3.org/1999/xlink" l:href="e"/></svg>
            """
        let page = try ParsedPage(
            data: Array(svg.utf8),
            mimeType: "image/svg+xml",
            baseURL: WebURL("http://h.test/")
        )
        let source = try PageSource(page)
        #expect(source.references.map(\.link.reference) == ["a&b.css", "c", "d", "e"])
        #expect(source.references.allSatisfy { $0.place != nil })
        #expect(source.references.map(\.link) == page.links)
    }
}
