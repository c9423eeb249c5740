import HTTPTypes
import Testing

@testable import WebDocument

struct LinkCollectorTests {
    /// Markup on http://h.test/d/page.html, and its links.
    private static let html: [(String, [String])] = [
        ("<a href=x>", ["navigation a@href http://h.test/d/x"]),
        ("<a href=''>", ["navigation a@href http://h.test/d/page.html"]),
        ("<a name=x>", []),
        (
            "<a href=x ping='p  q'>",
            [
                "navigation a@href http://h.test/d/x", "ping a@ping http://h.test/d/p",
                "ping a@ping http://h.test/d/q",
            ]
        ),
        ("<a href=x download>", ["download a@href http://h.test/d/x"]),
        ("<a href='http://['>", ["navigation a@href -"]),
        ("<map><area href=x alt=y></map>", ["navigation area@href http://h.test/d/x"]),
        ("<img src=x>", ["image img@src http://h.test/d/x"]),
        ("<img src='  '><img src>", []),
        (
            "<img srcset='a 1x, b 2x' src=c usemap=#m>",
            [
                "image img@srcset http://h.test/d/a", "image img@srcset http://h.test/d/b",
                "image img@src http://h.test/d/c",
                "map img@usemap http://h.test/d/page.html#m",
            ]
        ),
        (
            "<picture><source srcset='a 1w' src=no><img src=b></picture>",
            [
                "image source@srcset http://h.test/d/a", "image img@src http://h.test/d/b",
            ]
        ),
        (
            "<video src=a poster=b><source src=c><track src=d></video><audio src=e>",
            [
                "media video@src http://h.test/d/a", "image video@poster http://h.test/d/b",
                "media source@src http://h.test/d/c", "media track@src http://h.test/d/d",
                "media audio@src http://h.test/d/e",
            ]
        ),
        (
            "<iframe src=a></iframe><embed src=b><object data=c usemap=#d codebase=no></object>",
            [
                "frame iframe@src http://h.test/d/a", "object embed@src http://h.test/d/b",
                "object object@data http://h.test/d/c", "map object@usemap http://h.test/d/page.html#d",
            ]
        ),
        ("<frameset><frame src=a></frameset>", ["frame frame@src http://h.test/d/a"]),
        (
            "<form action=a><button formaction=b></button><input type=submit formaction=c><input type=image src=d>"
                + "<input src=no><input formaction=no><button type=button formaction=no></button></form>",
            [
                "form form@action http://h.test/d/a", "form button@formaction http://h.test/d/b",
                "form input@formaction http://h.test/d/c", "image input@src http://h.test/d/d",
            ]
        ),
        ("<form action></form>", ["form form@action http://h.test/d/page.html"]),
        (
            "<q cite=a></q><blockquote cite=b></blockquote><ins cite=c></ins><del cite=d></del>",
            [
                "citation q@cite http://h.test/d/a", "citation blockquote@cite http://h.test/d/b",
                "citation ins@cite http://h.test/d/c", "citation del@cite http://h.test/d/d",
            ]
        ),
        (
            "<meta http-equiv=Refresh content='3; url=a'><meta name=refresh content='3;url=no'>"
                + "<meta http-equiv=refresh content=3>", ["refresh meta@content http://h.test/d/a"]
        ),
        (
            "<link rel=stylesheet href=a><link rel='alternate stylesheet' href=b><link rel=alternate href=c>"
                + "<link rel='SHORTCUT ICON' href=d><link rel=manifest href=e><link rel=canonical href=f>"
                + "<link rel=preload imagesrcset='g 1x, h 2x'><link rel=author href=i><link href=j><link rel=icon href>",
            [
                "stylesheet link@href http://h.test/d/a", "stylesheet link@href http://h.test/d/b",
                "alternate link@href http://h.test/d/c", "icon link@href http://h.test/d/d",
                "manifest link@href http://h.test/d/e", "canonical link@href http://h.test/d/f",
                "preload link@imagesrcset http://h.test/d/g", "preload link@imagesrcset http://h.test/d/h",
                "other link@href http://h.test/d/i", "other link@href http://h.test/d/j",
            ]
        ),
        ("<script src=a></script>", ["script script@src http://h.test/d/a"]),
        (
            "<style>@import 'a'; b{c:url(d)}</style><style type=text/CSS>@import 'e'</style><style type=x>@import 'no'</style>",
            [
                "stylesheet style http://h.test/d/a", "image style http://h.test/d/d",
                "stylesheet style http://h.test/d/e",
            ]
        ),
        ("<p style='background:url(a)'>", ["image p@style http://h.test/d/a"]),
        (
            "<img data-src=a data-srcset='b 1x, c 2x' data-lazy-src=d data-original=e src=f>",
            [
                "lazy img@data-src http://h.test/d/a", "lazy img@data-srcset http://h.test/d/b",
                "lazy img@data-srcset http://h.test/d/c", "lazy img@data-lazy-src http://h.test/d/d",
                "lazy img@data-original http://h.test/d/e", "image img@src http://h.test/d/f",
            ]
        ),
        (
            "<table background=a><td background=b></table>",
            [
                "image table@background http://h.test/d/a", "image td@background http://h.test/d/b",
            ]
        ),
        ("<html manifest=no itemtype=no><base href=b/><a href=x>", ["navigation a@href http://h.test/d/b/x"]),
        (
            "<svg><a href=a></a><a xlink:href=b></a><image href=c xlink:href=no /><use href=#d /><script href=e></script>"
                + "<rect fill='url(#f)' href=g /><style>@import 'i';</style></svg>",
            [
                "navigation a@href http://h.test/d/a", "navigation a@href http://h.test/d/b",
                "image image@href http://h.test/d/c", "image use@href http://h.test/d/page.html#d",
                "script script@href http://h.test/d/e", "image rect@fill http://h.test/d/page.html#f",
                "other rect@href http://h.test/d/g", "stylesheet style http://h.test/d/i",
            ]
        ),
        (
            "<math><mi href=a xlink:href=b></mi></math>",
            [
                "navigation mi@href http://h.test/d/a", "navigation mi@href http://h.test/d/b",
            ]
        ),
        (
            "<base href=http://o.test/><p style='fill:url(#a);b:url(c)'>",
            [
                "image p@style http://h.test/d/page.html#a", "image p@style http://o.test/c",
            ]
        ),
        ("<noscript><img src=a></noscript>", ["image img@src http://h.test/d/a"]),
    ]

