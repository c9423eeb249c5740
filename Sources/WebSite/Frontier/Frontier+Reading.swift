package import WebDatabase
import WebStandards

extension Frontier {
    /// The number of URLs in each state.
    package var counts: FrontierCounts {
        var counts = FrontierCounts()
        counts.leased = held.count
        counts.queued = max(0, counter.count(.queued) - held.count)
        counts.done = counter.count(.done)
        counts.failed = counter.count(.failed)
        counts.skipped = counter.count(.skipped)
        return counts
    }

    /// Returns the number of URLs in a state, by the code of their reason.
    package func reasons(_ state: URLState) -> [String: Int] { counter.reasons(state) }

    /// Calls `body` with each URL in a state, in the order of discovery, until it returns false.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - start: The row after which to begin.
    ///   - body: The closure to call; it must not change the job.
    /// - Throws: ``StateError``.
    package func forEach(
        _ state: URLState,
        after start: Int64 = 0,
        _ body: (FrontierRow) throws(StateError) -> Bool
    ) throws(StateError) {
        try guarded { () throws(StateError) in
            let select = try database.prepare(
                """
                SELECT u.id, h.name, u.text, u.identity, u.reason, u.depth, u.parent, u.tries, u.result, u.place, u.size
                FROM urls u JOIN hosts h ON h.id = u.host WHERE u.state = ?1 AND u.id > ?2 ORDER BY u.id
                """
            )
            let stored: URLState = state == .leased ? .queued : state
            try select.bind(1, Int64(stored.rawValue)).bind(2, start)
            while try select.step() {
                let id = select.number(0)
                let isLeased = held[id] != nil
                guard (state == .leased) == isLeased else { continue }
                let row = FrontierRow(
                    id: id,
                    url: FrontierURL.url(select.text(2), host: select.text(1)),
                    identity: select.optionalText(3),
                    state: state,
                    reason: select.optionalText(4),
                    depth: Int(bounded: select.number(5)),
                    parent: select.optionalNumber(6),
                    tries: Int(bounded: select.number(7)),
                    result: select.optionalBytes(8),
                    place: select.optionalNumber(9).map { place in
                        let start = max(0, Int(bounded: place))
                        return start..<(start + max(0, Int(bounded: select.number(10))))
                    }
                )
                guard try body(row) else { return }
            }
        }
    }

    // MARK: - Notes

    /// Returns a note of the job by its name, such as that all seeds were added; `nil` if the note does not exist.
    package func note(_ name: String) throws(StateError) -> String? {
        try guarded { () throws(StateError) in
            guard try statements.note.bind(1, "note." + name).step() else { return nil }
            defer { statements.note.reset() }
            return statements.note.text(0)
        }
    }

    /// Stores a note, in the same transaction as all uncommitted changes.
    package func setNote(_ name: String, _ value: String, now: Moment) throws(StateError) {
        try change(now: now) { () throws(StateError) in
            try statements.insertNote.bind(1, "note." + name).bind(2, value).run()
        }
    }

    /// The maximum number of URLs that were lost when the job was salvaged; 0 if it was not.
    package var lostCount: Int {
        get throws(StateError) { try note("lost").flatMap { Int(inBounds: $0) } ?? 0 }
    }
}
