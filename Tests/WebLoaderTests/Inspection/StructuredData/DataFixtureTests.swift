import Testing

@testable import WebDocument

/// The pages of `Fixtures/html` that hold data: what is found in them.
@Suite(.timeLimit(.minutes(20)))
struct DataFixtureTests {
    private func page(_ name: String) async throws -> ParsedPage {
        try await #require(FixturePage.all.first { $0.name == name }).load()
    }

    @Test func jsonLD() async throws {
        let blocks = try await page("json-ld").structuredData.jsonLD
        #expect(blocks.map { $0.nodes.count } == [1, 2, 2, 0])
        #expect(blocks[0].value?["name"] == "A <b>bold</b> book")
        #expect(blocks[3].failure?.line == 9)
    }

    @Test func openGraph() async throws {
        let data = try await page("open-graph").structuredData
        #expect(data.openGraph.properties.count == 10)
        #expect(
            data.openGraph.images.map { $0.url?.href } == [
                "http://fixture.test/html/a.jpg", "https://other.test/b.jpg",
            ]
        )
        #expect(data.openGraph["og:description"] == ["By name"])
        #expect(data.twitterCard.map(\.content) == ["summary", "@site"])
        #expect(data.rdfa.first?["https://ogp.me/ns#type"].count == 1)
    }

    @Test func microdata() async throws {
        let items = try await page("microdata").structuredData.microdata
        let event = try #require(items.first)
        #expect(items.count == 2)
        #expect(event.types == ["https://schema.org/Event", "https://schema.org/Festival"])
        #expect(event.id == "http://fixture.test/e/1")
        #expect(
            event.properties.map(\.name) == [
                "name", "startDate", "url", "sameAs", "image", "price", "sku", "location", "organizer",
            ]
        )
        #expect(event["sku"] == [.text("42")])
        #expect(event["location"] == [.item(1)])
    }

    @Test func rdfa() async throws {
        let nodes = try await page("rdfa").structuredData.rdfa
        let person = try #require(nodes.first { $0.types == ["https://schema.org/Person"] })
        #expect(person.id == "http://fixture.test/html/rdfa.html#ann")
        #expect(
            person["https://schema.org/url"] == [.resource("http://fixture.test/html/ann.html")]
        )
        let address = try #require(nodes.first { $0.types == ["https://schema.org/PostalAddress"] })
        #expect(person["https://schema.org/address"] == [.resource(address.id)])
        #expect(
            address["https://schema.org/addressLocality"] == [
                .literal("Rome", language: nil, datatype: nil)
            ]
        )
    }

    @Test func feeds() async throws {
        let metadata = try await page("feeds").metadata
        #expect(
            metadata.feeds.map { $0.url?.href } == [
                "http://fixture.test/feed.rss", "http://fixture.test/html/atom.xml",
                "http://fixture.test/html/feed.json", "http://fixture.test/html/feed.html",
                "http://fixture.test/html/link.rss",
            ]
        )
        #expect(metadata.alternates.map(\.language) == ["fr"])
    }

    @Test func namesOfMetas() async throws {
        let metadata = try await page("meta-names").metadata
        #expect(metadata.descriptions.map(\.text) == ["A page about meta.", "The second"])
        #expect(metadata.keywords.map(\.text) == ["one", "two", "three"])
        #expect(metadata.robots.map(\.directives) == [["noindex", "nofollow"]])
        #expect(metadata.viewports.map(\.text) == ["width=device-width"])
        #expect(metadata.themeColors.map(\.media) == ["(prefers-color-scheme: dark)"])
        #expect(metadata.authors.isEmpty && metadata.generators.isEmpty)
    }

    @Test func canonical() async throws {
        let metadata = try await page("canonical-hreflang").metadata
        #expect(
            metadata.canonicals.map { $0.url?.href } == [
                "http://fixture.test/canonical?id=1", "http://fixture.test/not-this-one",
            ]
        )
        #expect(metadata.alternates.map(\.language) == ["de", "x-default"])
        #expect(metadata.previousPages.count == 1 && metadata.nextPages.count == 1)
        #expect(metadata.ampPages.map(\.reference) == ["amp.html"])
        #expect(metadata.icons.first?.isScalable == true)
    }
}
