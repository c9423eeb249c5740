import Foundation
import TestSupport
import Testing
import WebTransport

@testable import WebBrowsing

/// Tests of what pages and servers must not make a session do.
@Suite(.timeLimit(.minutes(20)))
struct HostileSessionTests {
    // MARK: - Secrets

    /// Pages with a link, and redirects to another origin.
    private static func page(_ other: String) -> @Sendable (BrowsedSite.Asked) -> BrowsedSite.Answer? {
        { asked in
            switch asked.target {
            case "/away": .redirect("\(other)/b")
            case "/form": .page("form", "<form method=post action=/sent><input name=a></form>")
            case "/sent": .redirect("\(other)/b", 307)
            default: .page(asked.target, "<a href=/next>next</a><form action=/got></form>")
            }
        }
    }

    @Test("A redirect to another origin leaves the caller's fields behind", arguments: ["/away", "/form"])
    func fields(path: String) async throws {
        try await withSite(Self.page("")) { other, otherServer in
            // Another port is another origin.
            let elsewhere = otherServer.url("").trimmingSuffix(while: { $0 == "/" })
            try await withSite(Self.page(String(elsewhere))) { site, server in
                let session = try PageSession(configuration: .testing())
                var request = WebRequest(url: try WebURL(server.url(path)))
                request.headerFields[.authorization] = "Bearer secret"
                try await session.load(request)
                if path == "/form" { try await session.submit() }
                #expect(await session.url?.path == "/b")
                try await session.reload()
                let link = try #require(try await session.links.first)
                try await session.follow(link)
                try await session.goBack()
                try await session.submit()
                await session.handleMemoryPressure()
                try await session.goBack()
                try await session.reloadFromOrigin()
                #expect(site.asked.first?.fields["authorization"] == "Bearer secret")
                #expect(other.asked.count == 5)
                #expect(other.asked.compactMap { $0.fields["authorization"] } == [])
            }
        }
    }

    @Test func aPasswordIsInNoMessage() async throws {
        let session = try PageSession(configuration: .testing())
        let markup = "<form><input type=password name=p pattern='[0-9]+'></form>"
        try await session.loadHTMLString(markup, baseURL: try WebURL("http://a.test/"))
        try await session.fill("p", with: "hunter2")
        do {
            try await session.submit()
            Issue.record("it was sent")
        } catch let error as FormError {
            #expect(error.code == .invalid)
            #expect(!error.message.contains("hunter2"))
        }
    }

    @Test func whoMayAskNobodyAsksNobody() async throws {
        try await withTemporaryFolder { folder in
            try await withSite(Self.page("")) { site, server in
                let file = folder.appending(path: "s").path
                let first = try PageSession(configuration: .testing { $0.stateFile = file })
                try await first.load(server, "/a")
                try await first.load(server, "/b")
                try await first.saveState()
                let state = await first.interactionState
                let asked = site.asked.count
                var settings = PageSession.Configuration.testing {
                    $0.pagesDirectory = folder.appending(path: "none").path
                }
                settings.request.cachePolicy = .returnCacheDataDontLoad
                // One that has no page any more, and one that is given them.
                let without = try PageSession(configuration: settings, interactionState: state)
                #expect(
                    await loadErrorCode { () async throws(LoadError) in try await without.page }
                        == "cache.miss"
                )
                #expect(
                    await loadErrorCode { () async throws(LoadError) in try await without.goBack() }
                        == "cache.miss"
                )
                settings.pagesDirectory = nil
                let with = try PageSession(configuration: settings)
                var response = WebResponse(
                    url: try WebURL(server.url("/a")),
                    status: .ok,
                    body: Array("<a href=/next>next</a><form action=/got></form>".utf8),
                    source: .network
                )
                response.headerFields[.contentType] = "text/html"
                try await with.loadSimulated(response)
                #expect(
                    await loadErrorCode { () async throws(LoadError) in try await with.reload() }
                        == "cache.miss"
                )
                #expect(
                    await loadErrorCode { () async throws(LoadError) in try await with.reloadFromOrigin() }
                        == "cache.miss"
                )
                let link = try #require(try await with.links.first)
                #expect(
                    await loadErrorCode { () async throws(LoadError) in try await with.follow(link) }
                        == "cache.miss"
                )
                await #expect(throws: LoadError.self) { try await with.submit() }
                #expect(await with.history.entries.count == 1)
                #expect(site.asked.count == asked)
            }
        }
    }

    @Test func loadingAgainFromTheOriginSaysNothingOfLinks() async throws {
        try await withSite(Self.page("")) { site, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, "/a")
            try await session.reloadFromOrigin()
            let link = try #require(try await session.links.first)
            try await session.follow(link)
            #expect(site.asked.map { $0.fields["cache-control"] } == [nil, "max-age=0", nil])
        }
    }

    // MARK: - Where pages may lead

    @Test(
        "Only a file leads to files",
        arguments: ["<a href='file:///etc/hostname'>x</a>", "<form action='file:///etc/hostname'></form>"]
    )
    func files(markup: String) async throws {
        for base in ["http://a.test/", "data:text/html,x", nil] {
            let session = try PageSession(configuration: .testing())
            try await session.loadHTMLString(markup, baseURL: try base.map { try WebURL($0) })
            await #expect(throws: LoadError.self) {
                if let link = try await session.links.first { try await session.follow(link) }
                try await session.submit()
            }
            #expect(await session.history.entries.count == 1)
        }
    }

    // MARK: - The saved state stays small

    @Test func whatIsKeptOfAPageIsBounded() async throws {
        let marks = String(repeating: "\u{301}", count: 500_000)
        let session = try PageSession(configuration: .testing())
        let link = String(repeating: "x", count: 100_000)
        try await session.loadHTMLString(
            "<title>a\(marks)</title><p id='\(link)'>needle",
            baseURL: try WebURL("http://a.test/?\(link)")
        )
        #expect(try await session.find("needle") != nil)
        for number in 0..<20 {
            try await session.load(WebRequest(url: try WebURL("http://a.test/?\(link)#\(number)")))
        }
        let state = await session.interactionState
        // Of each entry its two URLs, and little besides.
        #expect(state.count < 21 * (2 * link.utf8.count + 2000))
        #expect(try SessionState(state).entries.count == 21)
    }

    @Test func theURLsOfAllEntriesAreBounded() async throws {
        let session = try PageSession(configuration: .testing())
        for number in 0..<6 {
            let padding = String(repeating: "x", count: 1_000_000)
            try await session.load(WebRequest(url: try WebURL("data:text/html,\(number)\(padding)")))
        }
        let list = await session.history
        #expect(list.entries.count < 6)
        #expect(list.currentIndex == list.entries.count - 1)
        #expect(try await SessionState(session.interactionState).entries.count == list.entries.count)
    }

    // MARK: - Time

    @Test(
        "A text fragment takes bounded time",
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        arguments: [
            "text=ab,-" + String(repeating: "ab%20", count: 10_000) + "zz",
            "text=" + String(repeating: "ab%20", count: 10_000) + "zz",
            Array(repeating: "text=ab%20ab,abx", count: 50).joined(separator: "&"),
        ]
    )
    func fragments(directive: String) async throws {
        let session = try PageSession(configuration: .testing())
        let url = try WebURL("http://a.test/#:~:\(directive)")
        let text = String(repeating: "ab ", count: 300_000)
        // Without a bound it takes minutes, and more than the test may.
        try await session.loadHTMLString("<p>\(text)", baseURL: url)
        #expect(await session.history.current?.view == nil)
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
