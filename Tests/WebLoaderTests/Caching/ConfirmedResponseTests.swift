import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of stored responses that the server confirms while sending something else besides.
@Suite(.timeLimit(.minutes(20)))
struct ConfirmedResponseTests {
    /// Runs `body` with a cache before a server that confirms by a 304 (or a HEAD's 200) with `fields`.
    private func withServer(
        confirmingBy fields: [(String, String)],
        isVerified: Bool = true,
        _ body: (CachingSetup) async throws -> Void
    ) async throws {
        let server = ScriptedFetcher { request in
            let isConfirming = request.headerFields[.ifNoneMatch] != nil || request.httpMethod == "HEAD"
            var response: WebResponse =
                isConfirming
                ? .answering(request, request.httpMethod == "HEAD" ? 200 : 304, fields)
                : .answering(
                    request,
                    200,
                    [
                        ("Cache-Control", "max-age=1"), ("ETag", "\"x\""),
                        ("Last-Modified", CachingSample.date),
                    ],
                    body: "body"
                )
            response.tls = TLSInformation(
                version: "TLSv1.3",
                cipher: "X",
                certificates: [],
                isVerified: isVerified || !isConfirming
            )
            return response
        }
        try await withTemporaryFolder { folder in
            let setup = CachingSetup(folder, server)
            #expect(try await setup.fetch().cacheVerdict?.isStored == true)
            setup.clock.advance(seconds: 2)
            try await body(setup)
            await setup.fetcher.background.finish(within: 60)
        }
    }

    @Test("no-store ends the keeping (RFC 9111, section 5.2.2.5)", arguments: ["GET", "HEAD"])
    func noStore(method: String) async throws {
        try await withServer(confirmingBy: [("Cache-Control", "no-store"), ("ETag", "\"x\"")]) { setup in
            let confirmed = try await setup.fetch(method: method)
            #expect(confirmed.status == 200)
            #expect(confirmed.cacheVerdict?.isStored == false)
            await #expect(throws: FetchError.self) { try await setup.fetch(.returnCacheDataDontLoad) }
        }
    }

    @Test func isKeptForOfflineUseWhereTheUserAsks() async throws {
        try await withServer(confirmingBy: [("Cache-Control", "no-store"), ("ETag", "\"x\"")]) { setup in
            let confirmed = try await setup.fetch { $0.keepsForOfflineUse = true }
            #expect(confirmed.source == .validatedCache)
            let offline = try await setup.fetch(.returnCacheDataDontLoad)
            #expect(String(decoding: offline.body, as: UTF8.self) == "body")
            // And for nothing else.
            let online = try await setup.fetch()
            #expect(online.source == .network)
        }
    }

    @Test("What nobody has vouched for, and what is not to be stored, changes nothing")
    func refused() async throws {
        let fields = [("Cache-Control", "max-age=9999"), ("ETag", "\"x\""), ("X-New", "n")]
        let name = try #require(HTTPField.Name("X-New"))
        try await withServer(confirmingBy: fields, isVerified: false) { setup in
            let confirmed = try await setup.fetch()
            #expect(confirmed.headerFields[name] == "n")
            let stored = try await setup.fetch(.returnCacheDataDontLoad)
            #expect(stored.headerFields[name] == nil)
        }
        try await withServer(confirmingBy: fields) { setup in
            let confirmed = try await setup.fetch(.reloadRevalidatingCacheData) {
                $0.headerFields[.cacheControl] = "no-store"
            }
            #expect(confirmed.source == .validatedCache)
            let stored = try await setup.fetch(.returnCacheDataDontLoad)
            #expect(stored.headerFields[name] == nil)
        }
    }

    @Test("A new Vary counts for the request that it answered (RFC 9111, section 4.1)")
    func newVary() async throws {
        let name = try #require(HTTPField.Name("X-A"))
        let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"x\""), ("Vary", "X-A")]
        try await withServer(confirmingBy: fields) { setup in
            for (value, source) in [("1", WebResponse.Source.validatedCache), ("1", .cache), ("2", .network)]
            {
                let response = try await setup.fetch { $0.headerFields[name] = value }
                #expect(response.source == source)
            }
        }
    }
}
