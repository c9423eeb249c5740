package import WebStandards

/// A URL that was handed out to be loaded.
package struct Lease: Equatable, Sendable {
    /// The number of its row.
    package let id: Int64
    package let url: String
    /// What it is the only one by, where that is not the URL.
    package let identity: String?
    /// The host's name.
    package let host: String
    let hostID: Int64
    /// How many links away from a seed it is.
    package let depth: Int
    /// The row of the page that it was found on.
    package let parent: Int64?
    /// Whether the job was begun with it.
    package var isSeed: Bool { parent == nil }
    /// How often it was tried and is to be tried again.
    package let tries: Int
    /// How often a process was ended that had it.
    package let interruptions: Int
    /// What is known of it so far, if it is ``URLOutcome/onward(to:)``.
    package let progress: [UInt8]?

    /// Whether its host was given up: it is to be finished without being loaded.
    package let isHostDead: Bool
}

/// What became of a URL that was handed out.
package enum URLOutcome: Equatable, Sendable {
    /// It was loaded.
    case done
    /// It could not be loaded, and will not be tried again; why, by a stable code.
    case failed(String)
    /// It is not to be loaded after all; why, by a stable code.
    case skipped(String)
    /// It needs another request: of a URL that it redirects to, or of itself by another method. Its row goes back to the
    /// queue of that URL's host, with its result, which the next lease has as its progress.
    case onward(to: FrontierURL)
    /// It is to be tried again, after what else there is of its host; why, by a stable code.
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

/// A moment, by both clocks.
package struct Moment: Equatable, Sendable {
    /// Seconds of a clock that is never set: what waiting goes by.
    package var monotonic: Double
    /// What the system's clock says, which may be set at any time: only for what has to outlive the process, and bounded there.
    package var wall: Timestamp

    package init(monotonic: Double, wall: Timestamp) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Now.
    package static var now: Moment { Moment(monotonic: MonotonicClock.now, wall: .now) }
}

/// How many URLs are in which state.
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

    /// All that are known.
    package var total: Int { queued +| leased +| done +| failed +| skipped }

    /// Whether there is nothing left to do.
    package var isComplete: Bool { queued == 0 && leased == 0 }
}

/// A URL with what became of it.
package struct FrontierRow: Equatable, Sendable {
    package let id: Int64
    package let url: String
    package let identity: String?
    package let state: URLState
    /// Why, for what is not done.
    package let reason: String?
    package let depth: Int
    package let parent: Int64?
    package let tries: Int
    /// What the job keeps of it.
    package let result: [UInt8]?
    /// Where its entry is in the first output; nil if it has none.
    package let place: Range<Int>?
}
