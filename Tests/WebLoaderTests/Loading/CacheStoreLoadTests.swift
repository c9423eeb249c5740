import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

/// Loads with a cache in a store of the program's own, which may do anything.
@Suite(.timeLimit(.minutes(20)))
struct CacheStoreLoadTests {
    /// A dictionary whose answers are changed on their way.
    private final class LyingStore: CacheStore {
        let shelf = ShelfStore()
        let lie = Mutex<(@Sendable ([UInt8], String) -> [UInt8]?)?>(nil)

        func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]? {
            guard let bytes = await shelf.bytes(name, of: key) else { return nil }
            guard let lie = lie.withLock({ $0 }) else { return bytes }
            return lie(bytes, name)
        }

        func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws {
            await shelf.store(bytes, as: name, of: key)
        }

        func names(of key: CacheKey) async throws -> [String] { await shelf.names(of: key) }

        func remove(_ names: [String], of key: CacheKey) async throws { await shelf.remove(names, of: key) }
    }

    /// Answers after a long time, or at once, with an error.
    private struct UselessStore: CacheStore {
        struct Trouble: Error {
            let text = String(repeating: "trouble ", count: 1000)
        }

        let hangs: Bool

        private func fail() async throws -> Never {
            if hangs {
                // Not even where it is cancelled.
                await Task.detached { try? await Task.sleep(for: .seconds(20)) }.value
            }
            throw Trouble()
        }

        func bytes(_ name: String, of key: CacheKey) async throws -> [UInt8]? { try await fail() }
        func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async throws { try await fail() }
        func names(of key: CacheKey) async throws -> [String] { try await fail() }
        func remove(_ names: [String], of key: CacheKey) async throws { try await fail() }
    }

    private static let size = 700_000

    private static func server(_ asked: CallCounter) -> ScriptedFetcher {
        ScriptedFetcher { request in
            let body = request.url.path == "/large" ? String(repeating: "x", count: size) : "small"
            return .answering(
                request,
                200,
                [("Cache-Control", "max-age=600"), ("X-Count", "\(asked.next())")],
                body: body
            )
        }
    }

    private func loader(
        _ store: any CacheStore,
        _ server: any Fetcher,
        _ configure: (inout PageLoader.Configuration) -> Void = { _ in }
    ) -> PageLoader {
        PageLoader(server) { configuration in
            configuration.cacheStore = store
            configure(&configuration)
        }
    }

    private func request(
        _ path: String = "/",
        _ policy: CachePolicy = .useProtocolCachePolicy
    ) throws -> WebRequest {
        WebRequest(url: try WebURL("http://a.test\(path)"), cachePolicy: policy)
    }

    /// How often the server was asked for a response.
    private func count(_ response: WebResponse) -> Int? {
        HTTPField.Name("X-Count").flatMap { response.headerFields[$0] }.flatMap { Int($0) }
    }

    private func read(_ loader: PageLoader, _ request: WebRequest) async throws -> (WebResponse, [UInt8]) {
        let response = try await loader.stream(request)
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        return (response.head, bytes)
    }

    @Test(arguments: ["/", "/large"])
    func aStoreHasTheCache(path: String) async throws {
        let shelf = ShelfStore()
        let loader = loader(shelf, Self.server(CallCounter()))
        let url = try request(path).url
        #expect(await !loader.isCached(url))
        let first = try await loader.fetch(try request(path))
        #expect(first.cacheVerdict?.isStored == true)
        #expect(await loader.isCached(url))
        let hit = try await loader.fetch(try request(path))
        #expect(hit.source == .cache)
        #expect(hit.body == first.body)
        let (head, bytes) = try await read(loader, try request(path))
        #expect(head.source == .cache)
        #expect(bytes == first.body)
        #expect(await shelf.count == (path == "/" ? 1 : 4))
        // Another loader has what this one has.
        let other = PageLoader(ScriptedFetcher(failing: .refused)) { $0.cacheStore = shelf }
        #expect(try await other.fetch(try request(path, .returnCacheDataDontLoad)).body == first.body)
    }

    // MARK: - Failures

    @Test(arguments: [false, true], ["/", "/large"])
    func aStoreThatFailsFailsNoLoad(hangs: Bool, path: String) async throws {
        let loader = loader(UselessStore(hangs: hangs), Self.server(CallCounter())) {
            $0.maximumCacheStoreTime = .milliseconds(50)
        }
        for _ in 0..<2 {
            let response = try await loader.fetch(try request(path))
            #expect(response.source == .network)
            let verdict = try #require(response.cacheVerdict)
            #expect(!verdict.isStored)
            let text = hangs ? "has not answered in time" : "Trouble(text: \"trouble trouble"
            #expect(verdict.damage?.contains(text) == true)
            #expect(verdict.failure?.contains(text) == true)
            #expect(verdict.damage.map { $0.count < 400 } == true)
        }
        let (head, bytes) = try await read(loader, try request(path))
        #expect(head.status == 200)
        #expect(bytes.count == (path == "/" ? 5 : Self.size))
        #expect(await !loader.isCached(try request(path).url))
        let error = await #expect(throws: LoadError.self) {
            try await loader.fetch(try request(path, .returnCacheDataDontLoad))
        }
        #expect(error?.code == "cache.miss")
        await loader.finishBackgroundWork(within: .seconds(1))
    }

    /// The store may take a minute, and the load twelve seconds.
    @Test(arguments: ["/", "/large"])
    func aStoreThatHangsTakesNoLoadBeyondItsTime(path: String) async throws {
        let loader = loader(UselessStore(hangs: true), Self.server(CallCounter())) {
            $0.maximumCacheStoreTime = .seconds(60)
            $0.limits.maximumTime = .seconds(12)
        }
        let page = try await loader.load(try request(path))
        #expect(page.response.body.count == (path == "/" ? 5 : Self.size))
    }

    /// The first one would keep its turn for an hour.
    @Test func aChangeWaitsForAnotherNoLongerThanItHasTime() async throws {
        let store = KeyedStore(UselessStore(hangs: true), maximumSeconds: 3600)
        let first = Task { try await store.remove("k", until: .infinity) }
        await Task.yield()
        let error = await #expect(throws: CacheStoreError.self) {
            try await store.remove("k", until: MonotonicClock.now + 0.2)
        }
        #expect(error?.errno == ETIMEDOUT)
        let waiting = Task { try await store.remove("k", until: .infinity) }
        for task in [waiting, first] {
            task.cancel()
            guard case .failure = await task.result else {
                Issue.record("what was cancelled has succeeded")
                continue
            }
        }
    }

    @Test func aLoadThatWaitsForAStoreIsCancelled() async throws {
        let loader = loader(UselessStore(hangs: true), Self.server(CallCounter())) {
            $0.maximumCacheStoreTime = .seconds(60)
        }
        let request = try request()
        let task = Task { try await loader.fetch(request) }
        await Task.yield()
        task.cancel()
        let error = await #expect(throws: LoadError.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    // MARK: - Lies

    private struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let tell: @Sendable ([UInt8], String) -> [UInt8]?

        init(_ name: String, _ tell: @escaping @Sendable ([UInt8], String) -> [UInt8]?) {
            testDescription = name
            self.tell = tell
        }
    }

    private static let lies: [Lie] =
        [
            Lie("nothing in it") { _, _ in [] },
            Lie("one byte") { _, _ in [0x57] },
            Lie("zeros") { bytes, _ in bytes.map { _ in 0 } },
            Lie("cut") { bytes, _ in bytes.dropLast() },
            Lie("half") { bytes, _ in Array(bytes.prefix(bytes.count / 2)) },
            Lie("longer") { bytes, _ in bytes + [0] },
            Lie("twice") { bytes, _ in bytes + bytes },
            Lie("pieces alone are gone") { bytes, name in name.contains(".") ? nil : bytes },
            Lie("the last piece is gone") { bytes, name in name.hasSuffix(".2") ? nil : bytes },
            Lie("a piece is changed") { bytes, name in
                name.hasSuffix(".1") ? bytes.dropLast() + [0] : bytes
            },
        ]
        + [0, 8, 10, 12, 16, 17, 23, 24, 32, 40, 44, 60, 100].map { offset in
            Lie("a bit of byte \(offset)") { bytes, _ in
                var changed = bytes
                if offset < bytes.count { changed[offset] ^= 0x40 }
                return changed
            }
        }

    @Test(arguments: lies)
    private func whatWasNotStoredIsNotServed(lie: Lie) async throws {
        let store = LyingStore()
        let asked = CallCounter()
        let loader = loader(store, Self.server(asked))
        let first = try await loader.fetch(try request("/large"))
        #expect(count(first) == 1)
        store.lie.withLock { $0 = lie.tell }
        let again = try await loader.fetch(try request("/large"))
        #expect(count(again) == 2)
        #expect(again.cacheVerdict?.damage != nil)
        #expect(again.body == first.body)
        store.lie.withLock { $0 = nil }
        #expect(try await loader.fetch(try request("/large")).body == first.body)
    }

    /// The store returns the entry of one URL in place of another's.
    @Test func theResponseOfAnotherURLIsNotServed() async throws {
        let store = LyingStore()
        let loader = loader(store, Self.server(CallCounter()))
        _ = try await loader.fetch(try request("/other"))
        let key = CacheKey(StoredResponse.key(for: try request("/other").url))
        let other = try #require(await store.shelf.bytes("response", of: key))
        _ = try await loader.fetch(try request("/"))
        store.lie.withLock { $0 = { _, _ in other } }
        let response = try await loader.fetch(try request("/"))
        #expect(response.source == .network)
        #expect(response.cacheVerdict?.damage?.contains("it is of another URL") == true)
    }

    /// A piece in place of another of the same body, and of another body of the same length.
    @Test(arguments: [false, true])
    func anotherPieceIsNotServed(isOfAnotherBody: Bool) async throws {
        let store = LyingStore()
        let loader = loader(store, Self.server(CallCounter()))
        let first = try await loader.fetch(try request("/large"))
        let key = CacheKey(StoredResponse.key(for: try request("/large").url))
        let names = await store.shelf.names(of: key).filter { $0.hasSuffix(isOfAnotherBody ? ".1" : ".0") }
        let name = try #require(names.first)
        let other = try #require(await store.shelf.bytes(name, of: key))
        if isOfAnotherBody {
            _ = try await loader.fetch(try request("/large", .reloadIgnoringLocalCacheData))
        }
        store.lie.withLock { $0 = { bytes, name in name.hasSuffix(".1") ? other : bytes } }
        let again = try await loader.fetch(try request("/large"))
        #expect(again.source == .network)
        #expect(again.body == first.body)
        // A reader who has the first piece cannot be given another response.
        let error = await #expect(throws: LoadError.self) { try await read(loader, try request("/large")) }
        #expect(error?.code == "cache.miss")
    }

    @Test func aStreamWhoseFirstPieceIsGoneIsLoaded() async throws {
        let store = LyingStore()
        let loader = loader(store, Self.server(CallCounter()))
        _ = try await loader.fetch(try request("/large"))
        store.lie.withLock { $0 = { bytes, name in name.hasSuffix(".0") ? nil : bytes } }
        let (head, bytes) = try await read(loader, try request("/large"))
        #expect(head.source == .network)
        #expect(bytes.count == Self.size)
    }

    // MARK: - Pieces

    /// A store whose items wait at its door.
    private actor GatedStore: CacheStore {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private(set) var sizes: [Int] = []

        func bytes(_ name: String, of key: CacheKey) -> [UInt8]? { nil }
        func names(of key: CacheKey) -> [String] { [] }
        func remove(_ names: [String], of key: CacheKey) {}

        func store(_ bytes: [UInt8], as name: String, of key: CacheKey) async {
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
            sizes.append(bytes.count)
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test func aSenderWaitsForTheStore() async throws {
        let gated = GatedStore()
        let writer = KeyedStore(gated, maximumSeconds: 60).bodyWriter(for: "k")
        let piece = [UInt8](repeating: 7, count: 256 << 10)
        #expect(writer.isReady {})
        // The third one shows that the second is full.
        for _ in 0..<3 { try writer.write(piece.span) }
        await withCheckedContinuation { continuation in
            #expect(!writer.isReady { continuation.resume() })
            Task { await gated.open() }
        }
        #expect(writer.isReady {})
        try writer.write(Array("end".utf8).span)
        let body = try await writer.finish()
        #expect(body.count == 3 * (256 << 10) + 3)
        #expect(await gated.sizes == [(256 << 10) + 8, (256 << 10) + 8, (256 << 10) + 8, 11])
    }

    @Test(arguments: [1, 262_143, 262_144, 262_145, 699_999, 700_000])
    func rangesAreMadeOfPieces(end: Int) async throws {
        let store = KeyedStore(ShelfStore(), maximumSeconds: 60)
        let whole = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let writer = store.bodyWriter(for: "k")
        try writer.write(whole.span)
        let body = try #require(try await writer.finish().pieces)
        for start in [0, 1, 262_143, 262_144, 262_145, 524_288, 699_999] where start < end {
            let bytes = try await body.bytes(start..<end, until: .infinity)
            #expect(bytes == Array(whole[start..<end]))
        }
        await #expect(throws: CacheStoreError.self) {
            try await body.bytes(699_999..<700_001, until: .infinity)
        }
        await #expect(throws: CacheStoreError.self) { try await body.bytes(0..<1, until: 0) }
    }

    @Test func aKeyIsItsBytes() {
        #expect(CacheKey("\u{E9}") != CacheKey("e\u{301}"))
        #expect(CacheKey("a") == CacheKey("a"))
        #expect("\(CacheKey("a"))" == "a")
        #expect(Set([CacheKey("a"), CacheKey("a"), CacheKey("b")]).count == 2)
        let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(CacheKey("").digest == digest)
    }
}
