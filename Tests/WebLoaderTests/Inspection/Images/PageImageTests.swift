import Testing

@testable import WebDocument
@testable import WebLoader

/// The images of a page.
@Suite(.timeLimit(.minutes(20)))
struct PageImageTests {
    private func images(_ markup: String) throws -> [PageImage] {
        try InspectionPages.page(markup).images
    }

    @Test(
        arguments: [
            ("<img src=a.png>", "img http://h.test/d/a.png"), ("<img src=''>", "img -"), ("<img>", "img -"),
            ("<img src='http://['>", "img -"), ("<base href=/b/><img src=a>", "img http://h.test/b/a"),
            ("<input type=IMAGE src=a>", "input http://h.test/d/a"),
            ("<svg><image href=a xlink:href=b /></svg>", "image http://h.test/d/a"),
            ("<svg><image xlink:href=b /></svg>", "image http://h.test/d/b"),
            ("<template><img src=a></template>", "img http://h.test/d/a inert"),
        ]
    )
    func everyKindOfImageIsThere(markup: String, expected: String) throws {
        let summary = try images(markup).map { image in
            "\(image.element) \(image.url?.href ?? "-")\(image.isInert ? " inert" : "")"
        }
        #expect(summary == [expected])
    }

    @Test(arguments: ["<input src=a>", "<svg><img2 src=a /></svg>", "<p>", "<source srcset=a>"])
    func whatIsNoImageIsNot(markup: String) throws {
        #expect(try images(markup).isEmpty)
    }

    @Test func attributesAreRead() throws {
        let image = try #require(
            try images(
                """
                <p>
                <img src=a alt='' width=' 12' height=20% loading=LAZY decoding=async fetchpriority=High crossorigin>
                """
            ).first
        )
        #expect(image.alternativeText == "")
        #expect(image.declaredWidth == 12)
        #expect(image.declaredHeight == nil)
        #expect(image.loading == .lazy)
        #expect(image.decoding == .asynchronous)
        #expect(image.fetchPriority == "high")
        #expect(image.crossOrigin == .anonymous)
        #expect(image.position == SourcePosition(line: 2, column: 1))
        let plain = try #require(try images("<img src=a width=-1 height=99999999999999999999>").first)
        #expect(plain.alternativeText == nil)
        #expect(plain.declaredWidth == nil)
        #expect(plain.declaredHeight == nil)
        #expect(plain.loading == .eager)
        #expect(plain.decoding == .auto)
    }

    @Test func theSourcesOfAPictureComeFirst() throws {
        let image = try #require(
            try images(
                """
                <picture><source srcset='a.avif 1x, b.avif 2x' type=image/avif media='(min-width: 9px)'>
                <source src=no><source srcset=c.webp sizes=50vw><img srcset='d 640w 480h' sizes=100vw></picture>
                """
            ).first
        )
        #expect(image.sources.map(\.element) == ["source", "source", "img"])
        #expect(
            image.sources[0].candidates.map(\.url?.href) == [
                "http://h.test/d/a.avif", "http://h.test/d/b.avif",
            ]
        )
        #expect(image.sources[0].candidates[1].descriptor.density == 2)
        #expect(image.sources[0].type == "image/avif")
        #expect(image.sources[0].media == "(min-width: 9px)")
        #expect(image.sources[1].sizes == "50vw")
        #expect(image.sources[2].candidates.first?.descriptor == ImageDescriptor(width: 640, height: 480))
        #expect(image.primaryURL?.href == "http://h.test/d/d")
    }

    @Test func sourcesAreOfTheirOwnPicture() throws {
        let images = try images(
            "<picture><source srcset=a></picture><picture><img src=b></picture><img src=c>"
        )
        #expect(images.reduce(0) { $0 + $1.sources.count } == 0)
    }

    @Test func imagesInThePageItselfAreMeasuredWithoutTheNetwork() async throws {
        let page = try await PageLoader.offline().loadHTMLString(
            """
            <img src="data:image/svg+xml,<svg width='30' height='20'/>"><img src='data:,no'><img src='http://h.test/'>
            <img srcset="data:image/svg+xml,%3Csvg%20viewBox='0%200%202%201'/%3E 2x">
            """,
            baseURL: nil
        )
        let images = try await page.measuredImages()
        #expect(images.map { $0.header?.aspectRatio } == [1.5, nil, nil, 2])
        #expect(images.map(\.url) == (try await page.parsed().images.map(\.url)))
        #expect(try await page.measuredImages(maximumFiles: 1).compactMap(\.header).count == 1)
    }

    // MARK: - Hostile pages

    @Test func manyImagesOfManySourcesTakeLinearTime() throws {
        let sources = String(repeating: "<source srcset='a 1x'>", count: 5_000)
        let markup = "<picture>" + sources + String(repeating: "<img src=x>", count: 5_000) + "</picture>"
        let images = try images(markup)
        #expect(images.count == 5_000)
        #expect(images.reduce(0) { $0 + $1.sources.count } <= 100_000)
    }

    @Test func aHugeBaseDoesNotFillMemory() throws {
        let base = String(repeating: "b", count: 1_000_000)
        let images = try images("<base href='/\(base)/'>" + String(repeating: "<img src=x>", count: 50_000))
        #expect(images.count == 50_000)
        #expect(images.count { $0.url != nil } < 200)
    }

    @Test func unfinishedMarkupOfEveryLengthIsTaken() throws {
        let markup =
            "<picture><source srcset='a 1x, b 2x' sizes='1px'><img src=x srcset='y 3w' alt='z'></picture>"
        for length in 0...markup.utf8.count { _ = try images(String(markup.prefix(length))) }
    }
}
