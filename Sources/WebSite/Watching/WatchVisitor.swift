import WebDatabase
import WebLoader

/// Makes the requests of a run, and settles their results.
struct WatchVisitor: Sendable {
    /// The pages with their indices in the list, by name.
    let entries: [String: (index: Int, entry: WatchEntry)]
    let fetcher: SiteFetcher
    /// Makes the requests for pages whose versions the cache stores.
    let historian: SiteFetcher
    /// Runs the scripts of pages; `nil` to run no scripts.
    let renderer: WatchRenderer?
    let keeper: WatchKeeper
    /// The rules of hosts; `nil` if they are ignored.
    let robots: RobotsCache?
    let retries: Int
    let longestRetryAfter: Double

    /// The progress of a page: the next URL, the number of redirects to it, and the time of the first request.
    private struct Progress {
        var next: WebURL
        var redirects = 0
        var asked: Timestamp

        init(_ url: WebURL) {
            next = url
            asked = .now
        }

        init?(_ bytes: [UInt8]?) {
            guard let bytes, let json = try? JSONValue(parsing: bytes), let text = json["next"]?.string,
                let next = try? WebURL(text), case .integer(let redirects)? = json["redirects"],
                case .integer(let asked)? = json["asked"]
            else { return nil }
            self.next = next
            self.redirects = Int(bounded: redirects)
            self.asked = Timestamp(millisecondsSince1970: asked)
        }

        var bytes: [UInt8] {
            let json: JSONValue = [
                "next": .string(next.href), "redirects": JSONValue(redirects),
                "asked": .integer(asked.millisecondsSince1970),
            ]
            return json.serialized()
        }
    }

    /// Makes the request of a lease.
    func visit(_ lease: Lease) async -> WatchFound {
        guard let (index, entry) = lease.identity.flatMap({ entries[$0] }) else {
            return WatchFound(outcome: .failed("internal"), signal: .unasked)
        }
        let start = FrontierURL(entry.url.withoutCredentials, identity: entry.name)
        let known = Progress(lease.progress)
        // A retry without progress begins at the listed URL, at the pace of its host.
        guard known != nil || lease.host == start.host else {
            return WatchFound(outcome: .onward(to: start), signal: .unasked)
        }
        let progress = known ?? Progress(entry.url)
        if lease.isHostDead {
            let message = "its host has not answered for long: it was not asked again"
            let answer = WatchKeeper.Answer.failure(code: "host.dead", message: message, status: nil)
            return await settled(index, entry, answer, progress, .unasked)
        }
        guard let verdict = await robots?.verdict(on: progress.next) else {
            return await asked(index, entry, lease, progress)
        }
        guard verdict.isAllowed else {
            let isSilent = verdict.access.reason == .unreachable
            let answer = WatchKeeper.Answer.failure(
                code: isSilent ? "robots.unreachable" : "robots.disallowed",
                message: isSilent
                    ? "the host's robots.txt could not be had" : "the host's robots.txt does not allow it",
                status: nil
            )
            return await settled(index, entry, answer, progress, .unasked)
        }
        var found = await asked(index, entry, lease, progress)
        found.crawlDelay = verdict.crawlDelay
        return found
    }

    /// Makes the request.
    private func asked(
        _ index: Int,
        _ entry: WatchEntry,
        _ lease: Lease,
        _ progress: Progress
    ) async -> WatchFound {
        // The rendered page may change even if the response does not.
        let isAnew = entry.keepsHistory || entry.isRendered == true
        let kept = isAnew ? nil : await copy(of: progress.next, entry)
        let asker = entry.keepsHistory ? historian : fetcher
        let answer = await asker.ask(progress.next, .get, .whole, ifChangedFrom: kept)
        let isPatient = answer.retryAfter.map { $0 <= longestRetryAfter } ?? true
        if answer.isWorthRetrying, lease.tries < retries, isPatient {
            return WatchFound(
                outcome: .again(answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)"),
                signal: answer.signal
            )
        }
        if let next = answer.redirect { return await onward(answer, to: next, index, entry, progress) }
        var seen = Self.answer(answer, kept)
        if entry.isRendered == true, let renderer, case .response(let response) = seen {
            seen = await renderer.render(response, overriding: keeper.eye.overrides)
        }
        return await settled(index, entry, seen, progress, answer.signal)
    }

    /// Returns the last response of a URL, for a conditional request; `nil` if there is no such response.
    private func copy(of url: WebURL, _ entry: WatchEntry) async -> WebResponse? {
        // An unreadable state is reported when the page is settled.
        guard case .memory(let memory)? = try? keeper.store.read(entry.name),
            let response = memory.response, response.source != .rendered,
            response.url == url.withoutFragment.withoutCredentials
        else { return nil }
        return response
    }

    private static func answer(_ answer: SiteAnswer, _ kept: WebResponse?) -> WatchKeeper.Answer {
        if let error = answer.error {
            return .failure(code: error.code.rawValue, message: error.message, status: answer.status)
        }
        if answer.status == 304, let kept { return .response(kept) }
        guard let response = answer.response else {
            return .failure(code: "internal", message: "there is no response", status: nil)
        }
        return .response(response)
    }

    /// Follows a redirect, whose target is queued for its own host.
    private func onward(
        _ answer: SiteAnswer,
        to next: WebURL,
        _ index: Int,
        _ entry: WatchEntry,
        _ progress: Progress
    ) async -> WatchFound {
        let limit = fetcher.loader.configuration.limits.maximumRedirects
        guard progress.redirects < limit else {
            let code = FetchError.Code.tooManyRedirects.rawValue
            let failure = WatchKeeper.Answer.failure(
                code: code,
                message: "more than \(limit) redirects",
                status: answer.status
            )
            return await settled(index, entry, failure, progress, answer.signal)
        }
        var progress = progress
        progress.next = next
        progress.redirects += 1
        return WatchFound(
            outcome: .onward(to: FrontierURL(next, identity: entry.name)),
            signal: answer.signal,
            progress: progress.bytes
        )
    }

    private func settled(
        _ index: Int,
        _ entry: WatchEntry,
        _ answer: WatchKeeper.Answer,
        _ progress: Progress,
        _ signal: HostSignal
    ) async -> WatchFound {
        var told = WatchTold()
        do throws(StateError) {
            told = try await keeper.settle(entry, answer, asked: progress.asked)
        } catch {
            // A run that ends at once does not wait for other processes.
            if keeper.stop.level < .now {
                keeper.channels.warn(entry.name, "\(error.message) (\(error.code.rawValue))")
            }
            told.code = error.code.rawValue
        }
        let outcome = told.code.map(URLOutcome.failed) ?? .done
        return WatchFound(outcome: outcome, signal: signal, told: (index, told))
    }
}
