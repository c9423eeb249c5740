import WebStandards

/// How hosts are spared: how many loads at once, how far apart, and what is done when one refuses or does not answer.
///
/// Times are in seconds.
package struct Politeness: Equatable, Sendable {
    /// How many loads of a host may run at once; at least one.
    package var concurrency = 2
    /// Whether a host is asked one thing at a time until it has answered once: its robots.txt may ask for an interval.
    package var startsAlone = true
    /// How far apart the beginnings of two loads of a host are.
    package var interval = 1.0
    /// The longest interval that a host may ask for (Crawl-delay).
    package var longestInterval = 60.0
    /// The longest time that a host may ask for by Retry-After; what asks for more is not waited for.
    package var longestRetryAfter = 120.0
    /// The wait after a first failure, before jitter; it doubles with each further one.
    package var firstBackOff = 1.0
    /// The longest wait after a failure.
    package var longestBackOff = 60.0
    /// After how many failures in a row a host is parked.
    package var failuresUntilParked = 5
    /// How long a parked host is left alone, after which one load finds out whether it answers again.
    package var parkedTime = 600.0
    /// How many such loads fail before the host counts as dead, and what is queued of it is not loaded any more.
    package var probesUntilDead = 2

    /// The politeness that is usual on the open web.
    package init() {}

    /// How many loads of a host of one's own run at once where all of it is loaded again after a kill: pages that are written.
    package static let repeatedConcurrency = 3

    /// No waiting between loads and little after failures, for hosts of one's own: loopback, files.
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

    /// The wait after a number of failures in a row: half of it certain, half of it by a number from 0 to 1, so that
    /// what failed at the same time is not tried again at the same time.
    package func backOff(failures: Int, draw: Double) -> Double {
        let doublings = min(max(failures, 1) - 1, 62)
        let limit = longestBackOff.boundedSeconds
        let wait = min(limit, firstBackOff.boundedSeconds * Double(1 << doublings))
        return wait / 2 + wait / 2 * min(max(draw.isNaN ? 0 : draw, 0), 1)
    }

    /// The interval for a host that asked for one; never shorter than this program's own.
    package func interval(asked: Double?) -> Double {
        let own = interval.boundedSeconds
        guard let asked else { return own }
        return max(own, min(asked.boundedSeconds, longestInterval.boundedSeconds))
    }
}
