import HTTPTypes
import WebDatabase
import WebDifference
import WebLoader

/// Decides what happened to a page, stores it, and sends notifications, in this order, so that each is sent at least
/// once.
struct WatchKeeper: Sendable {
    let store: WatchStore
    /// The path of the list.
    let list: String
    let eye: WatchEye
    let channels: WatchChannels
    let stop: StopRequest

    /// The result of a page's request.
    enum Answer: Sendable {
        case response(WebResponse)
        case failure(code: String, message: String, status: Int?)
    }

    /// The channels that failed in this run, and receive nothing more in it.
    private struct Deaf {
        var command = false
        var webhook = false
    }

    /// Settles the result of a request.
    ///
    /// - Parameters:
    ///   - entry: The page.
    ///   - answer: The result of the request.
    ///   - asked: The time of the request.
    /// - Returns: The outcome for the page.
    /// - Throws: ``StateError`` if the outcome cannot be stored; notifications that were not sent are sent in the next
    ///   run.
    func settle(
        _ entry: WatchEntry,
        _ answer: Answer,
        asked: Timestamp
    ) async throws(StateError) -> WatchTold {
        let stop = stop
        let lock = try await store.lock(entry.name) { stop.level == .now }
        var memory = WatchMemory(entry)
        switch try store.read(entry.name) {
        case .memory(let kept):
            // The state of another page is irrelevant for this one, but its pending notifications stay.
            if kept.url == memory.url { memory = kept } else { memory.owed = kept.owed }
        case .nothing: break
        case .damaged: channels.warn(entry.name, "what was remembered of it is damaged; it counts as new")
        }
        memory.list = list
        var (told, deaf) = (WatchTold(), Deaf())
        if !memory.owed.isEmpty {
            told.isNews = true
            try await send(&memory, entry, isAgain: true, &deaf)
        }
        // A time in the future, from before the clock was set back, is ignored.
        if memory.date > asked, memory.date <= Timestamp.now {
            var report = WatchReport(entry, asked, .same)
            report.message = "another process has seen it since"
            told.code = await say(report)
        } else {
            // A page that was given up is requested again in the next run.
            if let report = try await settle(entry, answer, asked, &memory, &told, &deaf) {
                told.holds = report.holds
                told.code = report.code ?? told.code
            }
        }
        _ = consume lock
        return told
    }

    private func settle(
        _ entry: WatchEntry,
        _ answer: Answer,
        _ asked: Timestamp,
        _ memory: inout WatchMemory,
        _ told: inout WatchTold,
        _ deaf: inout Deaf
    ) async throws(StateError) -> WatchReport? {
        let before = memory
        var report = WatchReport(entry, asked, .same)
        var isNews = false
        switch answer {
        case .failure(let code, let message, let status):
            report.result = .error
            (report.code, report.message, report.status) = (code, message, status)
        case .response(let response):
            report.status = response.status.map { Int($0.code) }
            switch await eye.look(at: response, for: entry) {
            case .failed(let code, let message):
                report.result = .error
                (report.code, report.message) = (code, message)
            case .empty(let message):
                report.result = .empty
                (report.code, report.message) = ("watch.empty", message)
            case .drift(let rules, let message):
                report.result = .drift
                (report.code, report.message) = ("rule.drift", message)
                isNews = memory.drift != rules
                memory.drift = rules
            case .seen(let view):
                isNews = await see(view, entry, &report, &memory)
            }
        }
        guard report.code != "load.cancelled" else { return nil }
        isNews = count(entry, &report, &memory) || isNews
        guard isNews else {
            if memory.isOther(than: before) {
                memory.date = asked
                try store.write(memory)
            }
            told.code = await say(report)
            return report
        }
        memory.date = asked
        let surplus = memory.owe(
            WatchMemory.Owed(
                event: report.json,
                owesCommand: entry.command != nil,
                owesWebhook: entry.webhook != nil
            )
        )
        if surplus > 0 {
            channels.warn(entry.name, "\(surplus) of what was to be told again is given up: it was too much")
        }
        try store.write(memory)
        told.isNews = true
        try await send(&memory, entry, isAgain: false, &deaf)
        return report
    }

    /// Counts failures in a row, if the entry has a limit; returns whether to report them, or that the page has
    /// recovered.
    private func count(_ entry: WatchEntry, _ report: inout WatchReport, _ memory: inout WatchMemory) -> Bool
    {
        guard let limit = entry.failures else {
            memory.failures = 0
            return false
        }
        guard report.result == .error || report.result == .empty else {
            report.isRecovered = memory.failures >= limit
            memory.failures = 0
            return report.isRecovered
        }
        // Not counted beyond the limit, which would write one more file in each run.
        guard memory.failures < limit else { return false }
        memory.failures += 1
        report.failures = memory.failures
        return memory.failures == limit
    }

