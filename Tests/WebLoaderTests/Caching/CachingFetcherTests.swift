import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct CachingFetcherTests {
    private func withSetup(
        _ upstream: ScriptedFetcher,
        _ body: (CachingSetup) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let setup = CachingSetup(folder, upstream)
            try await body(setup)
            // The cache's work after an answer would write files into a folder that is being removed.
            await setup.fetcher.background.finish(within: 60)
        }
    }

    private func text(_ response: WebResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func missesStoresHitsGoesStaleAndIsValidated() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            let missed = try await setup.fetch()
            #expect(missed.source == .network)
            #expect(missed.cacheVerdict?.outcome == .miss)
            #expect(missed.cacheVerdict?.reason == "not-stored")
            #expect(missed.cacheVerdict?.isStored == true)
            #expect(missed.cacheVerdict?.freshnessLifetime == 60)

            setup.clock.advance(seconds: 59)
            let hit = try await setup.fetch()
            #expect(hit.source == .cache)
            #expect(hit.cacheVerdict?.outcome == .hit)
            #expect(hit.cacheVerdict?.age == 59)
            #expect(hit.headerFields[.age] == "59")
            #expect(text(hit) == "body 1")
            #expect(hit.status == 200)
            #expect(hit.url.href == "http://a.test/page#fragment")
            #expect(setup.upstream.requests.count == 1)

            setup.clock.advance(seconds: 1)
            let validated = try await setup.fetch()
            #expect(validated.source == .validatedCache)
            #expect(validated.cacheVerdict?.outcome == .validated)
            #expect(validated.cacheVerdict?.reason == "stale")
            #expect(validated.cacheVerdict?.age == 0)
            #expect(validated.value("X-Validated") == "yes")
            #expect(text(validated) == "body 1")
            #expect(validated.status == 200)
            #expect(setup.upstream.requests.count == 2)

            setup.clock.advance(seconds: 59)
            let again = try await setup.fetch()
            #expect(again.cacheVerdict?.outcome == .hit)
            #expect(again.value("X-Validated") == "yes")
            #expect(setup.upstream.requests.count == 2)
        }
    }

    @Test func aNewBodyReplacesTheStaleOne() async throws {
        let counter = CallCounter()
        let upstream = ScriptedFetcher {
            .answering($0, 200, [("ETag", "\"x\"")], body: "body \(counter.next())")
        }
        try await withSetup(upstream) { setup in
            _ = try await setup.fetch()
            let second = try await setup.fetch()
            #expect(text(second) == "body 2")
            #expect(second.source == .network)
            #expect(second.cacheVerdict?.outcome == .miss)
            #expect(upstream.requests.last?.headerFields[.ifNoneMatch] == "\"x\"")
            #expect(try await text(setup.fetch(.returnCacheDataDontLoad)) == "body 2")
        }
    }

    @Test func anErrorWhileValidatingIsTheAnswerAndKeepsTheEntry() async throws {
        let counter = CallCounter()
        let upstream = ScriptedFetcher { request async throws(FetchError) in
            switch counter.next() {
            case 1:
                return .answering(
                    request,
                    200,
                    [("ETag", "\"x\""), ("Cache-Control", "no-cache")],
                    body: "kept"
                )
            case 2: return .answering(request, 503)
            default: throw FetchError(.connection, "gone")
            }
        }
        try await withSetup(upstream) { setup in
            _ = try await setup.fetch()
            #expect(try await setup.fetch().status == 503)
            let error = await #expect(throws: FetchError.self) { try await setup.fetch() }
            #expect(error?.code == .connection)
            #expect(error?.generatedStatus == 504)
            #expect(try await text(setup.fetch(.returnCacheDataDontLoad)) == "kept")
        }
    }

    /// RFC 9111, section 4.2.4, and RFC 5861, section 4.
    @Test(
        "What is stored stands in for a server that fails, where it may",
        arguments: [
            ("max-age=1", FetchError.Code.connection, nil, "disconnected"),
            ("max-age=1", .timeout, nil, "disconnected"),
            ("max-age=1", .nameResolution, nil, "disconnected"), ("max-age=1", .certificate, nil, nil),
            ("max-age=1", .malformedResponse, nil, nil),
            ("max-age=1, must-revalidate", .connection, nil, nil),
            ("max-age=1", nil, 503, nil), ("max-age=1, stale-if-error=60", nil, 503, "stale-if-error"),
            ("max-age=1, stale-if-error=60", nil, 501, nil),
            ("max-age=1, stale-if-error=60", .connectionLost, nil, "stale-if-error"),
        ] as [(String, FetchError.Code?, Int?, String?)]
    )
    func failures(control: String, code: FetchError.Code?, status: Int?, reason: String?) async throws {
        let counter = CallCounter()
        let upstream = ScriptedFetcher { request async throws(FetchError) in
            if counter.next() == 1 {
                return .answering(request, 200, [("Cache-Control", control)], body: "kept")
            }
            if let code { throw FetchError(code, "gone") }
            return .answering(request, status ?? 200, body: "failed")
        }
        for receiver in [nil, DroppingReceiver()] {
            try await withSetup(upstream) { setup in
                counter.reset()
                _ = try await setup.fetch()
                setup.clock.advance(seconds: 5)
                let request = WebRequest(url: try WebURL("http://a.test/page"))
                do throws(FetchError) {
                    let response = try await setup.fetcher.fetch(
                        request,
                        limits: LoadLimits(),
                        receiver: receiver
                    )
                    #expect(response.status?.code == (reason == nil ? status : 200))
                    #expect(response.cacheVerdict?.outcome == (reason == nil ? .miss : .staleHit))
                    if let reason { #expect(response.cacheVerdict?.reason == reason) }
                    if receiver == nil { #expect(text(response) == (reason == nil ? "failed" : "kept")) }
                    if let receiver { #expect(receiver.text == (reason == nil ? "failed" : "kept")) }
                } catch {
                    #expect(reason == nil)
                    #expect(error.code == code)
                }
            }
        }
    }

    @Test func whatMayBeUsedStaleIsValidatedMeanwhile() async throws {
        let fields = [("Cache-Control", "stale-while-revalidate=60")]
        try await withSetup(CachingSetup.server(fields)) { setup in
            _ = try await setup.fetch()
            setup.clock.advance(seconds: 70)
            let stale = try await setup.fetch()
            #expect(stale.cacheVerdict?.outcome == .staleHit)
            #expect(stale.cacheVerdict?.reason == "stale-while-revalidate")
            await setup.fetcher.background.finish(within: 600)
            #expect(setup.upstream.requests.count == 2)
            #expect(setup.upstream.requests.last?.headerFields[.ifNoneMatch] == "\"x\"")
            let hit = try await setup.fetch()
            #expect(hit.cacheVerdict?.outcome == .hit)
            #expect(hit.value("X-Validated") == "yes")
            #expect(setup.upstream.requests.count == 2)
        }
    }

    /// RFC 9111, section 4.3.4.
    @Test func a304OfAnotherRepresentationIsNotTakenForThisOne() async throws {
        let upstream = ScriptedFetcher { request in
            request.headerFields[.ifNoneMatch] == nil
                ? .answering(request, 200, [("ETag", "\"x\"")], body: "whole")
                : .answering(request, 304, [("ETag", "\"other\"")])
        }
        try await withSetup(upstream) { setup in
            _ = try await setup.fetch()
            let second = try await setup.fetch()
            #expect(second.status == 200)
            #expect(second.source == .network)
            #expect(upstream.requests.count == 3)
        }
    }

    // MARK: - Policies

    @Test func withoutLoadingUpstreamIsNeverAsked() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            let error = await #expect(throws: FetchError.self) {
                try await setup.fetch(.returnCacheDataDontLoad)
            }
            #expect(error?.code == .cacheMiss)
            #expect(setup.upstream.requests.isEmpty)

            _ = try await setup.fetch()
            setup.clock.advance(seconds: 1_000_000)
            let stale = try await setup.fetch(.returnCacheDataDontLoad)
            #expect(stale.cacheVerdict?.outcome == .staleHit)
            #expect(stale.cacheVerdict?.age == 1_000_000)
            for method in ["POST", "PUT"] {
                await #expect(throws: FetchError.self) {
                    try await setup.fetch(.returnCacheDataDontLoad, method: method)
                }
            }
            let part = try await setup.fetch(.returnCacheDataDontLoad) {
                $0.headerFields[.range] = "bytes=0-1"
            }
            #expect(part.status == 206)
            #expect(text(part) == "bo")
            #expect(setup.upstream.requests.count == 1)
        }
    }

    @Test func elseLoadTakesWhatIsThereAndLoadsWhatIsNot() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            let missed = try await setup.fetch(.returnCacheDataElseLoad)
            #expect(missed.cacheVerdict?.outcome == .miss)
            setup.clock.advance(seconds: 1_000_000)
            let stale = try await setup.fetch(.returnCacheDataElseLoad)
            #expect(stale.cacheVerdict?.outcome == .staleHit)
            #expect(setup.upstream.requests.count == 1)
        }
    }

    @Test(arguments: [CachePolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData])
    func reloadingPassesOverTheEntryAndReplacesIt(policy: CachePolicy) async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch()
            let reloaded = try await setup.fetch(policy)
            #expect(text(reloaded) == "body 2")
            #expect(reloaded.cacheVerdict?.outcome == .bypass)
            let asked = try #require(setup.upstream.requests.last)
            #expect(asked.headerFields[.ifNoneMatch] == nil)
            let isPastAll = policy == .reloadIgnoringLocalAndRemoteCacheData
            #expect(asked.headerFields[.cacheControl] == (isPastAll ? "no-cache" : nil))
            #expect(asked.value(forHTTPHeaderField: "Pragma") == (isPastAll ? "no-cache" : nil))
            #expect(try await text(setup.fetch()) == "body 2")
        }
    }

    @Test func revalidatingAsksThoughItIsFresh() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch()
            let validated = try await setup.fetch(.reloadRevalidatingCacheData)
            #expect(validated.cacheVerdict?.outcome == .validated)
            #expect(text(validated) == "body 1")
            // Caches on the way are to ask too.
            let asked = try #require(setup.upstream.requests.last)
            #expect(asked.headerFields[.cacheControl] == "max-age=0")
            _ = try await setup.fetch(.reloadRevalidatingCacheData) { request in
                request.headerFields[.cacheControl] = "max-age=5"
            }
            #expect(setup.upstream.requests.last?.headerFields[.cacheControl] == "max-age=5")
            _ = try await setup.fetch(.reloadRevalidatingCacheData) { request in
                request.omittedFields.insert(.cacheControl)
            }
            #expect(setup.upstream.requests.last?.headerFields[.cacheControl] == nil)
        }
    }

    // MARK: - Storing

    @Test func headIsAnsweredWithoutTheBody() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch()
            let head = try await setup.fetch(method: "HEAD")
            #expect(head.source == .cache)
            #expect(head.body.isEmpty)
            #expect(head.headerFields[.eTag] == "\"x\"")
            setup.clock.advance(seconds: 100)
            let validated = try await setup.fetch(method: "HEAD")
            #expect(validated.source == .validatedCache)
            #expect(validated.body.isEmpty)
            #expect(try await text(setup.fetch()) == "body 1")
        }
    }

    @Test func aHeadsResponseIsNotKept() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch(method: "HEAD")
            #expect(try await setup.fetch().cacheVerdict?.outcome == .miss)
        }
    }

    @Test func noStoreIsNotStored() async throws {
        try await withSetup(CachingSetup.server([("Cache-Control", "no-store")])) { setup in
            let first = try await setup.fetch()
            #expect(first.cacheVerdict?.isStored == false)
            #expect(first.cacheVerdict?.explanation.contains("no-store") == true)
            #expect(try await setup.fetch().cacheVerdict?.outcome == .miss)
            let error = await #expect(throws: FetchError.self) {
                try await setup.fetch(.returnCacheDataDontLoad)
            }
            #expect(error?.message.contains("offline use") == true)
        }
    }

    @Test func theRequestMayForbidStoring() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch { $0.storesResponse = false }
            #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path).isEmpty)
        }
    }

    @Test(
        "An unsafe method that succeeds invalidates (4.4)",
        arguments: [
            ("POST", 200, true), ("PUT", 204, true), ("DELETE", 302, true), ("PATCH", 200, true),
            ("POST", 400, false), ("POST", 500, false), ("OPTIONS", 200, false), ("HEAD", 200, false),
        ]
    )
    func invalidation(method: String, status: Int, isInvalidated: Bool) async throws {
        let upstream = ScriptedFetcher { request in
            request.httpMethod == "GET"
                ? .answering(request, 200, [("Cache-Control", "max-age=60")]) : .answering(request, status)
        }
        try await withSetup(upstream) { setup in
            _ = try await setup.fetch()
            _ = try await setup.fetch(method: method)
            #expect(try await setup.fetch().cacheVerdict?.outcome == (isInvalidated ? .miss : .hit))
        }
    }

    @Test func otherFieldsOfAVaryingResponseAreAMiss() async throws {
        try await withSetup(CachingSetup.server([("Vary", "X")])) { setup in
            _ = try await setup.fetch { $0.setValue("a", forHTTPHeaderField: "X") }
            #expect(
                try await setup.fetch { $0.setValue("a", forHTTPHeaderField: "X") }.cacheVerdict?.outcome
                    == .hit
            )
            let other = try await setup.fetch { $0.setValue("b", forHTTPHeaderField: "X") }
            #expect(other.cacheVerdict?.reason == "varies-otherwise")
            #expect(text(other) == "body 2")
        }
    }

    // MARK: - Failures

    @Test(
        "A part is not put together with what was stored for other credentials or fields (RFC 9111, 3.4 and 4.1)",
        arguments: [
            ("Authorization", "Basic a", nil, 3), ("Authorization", "Basic a", "Basic b", 3),
            ("Authorization", "Basic a", "Basic a", 1), ("X-A", "1", "2", 3), ("X-A", "1", "1", 1),
        ] as [(String, String, String?, Int)]
    )
    func partsForOthers(name: String, first: String, second: String?, requests: Int) async throws {
        let field = try #require(HTTPField.Name(name))
        let upstream = ScriptedFetcher { request in
            let fields = [("ETag", "\"v\""), ("Cache-Control", "max-age=60"), ("Vary", "X-A")]
            guard request.headerFields[.range] != nil else {
                return .answering(request, 200, fields, body: "abcdef")
            }
            return .answering(request, 206, fields + [("Content-Range", "bytes 3-5/6")], body: "def")
        }
        // The store in memory hands over the body of another variant too.
        let fetcher = CachingFetcher(
            store: MemoryCacheStore(maximumSize: 1 << 20),
            upstream: upstream,
            blockingWork: .inline,
            now: { Timestamp(millisecondsSince1970: 1_700_000_000_000) }
        )
        var request = WebRequest(url: try WebURL("http://a.test/page"))
        request.headerFields[field] = first
        _ = try await fetcher.fetch(request, limits: LoadLimits())
        request.headerFields[field] = second
        request.headerFields[.range] = "bytes=3-5"
        #expect(text(try await fetcher.fetch(request, limits: LoadLimits())) == "def")
        request.headerFields[.range] = nil
        #expect(text(try await fetcher.fetch(request, limits: LoadLimits())) == "abcdef")
        #expect(upstream.requests.count == requests)
    }

    @Test func aDamagedEntryIsReplaced() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch()
            let all = FileManager.default.enumerator(at: setup.folder, includingPropertiesForKeys: nil)
            let file = try #require(
                all?.compactMap { $0 as? URL }.first {
                    !$0.hasDirectoryPath && $0.lastPathComponent != CacheUsage.fileName
                }
            )
            try Data("damage".utf8).write(to: file)

            let error = await #expect(throws: FetchError.self) {
                try await setup.fetch(.returnCacheDataDontLoad)
            }
            #expect(error?.code == .cacheMiss)
            #expect(error?.message.contains("damaged") == true)

            let healed = try await setup.fetch()
            #expect(healed.cacheVerdict?.outcome == .miss)
            #expect(healed.cacheVerdict?.reason == "damaged")
            #expect(healed.cacheVerdict?.damage?.contains(file.path) == true)
            #expect(healed.cacheVerdict?.isStored == true)
            let hit = try await setup.fetch()
            #expect(hit.cacheVerdict?.outcome == .hit)
            #expect(hit.cacheVerdict?.damage == nil)
            #expect(text(hit) == "body 2")
        }
    }

    @Test func aCacheThatCannotBeWrittenDoesNotFailTheLoad() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("no-directory")
            try Data().write(to: file)
            let setup = CachingSetup(folder, directory: file.path, CachingSetup.server())
            let response = try await setup.fetch()
            #expect(text(response) == "body 1")
            #expect(response.cacheVerdict?.isStored == false)
            #expect(response.cacheVerdict?.failure?.contains(file.path) == true)
        }
    }

    @Test func theBodysLimitHoldsForWhatIsStored() async throws {
        try await withSetup(CachingSetup.server()) { setup in
            _ = try await setup.fetch()
            var limits = LoadLimits()
            limits.maximumBodySize = 5
            let request = WebRequest(url: try WebURL("http://a.test/page"))
            let error = await #expect(throws: FetchError.self) {
                try await setup.fetcher.fetch(request, limits: limits)
            }
            #expect(error == .bodyTooLarge(limit: 5))
        }
    }
}

extension WebResponse {
    /// The value of a field, nil if it is not there.
    func value(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headerFields[$0] }
    }
}
