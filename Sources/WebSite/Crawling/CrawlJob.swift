package import WebDatabase
package import WebDocument
package import WebLoader
package import WebStandards
import WebArchive

/// A crawl: its frontier, its archive, and its counts.
///
/// Only one task at a time uses it.
package final class CrawlJob {
    /// How a crawl is run.
    package struct Options: Sendable {
        /// The URLs that the crawl begins with.
        package var seeds: [WebURL] = []
        package var scope = CrawlScope(.host)
        package var limits = CrawlLimits()
        package var canonical = CanonicalURL()
        package var loadsResources = true
        package var followsNofollow = true
        /// The User-Agent to obey robots.txt as; `nil` if robots.txt is ignored.
        package var robotsAgent: String?
        package var retries = 2
        /// The maximum number of concurrent requests.
        package var width = 16
        package var politeness = Politeness()
        package var localPoliteness = Politeness.local(concurrency: Politeness.repeatedConcurrency)
        /// The path of the job's database.
        package var state = ""
        /// Further settings that the result depends on, by name.
        package var settings: [String: String] = [:]
        /// The path of the WARC file to write; `nil` to write no archive.
        package var archive: String?
        /// The number of bytes after which another file is begun; `nil` for one file.
        package var archiveSize: Int?
        /// The compression level; `nil` for the default.
        package var archiveLevel: Int?
        /// Further lines of each file's `warcinfo`.
        package var information: [(name: String, value: String)] = []
        /// Returns the resources that a page, or a style sheet, needs to be shown; `nil` to use the links of the page.
        package var resources: (@Sendable (ParsedPage) -> [WebURL])?
        /// Whether a page whose scripts were run is also recorded as rendered.
        package var keepsScripted = false
        /// Returns the copy of a URL from a former crawl, which is revalidated, and stays if it has not changed or the
        /// URL cannot be loaded any more; `nil` if there are no such copies.
        package var kept: (@Sendable (WebURL) async -> WebResponse?)?
        /// The maximum number of responses to record, of pages and their resources; `nil` for no limit.
        package var maximumAnswers: Int?

        package init() {}
    }

    /// The counts of loaded pages, bytes and responses, over all runs.
    package struct Totals: Equatable, Sendable {
        /// The number of pages, without redirects.
        package var pages = 0
        /// The number of bytes of bodies, as received.
        package var bytes = 0
        /// The number of responses, whatever their status.
        package var answers = 0
        /// The number of pages with an error status, by status.
        package var errors: [Int: Int] = [:]

        package init(_ note: String?) {
            let words = (note ?? "").split(separator: " ")
            let numbers = words.map { max(0, Int(inBounds: $0) ?? 0) }
            guard numbers.count >= 3 else { return }
            (pages, bytes, answers) = (numbers[0], numbers[1], numbers[2])
            for word in words.dropFirst(3) {
                let pair = word.split(separator: ":").compactMap { Int(inBounds: $0) }
                if pair.count == 2, 400..<1000 ~= pair[0] { errors[pair[0]] = max(0, pair[1]) }
            }
        }

        fileprivate var note: String {
            let errors = errors.sorted { $0.key < $1.key }.map { " \($0.key):\($0.value)" }
            return "\(pages) \(bytes) \(answers)\(errors.joined())"
        }
    }

    let options: Options
    package let frontier: Frontier
    private let recorder: CrawlRecorder?
    private let archive: CrawlArchive?
    private let traps: TrapWatch
    private let plan: CrawlPlan
    package private(set) var totals: Totals
    /// The first failures of this run, with their causes.
    package private(set) var failures: [VisitFailure] = []
    private static let maximumFailures = 8

    package static let totalsNote = "crawl.totals"
    private static let seedsNote = "crawl.seeds"
    private static let newSeedNote = "crawl.seed."

    /// Opens a crawl, or begins one.
    ///
    /// - Parameters:
    ///   - options: The options of the crawl.
    ///   - now: The current time.
    /// - Throws: ``StateError``.
    package init(_ options: Options, now: Moment = .now) throws(StateError) {
        self.options = options
        var kept = Frontier.Options()
        kept.politeness = options.politeness
        kept.localPoliteness = options.localPoliteness
        kept.settings = options.settings
        if let path = options.archive, let form = WARCForm(path: path) {
            kept.outputs = [path]
            kept.furtherOutput = { CrawlArchive.path(path, number: $0) }
            (recorder, archive) = try Self.archive(path, form, options)
        } else {
            (recorder, archive) = (nil, nil)
        }
        frontier = try Frontier(options.state, kept, now: now)
        traps = TrapWatch(options.limits)
        try traps.load(frontier)
        var planned = CrawlPlan.Options()
        planned.limits = options.limits
        planned.canonical = options.canonical
        planned.loadsResources = options.loadsResources
        planned.followsNofollow = options.followsNofollow
        planned.resources = options.resources
        planned.keepsScripted = options.keepsScripted
        plan = CrawlPlan(options.scope, planned, traps)
        totals = Totals(try frontier.note(Self.totalsNote))
        try loadNewSeeds()
        try addSeeds(now)
    }

    private static func archive(
        _ path: String,
        _ form: WARCForm,
        _ options: Options
    ) throws(StateError) -> (CrawlRecorder, CrawlArchive) {
        do throws(ArchiveError) {
            let folder = Directory.split(path).folder
            let recorder = try CrawlRecorder(
                form,
                level: options.archiveLevel,
                folder: folder,
                width: options.width
            )
            let archive = try CrawlArchive(
                path,
                form,
                recorder,
                level: options.archiveLevel,
                maximumSize: options.archiveSize,
                information: options.information
            )
            return (recorder, archive)
        } catch {
            throw StateError(.unwritable, error.message)
        }
    }

    // MARK: - Seeds

    private func addSeeds(_ now: Moment) throws(StateError) {
        guard try frontier.note(Self.seedsNote) == nil else { return }
        try frontier.add(options.seeds.map { plan.seed($0) }, now: now)
        try frontier.setNote(Self.seedsNote, "added", now: now)
        try frontier.commit()
    }

    /// Adds the pages listed in sitemaps that are in the scope.
    package func add(listed urls: [WebURL], now: Moment = .now) throws(StateError) {
        try frontier.add(urls.filter { plan.contains($0) }.map { plan.seed($0) }, now: now)
    }

    /// Puts failed URLs back into the queue.
    package func retryFailed(now: Moment = .now) throws(StateError) {
        try frontier.retryFailed(now: now)
    }

    /// Adds the redirect targets of seeds within their sites to the scope, after a restart.
    private func loadNewSeeds() throws(StateError) {
        var number = 0
        while let text = try frontier.note(Self.newSeedNote + String(number)) {
            if let url = try? WebURL(text) { plan.addSeed(url) }
            number += 1
        }
        newSeedCount = number
    }

    private var newSeedCount = 0
    /// The maximum number of redirects of seeds that widen the scope.
    private static let maximumNewSeeds = 10_000

    private func addNewSeed(_ url: WebURL, _ now: Moment) throws(StateError) {
        guard !plan.contains(url), newSeedCount < Self.maximumNewSeeds else { return }
        plan.addSeed(url)
        try frontier.setNote(Self.newSeedNote + String(newSeedCount), url.withoutCredentials.href, now: now)
        newSeedCount += 1
    }

    /// Queues rows that now redirect in a circle again, so that the next run stores their copies from a former crawl.
    ///
    /// - Parameters:
    ///   - rows: The rows, all of them done.
    ///   - now: The current time.
    /// - Throws: ``StateError``.
    package func keepCopies(of rows: [FrontierRow], now: Moment = .now) throws(StateError) {
        circular.formUnion(rows.map(\.url))
        try frontier.change(now: now) { () throws(StateError) in
            for row in rows { try frontier.queueAgain(row.id, progress: [], now: now) }
        }
        try frontier.commit()
    }

    private var circular: Set<String> = []

    /// The URLs whose copies from a former crawl were already found to be unchanged.
    var unchanged: Set<String> = []

    // MARK: - Running

    /// Returns a loader's configuration that records its exchanges.
    package func recording(_ configuration: PageLoader.Configuration) -> PageLoader.Configuration {
        var configuration = configuration
        configuration.recorder = recorder
        return configuration
    }

    /// Runs the crawl until no URLs are left, or a limit is reached.
    ///
    /// - Parameters:
    ///   - loader: The loader, with a configuration of ``recording(_:)``.
    ///   - template: The template of each request.
    ///   - stop: The request to end the crawl early.
    ///   - progress: Receives the progress.
    ///   - deliver: Receives each page once it is loaded, and returns whether it is done; false to load it again.
    /// - Returns: How the crawl ended.
    /// - Throws: ``StateError``.
    package func run(
        _ loader: PageLoader,
        template: WebRequest,
        stop: StopRequest = StopRequest(),
        progress: (@Sendable (SiteProgress) -> Void)? = nil,
        deliver: (@Sendable (CrawledPage) async -> Bool)? = nil
    ) async throws(StateError) -> SiteRunner.End {
        let fetcher = SiteFetcher(loader, template: template, seeds: options.seeds)
        let budget = PageBudget(options.limits.maximumPages, completed: totals.pages)
        let visitor = CrawlVisitor(
            plan: plan,
            fetcher: fetcher,
            robots: options.robotsAgent.map { RobotsCache(fetcher, agent: $0) },
            recorder: recorder,
            kept: options.kept,
            circular: circular,
            unchanged: unchanged,
            folders: options.scope.extent == .any ? nil : LocalFolders(of: options.seeds),
            budget: budget,
            hash: frontier.hash,
            retries: options.retries,
            deliver: deliver
        )
        let runner = SiteRunner(
            width: options.width,
            stop: stop,
            maximumSeconds: options.limits.maximumTime?.inSeconds,
            progress: progress
        )
        return try await runner.run(frontier) { [self] frontier throws(StateError) in
            guard !frontier.counts.isComplete else { return nil }
            if budget.isSpent {
                // Resources of loaded pages do not count against the budget.
                frontier.mark = CrawlStep.resourceMark
                if try !frontier.hasWork(marked: frontier.mark) { return "limit.pages" }
            }
            if let maximum = options.limits.maximumBytes, totals.bytes >= maximum { return "limit.bytes" }
            if let maximum = options.maximumAnswers, totals.answers >= maximum { return "limit.files" }
            return nil
        } visit: { lease in
            await visitor.visit(lease)
        } finish: { frontier, lease, found throws(StateError) in
            try self.finish(lease, found)
        }
    }

    /// Records the outcome of a URL in one transaction.
    private func finish(_ lease: Lease, _ found: CrawlFound) throws(StateError) {
        let now = Moment.now
        if let fault = found.fault { throw fault }
        guard let outcome = found.outcome else { return try frontier.giveBack(lease, now: now) }
        if let delay = found.crawlDelay { try keepDelay(delay, lease, now) }
        if let records = found.records { try archive?.append(records, to: frontier, now: now) }
        if case .again = outcome {} else { try count(found, lease, now) }
        if let seed = found.newSeed { try addNewSeed(seed, now) }
        try frontier.finish(
            lease,
            outcome,
            signal: found.signal,
            result: found.result.map { Array($0.utf8) },
            children: found.children,
            now: now
        )
        if let url = found.cookieReturn { try ask(again: url, now) }
        if case .failed = outcome, let failure = found.failure, failures.count < Self.maximumFailures,
            !failures.contains(where: { $0.url == failure.url })
        {
            failures.append(failure)
        }
    }

    /// Queues a URL again that redirected, perhaps because a cookie was missing that is set now.
    private func ask(again url: FrontierURL, _ now: Moment) throws(StateError) {
        try frontier.change(now: now) { () throws(StateError) in
            guard let place = try frontier.insert([url], parent: nil, now: now).first, !place.isNew,
                let known = try frontier.knowledge(of: place.row), known.state == .done,
                known.result?.first == UInt8(ascii: "3"),
                cookieReturns[place.row, default: 0] < Self.maximumCookieReturns
            else { return }
            if cookieReturns.count >= 4096 { cookieReturns.removeAll(keepingCapacity: true) }
            cookieReturns[place.row, default: 0] += 1
            try frontier.queueAgain(place.row, progress: [], now: now)
        }
    }

    /// How often a redirecting URL was requested again, by its row.
    private var cookieReturns: [Int64: Int] = [:]
    /// The limit for sites that forget their cookies, which would redirect forever.
    private static let maximumCookieReturns = 2

    private func count(_ found: CrawlFound, _ lease: Lease, _ now: Moment) throws(StateError) {
        if found.isPage, let url = try? WebURL(lease.url) {
            totals.pages +|= 1
            if let status = found.errorStatus { totals.errors[status, default: 0] +|= 1 }
            try traps.count(url, found.likeness, in: frontier, now: now)
        }
        if found.records != nil || found.result != nil { totals.answers +|= 1 }
        totals.bytes +|= found.bytes
        try frontier.setNote(Self.totalsNote, totals.note, now: now)
    }

    /// The intervals that hosts asked for, as far as they were applied.
    private var delays: [String: Double] = [:]

    private func keepDelay(_ delay: Double, _ lease: Lease, _ now: Moment) throws(StateError) {
        guard delays[lease.host] != delay else { return }
        if delays.count >= 4096 { delays.removeAll(keepingCapacity: true) }
        delays[lease.host] = delay
        try frontier.setInterval(delay, of: lease, now: now)
    }
}
