import WebStandards

/// The limits of loads per host: how many at once, how far apart, and how long to wait if a host refuses or does not
/// answer.
///
/// Times are in seconds.
package struct Politeness: Equatable, Sendable {
    /// The maximum number of concurrent loads of a host; at least one.
    package var concurrency = 2
    /// Whether a host gets one request at a time until it has answered once: its robots.txt may ask for an interval.
    package var startsAlone = true
    /// The interval between the starts of two loads of a host.
    package var interval = 1.0
    /// The longest interval that a host may ask for (Crawl-delay).
    package var longestInterval = 60.0
    /// The longest time of Retry-After that is waited for; a host that asks for more is not waited for.
    package var longestRetryAfter = 120.0
    /// The wait after a first failure, before jitter; it doubles with each further failure.
    package var firstBackOff = 1.0
    /// The longest wait after a failure.
    package var longestBackOff = 60.0
    /// The number of failures in a row after which a host is parked.
    package var failuresUntilParked = 5
    /// The time for which a parked host is not contacted; afterwards a single load finds out whether it answers again.
    package var parkedTime = 600.0
    /// The number of such loads that fail before the host is dead, and its queued URLs are not loaded any more.
    package var probesUntilDead = 2

    /// Creates the usual politeness for public hosts.
    package init() {}

    /// The concurrency for a local host whose running loads are all repeated after a kill, in jobs that write pages.
    package static let repeatedConcurrency = 3

    /// Returns the politeness for local hosts, loopback and files: no interval between loads, and short waits after
    /// failures.
    package static func local(concurrency: Int) -> Politeness {
        var politeness = Politeness()
        politeness.concurrency = concurrency
        politeness.interval = 0
        politeness.firstBackOff = 0.1
        politeness.longestBackOff = 2
        politeness.failuresUntilParked = 20
        politeness.parkedTime = 5
        politeness.longestRetryAfter = 30
        return politeness
    }

    /// Returns the wait after a number of failures in a row: half of it is fixed, half depends on a number from 0 to 1,
    /// so that URLs that failed at the same time are not retried at the same time.
    package func backOff(failures: Int, draw: Double) -> Double {
        let doublings = min(max(failures, 1) - 1, 62)
        let limit = longestBackOff.boundedSeconds
        let wait = min(limit, firstBackOff.boundedSeconds * Double(1 << doublings))
        return wait / 2 + wait / 2 * min(max(draw.isNaN ? 0 : draw, 0), 1)
    }

    /// Returns the interval for a host that asked for one; never shorter than this program's own.
    package func interval(asked: Double?) -> Double {
        let own = interval.boundedSeconds
        guard let asked else { return own }
        return max(own, min(asked.boundedSeconds, longestInterval.boundedSeconds))
    }
}
