import HTTPTypes
import Testing
import WebLoader
import WebSite

@testable import WebStandards
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct SiteFetcherTests {
    @Test(
        "Credentials are for the origins of the seeds, not for http: of the same host and port",
        arguments: [
            ("https://a.test:8443/b", true), ("http://a.test:8443/b", false), ("https://a.test/b", false),
            ("https://b.test:8443/", false),
        ]
    )
    func credentials(url: String, areSent: Bool) async throws {
        let fetcher = ScriptedFetcher { request async throws(FetchError) in .answering(request) }
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = fetcher
        let seed = try WebURL("https://me:word@a.test:8443/")
        var template = WebRequest(url: seed)
        template.headerFields = HTTPFields(lines: [("X-Key", "k"), ("Cookie", "a=b")])
        let site = SiteFetcher(PageLoader(configuration: configuration), template: template, seeds: [seed])
        _ = await site.ask(try WebURL(url))
        let sent = try #require(fetcher.requests.last)
        for name in ["X-Key", "Cookie", "Authorization"] {
            #expect((sent.value(forHTTPHeaderField: name) != nil) == areSent, "\(name)")
        }
        #expect(sent.mayHaveKeptCredentials == areSent)
    }

    /// libcurl makes a request again on a connection that the server has closed.
    @Test func `what was closed without an answer is asked on a new connection`() async throws {
        let fetcher = ScriptedFetcher { request async throws(FetchError) in
            if request.url.path == "/closed" { throw FetchError(.connectionLost, "closed") }
            return .answering(request)
        }
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = fetcher
        let seed = try WebURL("https://a.test/")
        let site = SiteFetcher(
            PageLoader(configuration: configuration),
            template: WebRequest(url: seed),
            seeds: [seed]
        )
        for path in ["https://a.test/", "https://a.test/closed", "https://a.test/closed", "https://a.test/b"]
        {
            _ = await site.ask(try WebURL(path))
        }
        #expect(fetcher.requests.map(\.hasOwnConnection) == [false, false, true, false])
    }
}
