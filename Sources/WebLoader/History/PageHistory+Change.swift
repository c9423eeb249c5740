import WebDifference

extension PageHistory {
    /// A summary, in one line, of what a version changed.
    public struct Change: Sendable {
        /// In words, as in "title changed; text: 2 changed, 1 added"; "first version" for the first one.
        public let summary: String

        /// The number of changes; `nil` if the versions were not compared, or are not pages.
        public let count: Int?

        init(_ summary: String, count: Int? = nil) {
            self.summary = summary
            self.count = count
        }
    }

    /// For each version the index of the one before it of the same variant, -1 for ``before``; nil if there is none.
    var predecessors: [Int?] {
        var last: [UInt64: Int] = [:]
        if let before { last[before.stored.variant] = -1 }
        return versions.indices.map { index in
            let variant = versions[index].stored.variant
            defer { last[variant] = index }
            return last[variant]
        }
    }
}

extension PageLoader {
    /// Returns what each version of a history changed since the previous one of its variant, in the order of the
    /// versions.
    ///
    /// Each version's body is read and parsed, one after the other, within the configuration's limits; pages are
    /// compared by ``/WebDifference/PageDifference``, with its defaults. The summary of a version that cannot be read
    /// says so, and so do those of the remaining versions if the task is cancelled.
    ///
    /// Complexity: O(n) in the versions' bytes; memory for two pages at once, a few more where variants alternate.
    public func changes(in history: PageHistory) async -> [PageHistory.Change] {
        var changes: [PageHistory.Change] = []
        changes.reserveCapacity(history.versions.count)
        await forEachChange(in: history) { _, change in changes.append(change) }
        return changes.reversed()
    }

    /// Passes the change of each version of a history to `body`, the newest version first, as soon as it is found.
    package func forEachChange<Failure: Error>(
        in history: PageHistory,
        _ body: (PageHistory.Version, PageHistory.Change) async throws(Failure) -> Void
    ) async throws(Failure) {
        let predecessors = history.predecessors
        var read = ReadVersions()
        for index in history.versions.indices.reversed() {
            let version = history.versions[index]
            let change: PageHistory.Change
            if let before = predecessors[index] {
                let old = before < 0 ? history.before : history.versions[before]
                let new = await facts(version, at: index, in: history, &read)
                if let old {
                    let oldFacts = await facts(old, at: before, in: history, &read)
                    change = await compared(oldFacts, new)
                } else {
                    change = PageHistory.Change("not compared")
                }
            } else if history.olderCount > 0 {
                change = PageHistory.Change(
                    "not compared: the one before is older than those that were asked for"
                )
            } else {
                change = PageHistory.Change(
                    index == 0 ? "first version" : "first version for other request fields"
                )
            }
            read.forget(index)
            try await body(version, change)
        }
    }

    /// The facts of the versions read last, a few of them.
    private struct ReadVersions {
        var facts: [(index: Int, facts: VersionFacts)] = []

        /// The maximum number of entries: more than two are useful only if variants alternate.
        static let most = 4

        mutating func forget(_ index: Int) { facts.removeAll { $0.index == index } }
    }

    /// Returns the facts by which a version is compared, which are read unless `read` has them.
    private func facts(
        _ version: PageHistory.Version,
        at index: Int,
        in history: PageHistory,
        _ read: inout ReadVersions
    ) async -> VersionFacts {
        if let known = read.facts.first(where: { $0.index == index }) { return known.facts }
        var facts = VersionFacts(version)
        do throws(LoadError) {
            if Task.isCancelled { throw LoadError(FetchError.cancelled, url: history.url) }
            let response = try await response(of: version, in: history)
            let page = try await load(response)
            do throws(ParsingError) {
                facts.page = try await page.parsed()
            } catch {
                facts.failure = error.message
            }
        } catch {
            facts.failure = error.message
        }
        if read.facts.count == ReadVersions.most { read.facts.removeFirst() }
        read.facts.append((index, facts))
        return facts
    }

    /// Compares two versions where blocking work is done.
    private func compared(_ old: VersionFacts, _ new: VersionFacts) async -> PageHistory.Change {
        await configuration.blockingWork.run { new.change(since: old) }
    }
}
