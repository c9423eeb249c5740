import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebTransport

/// Loads that keep versions, and loads of a version.
@Suite(.timeLimit(.minutes(20)))
struct VersionsFetchTests {
    /// Answers with what is set.
    private final class Server: Sendable {
        private let state = Mutex((status: 200, body: "a", fields: [("ETag", "\"1\"")]))

        func set(_ body: String, status: Int = 200, fields: [(String, String)] = []) {
            state.withLock { $0 = (status, body, fields) }
        }

        var fetcher: ScriptedFetcher {
            ScriptedFetcher { [self] request in
                let (status, body, fields) = state.withLock { $0 }
                return .answering(request, status, [("Content-Type", "text/plain")] + fields, body: body)
            }
        }
    }

    private struct Setup {
        let server = Server()
        let clock = StandingClock()
        let folder: URL
        let upstream: ScriptedFetcher

        init(_ folder: URL) {
            self.folder = folder
            upstream = server.fetcher
        }

        func fetch(
            keepsHistory: Bool = true,
            at date: Timestamp? = nil,
            _ policy: CachePolicy = .reloadIgnoringLocalCacheData,
            _ configure: (inout WebRequest) -> Void = { _ in }
        ) async throws -> WebResponse {
            let clock = clock
            var fetcher = CachingFetcher(
                store: DiskCacheStore(directory: folder.path),
                upstream: upstream,
                blockingWork: .inline,
                now: { clock.now }
            )
            fetcher.keepsHistory = keepsHistory
            fetcher.versionDate = date
            var request = WebRequest(url: try WebURL("http://a.test/page#x"), cachePolicy: policy)
            configure(&request)
            let response = try await fetcher.fetch(request, limits: LoadLimits())
            await fetcher.background.finish(within: 60)
            return response
        }

        func versions() throws -> [CacheVersion] {
            let url = try WebURL("http://a.test/page")
            return try CacheBrowser(directory: folder.path).versions(of: url).versions
        }
    }

    private func withSetup(_ body: (Setup) async throws -> Void) async throws {
        try await withTemporaryFolder { try await body(Setup($0)) }
    }