    @Test(arguments: html)
    func everySourceOfHTMLIsGathered(markup: String, expected: [String]) throws {
        #expect(try InspectionPages.summary(try InspectionPages.page(markup)) == expected)
    }

    @Test func templatesAreVisitedAndMarkedInert() throws {
        let page = try InspectionPages.page(
            "<a href=a>1</a><template><a href=b>2</a><template><img src=c></template></template><a href=d>3</a>"
        )
        #expect(page.links.map(\.isInert) == [false, true, true, false])
        #expect(page.links.map(\.reference) == ["a", "b", "c", "d"])
    }

    @Test func shadowRootsAreVisitedAndNotInert() throws {
        let page = try InspectionPages.page(
            "<div><template shadowrootmode=open><a href=a>1</a></template><a href=b>2</a></div>"
        )
        #expect(page.links.map(\.reference) == ["a", "b"])
        #expect(page.links.allSatisfy { !$0.isInert })
    }

    @Test func linksOfSrcdocHaveThePagesBaseUnlessTheirOwn() throws {
        let page = try InspectionPages.page(
            """
            <base href=/b/><iframe srcdoc="<a href=x>t</a><iframe srcdoc='<base href=c/><a href=y>'></iframe>" src=z>
            """
        )
        #expect(
            try InspectionPages.summary(page) == [
                "navigation a@href http://h.test/b/x", "navigation a@href http://h.test/b/c/y",
                "frame iframe@src http://h.test/b/z",
            ]
        )
        #expect(page.links.map(\.position?.column) == [16, 16, 16])
        #expect(page.links.first?.text == "t")
    }

    @Test func anchorTextLeavesOutTemplatesAndInnerAnchors() throws {
        let page = try InspectionPages.page(
            "<a href=a> one\n <b>two</b><template>no</template> </a><svg><a href=b>x<a href=c>y</a>z</a></svg>"
                + "<a href=d></a><a href=e><table><td>in<a href=f>inner</a>out</table></a>"
        )
        #expect(page.links.map(\.text) == ["one two", "xz", "y", "", "inout", "inner"])
    }

    @Test func alternativeTextsRelAndDescriptorsAreKept() throws {
        let page = try InspectionPages.page(
            "<img alt=' a  b' src=x><img srcset='y 2x, z 3w 4h'><a rel='NoFollow  ugc' href=w>t</a>"
        )
        let links = page.links
        #expect(links.map(\.text) == ["a b", nil, nil, "t"])
        #expect(links.map(\.descriptor) == [nil, .init(density: 2), .init(width: 3, height: 4), nil])
        #expect(links.map(\.rel) == [[], [], [], ["nofollow", "ugc"]])
    }

    @Test func failuresSayWhyAndWhere() throws {
        let page = try InspectionPages.page("<p>\n <a href='http://a:99999/'>x</a>")
        let link = try #require(page.links.first)
        #expect(link.url == nil)
        #expect(link.failure?.code == .portOutOfRange)
        #expect(link.position == SourcePosition(line: 2, column: 2))
    }

    @Test func fieldsComeFirstAndLinkResolvesAgainstTheResponse() throws {
        let page = try InspectionPages.page(
            "<base href=/b/><a href=x>",
            fields: [
                ("Link", "<s.css>; rel=\"stylesheet\", <n>; rel=\"next\"; title=\"on\""),
                ("Refresh", "3; url=r"),
            ]
        )
        #expect(
            try InspectionPages.summary(page) == [
                "stylesheet Link http://h.test/d/s.css", "other Link http://h.test/d/n",
                "refresh Refresh http://h.test/b/r", "navigation a@href http://h.test/b/x",
            ]
        )
        #expect(page.links[1].text == "on")
    }

    @Test func fieldsCountForWhatIsNotParsed() throws {
        let page = try InspectionPages.page("x", type: "text/plain", fields: [("Link", "<a>; rel=preload")])
        #expect(try InspectionPages.summary(page) == ["preload Link http://h.test/d/a"])
    }

    /// A `charset`, and the query that "?é漢😀" becomes in it.
    private static let queries = [
        ("utf-8", "%C3%A9%E6%BC%A2%F0%9F%98%80"), ("utf-16le", "%C3%A9%E6%BC%A2%F0%9F%98%80"),
        ("windows-1252", "%E9%26%2328450%3B%26%23128512%3B"),
        ("shift_jis", "%26%23233%3B%8A%BF%26%23128512%3B"),
        ("iso-2022-jp", "%26%23233%3B%1B$B4A%1B(B%26%23128512%3B"), ("gb18030", "%A8%A6%9Dh%949%FC6"),
        ("euc-kr", "%26%23233%3B%F9%D3%26%23128512%3B"),
    ]

    @Test(arguments: queries)
    func queriesAreInTheDocumentsEncoding(charset: String, expected: String) throws {
        let body = "<a href='/é?&eacute;&#x6f22;&#x1F600;#é'><img srcset='?&eacute;&#x6f22;&#x1F600; 1x'>"
            .replacing("/é", with: "/&eacute;").replacing("#é", with: "#&eacute;")
        let utf16 = body.utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        var response = WebResponse(
            url: try WebURL("http://h.test/"),
            status: 200,
            body: charset == "utf-16le" ? utf16 : Array(body.utf8),
            source: .network
        )
        response.headerFields[.contentType] = "text/html; charset=\(charset)"
        let links = try ParsedPage(response, PageContent.Settings()).links
        #expect(
            links.map(\.url?.href) == [
                "http://h.test/%C3%A9?\(expected)#%C3%A9", "http://h.test/?\(expected)",
            ]
        )
    }

    @Test func whatISO2022JPCannotWriteIsTheErrorsScalar() throws {
        let page = try InspectionPages.page(
            "<a href='?&#x0E;&#x1B;x'>",
            type: "text/html; charset=iso-2022-jp"
        )
        #expect(page.links.first?.url?.query == "%26%2365533%3B%26%2365533%3Bx")
    }

    /// Markup before `<a href=x>`, and what x becomes.
    private static let bases = [
        ("", "http://h.test/d/x"),
        ("<base href=http://o.test/a/b>", "http://o.test/a/x"),
        ("<base href=../e/>", "http://h.test/e/x"),
        ("<base target=t><base href=e/>", "http://h.test/d/e/x"),
        ("<base href=e/><base href=f/>", "http://h.test/d/e/x"),
        ("<base href=data:,y><base href=f/>", "http://h.test/d/x"),
        ("<base href=javascript:0><base href=f/>", "http://h.test/d/x"),
        ("<base href=http://[><base href=f/>", "http://h.test/d/x"),
        ("<base href=''><base href=f/>", "http://h.test/d/x"),
        ("<base href=about:blank>", "-"),
        ("<template><base href=e/></template>", "http://h.test/d/x"),
        ("<svg><base href=e/></svg>", "http://h.test/d/x"),
        ("<base href=?q>", "http://h.test/d/x"),
        ("<base href='  e/\n'>", "http://h.test/d/e/x"),
    ]

    @Test(arguments: bases)
    func theBaseIsTheStandards(markup: String, expected: String) throws {
        let page = try InspectionPages.page("\(markup)<p><a href=x>")
        let link = try #require(page.links.last)
        #expect(link.url?.href ?? "-" == expected)
    }

    @Test func aBaseElementIsResolvedInTheDocumentsEncoding() throws {
        let page = try InspectionPages.page(
            "<base href='?&eacute;'><a href=''>",
            type: "text/html; charset=windows-1252"
        )
        #expect(page.baseURL.href == "http://h.test/d/page.html?%E9")
    }
}
