package import WebDatabase
package import WebStandards
import WebDocument
import WebLoader

/// Checks the links of pages, lists and sites.
///
/// The state is a ``Frontier`` with a row for each target URL, which is requested once, and the links that wait for it.
/// Killed at any moment, the same check continues where it was, and reports each link at least once.
///
/// Only one task at a time may use it.
package final class SiteChecker {
    /// The settings of a check.
    package struct Settings: Sendable {
        package var scope = CheckScope()
        /// How often a request is repeated after a failure that may be temporary.
        package var retries = 2
        /// The options of the stored state.
        package var options = Frontier.Options()
        /// The path of the stored state; `nil` for a check that cannot be continued.
        package var state: String?
        /// Hosts whose pages are read, by a URL of each.
        package var hosts: [WebURL] = []
        /// The path of the cached results of former checks, which are not requested again; `nil` to use none.
        package var cache: String?
        /// The lifetime of cached results, in seconds.
        package var cacheLifetime = 0.0

        package init() {}
    }

    /// The receivers of a check's results.
    package struct Output {
        /// Receives each link, in the order in which results become known; returns whether it counts as new, if it is
        /// broken.
        package var link: (CheckedLink) throws(StateError) -> Bool
        /// Called before the emitted links are committed: they must be written so that a kill of the process does not
        /// lose them.
        package var flush: () throws(StateError) -> Void

        package init(
            link: @escaping (CheckedLink) throws(StateError) -> Bool,
            flush: @escaping () throws(StateError) -> Void = { () throws(StateError) in }
        ) {
            self.link = link
            self.flush = flush
        }
    }

    private let settings: Settings
    private let fetcher: SiteFetcher
    private let robots: RobotsCache?
    private let output: Output
    private let frontier: Frontier
    private let hosts: OwnHosts
    private let job: CheckJob
    private var seedCount = 0

    /// Opens a check, or begins one.
    ///
    /// - Parameters:
    ///   - settings: The settings of the check.
    ///   - fetcher: Makes the requests.
    ///   - robots: The rules of hosts; `nil` if they are not obeyed.
    ///   - output: The receivers of the results.
    /// - Throws: ``StateError``.
    package init(
        _ settings: Settings,
        _ fetcher: SiteFetcher,
        robots: RobotsCache?,
        _ output: Output
    ) throws(StateError) {
        self.settings = settings
        self.fetcher = fetcher
        self.robots = robots
        self.output = output
        frontier = try Frontier(settings.state, settings.options, now: .now)
        var names = Set(settings.hosts.map(OwnHosts.name))
        if let kept = try frontier.note(Self.hostsNote) {
            names.formUnion(kept.split(separator: " ").map { String($0) })
        }
        hosts = OwnHosts(names, settings.scope)
        let cache = try settings.cache.map { (path) throws(StateError) in
            try ResultCache(path, lifetime: settings.cacheLifetime, now: .now)
        }
        job = try CheckJob(frontier, settings.scope, hosts, cache, emit: output.link)
    }

    /// The name of the note that stores the hosts that were added to those of the seeds.
    static let hostsNote = "check.hosts"
    private static let seedsNote = "check.seeds"

    /// The counts of all runs of the check together.
    package var summary: CheckSummary { job.summary }

    /// Whether pages were skipped because of the limit.
    package var isFull: Bool { job.isFull }

    // MARK: - Seeds

    /// Whether the seeds have yet to be added: false for a check that is continued.
    package var needsSeeds: Bool {
        get throws(StateError) { try frontier.note(Self.seedsNote) == nil }
    }

    /// Adds seeds.
    package func add(_ seeds: [CheckSeed]) throws(StateError) {
        try job.add(seeds, from: seedCount)
        seedCount += seeds.count
    }

    /// Adds the host of a URL, so that its pages are read like those of the seeds' hosts.
    package func addHost(of url: WebURL) throws(StateError) { try job.widen(to: url, .now) }

    /// Records that all seeds were added.
    package func endSeeds() throws(StateError) {
        try frontier.setNote(Self.seedsNote, "\(seedCount)", now: .now)
        try frontier.commit()
    }

    // MARK: - Running

    /// Runs the check, or continues it.
    ///
    /// - Parameter runner: Runs the requests.
    /// - Returns: How the run ended.
    /// - Throws: ``StateError``.
    package func run(_ runner: SiteRunner) async throws(StateError) -> SiteRunner.End {
        let options = settings.options
        let visitor = LinkVisitor(
            fetcher: fetcher,
            robots: robots,
            scope: settings.scope,
            hosts: hosts,
            retries: settings.retries,
            settings: pageSettings,
            isArchived: !fetcher.loader.configuration.archives.isEmpty,
            longestWait: (
                options.politeness.longestRetryAfter, options.localPoliteness.longestRetryAfter
            )
        )
        let (job, output) = (job, output)
        let end = try await runner.run(
            frontier,
            willCommit: { () throws(StateError) in
                try output.flush()
                try job.writeSummary()
            },
            visit: { lease in await visitor.visit(lease) },
            finish: { (_, lease, visit) throws(StateError) in try job.finish(lease, visit) }
        )
        try output.flush()
        return end
    }

    private var pageSettings: PageContent.Settings {
        let configuration = fetcher.loader.configuration
        return PageContent.Settings(
            parsing: ParsingSettings(limits: configuration.limits),
            htmlParser: configuration.htmlParser,
            fallbackEncoding: configuration.fallbackEncoding
        )
    }

    // MARK: - Lines

    /// Stores a line of a report with the state, for ``forEachLine(_:)``.
    package func keep(_ line: [UInt8], of link: CheckedLink) throws(StateError) {
        try job.mentions.add(line: line, of: link)
    }

    /// Calls `body` with each stored line, by page and place.
    ///
    /// - Returns: The error that `body` threw, which ends the iteration; `nil` if it threw no error.
    package func forEachLine<Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Void
    ) throws(StateError) -> Failure? {
        try job.mentions.forEachLine(body)
    }

    /// Closes the state.
    package func close() throws(StateError) { try frontier.close() }
}
