import FlyingFox
import Foundation
import TestSupport
import Testing
import WebLoader

@testable import WebSite

/// Pages that redirect until a cookie comes back: to themselves, or by way of the page that sets it.
@Suite(.timeLimit(.minutes(5)))
struct CookieRedirectTests {
    /// Answers with pages once the cookie is there.
    ///
    /// - Parameters:
    ///   - place: Where the cookie is set; nil for the pages themselves.
    ///   - forgets: Whether the cookie is of no use.
    /// - Returns: The handler.
    private static func answer(setsAt place: String?, forgets: Bool = false) -> TestServer.Handler {
        { request in
            var headers: HTTPHeaders = [.contentType: "text/html"]
            let isKnown = !forgets && request.headers[HTTPHeader("Cookie")]?.contains("seen=1") == true
            if request.path == place {
                headers[.setCookie] = "seen=1; Path=/"
                headers[.location] = request.query.first { $0.name == "back" }?.value
                return HTTPResponse(statusCode: .found, headers: headers)
            }
            guard !isKnown else {
                return HTTPResponse(
                    statusCode: .ok,
                    headers: headers,
                    body: Data("<a href=/two>two</a>".utf8)
                )
            }
            if place == nil { headers[.setCookie] = "seen=1; Path=/" }
            headers[.location] = place.map { "\($0)?back=\(request.path)" } ?? request.path
            return HTTPResponse(statusCode: .found, headers: headers)
        }
    }

    private func crawl(_ server: TestServer) async throws -> [String] {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.cookieJar = CookieJar()
        var settings = SiteCrawler.Configuration()
        settings.obeysRobots = false
        let loader = PageLoader(configuration: configuration)
        let crawler = SiteCrawler([try WebURL(server.url("/one"))], settings, loader: loader)
        var found: [String] = []
        for try await page in crawler where page.page?.response.status == .ok { found.append(page.url.path) }
        return found.sorted()
    }

    @Test(arguments: [nil, "/set"])
    func areFound(place: String?) async throws {
        try await withTestServer(Self.answer(setsAt: place)) { server in
            let found = try await crawl(server)
            #expect(found == ["/one", "/two"])
        }
    }

    @Test("A cookie that is forgotten leads around a few times only", arguments: [nil, "/set"])
    func forgetfulServers(place: String?) async throws {
        try await withTestServer(Self.answer(setsAt: place, forgets: true)) { server in
            let found = try await crawl(server)
            #expect(found == [])
            #expect(server.requestedPaths.count <= 8)
        }
    }
}
