import WebDatabase
import WebStandards

/// Queries and changes of single rows, for jobs that look back at them within a transaction.
extension Frontier {
    /// The state and the result of a row.
    struct Knowledge {
        let state: URLState
        /// The stored result.
        let result: [UInt8]?
    }

    /// Returns the state and the result of a row; `nil` if the row does not exist.
    ///
    /// A leased row counts as queued.
    func knowledge(of row: Int64) throws(StateError) -> Knowledge? {
        let select = statements.knowledge
        guard try select.bind(1, row).step() else { return nil }
        defer { select.reset() }
        guard let state = URLState(rawValue: Int(bounded: select.number(0))) else { return nil }
        return Knowledge(state: state, result: select.optionalBytes(1))
    }

    /// Sets the progress of the next lease of a queued row, within the open transaction.
    func setProgress(_ progress: [UInt8], of row: Int64) throws(StateError) {
        try statements.setProgress.bind(1, row).bind(2, progress).run()
    }

    /// Finishes a queued row that is not leased, because its result is known, within the open transaction.
    func endQueued(_ row: Int64, result: [UInt8]) throws(StateError) {
        try statements.finish.bind(1, row).bind(2, Int64(URLState.done.rawValue)).bind(3, String?.none)
            .bind(4, result).bind(5, Int64?.none).bind(6, Int64?.none).run()
        counter.add(-1, .queued)
        counter.add(1, .done)
    }

    /// Puts a finished row back into the queue, within the open transaction.
    func queueAgain(_ row: Int64, progress: [UInt8], now: Moment) throws(StateError) {
        let select = statements.ended
        guard try select.bind(1, row).step() else { return }
        let state = URLState(rawValue: Int(bounded: select.number(0)))
        let (host, reason) = (select.number(1), select.optionalText(2))
        select.reset()
        guard let state, state != .queued else { return }
        try statements.queueAgain.bind(1, row).bind(2, progress).run()
        counter.add(-1, state, reason)
        counter.add(1, .queued)
        try addWork(of: host, now: now)
    }
}
