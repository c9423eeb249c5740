import Foundation
import TestSupport
import Testing

@testable import WebBrowsing

/// Going back and forward and loading again, as pages without scripts see it in browsers.
@Suite(.timeLimit(.minutes(20)))
struct BrowserHistoryTests {
    @Test func goingBackReturnsThePageBeforeWithItsResponse() async throws {
        try await withSite { site, server in
            let session = try PageSession(configuration: .testing())
            #expect(try await session.goBack() == nil)
            try await session.load(server, "/empty")
            try await session.load(server, "/grid")
            let back = try #require(try await session.goBack())
            #expect(back.kind == .history)
            #expect(back.page.response.status == .ok)
            #expect(back.page.response.url.path == "/empty")
            #expect(back.page.title == "/empty 1")
            #expect(back.entry.url.href == server.url("/empty"))
            #expect(await session.url == back.entry.url)
            #expect(await session.canGoForward)
            let forward = try #require(try await session.goForward())
            #expect(forward.page.response.status == .ok)
            #expect(forward.entry.url.href == server.url("/grid"))
            #expect(try await session.goForward() == nil)
            #expect(site.lines == ["GET /empty", "GET /grid"])
        }
    }

    /// A file of a page is as good as a URL.
    @Test func itWorksWithFiles() async throws {
        try await withTemporaryFolder { folder in
            let session = try PageSession(configuration: .testing())
            var urls: [WebURL] = []
            for name in ["one", "two"] {
                let path = folder.appendingPathComponent("\(name).html").path
                try "<!doctype html><title>\(name)</title>"
                    .write(toFile: path, atomically: true, encoding: .utf8)
                urls.append(try WebURL(filePath: path))
            }
            for url in urls { try await session.load(WebRequest(url: url)) }
            #expect(await session.title == "two")
            let back = try #require(try await session.goBack())
            #expect(back.entry.url == urls[0])
            #expect(back.page.title == "one")
            try "<!doctype html><title>new</title>"
                .write(toFile: folder.path + "/one.html", atomically: true, encoding: .utf8)
            let forward = try #require(try await session.goForward())
            #expect(forward.entry.url == urls[1])
            #expect(try await session.goBack()?.page.title == "one")
            #expect(try await session.reload()?.page.title == "new")
        }
    }

    @Test func itWorksWithPartsOfAPage() async throws {
        try await withSite { site, server in
            let session = try PageSession(configuration: .testing())
            for path in ["/empty", "/empty#hash", "/empty#other"] { try await session.load(server, path) }
            var seen: [String?] = []
            for offset in [-1, -1, 1, 1] {
                seen.append(try await session.go(by: offset)?.entry.url.fragment)
            }
            #expect(seen == ["hash", nil, "hash", "other"])
            #expect(site.lines == ["GET /empty"])
        }
    }

    @Test func goingBackEndsALoad() async throws {
        let slow = try RawServer([.pause(seconds: 3600)])
        defer { slow.stop() }
        try await withSite { site, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, "/a")
            try await session.load(server, "/b")
            let request = WebRequest(url: try WebURL(slow.url))
            let pending = Task {
                await loadErrorCode { () async throws(LoadError) in try await session.load(request) }
            }
            for await _ in slow.arrivals { break }
            #expect(await session.isLoading)
            let back = try #require(try await session.goBack())
            #expect(back.page.title == "/a 1")
            #expect(await pending.value == "load.cancelled")
            #expect(await session.history.entries.map(\.url.path) == ["/a", "/b"])
            #expect(await session.history.currentIndex == 0)
            let isLoading = await session.isLoading
            #expect(!isLoading)
            #expect(site.lines == ["GET /a", "GET /b"])
        }
    }

    @Test func nothingIsLoadedAgainBeforeAPageIsOpen() async throws {
        let session = try PageSession(configuration: .testing())
        #expect(try await session.reload() == nil)
        #expect(try await session.reloadFromOrigin() == nil)
        #expect(try await session.page == nil)
        #expect(await session.url == nil)
        #expect(try await session.links.isEmpty)
    }

    @Test("Loading again keeps the URL, whatever its fragment", arguments: ["", "#", "#foo"])
    func reload(fragment: String) async throws {
        try await withSite { site, server in
            let session = try PageSession(configuration: .testing())
            let first = try await session.load(server, "/empty" + fragment)
            let again = try #require(try await session.reload())
            #expect(again.kind == .reload)
            #expect(again.page.response.status == .ok)
            #expect(again.page.title == "/empty 2")
            #expect(again.entry.url.href == server.url("/empty") + fragment)
            #expect(again.entry.id == first.entry.id)
            #expect(site.lines == ["GET /empty", "GET /empty"])
        }
    }

    @Test func loadingAgainFollowsRedirects() async throws {
        try await withSite { asked in
            asked.target == "/empty" && asked.count > 1 ? .redirect("/other") : nil
        } _: { site, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, "/empty")
            let again = try #require(try await session.reload())
            #expect(again.page.response.redirects.map(\.url.path) == ["/empty"])
            #expect(again.entry.url.path == "/other")
            #expect(again.entry.initialURL.path == "/empty")
            #expect(site.lines == ["GET /empty", "GET /empty", "GET /other"])
        }
    }

    @Test(arguments: ["text/html,hello", "text/html,<title>T</title>x#part", "text/plain;base64,aGk="])
    func dataURLsAreLoadedAgain(text: String) async throws {
        let session = try PageSession(configuration: .testing())
        let url = try WebURL("data:" + text)
        let first = try await session.load(WebRequest(url: url))
        let again = try #require(try await session.reload())
        #expect(again.entry.url == url)
        #expect(again.page.response.body == first.page.response.body)
        #expect(await session.history.entries.count == 1)
    }

    @Test func aStringIsThereAgain() async throws {
        let session = try PageSession(configuration: .testing())
        let first = try await session.loadHTMLString("<title>café</title>", baseURL: nil)
        #expect(first.entry.url == .aboutBlank)
        let again = try #require(try await session.reload())
        #expect(again.page.title == "café")
        #expect(again.entry.url == .aboutBlank)
        #expect(await session.history.entries.count == 1)
    }

    @Test func whoAsksTheOriginGoesPastAllCaches() async throws {
        try await withSite { asked in
            .page("\(asked.count)", "", ["Cache-Control": "max-age=3600"])
        } _: { site, server in
            let configuration = PageSession.Configuration.testing { $0.loader.keepsCacheInMemory = true }
            let session = try PageSession(configuration: configuration)
            try await session.load(server, "/a")
            #expect(try await session.reload()?.page.title == "1")
            #expect(try await session.reloadFromOrigin()?.page.title == "2")
            #expect(site.asked.map { $0.fields["cache-control"] } == [nil, "max-age=0"])
        }
    }
}
