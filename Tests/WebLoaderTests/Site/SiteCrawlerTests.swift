import FlyingFox
import Foundation
import TestSupport
import Testing
import WebLoader

@testable import WebSite

/// The pages of a site as a sequence, and what of it outlives a program.
@Suite(.timeLimit(.minutes(20)))
struct SiteCrawlerTests {
    /// A site of numbered pages, each of which links to two others, with a picture, a redirect, a broken link and a way back.
    private static func answer(_ count: Int) -> TestServer.Handler {
        { request in
            var headers: HTTPHeaders = [.contentType: "text/html"]
            if request.path == "/robots.txt" { return HTTPResponse(statusCode: .notFound) }
            if request.path == "/moved" {
                headers[.location] = "/1"
                return HTTPResponse(statusCode: .found, headers: headers)
            }
            guard let number = Int(request.path.dropFirst()), number < count else {
                return HTTPResponse(
                    statusCode: .notFound,
                    headers: headers,
                    body: Data("<title>none</title>".utf8)
                )
            }
            let page = """
                <title>\(number)</title><img src=/\(number).png><a href=/\(2 * number + 1)>a</a><a href=/\(2 * number + 2)>b</a>
                <a href="/0#top">c</a><a href=/moved>d</a><a href=http://elsewhere.invalid/>e</a>
                """
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(page.utf8))
        }
    }

    private var loader: PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        return PageLoader(configuration: configuration)
    }

    private func paths(_ pages: [CrawledPage]) -> [String] { pages.map(\.url.path).sorted() }

    @Test func hasEachPageOnce() async throws {
        try await withTestServer(Self.answer(20)) { server in
            var pages: [CrawledPage] = []
            for try await page in SiteCrawler([try WebURL(server.url("/0"))], loader: loader) {
                pages.append(page)
            }
            // 20 pages, and those that the last ones link to.
            let expected = (0..<41).map { "/\($0)" }.sorted()
            #expect(paths(pages) == expected)
            #expect(pages.count { $0.page?.response.status == .ok } == 20)
            #expect(pages.first?.depth == 0)
            #expect(Set(server.requestedPaths).count == server.requestedPaths.count)
            #expect(!server.requestedPaths.contains("/1.png"))
        }
    }

    @Test func followsLinksOfTheHeadToDocuments() async throws {
        let names = ["search", "next", "license", "preconnect", "dns-prefetch", "pingback", "manifest"]
        let head = names.map { "<link rel=\($0) href=/\($0)>" }.joined()
        try await withTestServer({ request in
            let isThere = request.path != "/robots.txt"
            let body = Data((request.path == "/" ? head : "").utf8)
            return HTTPResponse(
                statusCode: isThere ? .ok : .notFound,
                headers: [.contentType: "text/html"],
                body: body
            )
        }) { server in
            var pages: [CrawledPage] = []
            for try await page in SiteCrawler([try WebURL(server.url("/"))], loader: loader) {
                pages.append(page)
            }
            #expect(paths(pages) == ["/", "/license", "/next", "/search"])
        }
    }

    @Test func loadsResourcesIfWanted() async throws {
        try await withTestServer(Self.answer(1)) { server in
            var configuration = SiteCrawler.Configuration()
            configuration.loadsResources = true
            var count = 0
            let crawler = SiteCrawler([try WebURL(server.url("/0"))], configuration, loader: loader)
            for try await _ in crawler { count += 1 }
            #expect(count == 3)
            #expect(server.requestedPaths.contains("/0.png"))
        }
    }

    @Test(arguments: [1, 3, 7])
    func loadsNoMorePagesThanItMay(_ maximum: Int) async throws {
        try await withTestServer(Self.answer(100)) { server in
            var configuration = SiteCrawler.Configuration()
            configuration.limits.maximumPages = maximum
            var count = 0
            let crawler = SiteCrawler([try WebURL(server.url("/0"))], configuration, loader: loader)
            for try await _ in crawler { count += 1 }
            #expect(count == maximum)
        }
    }

    @Test func stopsAtItsDepth() async throws {
        try await withTestServer(Self.answer(100)) { server in
            var configuration = SiteCrawler.Configuration()
            configuration.limits.maximumDepth = 2
            var pages: [CrawledPage] = []
            let crawler = SiteCrawler([try WebURL(server.url("/0"))], configuration, loader: loader)
            for try await page in crawler { pages.append(page) }
            let expected = (0..<7).map { "/\($0)" }
            #expect(paths(pages) == expected)
            #expect(pages.map(\.depth).max() == 2)
        }
    }

    @Test func goesOnWhereItWasLeft() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(20)) { server in
                var configuration = SiteCrawler.Configuration()
                configuration.statePath = folder.appendingPathComponent("state").path
                let crawler = SiteCrawler([try WebURL(server.url("/0"))], configuration, loader: loader)
                var seen: [String] = []
                // Each run is left in the middle of a page, which is not done with then.
                for length in [1, 4, 1, 7, 2] {
                    var left = length
                    do {
                        var iterator = crawler.makeAsyncIterator()
                        while let page = try await iterator.next(isolation: nil) {
                            left -= 1
                            if left == 0 { break }
                            seen.append(page.url.path)
                        }
                    }
                    try await untilFree(crawler)
                }
                for try await page in crawler { seen.append(page.url.path) }
                let expected = (0..<41).map { "/\($0)" }.sorted()
                #expect(seen.sorted() == expected)
                for try await page in crawler { Issue.record("it was done: \(page.url)") }
            }
        }
    }

    /// Waits until a run that was left has given its state back.
    private func untilFree(_ crawler: SiteCrawler) async throws {
        let path = try #require(crawler.configuration.statePath)
        var options = Frontier.Options()
        options.takesAnySettings = true
        _ = try await onceFree { () throws(StateError) in try Frontier(path, options, now: .now) }
    }

    @Test func saysWhatDiffers() async throws {
        try await withTemporaryFolder { folder in
            try await withTestServer(Self.answer(2)) { server in
                var configuration = SiteCrawler.Configuration()
                configuration.statePath = folder.appendingPathComponent("state").path
                let seed = try WebURL(server.url("/0"))
                for try await _ in SiteCrawler([seed], configuration, loader: loader) {}
                configuration.loadsResources = true
                let error = await #expect(throws: StateError.self) {
                    for try await _ in SiteCrawler([seed], configuration, loader: loader) {}
                }
                #expect(error?.code == .settings)
                #expect(error?.message.contains("resources") == true)
            }
        }
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        try await withTestServer(Self.answer(1000)) { server in
            let crawler = SiteCrawler([try WebURL(server.url("/0"))], loader: loader)
            let task = Task {
                var count = 0
                for try await _ in crawler {
                    count += 1
                    if count == 3 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                }
                return count
            }
            let count = try await task.value
            #expect(count == 3)
        }
    }

    @Test func tellsOfWhatCannotBeLoaded() async throws {
        var configuration = SiteCrawler.Configuration()
        configuration.obeysRobots = false
        configuration.maximumRetries = 0
        var codes: [String] = []
        let crawler = SiteCrawler([try WebURL("http://127.0.0.1:1/")], configuration, loader: loader)
        for try await page in crawler {
            if case .failure(let error) = page.result { codes.append(error.code.rawValue) }
        }
        #expect(codes == ["network.connect"])
    }

    @Test func closesWhatLooksAlike() async throws {
        // A calendar without end: each page has the next.
        let calendar: TestServer.Handler = { request in
            guard let month = Int(request.path.split(separator: "/").last ?? "") else {
                return HTTPResponse(statusCode: .notFound)
            }
            let page = "<title>Month \(month)</title><p>Nothing on.<a href=\(month + 1)>next</a>"
            let html: HTTPHeaders = [.contentType: "text/html"]
            return HTTPResponse(statusCode: .ok, headers: html, body: Data(page.utf8))
        }
        try await withTestServer(calendar) { server in
            var configuration = SiteCrawler.Configuration()
            configuration.limits.maximumLookAlikes = 30
            var count = 0
            let crawler = SiteCrawler([try WebURL(server.url("/cal/1"))], configuration, loader: loader)
            for try await _ in crawler { count += 1 }
            #expect(31...40 ~= count)
        }
    }
}
