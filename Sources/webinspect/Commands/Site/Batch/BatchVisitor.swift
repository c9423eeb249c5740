import WebArchive
import WebLoader
import WebSite

/// Makes the requests of a batch, and does its jobs on what they get.
struct BatchVisitor: Sendable {
    let input: BatchInput
    let loader: InputLoader
    let runner: JobRunner
    let template: WebRequest
    /// The rules of hosts; nil to ask nobody for them.
    let robots: RobotsCache?
    let retries: Int
    let longestRetryAfter: Double

    /// Makes the request of a lease; fails only if the input cannot be read.
    func visit(_ lease: Lease) async -> Result<BatchFound, ArchiveError> {
        do throws(ArchiveError) {
            guard let place = lease.identity.flatMap(LinePlace.init), let asked = try await line(at: place)
            else {
                throw ArchiveError(.unreadable, "a line of the input is not where it was")
            }
            if lease.url == PageInput.localURL { return .success(await local(asked)) }
            return .success(await remote(asked, lease))
        } catch {
            return .failure(error)
        }
    }

    private func line(at place: LinePlace) async throws(ArchiveError) -> PageInput? {
        try await BlockingWork.threads.run { [input] () throws(ArchiveError) in try input.input(at: place) }
    }

    // MARK: - Without a request

    private func local(_ asked: PageInput) async -> BatchFound {
        BatchFound(await runner.answer(asked, loader), .unasked)
    }

    // MARK: - With one

    /// A line whose turn it is.
    private struct Turn {
        let id: [UInt8]
        let name: String
        let lease: Lease
        var progress: BatchProgress

        /// The line's answer, of one that has no page.
        func answer(_ failure: Failure, status: Int? = nil) -> PageAnswer {
            PageAnswer(id: id, url: progress.next.description, status: status, failure)
        }
    }

    private func remote(_ asked: PageInput, _ lease: Lease) async -> BatchFound {
        guard case .success(.source(let name)) = asked.content, let first = asked.request(loader.options)
        else { return await local(asked) }
        let known = BatchProgress(lease.progress)
        let start = FrontierURL(first, identity: lease.identity)
        // A retry begins with the URL of the line, at the pace of that host.
        guard known != nil || lease.host == start.host else {
            return BatchFound(.onward(to: start), .unasked)
        }
        let turn = Turn(id: asked.id, name: name, lease: lease, progress: known ?? BatchProgress(first))
        if lease.isHostDead {
            let message = "its host has not answered for long: it was not asked again"
            let failure = Failure(subject: name, message, code: "host.dead", status: .network)
            return BatchFound(turn.answer(failure), .unasked)
        }
        var crawlDelay: Double?
        if let verdict = await robots?.verdict(on: turn.progress.next) {
            guard verdict.isAllowed else { return Self.disallowed(turn) }
            crawlDelay = verdict.crawlDelay
        }
        // Credentials for the line's host are not sent to the targets of its redirects.
        let fetcher = SiteFetcher(loader.loader, template: template, seeds: [first])
        var found = await take(await fetcher.ask(turn.progress.next), turn)
        found.crawlDelay = crawlDelay
        return found
    }

    private static func disallowed(_ turn: Turn) -> BatchFound {
        let message = "the host's robots.txt does not allow it"
        let failure = Failure(subject: turn.name, message, code: "robots.disallowed", status: .no)
        var found = BatchFound(.skipped(failure.code), .unasked)
        found.line = turn.answer(failure).line
        return found
    }

    /// Handles the answer to a request.
    private func take(_ answer: SiteAnswer, _ turn: Turn) async -> BatchFound {
        let isPatient = answer.retryAfter.map { $0 <= longestRetryAfter } ?? true
        if answer.isWorthRetrying, turn.lease.tries < retries, isPatient {
            let reason = answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)"
            return BatchFound(.again(reason), answer.signal)
        }
        if let next = answer.redirect, loader.options.followsRedirects {
            return onward(answer, to: next, turn)
        }
        if let error = answer.error {
            let failure = Failure(error, source: turn.name)
            return BatchFound(turn.answer(failure, status: answer.status), answer.signal)
        }
        guard var response = answer.response else {
            let failure = Failure(
                subject: turn.name,
                "there is no response",
                code: "internal",
                status: .fault
            )
            return BatchFound(turn.answer(failure), answer.signal)
        }
        response.redirects = turn.progress.redirects
        let page = LoadedPage(name: turn.name, response)
        return BatchFound(await runner.answer(turn.id, page), answer.signal)
    }

    /// A redirect, whose target has its turn at its own host.
    private func onward(_ answer: SiteAnswer, to next: WebURL, _ turn: Turn) -> BatchFound {
        let limit = loader.loader.configuration.limits.maximumRedirects
        guard turn.progress.redirects.count < limit else {
            let code = FetchError.Code.tooManyRedirects.rawValue
            let failure = Failure(
                subject: turn.name,
                "more than \(limit) redirects",
                code: code,
                status: .network
            )
            return BatchFound(turn.answer(failure, status: answer.status), answer.signal)
        }
        var progress = turn.progress
        progress.add(answer.url, answer.status ?? 302)
        progress.next = next
        let target = FrontierURL(next, identity: turn.lease.identity)
        var found = BatchFound(.onward(to: target), answer.signal)
        found.progress = progress.json
        return found
    }
}
