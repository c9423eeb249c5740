import CVirtualTime
import Glibc
import HTTPTypes

@testable import WebLoader
@testable import WebTransport

/// Sequential and concurrent loads by a loader with a cache, and the events between them, as the input determines them.
///
/// All of it runs on one thread.
final class History: @unchecked Sendable {
    enum Storage { case memory, disk }

    private let source: ByteSource
    private let storage: Storage
    private let folder: String?
    private let mayRestart: Bool
    private let ledger = Ledger()
    private let server: ScriptedServer
    private var configuration = PageLoader.Configuration()
    private var loader: PageLoader
    private var page: Page?

    /// The result of each load, in the order in which the loads ended.
    private(set) var results: [String] = []

    private static let maximumSteps = 60

    /// Whether all events are printed, for the analysis of a finding.
    static let isPrinted = getenv("FUZZ_PRINT") != nil

    /// - Parameters:
    ///   - bytes: The input that determines the events.
    ///   - storage: Where the cache stores responses.
    ///   - folder: The cache's directory; `nil` if there is no cache.
    ///   - mayRestart: Whether loaders are restarted and caches may be too small; different stores then evict different
    ///     entries.
    init(_ bytes: ArraySlice<UInt8>, _ storage: Storage, folder: String?, mayRestart: Bool) {
        source = ByteSource(bytes)
        self.storage = storage
        self.folder = folder
        self.mayRestart = mayRestart
        server = ScriptedServer(source, ledger)
        loader = PageLoader(configuration: configuration)
    }

    // MARK: - Steps

    func run() async {
        configure()
        start()
        for _ in 0..<Self.maximumSteps where !source.isAtEnd {
            await step()
            if !source.isOne(of: 8) {
                await loader.finishBackgroundWork(within: .seconds(10_000))
                ledger.settledLoads = ledger.loads.count
            }
            if let folder { ScratchFolder.set(folder, to: virtual_time_wall_clock()) }
        }
        await loader.finishBackgroundWork(within: .seconds(10_000))
        if storage == .disk, let folder { checkStored(folder) }
    }

    private func step() async {
        switch source.number(below: 16) {
        case 0...8: await load([HistoryRequest(source, now: virtual_time_wall_clock())])
        case 9, 10:
            let count = 2 + source.number(below: 3)
            // The same request several times, or different ones.
            let first = HistoryRequest(source, now: virtual_time_wall_clock())
            let isSame = !source.isOne(of: 2)
            await load(
                (0..<count).map { _ in isSame ? first : HistoryRequest(source, now: virtual_time_wall_clock())
                }
            )
        case 11, 12:
            await sleep(source.pick([1, 4, 5, 10, 59, 60, 61, 600, 3600, 86_400, 8 * 86_400, 400 * 86_400]))
        case 13:
            let now = virtual_time_wall_clock()
            let moments = [
                now - 10_000, now - 86_400_000, now + 86_400_000, 0, -1, 4_102_444_800_000,
                253_402_300_799_000, now - 4_000,
            ]
            virtual_time_set_wall_clock(source.pick(moments))
        case 14 where mayRestart:
            if !source.isOne(of: 3) { configure() }
            start()
        default: await other()
        }
    }

    private func other() async {
        switch source.number(below: 8) {
        case 0: await loader.finishBackgroundWork(within: source.pick([.zero, .seconds(0.5), .seconds(100)]))
        case 1: _ = await loader.isCached(HistoryURL.make(source))
        case 2: loader.handleMemoryPressure()
        case 3, 4:
            guard let page else { return }
            ledger.loads.append(WebRequest(url: page.response.url))
            // A response that is not a page has no resources.
            let resources = await CurrentLoad.$number.withValue(ledger.loads.count - 1) {
                try? await page.loadResources(maximumCount: 5, maximumBytes: source.pick([1 << 20, 100, 0]))
            }
            results.append("resources \(resources?.count ?? -1)")
        case 5:
            guard mayRestart, storage == .disk, let folder else { return }
            _ = try? CacheBrowser(directory: folder).trim(to: source.pick([0, 5000, 100_000]))
        case 6:
            guard mayRestart, storage == .disk, let folder else { return }
            _ = try? CacheBrowser(directory: folder).remove(
                matching: URLPattern(source.pick(["http*", "*a", "*b.test*"]))
            )
        default: break
        }
    }

    private func sleep(_ seconds: Double) async {
        // Nobody cancels this task.
        try? await Task.sleep(for: .seconds(seconds))
    }

    // MARK: - Loaders

    private func configure() {
        configuration.limits = LoadLimits()
        configuration.limits.maximumNodes = 20_000
        let choices = source.byte()
        if choices & 3 == 3 {
            configuration.limits.maximumBodySize = source.pick([64 << 20, 1000, 100, 1, 0, .max, 262_144])
            configuration.limits.maximumRedirects = source.pick([20, 0, 1, 2, 100])
            configuration.limits.maximumHeaderFields = source.pick([1000, 3, 0])
            configuration.limits.maximumInterimResponses = source.pick([16, 0, 1])
            configuration.limits.maximumHeaderSize = source.pick([256 << 10, 100, 1000])
        }
        if choices & 4 != 0 {
            // With no time at all, reads from a disk run out of it earlier.
            let none: [Double?] = mayRestart ? [0, -1, 0.0001, .nan] : []
            configuration.limits.maximumSeconds = source.pick(
                [300, 10, 1, nil, .infinity, 1e300, 1e10] + none
            )
        }
        var retryPolicy = RetryPolicy()
        if choices & 8 != 0 {
            retryPolicy.maximumRetries = source.number(below: 5)
            retryPolicy.initialDelay = source.pick([
                .seconds(1), .zero, .seconds(Int64.max), .seconds(-1), .seconds(Int64.min),
                .milliseconds(100),
            ])
            retryPolicy.maximumTime = source.pick([nil, .seconds(100), .zero, .seconds(Int64.max)])
        }
        configuration.retryPolicy = retryPolicy
        // Written and read again, as between two commands.
        let kept = configuration.cookieJar?.text(now: .now)
        configuration.cookieJar = choices & 0x10 != 0 ? CookieJar(text: Array((kept ?? "").utf8)) : nil
        configuration.maximumCacheSize =
            mayRestart && choices & 0x60 == 0x60
            ? source.pick([1 << 30, 20_000, 5000, 0, .min, 400_000]) : 1 << 30
    }

