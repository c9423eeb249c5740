import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebTransport

/// Bodies that pass through the cache without standing in memory.
@Suite(.timeLimit(.minutes(20)))
struct StreamingCacheTests {
    private static let pieceCount = 20
    private static let piece = (0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 131) }

    /// Sends pieces to a receiver that does not collect them; fails before the last one if `fails` is set.
    private struct Origin: Fetcher {
        var fails = false
        let asked = Counter()

        func fetch(
            _ request: WebRequest,
            limits: LoadLimits,
            receiver: (any BodyReceiver)?
        ) async throws(FetchError) -> WebResponse {
            asked.count.add(1, ordering: .relaxed)
            guard let receiver, !receiver.collectsBody else {
                throw FetchError(.bodyTooLarge, "nobody asked for all of it at once")
            }
            let isConfirmed = request.headerFields[.ifNoneMatch] == "\"x\""
            let response = WebResponse.answering(
                request,
                isConfirmed ? 304 : 200,
                [("Cache-Control", "max-age=60"), ("ETag", "\"x\"")]
            )
            try receiver.receive(head: response)
            if isConfirmed { return response }
            for index in 0..<pieceCount {
                if fails, index == pieceCount - 1 { throw FetchError(.connectionLost, "cut off") }
                try receiver.receive(piece.span)
            }
            return response
        }
    }

    private final class Counter: Sendable {
        let count = Atomic<Int>(0)
    }

    /// Notes what passes by.
    private final class Gauge: BodyReceiver {
        private let state = Mutex((count: 0, largest: 0, all: [UInt8]()))

        var collectsBody: Bool { false }
        var count: Int { state.withLock { $0.count } }
        var largest: Int { state.withLock { $0.largest } }

        /// Of the bytes in their order, however they are cut.
        var checksum: UInt64 { state.withLock { ContentHash.checksum($0.all) } }

        func receive(head: WebResponse) {}

        func receive(_ bytes: Span<UInt8>) {
            state.withLock { state in
                state.count += bytes.count
                state.largest = max(state.largest, bytes.count)
                unsafe bytes.withUnsafeBufferPointer { unsafe state.all.append(contentsOf: $0) }
            }
        }
    }

    private func fetcher(_ folder: URL, _ origin: Origin) -> CachingFetcher {
        CachingFetcher(
            store: DiskCacheStore(directory: folder.path, maximumSize: 4 << 30),
            upstream: origin,
            blockingWork: .inline,
            now: { .now }
        )
    }

    private func fetch(
        _ fetcher: CachingFetcher,
        _ policy: CachePolicy = .useProtocolCachePolicy
    ) async throws -> (gauge: Gauge, response: WebResponse) {
        var limits = LoadLimits()
        limits.maximumBodySize = 4 << 30
        let gauge = Gauge()
        let request = WebRequest(url: try WebURL("http://a.test/large"), cachePolicy: policy)
        return (gauge, try await fetcher.fetch(request, limits: limits, receiver: gauge))
    }

    @Test func aLargeBodyIsStoredConfirmedAndHandedOutInPieces() async throws {
        try await withTemporaryFolder { folder in
            let origin = Origin()
            let fetcher = fetcher(folder, origin)
            let first = try await fetch(fetcher)
            #expect(first.response.cacheVerdict?.isStored == true)
            #expect(first.response.body.isEmpty)
            #expect(first.gauge.count == Self.pieceCount * Self.piece.count)
            let hit = try await fetch(fetcher)
            #expect(hit.response.source == .cache)
            let confirmed = try await fetch(fetcher, .reloadRevalidatingCacheData)
            #expect(confirmed.response.source == .validatedCache)
            for gauge in [hit.gauge, confirmed.gauge] {
                #expect(gauge.count == first.gauge.count)
                #expect(gauge.checksum == first.gauge.checksum)
                #expect(gauge.largest <= ContentHash.pieceLength)
            }
            #expect(origin.asked.count.load(ordering: .relaxed) == 2)
        }
    }

    @Test func whatIsCutOffIsNotStored() async throws {
        try await withTemporaryFolder { folder in
            let fetcher = fetcher(folder, Origin(fails: true))
            await #expect(throws: FetchError(.connectionLost, "cut off")) { try await fetch(fetcher) }
            let error = await #expect(throws: FetchError.self) {
                try await fetch(fetcher, .returnCacheDataDontLoad)
            }
            #expect(error?.code == .cacheMiss)
            let left = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            #expect(!left.contains { $0.contains("/") })
        }
    }

    @Test func aCacheThatCannotTakeItStillHandsItOn() async throws {
        try await withTemporaryFolder { folder in
            let fetcher = CachingFetcher(
                store: DiskCacheStore(directory: folder.path, maximumSize: 1_000_000),
                upstream: Origin(),
                blockingWork: .inline,
                now: { .now }
            )
            let first = try await fetch(fetcher)
            #expect(first.gauge.count == Self.pieceCount * Self.piece.count)
            #expect(first.response.cacheVerdict?.isStored == false)
            #expect(first.response.cacheVerdict?.failure != nil)
        }
    }
}
