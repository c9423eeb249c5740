import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader

/// The history of a page as the library has it.
@Suite(.timeLimit(.minutes(20)))
struct PageHistoryTests {
    /// Each of these bodies is what the server has once.
    private func withLoader(
        _ bodies: [(status: Int, type: String, body: String)],
        _ body: (PageLoader.Configuration, WebURL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let counter = CallCounter()
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.path
            configuration.keepsHistory = true
            configuration.fetcher = ScriptedFetcher { request in
                let (status, type, body) = bodies[min(bodies.count, counter.next()) - 1]
                return .answering(
                    request,
                    status,
                    [("Content-Type", type), ("Cache-Control", "max-age=60")],
                    body: body
                )
            }
            let url = try WebURL("http://a.test/page#fragment")
            let loader = PageLoader(configuration: configuration)
            for _ in bodies {
                _ = try await loader.load(
                    WebRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
                )
                // Versions of one millisecond have no order.
                let loaded = Timestamp.now
                try await eventually("the next millisecond") { Timestamp.now != loaded }
            }
            try await body(configuration, url)
        }
    }

    @Test func `versions come by date, with what each changed`() async throws {
        let pages = [
            (200, "text/html", "<title>A</title><p>one<p>two"),
            (200, "text/html", "<title>A</title><p>one<p>two"),
            (200, "text/html", "<title>B</title><p>one<p>2"),
            (200, "text/html", "<title>B</title> <!-- x --><p>one<p>2"),
            (404, "text/html", "<title>B</title> <!-- x --><p>one<p>2"),
            (200, "image/png", "\u{89}PNG\r\n"), (200, "image/png", "\u{89}PNG\r\n\u{1A}"),
        ]
        try await withLoader(pages.map { (status: $0.0, type: $0.1, body: $0.2) }) { configuration, url in
            let loader = PageLoader(configuration: configuration)
            let history = try await loader.history(of: url)
            #expect(history.url.href == "http://a.test/page")
            #expect(history.versions.map(\.status) == [200, 200, 200, 404, 200, 200])
            #expect(history.versions.map(\.date) == history.versions.map(\.date).sorted())
            #expect(history.damages.isEmpty)
            let changes = await loader.changes(in: history)
            #expect(changes.map(\.count) == [nil, 2, 0, 0, nil, nil])
            #expect(changes[0].summary == "first version")
            #expect(changes[1].summary == "text: 1 changed; metadata: 1 changed")
            #expect(changes[2].summary.hasPrefix("nothing that counts (comments"))
            #expect(changes[3].summary == "status 200 to 404")
            #expect(changes.last?.summary.contains("bytes") == true)
            // One after the other, the newest first, they are the same.
            var summaries: [String] = []
            await loader.forEachChange(in: history) { _, change in summaries.append(change.summary) }
            #expect(summaries.reversed() == changes.map(\.summary))
            let first = try await loader.response(of: history.versions[0], in: history)
            #expect(String(decoding: first.body, as: UTF8.self).contains("two"))
            #expect(first.capture?.date == history.versions[0].date)
            #expect(try await loader.load(first).title == "A")
        }
    }

    @Test func `of many the newest are listed, and what the first of them changed`() async throws {
        let pages = (0..<6).map { (status: 200, type: "text/plain", body: "one\n\($0)\n") }
        try await withLoader(pages) { (configuration, url) async throws in
            let loader = PageLoader(configuration: configuration)
            let all = try await loader.history(of: url)
            #expect(all.olderCount == 0)
            for count in [1, 2, 5, 6, 7, 1_000_000, 0, -1] {
                let history = try await loader.history(of: url, maximumCount: count)
                let wanted = min(6, max(0, count))
                #expect(history.versions.map(\.date) == all.versions.suffix(wanted).map(\.date))
                #expect(history.olderCount == 6 - wanted)
                let changes = await loader.changes(in: history)
                #expect(changes.count == wanted)
                if wanted == 6 {
                    #expect(changes.first?.summary == "first version")
                } else if wanted > 0 {
                    #expect(changes.first?.summary == "1 line added, 1 removed")
                }
            }
        }
    }

    @Test func `a history is thinned by a policy`() async throws {
        let pages = (0..<4).map { (status: 200, type: "text/plain", body: "\($0)") }
        try await withLoader(pages) { (configuration, url) async throws in
            let loader = PageLoader(configuration: configuration)
            #expect(try await loader.thinHistory() == 0)
            let policy = HistoryPolicy(daysOfAll: 0, daysOfDaily: 0, daysOfWeekly: 0)
            #expect(try await loader.thinHistory(policy) == 3)
            #expect(try await loader.history(of: url).versions.count == 1)
            var other = configuration
            other.cacheDirectory = nil
            #expect(try await PageLoader(configuration: other).thinHistory(policy) == 0)
        }
    }

