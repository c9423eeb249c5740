import WebStandards

/// How far a job is.
package struct SiteProgress: Sendable {
    /// How many URLs are in which state.
    package var counts: FrontierCounts
    /// Why URLs failed, by code.
    package var failures: [String: Int]
    /// How many URLs were finished since the job was started or continued.
    package var finished: Int
    /// Seconds since it was started or continued.
    package var seconds: Double
    /// How many hosts must not be asked yet, of those that are known.
    package var waitingHosts: Int
    /// The URL that was handed out last; nil for none.
    package var current: String?
    /// Whether the run ends, and nothing is told after it.
    package var isLast: Bool

    /// How many URLs are finished a second; 0 at the beginning.
    package var rate: Double { seconds > 0 ? Double(finished) / seconds : 0 }

    /// How many seconds are left if it goes on so and nothing new is found; nil where that cannot be said.
    package var secondsLeft: Double? {
        guard finished > 0, seconds > 0 else { return nil }
        return Double(counts.queued +| counts.leased) / rate
    }
}
