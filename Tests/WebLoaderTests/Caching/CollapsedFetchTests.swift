import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebTransport

/// Requests made while the same one is under way.
@Suite(.timeLimit(.minutes(20)))
struct CollapsedFetchTests {
    /// A gate that holds back answers until it is opened.
    private final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private func fetcher(_ upstream: any Fetcher) -> CachingFetcher {
        CachingFetcher(
            store: MemoryCacheStore(maximumSize: 1 << 20),
            upstream: upstream,
            blockingWork: .inline,
            now: { Timestamp(millisecondsSince1970: 1_700_000_000_000) }
        )
    }

    private func request(_ fragment: String = "") throws -> WebRequest {
        WebRequest(url: try WebURL("http://a.test/page\(fragment)"))
    }

    /// Waits until so many requests wait for another one.
    private func waiters(_ fetcher: CachingFetcher, _ count: Int) async throws {
        try await eventually("\(count) requests wait") { fetcher.flights.waiterCount >= count }
    }

    @Test(arguments: [Double.infinity, 1e300, .nan])
    func waitsForAnyNumberOfSeconds(seconds: Double) async throws {
        let flights = Flights<RequestKey>()
        let key = RequestKey(try request(), LoadLimits())
        guard case .first = await flights.join(key, within: seconds) else {
            Issue.record("somebody else was first")
            return
        }
        let waiting = Task { await flights.join(key, within: seconds) }
        if !seconds.isNaN { try await eventually("a request waits") { flights.waiterCount > 0 } }
        waiting.cancel()
        _ = await waiting.value
        flights.land(key, .nothing)
    }

