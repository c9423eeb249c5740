package import WebDatabase
package import WebStandards
import WebDocument
import WebLoader

/// Checks the links of pages, lists and sites.
///
/// The state is a ``Frontier``: a row for each URL that links lead to, which is asked for once; the links that wait for it are beside
/// it. Killed at any moment, the same check goes on where it was, and says of each link at least once what became of it.
///
/// One task at a time may use it.
package final class SiteChecker {
    /// What a check is told to do.
    package struct Settings: Sendable {
        package var scope = CheckScope()
        /// How often a request is made again after a failure that may be temporary.
        package var retries = 2
        /// How the state is kept.
        package var options = Frontier.Options()
        /// Where it is kept; nil for a check that is not to be continued.
        package var state: String?
        /// Hosts whose pages are read, by a URL of each.
        package var hosts: [WebURL] = []
        /// What links led to lately, of which nothing is asked again; nil for none.
        package var cache: String?
        /// For how many seconds that counts.
        package var cacheLifetime = 0.0

        package init() {}
    }

    /// What a check tells.
    package struct Output {
        /// Gets each link, in the order in which they become known; returns whether it counts as new, if it is broken.
        package var link: (CheckedLink) throws(StateError) -> Bool
        /// Called before what was said is committed: it has to be where no kill of the process takes it away.
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
    ///   - settings: What it is told to do.
    ///   - fetcher: What makes the requests.
    ///   - robots: The rules of hosts; nil where none are kept.
    ///   - output: What is told.
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

    /// By what name the job remembers the hosts that were added to those of the seeds.
    static let hostsNote = "check.hosts"
    private static let seedsNote = "check.seeds"

    /// The numbers of all lives together.
    package var summary: CheckSummary { job.summary }

    /// Whether there were more pages than may be read.
    package var isFull: Bool { job.isFull }

    // MARK: - Seeds

    /// Whether the seeds are still to be added: false for a check that goes on.
    package var needsSeeds: Bool {
        get throws(StateError) { try frontier.note(Self.seedsNote) == nil }
    }

    /// Adds seeds.
    package func add(_ seeds: [CheckSeed]) throws(StateError) {
        try job.add(seeds, from: seedCount)
        seedCount += seeds.count
    }

    /// Has the pages of a URL's host read, as those of a seed's.
    package func addHost(of url: WebURL) throws(StateError) { try job.widen(to: url, .now) }

    /// Remembers that all seeds were added.
    package func endSeeds() throws(StateError) {
        try frontier.setNote(Self.seedsNote, "\(seedCount)", now: .now)
        try frontier.commit()
    }

    // MARK: - Running

    /// Checks, or goes on.
    ///
    /// - Parameter runner: How loads are run.
    /// - Returns: How it ended.
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

    /// Keeps a line of a report with the state, to be had again at the end.
    package func keep(_ line: [UInt8], of link: CheckedLink) throws(StateError) {
        try job.mentions.add(line: line, of: link)
    }

    /// Calls `body` with each line that was kept, by page and place.
    ///
    /// - Returns: What `body` threw, which ends it; nil for nothing.
    package func forEachLine<Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Void
    ) throws(StateError) -> Failure? {
        try job.mentions.forEachLine(body)
    }

    /// Closes the state.
    package func close() throws(StateError) { try frontier.close() }
}
