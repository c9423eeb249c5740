import WebLoader
package import WebStandards

/// The rules of the hosts that a job contacts, each fetched once and stored for a day at most.
package actor RobotsCache {
    /// The verdict of a host's rules on a URL.
    package struct Verdict: Sendable {
        /// Whether the URL may be requested.
        package let access: RobotsRules.Access
        /// The crawl delay of the host, in seconds; `nil` if it has none.
        package let crawlDelay: Double?
        /// Why nothing is allowed, if the host's rules could not be loaded.
        package let failure: VisitFailure?

        package var isAllowed: Bool { access.isAllowed }
    }

    private struct Answer {
        let rules: RobotsRules
        var failure: VisitFailure?
    }

    private struct Entry {
        let answer: Task<Answer, Never>
        /// The monotonic time from which the rules are fetched again.
        var expires: Double
    }

    /// The longest time for which rules are stored, in seconds: RFC 9309, section 2.4.
    private static let lifetime = 86_400.0
    /// The same for a host that did not answer.
    private static let failureLifetime = 300.0

    private let fetcher: SiteFetcher
    /// The User-Agent whose rules are obeyed.
    package let agent: String
    private let capacity: Int
    private var entries: [String: Entry] = [:]

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - fetcher: Makes the requests.
    ///   - agent: The User-Agent that is sent; its product token selects the rules.
    ///   - capacity: The maximum number of hosts whose rules are stored.
    package init(_ fetcher: SiteFetcher, agent: String, capacity: Int = 1024) {
        self.fetcher = fetcher
        self.agent = agent
        self.capacity = max(1, capacity)
    }

    /// Returns the verdict of the rules of a URL's host; everything is allowed for other schemes than http and https.
    package func verdict(on url: WebURL) async -> Verdict {
        let answer = await answer(of: url)
        let delay = answer.rules.crawlDelay(for: agent)?.inSeconds
        let access = answer.rules.access(to: url, agent: agent)
        return Verdict(access: access, crawlDelay: delay, failure: answer.failure)
    }

    /// Returns the rules of a URL's host.
    package func rules(of url: WebURL) async -> RobotsRules { await answer(of: url).rules }

    private func answer(of url: WebURL) async -> Answer {
        guard let robots = RobotsFile.location(ofSite: url.withoutCredentials) else {
            return Answer(rules: .allAllowed)
        }
        let origin = robots.href
        let now = MonotonicClock.now
        if let known = entries[origin], known.expires > now { return await known.answer.value }
        makeRoom(now)
        let task = Task { [fetcher] in await Self.load(robots, fetcher) }
        entries[origin] = Entry(answer: task, expires: now + Self.lifetime)
        let answer = await task.value
        if answer.rules.scope == .unreachable {
            entries[origin]?.expires = MonotonicClock.now + Self.failureLifetime
        }
        return answer
    }

    private func makeRoom(_ now: Double) {
        guard entries.count >= capacity else { return }
        // The half that expires first, since it was fetched first.
        let expiries = entries.values.map(\.expires).sorted()
        let limit = max(now, expiries[expiries.count / 2])
        entries = entries.filter { $0.value.expires > limit }
    }

    /// Requests a robots.txt, following redirects to any host: section 2.3.1.2.
    private static func load(_ robots: WebURL, _ fetcher: SiteFetcher) async -> Answer {
        var url = robots
        for _ in 0...RobotsRules.maximumRedirects {
            let answer = await fetcher.ask(url, .get, .prefix(RobotsRules.maximumSize + 1))
            guard let response = answer.response, let status = answer.status else {
                // An archive, or the cache alone, involves no server.
                let isOffline = answer.error?.code == "archive.miss" || answer.error?.code == "cache.miss"
                if isOffline { return Answer(rules: .allAllowed) }
                return Answer(rules: RobotsRules(.unreachable), failure: VisitFailure(answer))
            }
            guard let next = answer.redirect else {
                // Rules that broke off might have disallowed more; without an answer nothing is allowed (section 2.3.1.4).
                if answer.error != nil, response.body.isEmpty || 200..<300 ~= status {
                    return Answer(rules: RobotsRules(.unreachable), failure: VisitFailure(answer))
                }
                let rules = RobotsRules(.response(status: status, body: response.body))
                return Answer(rules: rules, failure: rules.scope == .unreachable ? VisitFailure(answer) : nil)
            }
            url = next
        }
        return Answer(rules: RobotsRules(.tooManyRedirects))
    }
}
