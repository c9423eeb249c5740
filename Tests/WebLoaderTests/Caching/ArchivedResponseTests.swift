import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of responses stored from an archive, as by `cache import`.
@Suite(.timeLimit(.minutes(20)))
struct ArchivedResponseTests {
    @Test("It answers loads that may not ask the server, and no others", arguments: [200, 301, 308])
    func isForOfflineUse(status: Int) async throws {
        let upstream = ScriptedFetcher { request async throws(FetchError) in
            let fields = [
                ("Cache-Control", "max-age=99999999, immutable"), ("ETag", "\"x\""), ("Location", "/x"),
            ]
            var response = WebResponse.answering(request, status, fields, body: "body")
            response.source = .archive
            return response
        }
        try await withTemporaryFolder { folder in
            let setup = CachingSetup(folder, upstream)
            #expect(try await setup.fetch().cacheVerdict?.isStored == true)
            #expect(try await setup.fetch(.returnCacheDataDontLoad).body == Array("body".utf8))
            #expect(upstream.requests.count == 1)
            _ = try await setup.fetch()
            #expect(upstream.requests.count == 2)
            _ = try await setup.fetch(.reloadRevalidatingCacheData)
            #expect(upstream.requests.last?.headerFields[.ifNoneMatch] == nil)
            await setup.fetcher.background.finish(within: 60)
        }
    }
}
