import Foundation
import HTTPTypes
import Synchronization

@testable import WebStandards
@testable import WebTransport

/// A clock that stands until it is moved.
final class StandingClock: Sendable {
    private let time = Atomic<Int64>(1_700_000_000_000)

    var now: Timestamp { Timestamp(millisecondsSince1970: time.load(ordering: .relaxed)) }

    func advance(seconds: Int64) { time.add(seconds * 1000, ordering: .relaxed) }
}

/// A cache before a scripted server.
struct CachingSetup {
    let clock = StandingClock()
    let folder: URL
    let upstream: ScriptedFetcher
    let fetcher: CachingFetcher

    init(_ folder: URL, directory: String? = nil, _ upstream: ScriptedFetcher) {
        self.folder = folder
        self.upstream = upstream
        let clock = self.clock
        fetcher = CachingFetcher(
            store: DiskCacheStore(directory: directory ?? folder.path),
            upstream: upstream,
            blockingWork: .inline,
            now: { clock.now }
        )
    }

    func fetch(
        _ policy: CachePolicy = .useProtocolCachePolicy,
        method: String = "GET",
        _ configure: (inout WebRequest) -> Void = { _ in }
    ) async throws -> WebResponse {
        var request = WebRequest(url: try WebURL("http://a.test/page#fragment"), cachePolicy: policy)
        request.httpMethod = method
        configure(&request)
        return try await fetcher.fetch(request, limits: LoadLimits())
    }
}

extension CachingSetup {
    /// Answers with an ETag, fresh for a minute, and 304 to who has it; each body is another.
    static func server(_ fields: [(String, String)] = []) -> ScriptedFetcher {
        let counter = CallCounter()
        return ScriptedFetcher { request in
            if request.headerFields[.ifNoneMatch] == "\"x\"" {
                return .answering(request, 304, [("Cache-Control", "max-age=60"), ("X-Validated", "yes")])
            }
            return .answering(
                request,
                200,
                [("Cache-Control", "max-age=60"), ("ETag", "\"x\"")] + fields,
                body: "body \(counter.next())"
            )
        }
    }
}

/// Counts calls.
final class CallCounter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }

    func reset() { count.store(0, ordering: .relaxed) }
}