    private func text(_ response: WebResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func `each different response is a version, and each is found by its date`() async throws {
        try await withSetup { (setup) async throws in
            var dates: [Timestamp] = []
            for body in ["a", "a", "b", "a"] {
                setup.server.set(body)
                dates.append(setup.clock.now)
                _ = try await setup.fetch()
                setup.clock.advance(seconds: 60)
            }
            #expect(try setup.versions().map(\.received) == [dates[0], dates[2], dates[3]])
            let asked = setup.upstream.requests.count
            for (date, body) in zip(dates, ["a", "a", "b", "a"]) {
                let found = try await setup.fetch(at: date)
                #expect(text(found) == body)
                #expect(found.source == .cache)
                #expect(found.cacheVerdict?.reason == "history")
            }
            #expect(try await setup.fetch(at: dates[1]).capture?.date == dates[0])
            #expect(setup.upstream.requests.count == asked)
        }
    }

    @Test func `without the wish no version is kept, and what is cached becomes one with it`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("a", fields: [("Cache-Control", "max-age=600")])
            _ = try await setup.fetch(keepsHistory: false)
            #expect(try setup.versions().isEmpty)
            _ = try await setup.fetch(.useProtocolCachePolicy)
            #expect(try setup.versions().count == 1)
            #expect(setup.upstream.requests.count == 1)
        }
    }

    @Test func `what may not be stored is a version only if it is kept`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("a", fields: [("Cache-Control", "no-store")])
            _ = try await setup.fetch()
            #expect(try setup.versions().isEmpty)
            _ = try await setup.fetch { $0.keepsForOfflineUse = true }
            #expect(try setup.versions().count == 1)
        }
    }

    @Test func `a confirmed response is the same version, seen again`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("a", fields: [("ETag", "\"1\""), ("Cache-Control", "max-age=0")])
            _ = try await setup.fetch()
            setup.clock.advance(seconds: 60)
            setup.server.set("", status: 304, fields: [("ETag", "\"1\"")])
            let confirmed = try await setup.fetch(.useProtocolCachePolicy)
            #expect(confirmed.source == .validatedCache)
            let version = try #require(try setup.versions().first)
            #expect(try setup.versions().count == 1)
            #expect(version.lastSeen.map { $0 > version.received } == true)
        }
    }

    @Test func `a post takes the response away, and no version`() async throws {
        try await withSetup { (setup) async throws in
            _ = try await setup.fetch()
            _ = try await setup.fetch { $0.httpMethod = "POST" }
            #expect(try setup.versions().count == 1)
            #expect(text(try await setup.fetch(at: setup.clock.now)) == "a")
        }
    }

    @Test func `what is not there is a miss`() async throws {
        try await withSetup { (setup) async throws in
            let error = await #expect(throws: FetchError.self) { try await setup.fetch(at: setup.clock.now) }
            #expect(error?.code == .cacheMiss)
            #expect(setup.upstream.requests.isEmpty)
        }
    }

    @Test func `a range and a condition are answered of a version too`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("abcdef", fields: [("ETag", "\"1\"")])
            _ = try await setup.fetch()
            let part = try await setup.fetch(at: setup.clock.now) { $0.headerFields[.range] = "bytes=2-3" }
            #expect(part.status == 206)
            #expect(text(part) == "cd")
            let same = try await setup.fetch(at: setup.clock.now) { $0.headerFields[.ifNoneMatch] = "\"1\"" }
            #expect(same.status == 304)
        }
    }

    @Test func `a request that is not to be stored keeps no version of what is cached`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("a", fields: [("Cache-Control", "max-age=600")])
            _ = try await setup.fetch(keepsHistory: false)
            _ = try await setup.fetch(.useProtocolCachePolicy) { $0.storesResponse = false }
            #expect(try setup.versions().isEmpty)
        }
    }

    @Test func `what is private to its user is a version, and for that user alone`() async throws {
        try await withSetup { (setup) async throws in
            setup.server.set("mine", fields: [("Cache-Control", "private, max-age=60")])
            _ = try await setup.fetch { $0.headerFields[.authorization] = "Basic bWU6c2VjcmV0" }
            #expect(try setup.versions().count == 1)
            let error = await #expect(throws: FetchError.self) { try await setup.fetch(at: setup.clock.now) }
            #expect(error?.code == .cacheMiss)
            let mine = try await setup.fetch(at: setup.clock.now) {
                $0.headerFields[.authorization] = "Basic bWU6c2VjcmV0"
            }
            #expect(text(mine) == "mine")
            let path = try #require(try setup.versions().first?.path)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.range(of: Data("bWU6c2VjcmV0".utf8)) == nil)
        }
    }

    @Test func `of variants that of the request is taken, however near others are`() async throws {
        try await withSetup { (setup) async throws in
            let first = setup.clock.now
            for language in ["de", "fr", "de"] {
                setup.server.set("\(language) \(setup.clock.now.text)", fields: [("Vary", "Accept-Language")])
                _ = try await setup.fetch { $0.headerFields[.acceptLanguage] = language }
                setup.clock.advance(seconds: 60)
            }
            for (date, language) in [(first, "fr"), (setup.clock.now, "fr"), (first, "de")] {
                let found = try await setup.fetch(at: date) { $0.headerFields[.acceptLanguage] = language }
                #expect(text(found).hasPrefix(language))
            }
            let other = await #expect(throws: FetchError.self) {
                try await setup.fetch(at: first) { $0.headerFields[.acceptLanguage] = "nl" }
            }
            #expect(other?.code == .cacheMiss)
        }
    }

    @Test func `thousands of damaged versions are a short reason`() async throws {
        try await withSetup { (setup) async throws in
            for number in 0..<30 {
                setup.server.set("\(number)")
                _ = try await setup.fetch()
                setup.clock.advance(seconds: 1)
            }
            for version in try setup.versions() {
                try Data("damaged".utf8).write(to: URL(fileURLWithPath: version.path))
            }
            let found = try await setup.fetch(at: setup.clock.now)
            #expect(text(found) == "29")
            try DiskCacheStore(directory: setup.folder.path).remove("http://a.test/page")
            let error = await #expect(throws: FetchError.self) { try await setup.fetch(at: setup.clock.now) }
            #expect(error?.message.contains("and 26 more") == true)
            #expect(try setup.versions().isEmpty)
        }
    }
}
