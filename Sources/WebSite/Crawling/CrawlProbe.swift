import WebDatabase
import WebLoader
import WebStandards

/// Checks whether a URL is unchanged, and records nothing.
struct CrawlProbe: Sendable {
    let fetcher: SiteFetcher
    /// The rules of hosts; `nil` if robots.txt is not requested.
    let robots: RobotsCache?
    /// Returns the copy from a former crawl.
    let kept: @Sendable (WebURL) async -> WebResponse?
    /// Returns the former status of a URL without a stored copy.
    let status: @Sendable (WebURL) -> Int?
    let retries: Int

    /// The result of a probe.
    struct Found: Sendable {
        var outcome: URLOutcome = .done
        var signal = HostSignal.unasked
        var crawlDelay: Double?
        /// Whether the URL is unchanged.
        var isUnchanged = false
        /// Whether a stored copy of the URL is still valid.
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
        // A body that is neither revalidated by its server nor read as a page has to be loaded again.
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
    /// Checks whether any URL has changed since a former crawl, one after the other until one has.
    ///
    /// Copies that are found to be unchanged are not requested again by the next run.
    ///
    /// - Parameters:
    ///   - urls: The URLs, each once.
    ///   - status: Returns the former status of a URL without a stored copy.
    ///   - loader: The loader.
    ///   - template: The template of each request.
    ///   - stop: The request to end the check early.
    ///   - progress: Receives the progress.
    /// - Returns: Whether all URLs are unchanged; false if the check was ended early.
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
