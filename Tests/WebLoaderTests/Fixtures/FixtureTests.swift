import Testing

@testable import WebLoader

/// Every fixture page against a browser's answers, one test a property.
@Suite(.timeLimit(.minutes(20)))
struct FixtureTests {
    private enum Property: String, Sendable {
        case title, base, encoding, compatMode, elements, headings, links, tree
    }

    /// Where we follow a standard and the browser does not, or fall short.
    ///
    /// A page that agrees after all fails its test.
    private static let differences: [Property: [String: Comment]] = [
        .encoding: [
            "encoding-late-body": "the HTML standard changes the encoding while parsing, Chromium does not"
        ],
        .links: [
            "svg-inline": "a link by xlink:href is one, though a[href] does not select it",
            "iframe-srcdoc": "the page in a srcdoc is another document to a browser",
            "template-shadow-root": "querySelectorAll does not look into shadow roots",
        ],
        .tree: [
            "encoding-late-body": "as its encoding",
            "encoding-utf-16le-bom":
                "the Encoding standard has an odd last byte decode to U+FFFD, Chromium leaves it out",
        ],
    ]

    private func check(_ property: Property, of page: FixturePage, _ body: () throws -> Void) {
        if let reason = Self.differences[property]?[page.name] {
            withKnownIssue(reason, body)
        } else {
            do { try body() } catch { Issue.record(error) }
        }
    }

    @Test func thereAreAsManyPagesAsThereWere() {
        #expect(FixturePage.all.count == 149)
        #expect(
            FixturePage.all.filter { $0.expected.tree == nil }.map(\.name) == [
                "attribute-huge", "nesting-deep",
            ]
        )
        #expect(FixturePage.all.reduce(0) { $0 + $1.expected.links.count } == 189)
    }

    @Test(arguments: FixturePage.all)
    func title(fixture: FixturePage) async throws {
        let page = try await fixture.load()
        check(.title, of: fixture) { #expect(page.title == fixture.expected.title) }
    }

    @Test(arguments: FixturePage.all)
    func base(fixture: FixturePage) async throws {
        let page = try await fixture.load()
        check(.base, of: fixture) { #expect(page.baseURL.href == fixture.expected.base) }
    }

    @Test(arguments: FixturePage.all)
    func encoding(fixture: FixturePage) async throws {
        let page = try await fixture.load()
        check(.encoding, of: fixture) {
            #expect(page.encoding?.encoding.name.lowercased() == fixture.expected.encoding.lowercased())
        }
    }

    @Test(arguments: FixturePage.all)
    func compatMode(fixture: FixturePage) async throws {
        let document = try #require(try await fixture.load().document)
        check(.compatMode, of: fixture) {
            #expect(document.compatibilityMode.rawValue == fixture.expected.compatMode)
        }
    }

    @Test(arguments: FixturePage.all)
    func elements(fixture: FixturePage) async throws {
        let document = try #require(try await fixture.load().document)
        check(.elements, of: fixture) { #expect(document.counts.elements == fixture.expected.elements) }
    }

    @Test(arguments: FixturePage.all)
    func headings(fixture: FixturePage) async throws {
        let document = try #require(try await fixture.load().document)
        check(.headings, of: fixture) {
            #expect(
                document.headings.map { FixturePage.Expectation.Heading(level: $0.level, text: $0.text) }
                    == fixture.expected.headings
            )
        }
    }

    /// The links of `a` and `area` elements, SVG's `a` among them.
    @Test(arguments: FixturePage.all)
    func links(fixture: FixturePage) async throws {
        let links = try await fixture.load().links.filter {
            ["a", "area"].contains($0.element) && $0.attribute == "href" && !$0.isInert
        }
        check(.links, of: fixture) { #expect(links.map(\.url?.href) == fixture.expected.links) }
    }

    @Test(arguments: FixturePage.all.filter { $0.expected.tree != nil })
    func tree(fixture: FixturePage) async throws {
        let document = try #require(try await fixture.load().document)
        let expected = try #require(fixture.expected.tree).map { "\($0)\n" }.joined()
        check(.tree, of: fixture) { #expect(document.dump == expected) }
    }

    /// libxml2's parser predates the standard: what it makes of a page is its own, but it makes something.
    @Test(arguments: FixturePage.all)
    func libxml2TakesThemToo(fixture: FixturePage) async throws {
        let page = try await fixture.load { $0.htmlParser = .libxml2 }
        let document = try #require(page.document)
        _ = document.headings
        _ = document.counts
        _ = page.links
    }

    @Test func libxml2GivesTitlesAndLinks() async throws {
        var (titles, links) = (0, 0)
        for fixture in FixturePage.all {
            let page = try await fixture.load { $0.htmlParser = .libxml2 }
            if let title = page.title, title == fixture.expected.title { titles += 1 }
            let found = page.links.filter { $0.element == "a" && $0.attribute == "href" }.map(\.url?.href)
            if !found.isEmpty, found == fixture.expected.links { links += 1 }
        }
        #expect(titles > 0)
        #expect(links > 0)
    }
}
