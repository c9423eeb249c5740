import Testing

@testable import WebDocument

/// Open Graph, Twitter cards, Dublin Core.
@Suite(.timeLimit(.minutes(20)))
struct MetaPropertyTests {
    private func data(_ markup: String) throws -> StructuredData {
        try InspectionPages.page(markup).structuredData
    }

    @Test func openGraphIsFoundInPropertyAndName() throws {
        let graph = try data(
            """
            <meta property="og:title og:x" content=" A "><meta name=OG:type content=article>
            <meta property=article:tag content=a><meta property=article:tag content=b>
            <meta property=unknown:x content=c><meta property=og:url><meta name=og:title property=og:title content=B>
            """
        ).openGraph
        #expect(
            graph.properties.map { "\($0.name)=\($0.content)" } == [
                "og:title=A", "og:x=A", "og:type=article", "article:tag=a", "article:tag=b", "og:title=B",
            ]
        )
        #expect(graph["article:tag"] == ["a", "b"])
        #expect(graph.properties[0].position == SourcePosition(line: 1, column: 1))
    }

    @Test func structuredPropertiesBelongToTheLastOne() throws {
        let graph = try data(
            """
            <meta property=og:image:width content=0><meta property=og:image content=a>
            <meta property=og:image:url content=a><meta property=og:image:width content=1>
            <meta property=og:image content=b><meta property=og:image:url content=c>
            <meta property=og:video:url content=v><meta property=og:video:type content=t>
            <meta property=og:audio content=s>
            """
        ).openGraph
        let images = graph.images.map { $0.properties.map { "\($0.name)=\($0.content)" } }
        #expect(images == [["width=0"], ["url=a", "url=a", "width=1"], ["url=b"], ["url=c"]])
        #expect(graph.images.map(\.reference) == [nil, "a", "b", "c"])
        #expect(graph.videos.map { $0.properties.count } == [2])
        #expect(graph.audios.map { $0.url?.href } == ["http://h.test/d/s"])
    }

    @Test func twitterCardsAreFound() throws {
        let card = try data(
            "<meta name=twitter:card content=summary><meta property=twitter:site content=@a><meta name=twitter content=x>"
        ).twitterCard
        #expect(card.map { "\($0.name)=\($0.content)" } == ["twitter:card=summary", "twitter:site=@a"])
    }

    @Test func dublinCoreIsFoundByItsPrefix() throws {
        let statements = try data(
            """
            <link rel=schema.dct href=http://purl.org/dc/terms/><meta name=DC.Title content=a>
            <meta name=dcterms:created content=b scheme=W3CDTF><meta name=dc.date.issued content=c>
            <meta name=dct.subject content=d><link rel=DCTERMS.license href=l>
            <meta name=description content=no><meta name=dc. content=no><meta name=xdc.title content=no>
            """
        ).dublinCore
        #expect(
            statements.map { "\($0.term) \($0.content ?? $0.url?.href ?? "")" } == [
                "http://purl.org/dc/elements/1.1/title a", "http://purl.org/dc/terms/created b",
                "http://purl.org/dc/terms/issued c", "http://purl.org/dc/terms/subject d",
                "http://purl.org/dc/terms/license http://h.test/d/l",
            ]
        )
        #expect(statements[1].scheme == "W3CDTF")
    }

    @Test func aHundredThousandMetasTakeLinearTime() throws {
        let metas = String(
            repeating: "<meta property=og:image content=x><meta name=DC.title content=y>",
            count: 50_000
        )
        let found = try data(metas)
        #expect(found.openGraph.images.count == 50_000)
        #expect(found.dublinCore.count == 50_000)
    }
}
