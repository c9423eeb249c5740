import Foundation
import Synchronization
import WebLoader

/// Loads, some dozens at once, and looks at what the process uses meanwhile.
final class Soak: Sendable {
    static let concurrency = 40
    static let maximumCacheSize = 3 << 20

    let tally = SoakTally()
    private let ports: [Int]
    private let cacheDirectory: String
    private let ended = Atomic<Int>(0)

    init(ports: [Int], cacheDirectory: String) {
        self.ports = ports
        self.cacheDirectory = cacheDirectory
    }

    /// The loaders of a part of the soak: most loads go through one that lasts, the others through one with the same
    /// folder, and one that has its cache in memory.
    struct Loaders: Sendable {
        let main: PageLoader
        let beside: PageLoader
        let inMemory: PageLoader

        func loader(for number: Int) -> PageLoader {
            switch number % 10 {
            case 0: beside
            case 1: inMemory
            default: main
            }
        }

        func finishBackgroundWork() async {
            for loader in [main, beside, inMemory] { await loader.finishBackgroundWork(within: .seconds(60)) }
        }
    }

    /// Loaders, with the lasting one of earlier ones.
    func loaders(after earlier: Loaders? = nil) -> Loaders {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = cacheDirectory
        configuration.maximumCacheSize = Self.maximumCacheSize
        configuration.limits.maximumBodySize = 1 << 20
        configuration.limits.maximumTime = .seconds(60)
        configuration.retryPolicy.maximumRetries = 1
        configuration.retryPolicy.initialDelay = .seconds(0.01)
        configuration.retryPolicy.maximumTime = .seconds(2)
        configuration.cookieJar = CookieJar()
        configuration.workers.pagesPerWorker = 5
        let main = earlier?.main ?? PageLoader(configuration: configuration)
        configuration.fetcher = CurlFetcher()
        configuration.workers.pagesPerWorker = 1
        let beside = PageLoader(configuration: configuration)
        configuration.fetcher = CurlFetcher()
        configuration.cacheDirectory = nil
        configuration.keepsCacheInMemory = true
        configuration.maximumCacheSize = 1 << 20
        return Loaders(main: main, beside: beside, inMemory: PageLoader(configuration: configuration))
    }

    // MARK: - Loading

    /// Loads these numbers, and waits for all of them.
    func run(_ numbers: Range<Int>, _ loaders: Loaders) async {
        await withTaskGroup(of: Void.self) { group in
            for number in numbers {
                // Each that ends makes room for another.
                if number - numbers.lowerBound >= Self.concurrency { await group.next() }
                group.addTask { await self.run(number, loaders.loader(for: number)) }
            }
        }
        await loaders.finishBackgroundWork()
    }

    private func run(_ number: Int, _ loader: PageLoader) async {
        do {
            let load = try SoakLoad(number, ports: ports)
            let floor = tally.update { counts in
                counts.asked += 1
                counts.underWay[number] = "\(load.request.httpMethod) \(load.request.url) \(load.action)"
                return counts.versions[load.page]
            }
            let check = SoakCheck(load: load, tally: tally, floor: floor)
            let task = Task { try await Self.perform(load, loader, check) }
            if let milliseconds = load.cancellation {
                if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
                task.cancel()
            }
            switch await task.result {
            case .success: break
            case .failure(let error as LoadError): check.failed(error)
            // It had its answer, and was cancelled while that was looked at.
            case .failure(let error as ParsingError)
            where error.code == .cancelled && load.cancellation != nil:
                break
            case .failure(let error): check.violation("fails otherwise: \(error)")
            }
        } catch {
            tally.violation("\(number): \(error)")
        }
        tally.update { _ = $0.underWay.removeValue(forKey: number) }
        ended.add(1, ordering: .relaxed)
    }

    private static func perform(_ load: SoakLoad, _ loader: PageLoader, _ check: SoakCheck) async throws {
        switch load.action {
        case .fetch: check.loaded(try await loader.fetch(load.request))
        case .load, .inspect:
            let page = try await loader.load(load.request)
            let content = check.loaded(page.response)
            if case .inspect = load.action, let content {
                try check.inspected(try await page.parsed(), content)
            }
        case .extract(let recipe):
            let (response, extraction) = try await loader.extract(
                try recipe.parsed(),
                from: load.request,
                budget: recipe.budget
            )
            check.extracted(recipe, extraction, check.loaded(response))
        }
    }

    /// Loads every page from the cache alone: what is still there is to be whole.
    func readBack(_ loader: PageLoader) async throws -> Int {
        var found = 0
        for page in 0..<SoakPage.count {
            for flavour in ["sweet", "sour"] {
                var request = WebRequest(
                    url: try WebURL("http://127.0.0.1:\(ports[page % ports.count])/p/\(page)")
                )
                request.cachePolicy = .returnCacheDataDontLoad
                request.followsRedirects = false
                request.setValue(flavour, forHTTPHeaderField: "X-Flavour")
                guard let response = try? await loader.fetch(request), response.status == 200,
                    !response.isMarked
                else { continue }
                found += 1
                guard let content = SoakPage(response.body), content.number == page else {
                    tally.violation("the cache has no whole page \(page)")
                    continue
                }
            }
        }
        return found
    }

    // MARK: - Watching

    /// Ends the process, saying what is under way, when nothing has ended for so long.
    func watch(seconds: Double) {
        Thread.detachNewThread { [self] in
            var last = -1
            while true {
                Thread.sleep(forTimeInterval: seconds)
                let now = ended.load(ordering: .relaxed)
                if now == last {
                    FileHandle.standardError.write(
                        Data("nothing ends any more: \(tally.now.underWay)\n".utf8)
                    )
                    exit(3)
                }
                last = now
            }
        }
    }

    /// Samples while `body` runs; returns the most of each, the bytes of the cache's folder among them.
    func sampling(
        _ body: @Sendable () async -> Void
    ) async throws -> (peak: ProcessSample, cacheSize: Int) {
        let folder = cacheDirectory
        let sampler = Task {
            var (peak, size) = (try ProcessSample.now(), 0)
            while !Task.isCancelled {
                peak = peak.most(try ProcessSample.now())
                size = max(size, ProcessSample.size(of: folder))
                // Cancelled, it has done its work.
                try? await Task.sleep(for: .milliseconds(100))
            }
            return (peak, size)
        }
        await body()
        sampler.cancel()
        return try await sampler.value
    }
}
