package import WebDatabase
import WebLoader

/// One run over a list: each page is asked for once, by the pace of its host.
package struct WatchRound: Sendable {
    private let list: WatchList
    private let visitor: WatchVisitor
    /// How hosts are spared.
    package var options = Frontier.Options()
    /// How many loads there are at once.
    package var width = 16
    /// Seconds after which nothing new is begun; nil for no limit.
    package var maximumSeconds: Double?
    /// Is told how far the run is; nil for nobody.
    package var progress: (@Sendable (SiteProgress) -> Void)?
    private let stop: StopRequest

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - list: The pages.
    ///   - fetcher: What asks for them.
    ///   - keeper: What asks for those whose versions the cache keeps.
    ///   - renderer: What runs the scripts of pages; nil where none are run.
    ///   - store: Where it is remembered what was seen.
    ///   - channels: Who is told.
    ///   - stop: How the run is asked to end early.
    ///   - retries: How often a failure that may be temporary is tried again.
    ///   - overrides: What counts in place of what servers say.
    ///   - robots: The rules of hosts, which are asked first; nil to ask for none.
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

    /// Runs.
    ///
    /// - Returns: What it came to, and how it ended.
    /// - Throws: ``StateError`` if the run itself cannot be kept.
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

    /// Forgets what was taken out of the list.
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

/// What came of a request.
struct WatchFound: Sendable {
    var outcome: URLOutcome
    var signal: HostSignal
    /// How far apart its host wants requests to be, in seconds; nil if it does not say.
    var crawlDelay: Double?
    /// Where it is, for the next request.
    var progress: [UInt8]?
    /// What came of the page, with its place in the list; nil if it is not settled.
    var told: (index: Int, WatchTold)?
}
