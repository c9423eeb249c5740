import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import WebLoader
@testable import WebSite
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct RobotsFetchingTests {
    private static let loader: PageLoader = {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        return PageLoader(configuration: configuration)
    }()

    private static let rules = "User-agent: *\nDisallow: /no\n"

    private static func access(_ url: String, _ path: String = "/no") async throws -> RobotsRules.Access {
        let url = try WebURL(path, base: WebURL(url))
        return await loader.robotsRules(ofSite: url).access(to: url, agent: "Crab")
    }

    /// Returns the access to a path by the rules that jobs store.
    private static func crawled(_ url: String, _ path: String) async throws -> RobotsRules.Access {
        let url = try WebURL(path, base: WebURL(url))
        let cache = RobotsCache(SiteFetcher(loader, template: WebRequest(url: url), seeds: []), agent: "Crab")
        return await cache.verdict(on: url).access
    }

    @Test(
        arguments: [
            (200, false, RobotsRules.Access.Reason.rule), (204, true, .noGroup), (401, true, .unavailable),
            (403, true, .unavailable), (404, true, .unavailable), (410, true, .unavailable),
            (429, true, .unavailable), (500, false, .unreachable), (503, false, .unreachable),
        ]
    )
    func theStatusDecides(status: Int, isAllowed: Bool, reason: RobotsRules.Access.Reason) async throws {
        let access = try await withTestServer { request in
            HTTPResponse(
                statusCode: HTTPStatusCode(status, phrase: ""),
                body: status == 204 ? Data() : Data(Self.rules.utf8)
            )
        } _: { server in
            try await Self.access(server.url("/"))
        }
        #expect(access.isAllowed == isAllowed)
        #expect(access.reason == reason)
    }

    @Test func withoutAnAnswerNothingIsAllowed() async throws {
        let access = try await Self.access("http://127.0.0.1:1/")
        #expect(!access.isAllowed)
        #expect(access.reason == .unreachable)
    }

    @Test(arguments: [(5, RobotsRules.Access.Reason.rule), (6, .unavailable)])
    func fiveRedirectsAreFollowed(count: Int, reason: RobotsRules.Access.Reason) async throws {
        let loader = PageLoader(
            ScriptedFetcher { request in
                let number = Int(request.url.path.dropFirst()) ?? 0
                guard number < count else { return .answering(request, body: Self.rules) }
                return .answering(request, 302, [("Location", "/\(number + 1)")])
            }
        )
        let url = try WebURL("http://h.test/no")
        let access = await loader.robotsRules(ofSite: url).access(to: url, agent: "Crab")
        #expect(access.reason == reason)
    }

    /// Both the library's function and the cache of a crawl.
    @Test(arguments: [(200, RobotsRules.Access.Reason.unreachable), (404, .unavailable)])
    func aFileThatBreaksOffAllowsNothing(status: Int, reason: RobotsRules.Access.Reason) async throws {
        let answer = RawServer.Step.send(
            "HTTP/1.1 \(status) x\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n\(Self.rules)"
        )
        let access = try await withRawServer([answer]) { server in try await Self.access(server.url, "/yes") }
        #expect(access.reason == reason)
        let crawled = try await withRawServer([answer]) { server in
            try await Self.crawled(server.url, "/yes")
        }
        #expect(crawled.reason == reason)
    }

    @Test(arguments: ["", "Content-Length: 104857600\r\n"])
    func ofALargeFileTheBeginningCounts(field: String) async throws {
        let answer: [RawServer.Step] = [
            .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(field)\r\n\(Self.rules)"),
            .sendRepeatedly("Allow: /no/further\n", times: 5_518_821),
        ]
        let access = try await withRawServer(answer) { server in
            try await Self.access(server.url)
        }
        #expect(access.line?.number == 2)
        let crawled = try await withRawServer(answer) { server in
            try await Self.crawled(server.url, "/no")
        }
        #expect(crawled.line?.number == 2)
    }
}
