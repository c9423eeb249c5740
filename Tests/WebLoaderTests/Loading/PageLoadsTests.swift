import Synchronization
import TestSupport
import Testing

@testable import WebLoader

@Suite(.timeLimit(.minutes(20)))
struct PageLoadsTests {
    private func loader(_ script: @escaping ScriptedFetcher.Script) -> (PageLoader, ScriptedFetcher) {
        let fetcher = ScriptedFetcher(script)
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = fetcher
        return (PageLoader(configuration: configuration), fetcher)
    }

    private func requests(_ count: Int, host: String = "a.test") throws -> [WebRequest] {
        try (0..<count).map { WebRequest(url: try WebURL("http://\(host)/\($0)")) }
    }

    @Test(arguments: [0, 1, 2, 7, 500])
    func everyRequestHasOneResult(count: Int) async throws {
        let (loader, _) = loader { request throws(FetchError) in
            if request.url.path.hasSuffix("3") { throw FetchError(.connection, "x") }
            return .answering(request, body: request.url.path)
        }
        var seen: Set<String> = []
        var failures = 0
        for await load in loader.loadAll(try requests(count), concurrency: 5) {
            #expect(seen.insert(load.request.url.path).inserted)
            switch load.result {
            case .success(let page): #expect(page.response.body == Array(load.request.url.path.utf8))
            case .failure(let error):
                #expect(error.code == "network.connect")
                failures += 1
            }
        }
        #expect(seen.count == count)
        #expect(failures == (0..<count).count { $0 % 10 == 3 })
    }

    @Test(arguments: [1, 3, 20])
    func noMoreRunThanAsked(concurrency: Int) async throws {
        let counts = Mutex((now: 0, most: 0))
        let (loader, _) = loader { request in
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            await Task.yield()
            counts.withLock { $0.now -= 1 }
            return .answering(request)
        }
        let requests = try (0..<200).map { WebRequest(url: try WebURL("http://h\($0 % 40).test/\($0)")) }
        for await _ in loader.loadAll(requests, concurrency: concurrency) {}
        #expect(counts.withLock(\.most) <= concurrency)
    }

    /// Requests are taken from the sequence as they are needed, and results wait to be taken.
    @Test func memoryIsBounded() async throws {
        let (loader, fetcher) = loader { .answering($0) }
        let taken = Mutex(0)
        let url = try WebURL("http://a.test/")
        let endless = sequence(first: 0) { number in
            taken.withLock { $0 += 1 }
            return number + 1
        }
        let loads = loader.loadAll(EndlessRequests(url: url, numbers: endless), concurrency: 4)
        var iterator = loads.makeAsyncIterator()
        for _ in 0..<10 { _ = await iterator.next() }
        for _ in 0..<1000 { await Task.yield() }
        #expect(fetcher.requests.count <= 10 + 4)
        #expect(taken.withLock(\.self) <= 10 + 4 + 64 + 1)
    }

    private struct EndlessRequests: Sequence, @unchecked Sendable {
        let url: WebURL
        let numbers: UnfoldFirstSequence<Int>

        func makeIterator() -> AnyIterator<WebRequest> {
            var numbers = numbers
            return AnyIterator { numbers.next().map { _ in WebRequest(url: url) } }
        }
    }

    @Test func hostsTakeTurns() async throws {
        let (loader, fetcher) = loader { .answering($0) }
        let requests = try requests(50, host: "many.test") + requests(2, host: "few.test")
        for await _ in loader.loadAll(requests, concurrency: 2) {}
        let early = fetcher.requests.prefix(6).map(\.url.hostname)
        #expect(early.count { $0 == "few.test" } == 2)
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let started = AsyncStream<Void>.makeStream()
        let ended = Event("a load is cancelled")
        let (loader, _) = loader { request throws(FetchError) in
            started.continuation.yield()
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                ended.happen()
                throw FetchError.cancelled
            }
            return .answering(request)
        }
        let requests = try requests(10)
        let task = Task {
            var count = 0
            for await _ in loader.loadAll(requests, concurrency: 3) { count += 1 }
            return count
        }
        var seen = 0
        for await _ in started.stream {
            seen += 1
            if seen == 3 { break }
        }
        task.cancel()
        #expect(await task.value == 0)
        try await ended.wait(times: 3)
    }

    @Test func endsWhenItIsLeft() async throws {
        let ended = AsyncStream<Void>.makeStream()
        let (loader, _) = loader { request throws(FetchError) in
            guard request.url.path != "/0" else { return .answering(request) }
            // Ends only when it is cancelled.
            try? await Task.sleep(for: .seconds(600))
            ended.continuation.yield()
            throw FetchError.cancelled
        }
        for await _ in loader.loadAll(try requests(2), concurrency: 2) { break }
        for await _ in ended.stream { break }
    }
}
