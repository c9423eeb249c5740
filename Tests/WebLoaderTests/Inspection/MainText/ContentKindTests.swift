import Testing

@testable import WebDocument

/// Tests of the kinds of pages, of their confidence, and of the reasons why blocks are part of the main text.
struct ContentKindTests {
    struct Sample: CustomTestStringConvertible {
        let name: String
        let url: String
        let html: String

        var testDescription: String { name }

        func page() throws -> ParsedPage { try InspectionPages.page(html, url: url) }
    }

    private static let sentences = (1...12).map {
        "<p>The boat came into the harbour at \($0) o'clock, and nobody who stood on the quay could say, then or later, whence."
    }.joined()

    private static let article = Sample(
        name: "article",
        url: "https://news.example.org/2026/11/the-boat-that-came-at-night",
        html: """
            <!DOCTYPE html><html lang=en><title>The boat</title><meta property=og:type content=article>
            <script type=application/ld+json>{"@type":"NewsArticle","headline":"The boat"}</script>
            <header><nav><a href=/>Home</a> <a href=/news>News</a></nav></header><article><h1>The boat</h1>\(sentences)</article>
            """
    )

    private static let discussion = Sample(
        name: "discussion",
        url: "https://forum.example.org/threads/landing.123/",
        html: """
            <!DOCTYPE html><html lang=en><title>Landing on the island</title><main><h1>Landing on the island</h1><div class=thread>
            \((1...8).map { "<div class=post><div class=author><a href=/user/\($0)>User \($0)</a></div><time datetime=2026-01-0\($0)>January \($0)</time><div class=post-body><p>I went there on a boat of my own, \($0) years ago.</div></div>" }.joined())
            </div></main>
            """
    )

    private static let login = Sample(
        name: "login",
        url: "https://shop.example.org/account/login",
        html: """
            <!DOCTYPE html><html lang=en><title>Log in</title><main><h1>Log in</h1><form method=post><label>Name <input name=user></label>
            <label>Password <input type=password name=password></label><button>Log in</button></form></main>
            """
    )

    private static let search = Sample(
        name: "search",
        url: "https://shop.example.org/search?q=green+tea&page=1",
        html: """
            <!DOCTYPE html><html lang=en><title>tea - search</title><form><input type=search name=q value="green tea"></form><main>
            \((1...10).map { "<div class=item><a href=/p/\($0)><img src=\($0).jpg>Green tea \($0)</a><span class=price>$\($0).50</span><p>From the hills.</div>" }.joined())
            </main>
            """
    )

    @Test(arguments: [
        (article, ContentKind.Name.article), (discussion, .discussion), (login, .form),
        (search, .searchResults),
    ])
    func kindsAreKnown(sample: Sample, expected: ContentKind.Name) throws {
        let kind = try #require(try sample.page().contentKind)
        #expect(kind.name == expected)
        #expect(kind.confidence > 0.4 && kind.confidence <= 1)
    }

    /// Where the field says something else than the query, nobody searched for it.
    @Test func aFieldOfAnotherQueryIsNoSearch() throws {
        let page = try InspectionPages.page(
            Self.search.html,
            url: "https://shop.example.org/search?q=black+tea"
        )
        #expect(page.contentKind.map { $0.name != .searchResults } == true)
    }

    @Test func aPageWithoutTextIsOfNoKind() throws {
        #expect(try InspectionPages.page("<!DOCTYPE html><body><img src=a.png>").contentKind == nil)
        #expect(try InspectionPages.page("<!DOCTYPE html><body><p>a").contentKind != nil)
    }

    /// The kind of the main text is that of the page; all of the page has none.
    @Test func theTextSaysItsKind() throws {
        let page = try Self.article.page()
        let kind = page.contentKind
        let text = try #require(page.mainText)
        #expect(text.kind == kind)
        #expect(page.contentKind == kind)
        #expect(text.completeness.map { $0 > 0.9 && $0 <= 1 } == true)
        #expect(text.warning == nil)
        #expect(page.wholeText?.kind == nil)
        #expect(page.wholeText?.completeness == nil)
    }

    @Test(arguments: [
        (0.5, 0.9, true), (0.79, 0.9, true), (0.8, 0.9, false), (1, 0.39, true), (1, 0.4, false),
    ])
    func aPartialTextHasAWarning(completeness: Double, confidence: Float, isPartial: Bool) {
        let warning = TextWarning(completeness: completeness, ContentKind([(.article, confidence)]))
        #expect((warning?.code == .partial) == isPartial)
        if let warning { #expect(warning.share == completeness) }
    }

    // MARK: - Decisions

    /// The decision on each block agrees with the text.
    @Test(arguments: [article, discussion, search])
    func decisionsAreThoseOfTheText(sample: Sample) throws {
        let page = try sample.page()
        let text = try #require(page.mainText?.text)
        #expect(!page.textDecisions.isEmpty)
        for decision in page.textDecisions where text.ranges(of: decision.text).count < 2 {
            #expect(text.contains(decision.text) == decision.isKept, "\(decision.text)")
            #expect(decision.likelihood.map { (0...1).contains($0) } == true)
        }
    }

    @Test func shortPagesAreReadByTheirScores() throws {
        let page = try InspectionPages.page("<!DOCTYPE html><body><p>One short text.")
        let decision = try #require(page.textDecisions.first)
        #expect(
            decision.isKept && decision.reason == .scores && decision.likelihood == nil
                && decision.element == "p"
        )
        #expect(page.mainText?.completeness == nil)
    }

    /// A decision shows the beginning of its block, whatever the block's length.
    @Test func decisionsAreShort() throws {
        let page = try InspectionPages.page(
            "<!DOCTYPE html><body><p>" + String(repeating: "boat e\u{301} ", count: 10_000)
        )
        let decision = try #require(page.textDecisions.first)
        #expect(decision.text.unicodeScalars.count == 80)
    }

    /// Items that the model is in doubt of go with most of their list, and terms with their definitions.
    @Test func listsAreNotTorn() throws {
        let items = (1...9).map {
            "<li>Rope number \($0), of hemp, and \($0) fathoms long, for a boat of this size.</li>"
        }
        let terms = (1...5).map {
            "<dt>T\($0)</dt><dd>The rope that holds the boat at its \($0) end, when the wind is high.</dd>"
        }
        let html =
            "<!DOCTYPE html><title>Ropes</title><main><h1>Ropes</h1>\(Self.sentences)<p>What you need:</p><ul>\(items.joined())<li>Tar</ul>"
            + "<dl>\(terms.joined())</dl>\(Self.sentences)</main>"
        let text = try #require(try InspectionPages.page(html).mainText?.text)
        for part in ["What you need:", "Rope number 9", "Tar", "T1", "T5"] {
            #expect(text.contains(part), "\(part)")
        }
    }
}
