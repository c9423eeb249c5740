import Testing
import TestSupport
import WebDocument
import WebStandards

@testable import WebCopy

/// Tests of the properties of any page's copy.
@Suite(.timeLimit(.minutes(10)))
struct RewritingPropertyTests {
    private static let pieces = [
        "<p>", "</p>", "<b style='x:url(a)'>", "</b>", "<table background=b>", "</table>", "<tr>",
        "<td background=\"c\">",
        "<img src=d>", "<img srcset='e 1x, f 2x' src=\"g\">", "<svg>", "</svg>", "<image href=h />",
        "<use xlink:href='i#j'/>",
        "<style>@import 'n';k{l:url(m)}", "</style>", "<script>'<img src=o>'", "</script>", "<noscript>",
        "</noscript>",
        "<template>", "<template shadowrootmode=open>", "</template>", "<div>", "</div>", "<a href='p#q'>",
        "</a>", "<!--", "-->",
        "<![CDATA[", "]]>", "<textarea>", "</textarea>",
        "<iframe src=r srcdoc='&lt;img src=s>&lt;b style=\"t:url(u)\">'>",
        "</iframe>", "<body background=v onload=w>", "<html style='x:url(y)'>", "<frameset>", "<frame src=z>",
        "<math>",
        "</math>", "<mi href=a>", "<foreignObject>", "</foreignObject>", "<link rel=stylesheet href=b>",
        "<object data=c>",
        "</object>", "<embed src='d'", " ", "=", "'", "\"", ">", "<", "/", "&quot;", "&amp", "\u{0}", "\r\n",
        "é", "x=y ",
        "<base href='/e/'>", "<input type=image src=f>", "<video poster=g src=h>", "<title>", "</title>",
        "<plaintext>",
        "<select>", "</select>", "<option style='i:url(&quot;j&quot;)'>", "style=\"k:image-set('l' 1x)\" ",
        "<h1 ",
        "<meta http-equiv=refresh content='5;url=m'>", "<p style=n:url(o)>", "<form><button formaction=p>",
        "</form>",
    ]

    /// Nothing that a browser would load is left.
    @Test(arguments: PropertySeeds.first(8))
    func nothingLeadsOutOfACopy(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9)
        for _ in 0..<400 {
            let count = Int.random(in: 1...14, using: &random)
            let html = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
            let copy = try PageRewriter(page).rewritten { $0.isRequisite ? .url("data:,") : .absolute }
            let again = try ParsedPage(html: copy.text, baseURL: WebURL("http://copy.test/"))
            let left = again.links.filter { link in
                !link.isInert && link.kind.isRequisite && link.url?.scheme == "http"
            }
            #expect(left.isEmpty, "\(html.debugDescription) became \(copy.text.debugDescription)")
            // Links to other documents keep their targets.
            let elsewhere = again.links.filter {
                $0.url?.hostname == "copy.test" && !$0.reference.hasPrefix("#")
            }
            #expect(
                elsewhere.allSatisfy { $0.kind == .map || $0.url?.scheme != "http" || $0.isInert },
                "\(html.debugDescription) became \(copy.text.debugDescription)"
            )
        }
    }

    /// With all references kept, the markup stays unchanged.
    @Test(arguments: PropertySeeds.first(8))
    func whatIsKeptStaysAsItIsWritten(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 0x51ED_2701)
        let calm = Self.pieces.filter { piece in
            !["srcset", "srcdoc", "script", "on", "base", "http-equiv", "template"].contains {
                piece.contains($0)
            }
        }
        for _ in 0..<400 {
            let count = Int.random(in: 1...14, using: &random)
            let html = (0..<count).map { _ in calm.randomElement(using: &random) ?? "" }.joined()
            let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
            let copy = try PageRewriter(page).rewritten { _ in .keep }
            // A reference of CSS that is uncertain is never kept.
            let isUncertain = try PageSource(page).references.contains { $0.place?.isUncertain == true }
            guard copy.changed["strays"] == nil, !isUncertain else { continue }
            #expect(copy.text.replacing("<meta charset=\"utf-8\">", with: "") == html)
        }
    }

    /// The list of links is that of the page.
    @Test(arguments: PropertySeeds.first(8))
    func linksAreThoseOfThePage(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 0x2545_F491)
        for _ in 0..<400 {
            let count = Int.random(in: 1...14, using: &random)
            let html = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
                .replacing("srcdoc", with: "title")
            let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
            let source = try PageSource(page)
            let certain = source.references.filter { $0.place?.isUncertain != true }
            #expect(certain.map(\.link) == page.links)
            for reference in source.references {
                #expect(reference.place != nil, "\(html.debugDescription): \(reference.link.reference)")
            }
        }
    }
}
