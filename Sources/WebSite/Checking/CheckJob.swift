import WebDatabase
import WebStandards

/// The writer's side of a check: matches the results of the visits with the links that wait for them.
///
/// Everything it does with a visit is part of the frontier's transaction: the state of the target, the links of the
/// page, the waiting links, and the counts. Results of links are emitted before the transaction is committed, so that a
/// kill repeats a line rather than losing one.
final class CheckJob {
    let frontier: Frontier
    let scope: CheckScope
    let hosts: OwnHosts
    let mentions: MentionTable
    private let cache: ResultCache?
    let emit: (CheckedLink) throws(StateError) -> Bool
    private(set) var summary = CheckSummary()
    private var written = CheckSummary()
    private var delays: [String: Double] = [:]
    /// Whether pages were skipped because of the limit.
    private(set) var isFull = false
    /// The remaining budget of bytes of text to compare until the next visit ends: a page may have links to a thousand
    /// texts that it does not contain.
    private var textSteps = mostTextSteps
    private static let mostTextSteps = 1_000_000_000

    /// Creates the job and loads its counts from the frontier.
    ///
    /// - Parameters:
    ///   - frontier: The frontier that stores the job.
    ///   - scope: The scope of the check.
    ///   - hosts: The hosts whose pages are read.
    ///   - cache: The results of former checks; `nil` to use none.
    ///   - emit: Receives each link that was judged; returns whether it counts as new, if it is broken.
    /// - Throws: ``StateError``.
    init(
        _ frontier: Frontier,
        _ scope: CheckScope,
        _ hosts: OwnHosts,
        _ cache: ResultCache?,
        emit: @escaping (CheckedLink) throws(StateError) -> Bool
    ) throws(StateError) {
        self.frontier = frontier
        self.scope = scope
        self.hosts = hosts
        self.emit = emit
        self.cache = cache
        mentions = try MentionTable(frontier)
        let tallies = try mentions.tallies()
        for (name, path) in CheckSummary.names { summary[keyPath: path] = tallies[name] ?? 0 }
        written = summary
    }

    // MARK: - Seeds

    /// Adds seeds in a transaction of their own.
    ///
    /// - Parameters:
    ///   - seeds: The seeds.
    ///   - first: The number of seeds that were added before.
    /// - Throws: ``StateError``.
    func add(_ seeds: [CheckSeed], from first: Int) throws(StateError) {
        let now = Moment.now
        try frontier.change(now: now) { () throws(StateError) in
            let urls = seeds.map { FrontierURL($0.url) }
            let places = try frontier.insert(urls, parent: nil, now: now)
            for (index, (seed, place)) in zip(seeds, places).enumerated() {
                let mention = MentionTable.Mention(
                    page: nil,
                    line: seed.line,
                    column: nil,
                    kind: seed.kind.rawValue,
                    fragment: seed.url.fragment
                )
                try wait(mention, at: place, index: first + index)
            }
        }
        try frontier.commit()
    }

    // MARK: - Finishing

    /// Records the result of a visit.
    func finish(_ lease: Lease, _ visit: CheckVisit) throws(StateError) {
        let now = Moment.now
        if let delay = visit.crawlDelay, delays[lease.host] != delay {
            if delays.count >= 4096 { delays.removeAll() }
            delays[lease.host] = delay
            try frontier.setInterval(delay, of: lease, now: now)
        }
        switch visit.outcome {
        case .onward(let progress, let url):
            let next = FrontierURL(url)
            let outcome = URLOutcome.onward(to: next)
            try frontier.finish(lease, outcome, signal: visit.signal, result: progress.encoded, now: now)
        case .again(let code):
            try frontier.finish(lease, .again(code), signal: visit.signal, now: now)
        case .answer(let answer, let reading):
            try finish(lease, visit.signal, answer, reading, now)
        }
    }

    private func finish(
        _ lease: Lease,
        _ signal: HostSignal,
        _ answer: TargetAnswer,
        _ reading: PageReading?,
        _ now: Moment
    ) throws(StateError) {
        textSteps = Self.mostTextSteps
        let need = try need(of: lease.id)
        if !answer.satisfies(need) {
            var progress = CheckProgress(encoded: lease.progress)
            if progress.need < need, let url = try? WebURL(progress.url ?? lease.url) {
                progress.need = need
                progress.isGet = true
                let outcome = URLOutcome.onward(to: FrontierURL(url))
                try frontier.finish(lease, outcome, signal: signal, result: progress.encoded, now: now)
                return
            }
        }
        try frontier.change(now: now) { () throws(StateError) in
            if lease.depth == 0, let reading, let seed = try? WebURL(lease.url),
                reading.url.isSchemelesslySameSite(as: seed)
            {
                try widen(to: reading.url, now)
            }
            try settle(lease, answer)
            if let reading { try enter(reading, lease, answer, now) }
        }
        try cache?.keep(answer, of: lease.url, now: now.wall)
        let (result, code) = LinkVerdict.judge(answer, fragment: nil)
        let outcome: URLOutcome =
            switch result {
            case .ok: .done
            case .skipped: .skipped(code ?? "skipped")
            case .broken, .unknown: .failed(code ?? "failed")
            }
        try frontier.finish(lease, outcome, signal: signal, result: answer.encoded, now: now)
    }