    @Test func `what is gone since it was listed, or came from elsewhere, is a miss`() async throws {
        try await withLoader([(200, "text/html", "<p>one")]) { (configuration, url) async throws in
            let loader = PageLoader(configuration: configuration)
            let history = try await loader.history(of: url)
            let version = try #require(history.versions.first)
            var guarded = configuration
            var curl = CurlFetcher.Configuration()
            curl.allowedAddresses = .publicInternet
            guarded.fetcher = CurlFetcher(configuration: curl)
            let refused = await #expect(throws: LoadError.self) {
                try await PageLoader(configuration: guarded).response(of: version, in: history)
            }
            #expect(refused?.code == "cache.miss")
            var small = configuration
            small.limits.maximumBodySize = 3
            let large = await #expect(throws: LoadError.self) {
                try await PageLoader(configuration: small).response(of: version, in: history)
            }
            #expect(large?.code == "limit.size")
            try FileManager.default.removeItem(atPath: version.path)
            let gone = await #expect(throws: LoadError.self) {
                try await loader.response(of: version, in: history)
            }
            #expect(gone?.code == "cache.miss")
            let changes = await loader.changes(in: history)
            #expect(changes.count == 1)
        }
    }

    @Test func `variants are compared with their own`() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let counter = CallCounter()
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.path
            configuration.keepsHistory = true
            configuration.fetcher = ScriptedFetcher { request in
                let language = request.headerFields[.acceptLanguage] ?? ""
                return .answering(
                    request,
                    200,
                    [
                        ("Content-Type", "text/plain"), ("Vary", "Accept-Language"),
                        ("Cache-Control", "max-age=60"),
                    ],
                    body: "\(language)\n\(counter.next() / 3)\n"
                )
            }
            let url = try WebURL("http://a.test/page")
            let loader = PageLoader(configuration: configuration)
            for language in ["de", "fr", "de", "fr", "de", "fr"] {
                var request = WebRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
                request.headerFields[.acceptLanguage] = language
                _ = try await loader.load(request)
                let loaded = Timestamp.now
                try await eventually("the next millisecond") { Timestamp.now != loaded }
            }
            let history = try await loader.history(of: url)
            let changes = await loader.changes(in: history)
            #expect(changes.count == 4 || changes.count == 5 || changes.count == 6)
            #expect(changes[0].summary == "first version")
            #expect(changes[1].summary == "first version for other request fields")
            #expect(changes.dropFirst(2).allSatisfy { $0.summary == "1 line added, 1 removed" })
        }
    }

    @Test func `a redirect of then leads to the page of then`() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let counter = CallCounter()
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.path
            configuration.keepsHistory = true
            configuration.fetcher = ScriptedFetcher { request in
                let isFirst = counter.next() <= 2
                if request.url.path == "/page" {
                    let target = isFirst ? "/old" : "/new"
                    return .answering(
                        request,
                        301,
                        [("Location", target), ("Cache-Control", "max-age=60")],
                        body: ""
                    )
                }
                return .answering(
                    request,
                    200,
                    [("Content-Type", "text/html"), ("Cache-Control", "max-age=60")],
                    body: "<title>\(request.url.path)</title>"
                )
            }
            let url = try WebURL("http://a.test/page")
            let loader = PageLoader(configuration: configuration)
            for _ in 0..<2 {
                _ = try await loader.load(
                    WebRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
                )
                let loaded = Timestamp.now
                try await eventually("the next millisecond") { Timestamp.now != loaded }
            }
            let history = try await loader.history(of: url)
            #expect(history.versions.map(\.location) == ["/old", "/new"])
            #expect(
                await loader.changes(in: history).map(\.summary) == ["first version", "redirect's target"]
            )
            for (version, title) in zip(history.versions, ["/old", "/new"]) {
                configuration.archiveDate = version.date
                let page = try await PageLoader(configuration: configuration).load(WebRequest(url: url))
                #expect(page.title == title)
            }
        }
    }

    @Test func `a loader of a date loads what was there`() async throws {
        let pages = [(200, "text/html", "<title>A</title>"), (200, "text/html", "<title>B</title>")]
        try await withLoader(pages.map { (status: $0.0, type: $0.1, body: $0.2) }) { configuration, url in
            let history = try await PageLoader(configuration: configuration).history(of: url)
            for (date, title) in [
                (Timestamp(millisecondsSince1970: 0), "A"), (history.versions[0].date, "A"),
                (history.versions[1].date, "B"), (Timestamp.now, "B"),
            ] {
                var configuration = configuration
                configuration.archiveDate = date
                configuration.fetcher = ScriptedFetcher(failing: FetchError(.connection, "no server"))
                let loader = PageLoader(configuration: configuration)
                #expect(try await loader.load(WebRequest(url: url)).title == title)
                #expect(history.version(at: date)?.size == 16)
                let missing = await #expect(throws: LoadError.self) {
                    try await loader.load(WebRequest(url: WebURL("http://a.test/other")))
                }
                #expect(missing?.code == "cache.miss")
            }
        }
    }

    @Test func `without a cache on a disk there is no history`() async throws {
        var configuration = PageLoader.Configuration()
        configuration.keepsCacheInMemory = true
        configuration.keepsHistory = true
        configuration.fetcher = ScriptedFetcher {
            .answering($0, 200, [("Cache-Control", "max-age=60")], body: "a")
        }
        let loader = PageLoader(configuration: configuration)
        let url = try WebURL("http://a.test/")
        let response = try await loader.fetch(WebRequest(url: url))
        #expect(response.cacheVerdict?.explanation.contains("keeps no versions") == true)
        #expect(try await loader.history(of: url).versions.isEmpty)
        configuration.keepsCacheInMemory = false
        configuration.cacheDirectory = nil
        configuration.archiveDate = .now
        let error = await #expect(throws: LoadError.self) {
            try await PageLoader(configuration: configuration).load(WebRequest(url: url))
        }
        #expect(error?.code == "cache.miss")
    }
}
