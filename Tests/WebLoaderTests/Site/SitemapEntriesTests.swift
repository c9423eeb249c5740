import FlyingFox
import Foundation
import TestSupport
import Testing
import WebSite

@testable import WebLoader
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct SitemapEntriesTests {
    /// A summary of the results.
    private struct Found {
        var locations: [String] = []
        var faults: [String] = []
        var failures: [String] = []
    }

    private static let loader: PageLoader = {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        return PageLoader(configuration: configuration)
    }()

    private static func found(_ entries: SitemapEntries) async -> Found {
        var found = Found()
        for await element in entries {
            switch element {
            case .entry(let entry, let sitemap):
                found.locations.append("\(sitemap.path) \(entry.location.path)")
            case .fault(let fault, let sitemap): found.faults.append("\(sitemap.path) \(fault.code.rawValue)")
            case .failure(let error, let sitemap): found.failures.append("\(sitemap.path) \(error.code)")
            }
        }
        return found
    }

    /// Walks the sitemaps of a site that is made of its files, from `/s.xml` unless others are named.
    private static func walk(
        _ files: [String: String],
        _ entries: (PageLoader, [WebURL]) -> SitemapEntries = { $0.sitemapEntries(of: $1) }
    ) async throws -> (found: Found, asked: [String]) {
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            guard request.url.hostname == "h.test" else { throw FetchError(.connection, "gone") }
            guard let text = files[request.url.path] else { return .answering(request, 404) }
            guard !text.hasPrefix("-> ") else {
                return .answering(request, 302, [("Location", String(text.dropFirst(3)))])
            }
            return .answering(request, body: text)
        }
        let loader = PageLoader(fetcher)
        let found = await Self.found(entries(loader, [try WebURL("http://h.test/s.xml")]))
        return (found, fetcher.requests.filter { $0.url.hostname == "h.test" }.map(\.url.path))
    }

    private static func index(_ names: String...) -> String {
        "<sitemapindex>\(names.map { "<sitemap><loc>\($0)</loc></sitemap>" }.joined())</sitemapindex>"
    }

    private static func map(_ names: String...) -> String {
        "<urlset>\(names.map { "<url><loc>\($0)</loc></url>" }.joined())</urlset>"
    }

    // MARK: - Walking

    @Test func whatAnIndexNamesIsReadBehindItOnce() async throws {
        let (found, asked) = try await Self.walk([
            "/s.xml": Self.index("/one.xml", "/s.xml", "/two.xml", "/one.xml#x"),
            "/one.xml": Self.map("/a", "/b"), "/two.xml": Self.index("/s.xml", "/one.xml", "/three.xml"),
            "/three.xml": Self.map("/a"),
        ])
        #expect(found.locations == ["/one.xml /a", "/one.xml /b", "/three.xml /a"])
        #expect(found.faults.isEmpty)
        #expect(asked == ["/s.xml", "/one.xml", "/two.xml", "/three.xml"])
    }

    @Test func whatIsWrongWithOneEndsNoOther() async throws {
        let (found, _) = try await Self.walk([
            "/s.xml": Self.index(
                "/lost",
                "http://gone.test/refused",
                "/page",
                "/half",
                "file:///etc/passwd",
                "/good"
            ),
            "/page": "<html></html>", "/half": "<urlset><url><loc>/h</loc></url><url><loc>/i",
            "/good": Self.map("/a", "mailto:x"),
        ])
        #expect(found.locations == ["/half /h", "/good /a"])
        #expect(
            Set(found.faults) == [
                "/s.xml sitemap.location", "/lost sitemap.status", "/page sitemap.kind",
                "/half sitemap.truncated",
                "/good sitemap.location",
            ]
        )
        #expect(found.failures == ["/refused network.connect"])
    }

    @Test func aRedirectLeadsToASitemapOnce() async throws {
        let (found, asked) = try await Self.walk([
            "/s.xml": Self.index("/old.xml", "/new/map.xml", "/loop"), "/old.xml": "-> /new/map.xml",
            "/new/map.xml": Self.map("a"), "/loop": "-> /loop",
        ])
        #expect(found.locations == ["/new/map.xml /new/a"])
        #expect(found.failures == ["/loop network.too-many-redirects"])
        // It was asked where the redirect leads; what came from there is read at its own turn.
        #expect(asked.count { $0 == "/new/map.xml" } == 2)
    }

    @Test func depthAndNumberAreBounded() async throws {
        let files = [
            "/s.xml": Self.index("/1.xml", "/2.xml"), "/1.xml": Self.index("/3.xml"),
            "/2.xml": Self.map("/a"),
            "/3.xml": Self.map("/b"),
        ]
        let shallow = try await Self.walk(files) { $0.sitemapEntries(of: $1, maximumDepth: 1) }
        #expect(shallow.found.locations == ["/2.xml /a"])
        #expect(shallow.found.faults == ["/1.xml sitemap.limit"])
        let few = try await Self.walk(files) { $0.sitemapEntries(of: $1, maximumCount: 2) }
        #expect(few.asked == ["/s.xml", "/1.xml"])
        #expect(few.found.faults == ["/s.xml sitemap.limit", "/1.xml sitemap.limit"])
    }

    @Test func indexesAreListedIfTheyAreNotFollowed() async throws {
        let files = ["/s.xml": Self.index("/one.xml", "/two.xml")]
        let (found, asked) = try await Self.walk(files) {
            $0.sitemapEntries(of: $1, followsIndexes: false)
        }
        #expect(found.locations == ["/s.xml /one.xml", "/s.xml /two.xml"])
        #expect(asked == ["/s.xml"])
    }

    @Test func nothingIsFetchedOnceNobodyAsks() async throws {
        let (locations, asked) = try await withTestServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(Self.index("/1", "/2", "/3").utf8))
        } _: { server in
            let url = try WebURL(server.url("/"))
            let task = Task {
                await untilCancelled()
                return await Self.found(Self.loader.sitemapEntries(of: [url])).locations
            }
            task.cancel()
            return (await task.value, server.requestedPaths)
        }
        #expect(locations.isEmpty)
        #expect(asked.isEmpty)
    }

    // MARK: - Amounts

    /// Text that is packed a thousandfold and more.
    @Test func whatIsPackedBeyondMeasureIsCutOff() async throws {
        let line = "(printf '<urlset>'; head -c 209715200 /dev/zero | tr '\\0' ' ') | gzip -1"
        let bomb = try await Command.run("/bin/bash", ["-c", line]).output
        let found = try await withTestServer { _ in
            HTTPResponse(statusCode: .ok, body: bomb)
        } _: { server in
            await Self.found(Self.loader.sitemapEntries(of: [try WebURL(server.url("/s.xml"))]))
        }
        #expect(found.faults == ["/s.xml sitemap.limit"])
    }

    @Test func whatNeverEndsIsCutOff() async throws {
        let line = "http://a.example/1\n"
        let found = try await withRawServer([
            .send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .sendRepeatedly(line, times: 10_000_000),
        ]) { server in
            await Self.found(Self.loader.sitemapEntries(of: [try WebURL("\(server.url)s.txt")]))
        }
        #expect(found.locations.count == Sitemap.maximumEntryCount)
        #expect(found.faults == ["/s.txt sitemap.limit"])
    }

    @Test func aLowerLimitOfTheLoaderHolds() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.limits.maximumBodySize = 20
        let loader = PageLoader(configuration: configuration)
        let found = try await withTestServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(Self.map("/a", "/b").utf8))
        } _: { server in
            await Self.found(loader.sitemapEntries(of: [try WebURL(server.url("/s.xml"))]))
        }
        #expect(found.failures == ["/s.xml limit.size"])
    }

    // MARK: - Credentials

    @Test func credentialsGoToTheSeedsOriginsOnly() async throws {
        let other = try await TestServer { request in
            let name = request.headers[.authorization] == nil ? "/none" : "/leaked"
            return HTTPResponse(statusCode: .ok, body: Data(Self.map(name).utf8))
        }
        let found = try await withTestServer { request in
            guard request.headers[.authorization] != nil else {
                return HTTPResponse(statusCode: .unauthorized)
            }
            return HTTPResponse(statusCode: .ok, body: Data(Self.index(other.url("/map.xml")).utf8))
        } _: { server in
            let url = try WebURL(server.url("/s.xml"))
            var template = WebRequest(url: url)
            template.setValue("Basic eDp5", forHTTPHeaderField: "Authorization")
            return await Self.found(Self.loader.sitemapEntries(of: [url], template: template))
        }
        await other.stop()
        #expect(found.locations == ["/map.xml /none"])
    }

    // MARK: - Finding them

    @Test(arguments: [
        (
            "User-agent: *\nSitemap: /a.xml\nsitemap: http://h.test/b.xml\nSitemap: /a.xml\nSitemap: mailto:x",
            ["/a.xml", "/b.xml"]
        ),
        ("User-agent: *\nDisallow: /", ["/sitemap.xml"]), (nil, ["/sitemap.xml"]),
    ])
    func aSitesSitemapsAreThoseThatItNames(robots: String?, paths: [String]) async throws {
        let sitemaps = try await withTestServer { request in
            guard request.path == "/robots.txt", let robots else {
                return HTTPResponse(statusCode: .notFound)
            }
            return HTTPResponse(statusCode: .ok, body: Data(robots.utf8))
        } _: { server in
            await Self.loader.sitemaps(ofSite: try WebURL(server.url("/some/page?q#f")))
        }
        #expect(sitemaps.map(\.path) == paths)
    }

    @Test func whatIsNoSiteHasNone() async throws {
        #expect(await Self.loader.sitemaps(ofSite: try WebURL("file:///tmp/")).isEmpty)
        #expect(
            await Self.loader.robotsRules(ofSite: try WebURL("data:,x")).access(
                to: try WebURL("http://a.example/"),
                agent: "a"
            ).reason == .unavailable
        )
    }
}
