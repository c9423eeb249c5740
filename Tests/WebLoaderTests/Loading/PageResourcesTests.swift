import Testing

@testable import WebLoader

/// Loading the images and style sheets of a page.
@Suite(.timeLimit(.minutes(20)))
struct PageResourcesTests {
    /// A page, and what answers every path with a thousand bytes.
    private func load(_ markup: String) async throws -> (Page, ScriptedFetcher) {
        let origin = ScriptedFetcher { request async throws(FetchError) in
            let path = request.url.path
            if path == "/" {
                return .answering(
                    request,
                    200,
                    [("Content-Type", "text/html")],
                    body: "<!doctype html>" + markup
                )
            }
            if path.hasPrefix("/fail") { throw FetchError(.timeout, "too late") }
            return .answering(
                request,
                path.hasPrefix("/gone") ? 410 : 200,
                [("Content-Type", "image/png")],
                body: String(repeating: "x", count: 1000)
            )
        }
        return (try await PageLoader(origin).load(WebRequest(url: WebURL("http://h.test/"))), origin)
    }

    @Test func eachIsLoadedOnce() async throws {
        let (page, origin) = try await load(
            """
            <link rel=stylesheet href=a><link rel=stylesheet href=b disabled><img src=c><img src=c#d><img srcset='e 1x, f 2x'>
            <template><img src=g></template><img src='data:,h'><img><a href=i><script src=j></script>
            """
        )
        let resources = try await page.loadResources()
        #expect(resources.count == 3)
        #expect(resources.networkCount == 3)
        #expect(resources.bytes == 3000)
        #expect(resources.failures.isEmpty)
        #expect(origin.requests.map(\.url.path).sorted() == ["/", "/a", "/c", "/e"])
    }

    @Test func failuresHaveTheirCodes() async throws {
        let (page, _) = try await load("<img src=fail><img src=gone><img src=a>")
        let resources = try await page.loadResources()
        #expect(resources.count == 1)
        #expect(
            resources.failures.map { "\($0.url.path) \($0.code)" }.sorted()
                == ["/fail network.timeout", "/gone http.status"]
        )
    }

    @Test func numberAndBytesHaveBounds() async throws {
        let images = (0..<50).map { "<img src=i\($0)>" }.joined()
        let (page, origin) = try await load(images)
        let few = try await page.loadResources(maximumCount: 10)
        #expect(few.count == 10)
        #expect(few.failures.count == 40)
        #expect(few.failures.allSatisfy { $0.code == "limit.resources" })
        #expect(origin.requests.count == 11)
        let small = try await page.loadResources(maximumBytes: 3000)
        #expect(small.count == 3)
        #expect(small.failures.count == 47)
        #expect(try await page.loadResources(maximumCount: -1).failures.count == 50)
    }
}