    @Test(
        "One fetch answers all, where its response may be stored",
        arguments: [
            ("max-age=60", "", 1), ("max-age=60", "X-A", 1), ("no-cache", "", 1), ("", "", 1),
            ("no-store", "", 9),
            ("max-age=60", "X-A, *", 9),
        ]
    )
    func sharing(control: String, vary: String, requests: Int) async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { request in
            await gate.wait()
            let fields = [("Cache-Control", control), ("Vary", vary)].filter { !$0.1.isEmpty }
            return .answering(request, 200, fields, body: "once")
        }
        let fetcher = fetcher(upstream)
        try await withThrowingTaskGroup(of: WebResponse.self) { group in
            for index in 0..<9 {
                let request = try request("#\(index)")
                group.addTask { try await fetcher.fetch(request, limits: LoadLimits()) }
            }
            try await waiters(fetcher, 8)
            gate.open()
            var fragments: Set<String> = []
            var shared = 0
            for try await response in group {
                #expect(String(decoding: response.body, as: UTF8.self) == "once")
                fragments.insert(response.url.fragment ?? "")
                if response.cacheVerdict?.outcome == .shared { shared += 1 }
            }
            #expect(fragments.count == 9)
            #expect(shared == (requests == 1 ? 8 : 0))
        }
        #expect(upstream.requests.count == requests)
    }

    @Test(
        "What is kept for offline use alone answers nobody else who may ask the server (RFC 9111, 5.2.2.5)",
        arguments: [(CachePolicy.useProtocolCachePolicy, 4), (.returnCacheDataElseLoad, 1)]
    )
    func keptForOfflineUse(policy: CachePolicy, requests: Int) async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { request in
            await gate.wait()
            return .answering(request, 200, [("Cache-Control", "no-store")], body: "once")
        }
        let fetcher = fetcher(upstream)
        var request = try request()
        request.keepsForOfflineUse = true
        request.cachePolicy = policy
        let all = (0..<4).map { [request] _ in
            Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        }
        try await waiters(fetcher, 3)
        gate.open()
        for task in all {
            let response = try await task.value
            #expect(String(decoding: response.body, as: UTF8.self) == "once")
            #expect(response.cacheVerdict?.outcome != .shared)
        }
        #expect(upstream.requests.count == requests)
    }

    @Test func othersWithReceiversGetItToo() async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { request in
            await gate.wait()
            return .answering(request, 200, [("Cache-Control", "max-age=60")], body: "once")
        }
        let fetcher = fetcher(upstream)
        let receivers = (0..<4).map { _ in DroppingReceiver() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for receiver in receivers {
                let request = try request()
                group.addTask {
                    _ = try await fetcher.fetch(request, limits: LoadLimits(), receiver: receiver)
                }
            }
            try await waiters(fetcher, 3)
            gate.open()
            try await group.waitForAll()
        }
        #expect(receivers.map(\.text) == ["once", "once", "once", "once"])
        #expect(upstream.requests.count == 1)
    }

    @Test func otherRequestsAreNotWaitedFor() async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { request in
            if request.headerFields[.accept] == nil { await gate.wait() }
            return .answering(request, 200, [("Cache-Control", "max-age=60")], body: "x")
        }
        let fetcher = fetcher(upstream)
        let first = try request()
        let waiting = Task { try await fetcher.fetch(first, limits: LoadLimits()) }
        try await eventually("the first request is asked") { !upstream.requests.isEmpty }
        var other = try request()
        other.headerFields[.accept] = "a/b"
        _ = try await fetcher.fetch(other, limits: LoadLimits())
        gate.open()
        _ = try await waiting.value
        #expect(upstream.requests.count == 2)
    }

    @Test func aCancelledFirstOneLeavesTheRestToTheNext() async throws {
        let upstream = ScriptedFetcher { request async throws(FetchError) in
            // The first one waits until it is cancelled.
            if request.headerFields[.userAgent] == "first" {
                await untilCancelled()
                throw .cancelled
            }
            return .answering(request, 200, [("Cache-Control", "max-age=60")], body: "x")
        }
        let counter = Mutex(0)
        let marking = ScriptedFetcher { request async throws(FetchError) in
            var request = request
            let isFirst = counter.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { request.headerFields[.userAgent] = "first" }
            return try await upstream.fetch(request, limits: LoadLimits())
        }
        let fetcher = fetcher(marking)
        let request = try request()
        let first = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        try await eventually("the first request is asked") { !upstream.requests.isEmpty }
        let others = (0..<5).map { _ in Task { try await fetcher.fetch(request, limits: LoadLimits()) } }
        try await waiters(fetcher, 5)
        first.cancel()
        await #expect(throws: FetchError.self) { try await first.value }
        for other in others { #expect(try await other.value.body == Array("x".utf8)) }
        #expect(upstream.requests.count == 2)
    }

    /// Were each to ask for itself, a server that has just failed would be asked by all at once.
    @Test func aFailureIsTheAnswerToAllWhoWaitedForIt() async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { _ async throws(FetchError) in
            await gate.wait()
            throw FetchError(.connection, "gone")
        }
        let fetcher = fetcher(upstream)
        let request = try request()
        let all = (0..<4).map { _ in Task { try await fetcher.fetch(request, limits: LoadLimits()) } }
        try await waiters(fetcher, 3)
        gate.open()
        for task in all { await #expect(throws: FetchError(.connection, "gone")) { try await task.value } }
        #expect(upstream.requests.count == 1)
    }

    @Test func theTimeOfTheFirstOneIsItsOwn() async throws {
        let gate = Gate()
        let counter = CallCounter()
        let upstream = ScriptedFetcher { request async throws(FetchError) in
            if counter.next() == 1 {
                await gate.wait()
                throw FetchError(.totalTimeout, "its time was over")
            }
            return .answering(request, 200, [("Cache-Control", "max-age=60")], body: "x")
        }
        let fetcher = fetcher(upstream)
        let request = try request()
        let first = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        try await eventually("the first request is asked") { !upstream.requests.isEmpty }
        let others = (0..<5).map { _ in Task { try await fetcher.fetch(request, limits: LoadLimits()) } }
        try await waiters(fetcher, 5)
        gate.open()
        await #expect(throws: FetchError.self) { try await first.value }
        for other in others { #expect(try await other.value.body == Array("x".utf8)) }
        #expect(upstream.requests.count == 2)
    }

    @Test(arguments: [.infinity, .nan, 1e300, -1, -Double.infinity, 0] as [Double])
    func anyTimeMayBeWaitedFor(seconds: Double) async throws {
        let flights = Flights<RequestKey>()
        let key = RequestKey(try request(), LoadLimits())
        guard case .first = await flights.join(key, within: nil) else {
            Issue.record("somebody else is under way")
            return
        }
        async let joined = flights.join(key, within: seconds)
        if seconds > 0 {
            try await eventually("a request waits") { flights.waiterCount > 0 }
            flights.land(key, .stored)
            guard case .landed(.stored) = await joined else {
                Issue.record("\(seconds) s are over")
                return
            }
        } else {
            // Its time may be over before it waits.
            guard case .expired = await joined else {
                Issue.record("\(seconds) s are not over")
                return
            }
        }
    }

    /// A wait that ends before it has begun ends all the same.
    @Test func aTimeThatIsOverAtOnceIsNotLost() async throws {
        let flights = Flights<RequestKey>()
        let key = RequestKey(try request(), LoadLimits())
        _ = await flights.join(key, within: nil)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    if case .expired = await flights.join(key, within: 0) { true } else { false }
                }
            }
            for await isExpired in group { #expect(isExpired) }
        }
        #expect(flights.waiterCount == 0)
    }

    /// It goes round three times; were the time since the start taken off each time, little would be left.
    @Test func theTimeThatIsLeftIsCountedFromTheStart() async throws {
        let upstream = ScriptedFetcher { request in .answering(request, 200, [], body: "x") }
        let fetcher = fetcher(upstream)
        var limits = LoadLimits()
        limits.maximumTime = .seconds(100)
        let exchange = CachingFetcher.Exchange(
            request: try request(),
            key: "k",
            limits: limits,
            receiver: nil,
            started: MonotonicClock.now - 40
        )
        for _ in 0..<3 {
            let left = try #require(exchange.limitsLeft.maximumSeconds)
            #expect((30...60).contains(left))
        }
        #expect(fetcher.flights.waiterCount == 0)
    }

    @Test func whoWaitsIsCancelledAndTimedOutAlone() async throws {
        let gate = Gate()
        let upstream = ScriptedFetcher { request in
            await gate.wait()
            return .answering(request, 200, [], body: "x")
        }
        let fetcher = fetcher(upstream)
        let request = try request()
        let first = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        try await eventually("the first request is asked") { !upstream.requests.isEmpty }
        let cancelled = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
        try await waiters(fetcher, 1)
        cancelled.cancel()
        await #expect(throws: FetchError.cancelled) { try await cancelled.value }
        var limits = LoadLimits()
        limits.maximumTime = .seconds(0.01)
        let error = await #expect(throws: FetchError.self) {
            try await fetcher.fetch(request, limits: limits)
        }
        #expect(error?.code == .totalTimeout)
        gate.open()
        #expect(try await first.value.body == Array("x".utf8))
        #expect(upstream.requests.count == 1)
    }
}