    /// Returns the most that the links waiting for a target need to know of it.
    private func need(of target: Int64) throws(StateError) -> TargetAnswer.Need {
        guard scope.checksFragments else { return .existence }
        return try mentions.fragments(target: target).map { scope.need(of: $0) }.max()
            ?? .existence
    }

    /// Adds the host that a seed redirects to, so that its pages are read.
    func widen(to url: WebURL, _ now: Moment) throws(StateError) {
        guard let all = hosts.add(url) else { return }
        try frontier.setNote(SiteChecker.hostsNote, all.sorted().joined(separator: " "), now: now)
    }

    /// Judges the links that wait for a target.
    private func settle(_ lease: Lease, _ answer: TargetAnswer) throws(StateError) {
        for mention in try mentions.take(target: lease.id) {
            let page = try mention.page.map { (id) throws(StateError) in try mentions.url(ofPage: id) ?? "" }
            try judge(mention, on: page, target: lease.url, answer)
        }
    }

    /// Judges a link and emits the result.
    func judge(
        _ mention: MentionTable.Mention,
        on page: String?,
        target: String,
        _ answer: TargetAnswer
    ) throws(StateError) {
        let isSeed = mention.kind == CheckSeed.Kind.seed.rawValue
        let fragment =
            scope.checksFragments
            ? answer.result(of: mention.fragment, needsTexts: scope.needsTexts, steps: &textSteps) : nil
        let (result, code) = LinkVerdict.judge(answer, fragment: fragment)
        if page == nil, isSeed {
            // A page given as a seed is not a link, and is only reported if it failed.
            guard result != .ok else { return }
            summary.failedSeeds += 1
        }
        try say(
            CheckedLink(
                page: page,
                line: mention.line,
                column: mention.column,
                url: mention.fragment.map { "\(target)#\($0)" } ?? target,
                kind: mention.kind,
                result: result,
                code: code,
                status: answer.status,
                fragment: fragment,
                redirects: answer.redirects,
                origin: answer.origin
            )
        )
    }

    func say(_ link: CheckedLink) throws(StateError) {
        let isNew = try emit(link)
        summary.add(link, isNew: isNew)
    }

    /// Adds a page that is read; `nil` if it was read before or the limit of pages is reached.
    func enter(page url: String) throws(StateError) -> Int64? {
        guard scope.maximumPages.map({ summary.pages < $0 }) ?? true else {
            isFull = true
            return nil
        }
        guard let id = try mentions.enter(page: url) else { return nil }
        summary.pages += 1
        return id
    }

    /// Stores a link until its target is known, within the open transaction.
    func wait(
        _ mention: MentionTable.Mention,
        at place: Frontier.Placement,
        index: Int
    ) throws(StateError) {
        try mentions.add(mention, target: place.row, index: index)
        let need = scope.need(of: mention.fragment)
        guard need > .existence else { return }
        var progress = CheckProgress(
            encoded: place.isNew ? nil : try frontier.knowledge(of: place.row)?.result
        )
        guard progress.need < need else { return }
        progress.need = need
        progress.isGet = true
        try frontier.setProgress(progress.encoded, of: place.row)
    }

    /// Returns the cached result of a URL that is new to this job and is not read as a page, and finishes its row.
    func recall(
        _ url: FrontierURL,
        _ place: Frontier.Placement,
        _ need: TargetAnswer.Need
    ) throws(StateError) -> TargetAnswer? {
        guard let cache, place.isNew, let parsed = try? WebURL(url.url),
            !(hosts.contains(parsed) && scope.reaches(depth: url.depth)),
            let answer = try cache.answer(url.url), answer.satisfies(need)
        else { return nil }
        try frontier.endQueued(place.row, result: answer.encoded)
        return answer
    }

    /// Writes the counts, before a commit.
    func writeSummary() throws(StateError) {
        try cache?.flush()
        guard summary != written else { return }
        for (name, path) in CheckSummary.names where summary[keyPath: path] != written[keyPath: path] {
            try mentions.setTally(name, summary[keyPath: path])
        }
        written = summary
    }
}
