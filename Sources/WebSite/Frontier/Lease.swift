package import WebStandards

/// A URL that is leased in order to be loaded.
package struct Lease: Equatable, Sendable {
    /// The number of its row.
    package let id: Int64
    package let url: String
    /// The identity that distinguishes the row, if it is not the URL.
    package let identity: String?
    /// The name of the host.
    package let host: String
    let hostID: Int64
    /// The number of links from a seed to the URL.
    package let depth: Int
    /// The row of the page that the URL was found on.
    package let parent: Int64?
    /// Whether the URL is a seed of the job.
    package var isSeed: Bool { parent == nil }
    /// The number of tries so far that have to be repeated.
    package let tries: Int
    /// The number of times that the process was ended during a lease of the URL.
    package let interruptions: Int
    /// The result of the last request, if its outcome was ``URLOutcome/onward(to:)``.
    package let progress: [UInt8]?

    /// Whether its host was given up, so that the URL has to be finished without being loaded.
    package let isHostDead: Bool
}

/// The outcome of a leased URL.
package enum URLOutcome: Equatable, Sendable {
    /// The URL was loaded.
    case done
    /// The URL could not be loaded, and is not retried; with the reason as a stable code.
    case failed(String)
    /// The URL is not loaded after all; with the reason as a stable code.
    case skipped(String)
    /// The URL needs another request: of a URL that it redirects to, or of itself by another method. Its row goes back
    /// to the queue of that URL's host, with its result, which becomes the progress of the next lease.
    case onward(to: FrontierURL)
    /// The URL has to be retried, after the other URLs of its host; with the reason as a stable code.
    case again(String)
}

/// The state of a URL.
package enum URLState: Int, CaseIterable, Sendable {
    case queued = 0
    case leased = 1
    case done = 2
    case failed = 3
    case skipped = 4
}

/// A point in time, by both clocks.
package struct Moment: Equatable, Sendable {
    /// The seconds of a monotonic clock, for waits.
    package var monotonic: Double
    /// The time of the system's clock, which may be set at any time: only for times that outlive the process, which are
    /// bounded.
    package var wall: Timestamp

    package init(monotonic: Double, wall: Timestamp) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// The current time.
    package static var now: Moment { Moment(monotonic: MonotonicClock.now, wall: .now) }
}

/// The number of URLs in each state.
package struct FrontierCounts: Equatable, Sendable {
    package var queued = 0
    package var leased = 0
    package var done = 0
    package var failed = 0
    package var skipped = 0

    package init(queued: Int = 0, leased: Int = 0, done: Int = 0, failed: Int = 0, skipped: Int = 0) {
        self.queued = queued
        self.leased = leased
        self.done = done
        self.failed = failed
        self.skipped = skipped
    }

    /// The number of all URLs.
    package var total: Int { queued +| leased +| done +| failed +| skipped }

    /// Whether no work is left.
    package var isComplete: Bool { queued == 0 && leased == 0 }
}

/// A URL with its state and result.
package struct FrontierRow: Equatable, Sendable {
    package let id: Int64
    package let url: String
    package let identity: String?
    package let state: URLState
    /// The reason, if the URL is not done.
    package let reason: String?
    package let depth: Int
    package let parent: Int64?
    package let tries: Int
    /// The stored result.
    package let result: [UInt8]?
    /// The range of its entry in the first output; `nil` if it has none.
    package let place: Range<Int>?
}
