import Testing

@testable import WebLoader

/// Tests of the trees that are discarded under memory pressure, and made again.
@Suite(.timeLimit(.minutes(20)))
struct MemoryPressureTests {
    @Test func underMemoryPressureTreesGoAndComeBackEqual() async throws {
        let loader = PageLoader.offline()
        let page = try await loader.loadHTMLString(
            "<!doctype html><title>T</title><svg><a/></svg><template>x</template><h1 id=a>b</h1><a href=c>d</a>",
            baseURL: WebURL("http://a.test/")
        )
        let parsed = try await page.parsed()
        let held = try #require(parsed.document)
        let node = try #require(held.root?.children.last?.children.last)
        let before = held.dump
        let links = parsed.links
        loader.handleMemoryPressure()
        let again = try await page.parsed()
        let made = try #require(again.document)
        #expect(made !== held)
        #expect(made.dump == before)
        #expect(again.links == links)
        #expect(made.compatibilityMode == held.compatibilityMode)
        // The one that is held stays as it is.
        #expect(held.dump == before)
        #expect(node.name == "a")
        #expect(node.textContent == "d")
        #expect(node.document === held)
        #expect(try await page.parsed() === again)
    }

    @Test func whoAsksAtTheSameTimeGetsTheSameTree() async throws {
        let loader = PageLoader.offline()
        let page = try await loader.loadHTMLString(String(repeating: "<p>x", count: 10_000), baseURL: nil)
        loader.handleMemoryPressure()
        try await withThrowingTaskGroup(of: ParsedPage.self) { group in
            for _ in 0..<8 { group.addTask { try await page.parsed() } }
            let first = try await page.parsed()
            for try await parsed in group { #expect(parsed === first) }
        }
    }

    @Test func aTreeIsMadeAgainWithinTheLimitsOfItsLoad() async throws {
        let loader = PageLoader.offline { $0.limits.maximumNodes = 50 }
        let page = try await loader.loadHTMLString(String(repeating: "<p>x", count: 1000), baseURL: nil)
        let count = try #require(try await page.parsed().document).counts.elements
        loader.handleMemoryPressure()
        #expect(try #require(try await page.parsed().document).counts.elements == count)
        #expect(count <= 50)
        #expect(page.isTruncated)
    }

    @Test func aTreeMadeAgainIsDecodedAsBefore() async throws {
        let filler = String(repeating: "<!-- filler -->", count: 200)
        let text = "<title>\u{E4}</title><body>\(filler)<p><meta charset=windows-1251>"
        let fetcher = ScriptedFetcher { request in
            var response = WebResponse.answering(request, 200, [("Content-Type", "text/html")])
            response.body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            return response
        }
        let loader = PageLoader(fetcher)
        let page = try await loader.load(WebRequest(url: WebURL("http://a.test/")))
        loader.handleMemoryPressure()
        #expect(try await page.parsed().document?.title == "д")
    }

    @Test func pagesThatAreGoneAreNoBurden() async throws {
        let loader = PageLoader.offline()
        for index in 0..<40 { _ = try await loader.loadHTMLString("<title>\(index)", baseURL: nil) }
        loader.handleMemoryPressure()
        let page = try await loader.loadHTMLString("<title>last", baseURL: nil)
        loader.handleMemoryPressure()
        #expect(try await page.parsed().document?.title == "last")
    }

    @Test func onItsOwnThreadItLoadsTheSame() async throws {
        let loader = PageLoader.offline { $0.blockingWork = .inline }
        #expect(try await loader.loadHTMLString("<title>T", baseURL: nil).title == "T")
    }
}
