import WebStandards

/// The progress of a job.
package struct SiteProgress: Sendable {
    /// The number of URLs in each state.
    package var counts: FrontierCounts
    /// The number of failed URLs, by code.
    package var failures: [String: Int]
    /// The number of URLs that were finished since the job was started or continued.
    package var finished: Int
    /// The number of seconds since the job was started or continued.
    package var seconds: Double
    /// The number of known hosts that must not be contacted yet.
    package var waitingHosts: Int
    /// The URL that was leased last; `nil` before the first lease and in the last report.
    package var current: String?
    /// Whether the run has ended, and this is the last report.
    package var isLast: Bool

    /// The number of URLs finished per second; 0 at the beginning.
    package var rate: Double { seconds > 0 ? Double(finished) / seconds : 0 }

    /// The estimated number of seconds left at this rate without new URLs; `nil` if it cannot be estimated.
    package var secondsLeft: Double? {
        guard finished > 0, seconds > 0 else { return nil }
        return Double(counts.queued +| counts.leased) / rate
    }
}