    /// Compares the view of a page with the former one; returns whether to report it.
    private func see(
        _ view: WatchView,
        _ entry: WatchEntry,
        _ report: inout WatchReport,
        _ memory: inout WatchMemory
    ) async -> Bool {
        report.data = view.data
        report.conditions = entry.conditions.map { $0.outcome(data: view.data, text: view.text) }
        let held = report.conditions.filter(\.holds).map(\.condition.text)
        report.begun = Set(held).subtracting(memory.held)
        var isNews = !report.begun.isEmpty
        // The page as served and the rendered page differ, without any change.
        let isRendered = entry.isRendered == true
        if memory.response != nil, memory.isRendered != isRendered {
            report.result = .new
            report.message = isRendered ? "rendered from now on" : "as served from now on"
        } else if let old = await known(memory, entry) {
            do throws(SelectorError) {
                let comparison = try await eye.loader.configuration.blockingWork.run {
                    () throws(SelectorError) in try WatchComparison(from: old, to: view, entry)
                }
                report.comparison = comparison
                report.result = comparison.isSame ? .same : .changed
                isNews = isNews || !comparison.isSame && entry.tellsChanges
            } catch {
                report.result = .error
                (report.code, report.message) = (error.code.rawValue, error.message)
                report.conditions = []
                return false
            }
        } else {
            report.result = .new
        }
        memory.response = view.response
        memory.isRendered = isRendered
        memory.data = view.data
        memory.recipe = entry.recipeDigest
        memory.held = held
        memory.drift = nil
        return isNews
    }

    /// Returns the page as it was last seen, viewed under the entry's current rules, which may have changed.
    private func known(_ memory: WatchMemory, _ entry: WatchEntry) async -> WatchView? {
        guard let response = memory.response else { return nil }
        if let data = memory.data, let recipe = memory.recipe, recipe == entry.recipeDigest {
            return WatchView(response: response, data: data)
        }
        // A former page without the watched content cannot show changes.
        guard case .seen(let view) = await eye.look(at: response, for: entry) else { return nil }
        return view
    }

    // MARK: - Telling

    /// Sends all pending notifications in order, and stores which were sent.
    private func send(
        _ memory: inout WatchMemory,
        _ entry: WatchEntry,
        isAgain: Bool,
        _ deaf: inout Deaf
    ) async throws(StateError) {
        let before = memory.owed
        for index in memory.owed.indices {
            var event = memory.owed[index].event
            if isAgain, case .object(let members) = event {
                event = .object(members.filter { $0.name != "again" } + [.init("again", true)])
            }
            if memory.owed[index].owesLine, await accepted(entry, channels.line(event)) {
                memory.owed[index].owesLine = false
            }
            // A channel that missed a notification does not receive a later one.
            if memory.owed[index].owesCommand, !deaf.command {
                if let command = entry.command {
                    deaf.command = await !accepted(entry, channels.command(command, entry, event))
                }
                memory.owed[index].owesCommand = deaf.command
            }
            if memory.owed[index].owesWebhook, !deaf.webhook {
                if let webhook = entry.webhook {
                    deaf.webhook = await !accepted(entry, channels.webhook(webhook, event))
                }
                memory.owed[index].owesWebhook = deaf.webhook
            }
        }
        memory.owed.removeAll(where: \.isSettled)
        if memory.owed != before { try store.write(memory) }
    }

    private func accepted(_ entry: WatchEntry, _ failure: String?) async -> Bool {
        guard let failure else { return true }
        channels.warn(entry.name, "\(failure); it is told again in the next run")
        return false
    }

    /// Reports an outcome that is no news; returns the code of the failure, `nil` if it succeeded.
    private func say(_ report: WatchReport) async -> String? {
        guard channels.tellsAll, let failure = await channels.line(report.json) else { return nil }
        channels.warn(report.name, failure)
        return FileError.Code.unwritable.rawValue
    }
}

extension WatchMemory {
    /// Whether the state differs from the stored one.
    fileprivate func isOther(than old: WatchMemory) -> Bool {
        held != old.held || drift != old.drift || failures != old.failures
            || recipe != old.recipe || data != old.data
            || response?.url != old.response?.url || response?.body != old.response?.body
            || isRendered != old.isRendered
            || response?.headerFields[.contentType] != old.response?.headerFields[.contentType]
            || response?.headerFields[.eTag] != old.response?.headerFields[.eTag]
            || response?.headerFields[.lastModified] != old.response?.headerFields[.lastModified]
    }
}
