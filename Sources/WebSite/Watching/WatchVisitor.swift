import WebDatabase
import WebLoader

/// Makes the requests of a run, and has what they get settled.
struct WatchVisitor: Sendable {
    /// The pages with their places in the list, by their names.
    let entries: [String: (index: Int, entry: WatchEntry)]
    let fetcher: SiteFetcher
    /// What asks for pages whose versions the cache keeps.
    let historian: SiteFetcher
    /// What runs the scripts of pages; nil where none are run.
    let renderer: WatchRenderer?
    let keeper: WatchKeeper
    /// The rules of hosts; nil where they are not asked for.
    let robots: RobotsCache?
    let retries: Int
    let longestRetryAfter: Double

    /// Where a page is: how many redirects led there, and when it was asked for first.
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
        // What is tried again begins where the list says, by the pace of that host.
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
        // What its server sends may be the same, and what scripts make of it not.
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

    /// The page as it was seen last at a URL, to be asked for only if it has changed; nil for none.
    private func copy(of url: WebURL, _ entry: WatchEntry) async -> WebResponse? {
        // What cannot be read is said when it is settled.
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

    /// A redirect, whose target has its turn at its own host.
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
            // Who is to end at once waits for no other process.
            if keeper.stop.level < .now {
                keeper.channels.warn(entry.name, "\(error.message) (\(error.code.rawValue))")
            }
            told.code = error.code.rawValue
        }
        let outcome = told.code.map(URLOutcome.failed) ?? .done
        return WatchFound(outcome: outcome, signal: signal, told: (index, told))
    }
}
