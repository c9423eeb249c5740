import TestSupport
import Testing

@testable import WebDocument

/// Tests of the metadata of pages.
@Suite(.timeLimit(.minutes(20)))
struct MetadataTests {
    private func metadata(_ markup: String, _ fields: [(String, String)] = []) throws -> PageMetadata {
        try InspectionPages.page(markup, fields: fields).metadata
    }

    private func summary(_ words: [MetadataText]) -> [String] {
        words.map { "\($0.source.kind.rawValue) \($0.source.name): \($0.text)" }
    }

    private func summary(_ links: [MetadataLink]) -> [String] {
        links.map { "\($0.source.name) \($0.url?.href ?? "-")" }
    }

    @Test func aPageThatSaysNothingHasNothing() throws {
        #expect(try metadata("<p>x") == PageMetadata())
        #expect(
            try metadata("<title> </title><meta name=description content=' '><link rel=icon>")
                == PageMetadata()
        )
    }

    @Test func titlesComeInTheOrderOfTrust() throws {
        let found = try metadata(
            """
            <meta name=twitter:title content=C><meta property=og:title content=' B\n b '><title>A</title>
            <script type=application/ld+json>{"@type":"NewsArticle","headline":"D"}</script>
            """
        )
        #expect(
            summary(found.titles) == [
                "element title: A", "meta og:title: B b", "json-ld headline: D", "meta twitter:title: C",
            ]
        )
        #expect(found.title == "A")
        #expect(found.titles[1].source.position == SourcePosition(line: 1, column: 36))
    }

    @Test(
        "Words are found by the names of meta elements, whatever their case",
        arguments: [
            ("<meta name=Description content=x>", ["descriptions < meta description: x"]),
            ("<meta name=DC.Description content=x>", ["descriptions < meta dc.description: x"]),
            (
                "<meta name=DCTERMS:description content=x>", ["descriptions < meta dcterms.description: x"]
            ),
            ("<meta property=og:site_name content=x>", ["siteNames < meta og:site_name: x"]),
            ("<meta name=generator content='W 1'>", ["generators < meta generator: W 1"]),
            ("<meta name=viewport content='width=1'>", ["viewports < meta viewport: width=1"]),
            (
                "<meta name=keywords content='a, b c,,'>",
                ["keywords < meta keywords: a", "keywords < meta keywords: b c"]
            ),
            (
                "<meta name=author content=x><a rel=author href=y> z </a>",
                ["authors < meta author: x", "authors < link author: z"]
            ),
            (
                "<b itemprop='author x'>n</b><b itemprop=author itemscope>m</b>",
                ["authors < microdata author: n"]
            ),
            ("<meta name=og:title property=og:title content=x>", ["titles < meta og:title: x"]),
            ("<meta content=x><meta name=author><template><meta name=author content=x></template>", []),
        ] as [(String, [String])]
    )
    func words(markup: String, expected: [String]) throws {
        let found = try metadata(markup)
        let lists = [
            ("titles", found.titles), ("descriptions", found.descriptions), ("siteNames", found.siteNames),
            ("authors", found.authors), ("generators", found.generators), ("keywords", found.keywords),
            ("viewports", found.viewports), ("languages", found.languages),
        ]
        #expect(lists.flatMap { name, list in summary(list).map { "\(name) < \($0)" } } == expected)
    }

    @Test func languagesComeFromTheElementThePragmaAndTheField() throws {
        let found = try metadata(
            "<html lang=de><meta http-equiv=Content-Language content='fr'><meta http-equiv=content-language content='a,b'>",
            [("Content-Language", "en, es")]
        )
        #expect(
            summary(found.languages) == [
                "element html: de", "pragma content-language: fr", "field Content-Language: en",
                "field Content-Language: es",
            ]
        )
    }

    // MARK: - Dates

    @Test func datesComeInTheOrderOfTrust() throws {
        let found = try metadata(
            """
            <time datetime=2020-01-06>x</time><time datetime=2019-01-01>y</time>
            <meta name=date content="2020-01-05"><meta itemprop=datePublished content=2020-01-03>
            <time itemprop=dateModified datetime=2021-01-03>
            <meta property=article:published_time content=2020-01-02T10:00Z>
            <script type=application/ld+json>{"@graph":[{"@type":"WebPage","datePublished":"2020-01-01"},
            {"@type":"BlogPosting","datePublished":"1 Dec 2019","dateModified":"soon",
            "comment":{"@type":"Comment","datePublished":"1999"}}]}</script>
            """,
            [("Last-Modified", "Wed, 06 Jan 2021 10:00:00 GMT")]
        )
        #expect(
            found.published.map { "\($0.source.name) \($0.date ?? "-")" } == [
                "datePublished 2019-12-01", "datePublished 2020-01-01",
                "article:published_time 2020-01-02T10:00:00Z", "datePublished 2020-01-03", "date 2020-01-05",
                "time 2020-01-06",
            ]
        )
        #expect(
            found.modified.map { "\($0.source.kind.rawValue) \($0.date ?? "-")" } == [
                "json-ld -", "microdata 2021-01-03", "field 2021-01-06T10:00:00Z",
            ]
        )
        #expect(found.modificationDate?.date == "2021-01-03")
    }

    // MARK: - URLs

    @Test(
        "Links are found by the words of rel",
        arguments: [
            ("<link rel=canonical href=x>", ["canonicals < canonical http://h.test/d/x"]),
            (
                "<base href=/e/><link rel='Canonical' href=' x '>",
                ["canonicals < canonical http://h.test/e/x"]
            ),
            ("<link rel=canonical href='http://['>", ["canonicals < canonical -"]),
            ("<a rel=canonical href=x>", []),
            ("<link rel=alternate hreflang=de href=x>", ["alternates < alternate http://h.test/d/x"]),
            ("<link rel='alternate stylesheet' href=x>", []),
            (
                "<link rel=alternate type='application/rss+xml;x' href=x>",
                ["feeds < alternate http://h.test/d/x"]
            ),
            (
                "<link rel=alternate type=application/feed+json href=x>",
                ["feeds < alternate http://h.test/d/x"]
            ),
            ("<link rel='shortcut icon' href=x>", ["icons < icon http://h.test/d/x"]),
            ("<link rel=apple-touch-icon href=x>", ["icons < apple-touch-icon http://h.test/d/x"]),
            ("<link rel=manifest href=x>", ["manifests < manifest http://h.test/d/x"]),
            ("<link rel=amphtml href=x>", ["ampPages < amphtml http://h.test/d/x"]),
            ("<a rel='nofollow next' href=?p=2>", ["nextPages < next http://h.test/d/page.html?p=2"]),
            ("<link rel=prev href=?p=0>", ["previousPages < prev http://h.test/d/page.html?p=0"]),
            ("<a rel=license href=/l>", ["licenses < license http://h.test/l"]),
            ("<template><link rel=icon href=x></template>", []),
        ] as [(String, [String])]
    )
    func links(markup: String, expected: [String]) throws {
        let found = try metadata(markup)
        let lists = [
            ("canonicals", found.canonicals), ("alternates", found.alternates), ("feeds", found.feeds),
            ("icons", found.icons), ("manifests", found.manifests), ("ampPages", found.ampPages),
            ("previousPages", found.previousPages), ("nextPages", found.nextPages),
            ("licenses", found.licenses),
        ]
        #expect(lists.flatMap { name, list in summary(list).map { "\(name) < \($0)" } } == expected)
    }

    @Test func linkFieldsCount() throws {
        let found = try metadata(
            "<link rel=canonical href=b>",
            [
                ("Link", "</a>; rel=canonical, </de>; rel=alternate; hreflang=de; title=\"D\""),
                ("Link", "</other>; rel=canonical; anchor=\"#x\""),
            ]
        )
        #expect(summary(found.canonicals) == ["canonical http://h.test/d/b", "Link http://h.test/a"])
        #expect(found.alternates.map { "\($0.language ?? "") \($0.title ?? "")" } == ["de D"])
    }

    @Test func iconsHaveSizes() throws {
        let icon = try #require(
            try metadata("<link rel=icon href=x sizes='16x16 32X24 any 0x1 axb 1x' type=image/png>").icons
                .first
        )
        #expect(icon.sizes.map { [$0.width, $0.height] } == [[16, 16], [32, 24]])
        #expect(icon.isScalable && icon.type == "image/png")
    }

    // MARK: - Robots and colours

    @Test func robotsAreReadFromMetaAndField() throws {
        let found = try metadata(
            "<meta name=ROBOTS content='NoIndex, , max-snippet:50'><meta name=googlebot content=none>",
            [
                (
                    "X-Robots-Tag",
                    "noarchive, googlebot: nofollow, unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, bingbot: none"
                )
            ]
        )
        #expect(
            found.robots.map { "\($0.agent ?? "*"): \($0.directives.joined(separator: " | "))" } == [
                "*: noindex | max-snippet:50", "googlebot: none", "*: noarchive",
                "googlebot: nofollow | unavailable_after: wed, 25 jun 2031 15:00:00 gmt", "bingbot: none",
            ]
        )
        #expect(found.robots.map(\.forbidsIndexing) == [true, true, false, false, true])
        #expect(found.robots.map(\.forbidsFollowing) == [false, true, false, true, true])
    }

    @Test func themeColorsHaveTheirMedia() throws {
        let found = try metadata(
            "<meta name=theme-color content=red media='(a)'><meta name=theme-color content='#fff'>"
        )
        #expect(found.themeColors.map { "\($0.color) \($0.media ?? "-")" } == ["red (a)", "#fff -"])
    }

    // MARK: - Bad input

    @Test func whatIsNotParsedHasWhatItsFieldsSay() throws {
        let page = try InspectionPages.page("x", type: "text/plain", fields: [("X-Robots-Tag", "noindex")])
        #expect(page.metadata.robots.count == 1)
    }

    @Test func aHundredThousandMetasTakeLinearTime() throws {
        let metas = String(repeating: "<meta name=author content=x>", count: 100_000)
        #expect(try metadata(metas).authors.count == 100_000)
    }

    @Test func aHugeBaseDoesNotFillMemory() throws {
        let base = String(repeating: "b", count: 1_000_000)
        let links = String(repeating: "<link rel=alternate href=x>", count: 100_000)
        let found = try metadata("<base href='/\(base)/'>\(links)")
        #expect(found.alternates.count < 200)
        #expect(found.isTruncated)
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"))
    func nestedAuthorsTakeBoundedTime() throws {
        let page = String(repeating: "<b itemprop=author>x", count: 60_000)
        _ = try metadata(page).authors.count
        #expect(try metadata("<p>" + page + "<i itemprop=author>y").isTruncated)
    }
}
