package import WebDatabase
import WebLoader

/// One run over a list: each page is requested once, at the pace of its host.
package struct WatchRound: Sendable {
    private let list: WatchList
    private let visitor: WatchVisitor
    /// The options of the frontier, with the politeness to hosts.
    package var options = Frontier.Options()
    /// The maximum number of concurrent loads.
    package var width = 16
    /// The number of seconds after which no new visit is begun; `nil` for no limit.
    package var maximumSeconds: Double?
    /// Receives the progress of the run; `nil` to report nothing.
    package var progress: (@Sendable (SiteProgress) -> Void)?
    private let stop: StopRequest

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - list: The pages.
    ///   - fetcher: Makes the requests.
    ///   - keeper: Makes the requests for pages whose versions the cache stores.
    ///   - renderer: Runs the scripts of pages; `nil` to run no scripts.
    ///   - store: Stores the state of the pages.
    ///   - channels: Receive the notifications.
    ///   - stop: The request to end the run early.
    ///   - retries: How often a failure that may be temporary is retried.
    ///   - overrides: The values that replace those of servers.
    ///   - robots: The rules of hosts, which are requested first; `nil` to ignore them.
    package init(
        _ list: WatchList,
        fetcher: SiteFetcher,
        keeper: SiteFetcher,
        renderer: WatchRenderer? = nil,
        store: WatchStore,
        channels: WatchChannels,
        stop: StopRequest,
        retries: Int,
        overrides: ContentOverrides,
        robots: RobotsCache? = nil
    ) {
        self.list = list
        self.stop = stop
        visitor = WatchVisitor(
            entries: Dictionary(list.entries.enumerated().map { ($1.name, ($0, $1)) }) { first, _ in first },
            fetcher: fetcher,
            historian: keeper,
            renderer: renderer,
            keeper: WatchKeeper(
                store: store,
                list: list.path,
                eye: WatchEye(loader: fetcher.loader, overrides: overrides),
                channels: channels,
                stop: stop
            ),
            robots: robots,
            retries: retries,
            longestRetryAfter: options.politeness.longestRetryAfter
        )
    }

    /// Runs over the list.
    ///
    /// - Returns: The summary, and how the run ended.
    /// - Throws: ``StateError`` if the run's own state cannot be stored.
    package func run() async throws(StateError) -> (tally: WatchTally, end: SiteRunner.End) {
        let frontier = try Frontier(nil, options, now: .now)
        try frontier.add(
            list.entries.map { FrontierURL($0.url.withoutCredentials, identity: $0.name) },
            now: .now
        )
        let runner = SiteRunner(
            width: width,
            stop: stop,
            maximumSeconds: maximumSeconds,
            progress: progress
        )
        var tally = WatchTally()
        let end = try await runner.run(
            frontier,
            visit: { [visitor] in await visitor.visit($0) },
            finish: { (frontier, lease, found) throws(StateError) in
                if let (index, told) = found.told { tally.add(told, at: index) }
                if let delay = found.crawlDelay { try frontier.setInterval(delay, of: lease, now: .now) }
                try frontier.finish(
                    lease,
                    found.outcome,
                    signal: found.signal,
                    result: found.progress,
                    now: .now
                )
            }
        )
        if end == .complete { try await forget() }
        return (tally, end)
    }

    /// Removes the state of pages that were removed from the list.
    private func forget() async throws(StateError) {
        let keeper = visitor.keeper
        let owed = try await keeper.store.forget(of: list.path, allBut: list.entries.map(\.name))
        for (name, count) in owed.sorted(by: { $0.key < $1.key }) {
            keeper.channels.warn(
                name,
                "it is in the list no longer; what was still to be told of it is given up (\(count))"
            )
        }
    }
}

/// The result of a request.
struct WatchFound: Sendable {
    var outcome: URLOutcome
    var signal: HostSignal
    /// The crawl delay of the host, in seconds; `nil` if it has none.
    var crawlDelay: Double?
    /// The progress for the next request.
    var progress: [UInt8]?
    /// The outcome for the page, with its index in the list; `nil` if the page is not settled.
    var told: (index: Int, WatchTold)?
}
