package import WebDatabase
package import WebDocument
package import WebLoader
package import WebStandards
import WebArchive

/// A crawl: its frontier, its archive, and what is counted of it.
///
/// One task at a time uses it.
package final class CrawlJob {
    /// How a crawl is run.
    package struct Options: Sendable {
        /// What it begins with.
        package var seeds: [WebURL] = []
        package var scope = CrawlScope(.host)
        package var limits = CrawlLimits()
        package var canonical = CanonicalURL()
        package var loadsResources = true
        package var followsNofollow = true
        /// Whether robots.txt is obeyed, and as whom: the User-Agent that is sent.
        package var robotsAgent: String?
        package var retries = 2
        /// How many requests run at once.
        package var width = 16
        package var politeness = Politeness()
        package var localPoliteness = Politeness.local(concurrency: Politeness.repeatedConcurrency)
        /// The job's database.
        package var state = ""
        /// What the result depends on besides, by name.
        package var settings: [String: String] = [:]
        /// The WARC that is written; nil for none.
        package var archive: String?
        /// Bytes after which another file is begun; nil for one.
        package var archiveSize: Int?
        /// The compression's level; nil for its default.
        package var archiveLevel: Int?
        /// Further lines of each file's `warcinfo`.
        package var information: [(name: String, value: String)] = []
        /// Says what a page, or a style sheet, needs to be shown; nil for what its links say.
        package var resources: (@Sendable (ParsedPage) -> [WebURL])?
        /// Whether a page whose scripts were run is recorded as they make it, too.
        package var keepsScripted = false
        /// The copy of a URL that is kept from before: it is asked whether it has changed, and stays where it has not, or cannot be
        /// had any more; nil where nothing is kept.
        package var kept: (@Sendable (WebURL) async -> WebResponse?)?
        /// How many answers are recorded, of pages and of what they show; nil for any number.
        package var maximumAnswers: Int?

        package init() {}
    }

    /// What was loaded, over all runs.
    package struct Totals: Equatable, Sendable {
        /// Pages, without what redirects to them.
        package var pages = 0
        /// Bytes of bodies, as they came.
        package var bytes = 0
        /// Answers of servers, whatever they say.
        package var answers = 0
        /// Pages that are answers with an error, by its status.
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
    /// The first failures of this run, with what they are due to.
    package private(set) var failures: [VisitFailure] = []
    private static let maximumFailures = 8

    package static let totalsNote = "crawl.totals"
    private static let seedsNote = "crawl.seeds"
    private static let newSeedNote = "crawl.seed."

    /// Opens a crawl, or begins one.
    ///
    /// - Parameters:
    ///   - options: How it is run.
    ///   - now: The moment.
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

    /// Adds pages that sitemaps list, as far as they are in the scope.
    package func add(listed urls: [WebURL], now: Moment = .now) throws(StateError) {
        try frontier.add(urls.filter { plan.contains($0) }.map { plan.seed($0) }, now: now)
    }

    /// Puts what failed back into the queue.
    package func retryFailed(now: Moment = .now) throws(StateError) {
        try frontier.retryFailed(now: now)
    }

    /// What seeds redirected to within their site is in the scope, also after a restart.
    private func loadNewSeeds() throws(StateError) {
        var number = 0
        while let text = try frontier.note(Self.newSeedNote + String(number)) {
            if let url = try? WebURL(text) { plan.addSeed(url) }
            number += 1
        }
        newSeedCount = number
    }

    private var newSeedCount = 0
    /// How many redirects of seeds widen the scope at most.
    private static let maximumNewSeeds = 10_000

    private func addNewSeed(_ url: WebURL, _ now: Moment) throws(StateError) {
        guard !plan.contains(url), newSeedCount < Self.maximumNewSeeds else { return }
        plan.addSeed(url)
        try frontier.setNote(Self.newSeedNote + String(newSeedCount), url.withoutCredentials.href, now: now)
        newSeedCount += 1
    }

    /// Has the next run keep the copies from before of what redirects in a circle now.
    ///
    /// - Parameters:
    ///   - rows: The rows, all of them done.
    ///   - now: The moment.
    /// - Throws: ``StateError``.
    package func keepCopies(of rows: [FrontierRow], now: Moment = .now) throws(StateError) {
        circular.formUnion(rows.map(\.url))
        try frontier.change(now: now) { () throws(StateError) in
            for row in rows { try frontier.queueAgain(row.id, progress: [], now: now) }
        }
        try frontier.commit()
    }

    private var circular: Set<String> = []

    /// The URLs of which the copies from before hold, as was asked already.
    var unchanged: Set<String> = []

    // MARK: - Running

    /// A loader's configuration that has what it exchanges recorded.
    package func recording(_ configuration: PageLoader.Configuration) -> PageLoader.Configuration {
        var configuration = configuration
        configuration.recorder = recorder
        return configuration
    }

    /// Runs the crawl until nothing is left to do, or a limit is reached.
    ///
    /// - Parameters:
    ///   - loader: What loads, by ``recording(_:)``.
    ///   - template: What each request is like.
    ///   - stop: How it is asked to end early.
    ///   - progress: Is told how far it is.
    ///   - deliver: Gets each page once it is loaded, and returns when it counts as done, or false to have it again.
    /// - Returns: How it ended.
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
                // What the pages show belongs to them.
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

    /// Has the job remember what came of a URL: all of it in one transaction.
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

    /// Has a URL asked for again that redirected, and may have done so for want of a cookie which there is now.
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

    /// How often what redirected was asked for again, by its row.
    private var cookieReturns: [Int64: Int] = [:]
    /// A site that forgets its cookies would lead around for ever.
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

    /// The intervals that hosts ask for, as far as they were set.
    private var delays: [String: Double] = [:]

    private func keepDelay(_ delay: Double, _ lease: Lease, _ now: Moment) throws(StateError) {
        guard delays[lease.host] != delay else { return }
        if delays.count >= 4096 { delays.removeAll(keepingCapacity: true) }
        delays[lease.host] = delay
        try frontier.setInterval(delay, of: lease, now: now)
    }
}