    private func start() {
        configuration.cacheDirectory = folder
        configuration.keepsCacheInMemory = storage == .memory
        configuration.fetcher = server
        configuration.blockingWork = .inline
        loader = PageLoader(configuration: configuration)
        page = nil
        ledger.knowsPolicies = folder != nil
        ledger.loadsOfLoader = ledger.loads.count
    }

    // MARK: - Loads

    /// Runs all loads concurrently, and checks the result of each.
    private func load(_ requests: [HistoryRequest]) async {
        let tasks = requests.map { request in
            let number = ledger.loads.count
            ledger.loads.append(request.request)
            let task = Task { [self] in
                await CurrentLoad.$number.withValue(number) { await load(request, number) }
            }
            return (task, request.cancelling)
        }
        for (task, cancelling) in tasks {
            guard let cancelling else { continue }
            await sleep(cancelling)
            task.cancel()
        }
        for (task, _) in tasks { await task.value }
    }

    private func load(_ asked: HistoryRequest, _ number: Int) async {
        let started = virtual_time_elapsed()
        let delegate = OrderedDelegate(
            refusing: asked.refused,
            wantsHints: number % 2 == 0,
            mayBeginAnew: configuration.retryPolicy.maximumRetries > 0
        )
        var response: WebResponse?
        var failure: LoadError?
        do throws(LoadError) {
            switch asked.kind {
            case .fetch: response = try await loader.fetch(asked.request)
            case .load:
                let page = try await loader.load(asked.request)
                self.page = page
                response = page.response
            case .observedLoad:
                let page = try await loader.load(asked.request, delegate: delegate)
                self.page = page
                response = page.response
            case .stream: response = try await stream(asked.request)
            }
        } catch {
            failure = error
        }
        demand(asked.kind != .observedLoad || delegate.isEnded, "the delegate never heard how it ended")
        let limits = loader.configuration.limits
        if let maximum = limits.maximumSeconds, maximum > 0 {
            let taken = virtual_time_elapsed() - started
            demand(taken <= maximum + 1, "a load took \(taken) s of \(maximum)")
        }
        if Self.isPrinted { print(describe(number, response, failure)) }
        if let failure { check(failure, asked, delegate) }
        if let response { ledger.check(response, to: number, limits) }
        results.append(describe(number, response, failure))
    }

    private func stream(_ request: WebRequest) async throws(LoadError) -> WebResponse {
        let collector = PieceCollector()
        do throws(FetchError) {
            var response = try await loader.follower.fetch(
                request,
                limits: loader.configuration.limits,
                receiver: collector
            )
            demand(response.body.isEmpty, "a body was collected that was not to be")
            demand(collector.hasHead, "nothing was handed over")
            response.body = collector.body
            return response
        } catch {
            throw LoadError(error, url: request.url)
        }
    }

    private func check(_ failure: LoadError, _ asked: HistoryRequest, _ delegate: OrderedDelegate) {
        switch failure.code {
        case "load.cancelled":
            demand(asked.cancelling != nil, "\(failure), which nobody has cancelled")
        case "load.refused":
            demand(delegate.hasRefused, "\(failure), which nobody has refused")
        case "cache.miss":
            let demands = CacheControl(fieldLines: asked.request.headerFields[values: .cacheControl])
            demand(
                asked.request.cachePolicy == .returnCacheDataDontLoad || demands.onlyIfCached
                    || failure.message.contains("was changed"),
                "\(failure) though the network may be asked"
            )
        default: break
        }
    }

    private func describe(_ number: Int, _ response: WebResponse?, _ failure: LoadError?) -> String {
        guard let response else { return "\(number): \(failure?.code ?? "")" }
        let verdict = response.cacheVerdict
        return "\(number): \(ledger.loads[number].httpMethod) \(response.url) \(response.status?.code ?? 0) "
            + "\(response.source.rawValue) \(verdict?.outcome.rawValue ?? "-") \(verdict?.reason ?? "-") "
            + "\(verdict?.isStored ?? false) \(response.body.count) \(ContentHash.checksum(response.body)) "
            + response.headerFields.map { "\($0.name.canonicalName)=\($0.value)" }.sorted().joined(
                separator: "|"
            )
    }

    // MARK: - At the end

    /// Checks that no stored entry is damaged.
    private func checkStored(_ folder: String) {
        do throws(CacheBrowser.Failure) {
            try CacheBrowser(directory: folder).forEach(matching: nil, verifiesBodies: true) { finding in
                switch finding {
                case .damage(let damage): violation("the cache has damaged itself: \(damage.message)")
                case .entry(let entry), .version(let entry): _ = entry.freshness(now: .now)
                case .note: break
                }
            }
        } catch {
            violation("the cache cannot be looked at: \(error)")
        }
    }
}
