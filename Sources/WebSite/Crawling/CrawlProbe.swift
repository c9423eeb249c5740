import WebDatabase
import WebLoader
import WebStandards

/// Asks of one URL whether it is as it was, and records nothing.
struct CrawlProbe: Sendable {
    let fetcher: SiteFetcher
    /// Nil if robots.txt is not asked for.
    let robots: RobotsCache?
    /// Gives the copy that is kept from before.
    let kept: @Sendable (WebURL) async -> WebResponse?
    /// Gives the status that there was where no copy is kept.
    let status: @Sendable (WebURL) -> Int?
    let retries: Int

    /// What was found.
    struct Found: Sendable {
        var outcome: URLOutcome = .done
        var signal = HostSignal.unasked
        var crawlDelay: Double?
        /// Whether it is as it was.
        var isUnchanged = false
        /// Whether there is a copy of it that still holds.
        var hasCopy = false
    }

    func visit(_ lease: Lease) async -> Found {
        var found = Found()
        guard !lease.isHostDead, let url = try? WebURL(lease.url) else { return found }
        if let robots {
            let verdict = await robots.verdict(on: url)
            guard verdict.isAllowed else { return found }
            found.crawlDelay = verdict.crawlDelay
        }
        let before = await kept(url)
        let redirect = before.flatMap { CrawlVisitor.redirect(of: $0, url) }
        // What is neither compared by its server nor read as a page has to be loaded anew.
        let answer = await fetcher.ask(url, .get, .readable, ifChangedFrom: redirect == nil ? before : nil)
        found.signal = answer.signal
        if answer.isWorthRetrying, lease.tries < retries {
            found.outcome = .again(answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)")
            return found
        }
        guard answer.error == nil, let response = answer.response else { return found }
        guard let before else {
            found.isUnchanged = answer.status == status(url) && answer.redirect == nil
            return found
        }
        if redirect != nil || answer.redirect != nil {
            found.isUnchanged =
                answer.redirect == redirect && answer.status == before.status.map { Int($0.code) }
        } else {
            let isSame =
                response.status == before.status && response.body == before.body
                && response.contentType == before.contentType
            found.isUnchanged = answer.status == 304 || isSame && !answer.isCut
            found.hasCopy = found.isUnchanged
        }
        return found
    }
}

extension CrawlJob {
    /// Asks whether anything of what is kept from before has changed, one URL after the other until one has.
    ///
    /// The copies that were found to hold are not asked for again by the next run.
    ///
    /// - Parameters:
    ///   - urls: The URLs, each once.
    ///   - status: The status that there was at one of which no copy is kept.
    ///   - loader: What loads.
    ///   - template: What each request is like.
    ///   - stop: How it is asked to end early.
    ///   - progress: Is told how far it is.
    /// - Returns: Whether all of them are as they were; false if it was ended early.
    /// - Throws: ``StateError``.
    package func isUnchanged(
        _ urls: [WebURL],
        status: @escaping @Sendable (WebURL) -> Int?,
        _ loader: PageLoader,
        template: WebRequest,
        stop: StopRequest,
        progress: (@Sendable (SiteProgress) -> Void)?
    ) async throws(StateError) -> Bool {
        guard let kept = options.kept else { return false }
        var asking = Frontier.Options()
        asking.politeness = options.politeness
        asking.localPoliteness = options.localPoliteness
        let frontier = try Frontier(nil, asking, now: .now)
        try frontier.add(urls.lazy.map { FrontierURL($0) }, now: .now)
        let fetcher = SiteFetcher(loader, template: template, seeds: options.seeds)
        let probe = CrawlProbe(
            fetcher: fetcher,
            robots: options.robotsAgent.map { RobotsCache(fetcher, agent: $0) },
            kept: kept,
            status: status,
            retries: options.retries
        )
        let runner = SiteRunner(
            width: options.width,
            stop: stop,
            maximumSeconds: options.limits.maximumTime?.inSeconds,
            progress: progress
        )
        var hasChanged = false
        let end = try await runner.run(frontier) { _ throws(StateError) in
            hasChanged ? "changed" : nil
        } visit: { lease in
            await probe.visit(lease)
        } finish: { [self] frontier, lease, found throws(StateError) in
            let now = Moment.now
            if let delay = found.crawlDelay { try frontier.setInterval(delay, of: lease, now: now) }
            if case .done = found.outcome {
                if !found.isUnchanged { hasChanged = true }
                if found.hasCopy { unchanged.insert(lease.url) }
            }
            try frontier.finish(lease, found.outcome, signal: found.signal, now: now)
        }
        return end == .complete && !hasChanged
    }
}
