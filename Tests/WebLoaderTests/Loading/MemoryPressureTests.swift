import Testing

@testable import WebLoader

/// What goes under memory pressure, and comes back.
@Suite(.timeLimit(.minutes(10)))
struct MemoryPressureTests {
    @Test func underMemoryPressureTreesGoAndComeBackEqual() async throws {
        let loader = PageLoader.offline()
        let page = try await loader.loadHTMLString(
            "<!doctype html><title>T</title><svg><a/></svg><template>x</template><h1 id=a>b</h1><a href=c>d</a>",
            baseURL: WebURL("http://a.test/")
        )
        let held = try #require(try page.document)
        let node = try #require(held.root?.children.last?.children.last)
        let before = held.dump
        let links = try page.links
        loader.handleMemoryPressure()
        let made = try #require(try page.document)
        #expect(made !== held)
        #expect(made.dump == before)
        #expect(try page.links == links)
        #expect(made.compatibilityMode == held.compatibilityMode)
        // The one that is held stays as it is.
        #expect(held.dump == before)
        #expect(node.name == "a")
        #expect(node.textContent == "d")
        #expect(node.document === held)
        #expect(try page.document === made)
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
        #expect(try page.document?.title == "д")
    }

    @Test func pagesThatAreGoneAreNoBurden() async throws {
        let loader = PageLoader.offline()
        for index in 0..<40 { _ = try await loader.loadHTMLString("<title>\(index)", baseURL: nil) }
        loader.handleMemoryPressure()
        let page = try await loader.loadHTMLString("<title>last", baseURL: nil)
        loader.handleMemoryPressure()
        #expect(try page.document?.title == "last")
    }

    @Test func onItsOwnThreadItLoadsTheSame() async throws {
        let loader = PageLoader.offline { $0.blockingWork = .inline }
        #expect(try await loader.loadHTMLString("<title>T", baseURL: nil).title == "T")
    }
}
