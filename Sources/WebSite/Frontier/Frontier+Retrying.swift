package import WebDatabase

extension Frontier {
    /// Puts failed URLs back into the queue, as if they had not been tried.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The number of URLs.
    /// - Throws: ``StateError``.
    @discardableResult
    package func retryFailed(now: Moment) throws(StateError) -> Int {
        let failed = counter.count(.failed)
        guard failed > 0 else { return 0 }
        try change(now: now) { () throws(StateError) in
            try database.execute(
                """
                UPDATE urls SET state = 0, turn = 0, tries = 0, reason = NULL, result = NULL, place = NULL, size = NULL
                WHERE state = \(URLState.failed.rawValue)
                """
            )
            // The failures of hosts are outdated.
            try database.execute("UPDATE hosts SET until = NULL, wait = NULL, failures = 0")
            for (reason, number) in counter.reasons(.failed) { counter.add(0 -| number, .failed, reason) }
            counter.add(failed, .queued)
        }
        try commit()
        isQueuePartial = true
        scannedHost = 0
        return failed
    }
}
