import Synchronization

/// Many loads, as a sequence of their results in the order in which they end.
///
/// Loads begin when the first result is requested. The number of loads that run, or are finished but not yet
/// taken, is limited at any time; hosts take turns. When the task that takes the results is cancelled, or the
/// iterator is released, the running loads are cancelled, and the sequence ends.
public struct PageLoads<Requests: Sequence & Sendable>: AsyncSequence, Sendable
where Requests.Element == WebRequest {
    /// The result of a request.
    public struct Element: Sendable {
        /// The request.
        public let request: WebRequest
        /// The page, or why there is none.
        public let result: Result<Page, LoadError>
    }

    let loader: PageLoader
    let requests: Requests
    let concurrency: Int

    /// Starts over with the first request.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Takes the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let loader: PageLoader
        private let concurrency: Int
        private var rest: Requests.Iterator
        private var isAtEnd = false

        /// Requests that were taken from the sequence and wait for their turn.
        private var scheduler: HostScheduler<WebRequest>
        private var waiting = 0
        private var running = 0
        private let loads = RunningLoads<Element>()

        /// The maximum number of requests at once to one host, as in browsers, and over HTTP/2.
        private static var maximumPerHost: (single: Int, multiplexed: Int) { (6, 100) }

        init(_ loads: PageLoads) {
            loader = loads.loader
            concurrency = Swift.max(1, loads.concurrency)
            rest = loads.requests.makeIterator()
            scheduler = HostScheduler(
                maximum: concurrency,
                perHost: Self.maximumPerHost.single,
                multiplexed: Self.maximumPerHost.multiplexed
            )
        }

        /// The next result; nil once there are no more, or the task is cancelled.
        public mutating func next() async -> Element? {
            guard !Task.isCancelled else {
                loads.cancel()
                return nil
            }
            start()
            guard running > 0, let (element, host) = await loads.next() else { return nil }
            running -= 1
            var isMultiplexed: Bool?
            if case .success(let page) = element.result, page.response.source == .network {
                isMultiplexed = page.response.httpVersion.map { $0 != "1.1" && $0 != "1.0" }
            }
            scheduler.finished(host: host, isMultiplexed: isMultiplexed)
            // Others may run while the caller processes this one.
            start()
            return element
        }

        /// Takes some requests ahead, so that hosts can take turns, and starts those that may run.
        private mutating func start() {
            while !isAtEnd, waiting < Swift.max(64, concurrency * 4) {
                guard let request = rest.next() else {
                    isAtEnd = true
                    break
                }
                scheduler.add(request, host: request.url.schedulingHost)
                waiting += 1
            }
            while let (request, host) = scheduler.next(now: 0) {
                waiting -= 1
                running += 1
                loads.start(host: host) { [loader] in
                    do throws(LoadError) {
                        return Element(request: request, result: .success(try await loader.load(request)))
                    } catch {
                        return Element(request: request, result: .failure(error))
                    }
                }
            }
        }
    }
}

extension PageLoader {
    /// Loads many pages, several at once.
    ///
    /// ```swift
    /// for await load in loader.loadAll(urls.map { WebRequest(url: $0) }) {
    ///     switch load.result {
    ///     case .success(let page): print(page.response.url, page.title ?? "untitled")
    ///     case .failure(let error): print(error)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - requests: The requests of the loads; taken as needed, a few ahead.
    ///   - concurrency: How many loads may run, or be finished but not yet taken, at once; at most 6 to one
    ///     host, or 100 over HTTP/2.
    /// - Returns: The results, in the order in which the loads end.
    public func loadAll<Requests: Sequence & Sendable>(
        _ requests: Requests,
        concurrency: Int = 16
    ) -> PageLoads<Requests> where Requests.Element == WebRequest {
        PageLoads(loader: self, requests: requests, concurrency: concurrency)
    }
}

/// The running tasks, and the results of those that have ended; the tasks are cancelled when it is released.
private final class RunningLoads<Element: Sendable>: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextNumber = 0
        var ended = Queue<(Element, host: String)>()
        var waiter: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    /// A separate object, so that a task does not keep the tasks' owner, and so itself, alive.
    private final class Box: Sendable {
        let state = Mutex(State())
    }

    private let box = Box()

    deinit {
        cancel()
    }

    func start(host: String, _ body: @escaping @Sendable () async -> Element) {
        box.state.withLock { [box] state in
            guard !state.isCancelled else { return }
            let number = state.nextNumber
            state.nextNumber += 1
            state.tasks[number] = Task {
                let element = await body()
                let waiter = box.state.withLock { state in
                    state.tasks[number] = nil
                    state.ended.append((element, host))
                    defer { state.waiter = nil }
                    return state.waiter
                }
                waiter?.resume()
            }
        }
    }

    /// The next result; nil if the task is cancelled before there is one.
    func next() async -> (Element, host: String)? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = box.state.withLock { state in
                    guard state.ended.isEmpty, !state.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
        return box.state.withLock { $0.isCancelled ? nil : $0.ended.popFirst() }
    }

    /// Cancels the running tasks, and ends the wait for a result.
    func cancel() {
        let (tasks, waiter) = box.state.withLock { state in
            state.isCancelled = true
            defer {
                state.tasks = [:]
                state.waiter = nil
                state.ended = Queue()
            }
            return (state.tasks, state.waiter)
        }
        for task in tasks.values { task.cancel() }
        waiter?.resume()
    }
}
