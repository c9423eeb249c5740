import Glibc

/// How long something may wait, and whether it is to end before.
struct WaitLimit: Sendable {
    /// When the wait ends, by ``MonotonicClock``; infinity for never.
    let deadline: Double
    private let isCancelled: (@Sendable () -> Bool)?

    /// Milliseconds after which a wait looks whether it has been cancelled.
    private static let lookInterval = 20.0

    /// For as long as it takes.
    static let none = WaitLimit(deadline: .infinity)

    /// Waits until a moment, or until `isCancelled` says so.
    init(deadline: Double, isCancelled: (@Sendable () -> Bool)? = nil) {
        // What is no number is no time at all, as everywhere.
        self.deadline = deadline.isNaN ? 0 : deadline
        self.isCancelled = isCancelled
    }

    /// Waits for so many seconds from now on; nil is no limit.
    init(seconds: Double?, isCancelled: (@Sendable () -> Bool)? = nil) {
        self.init(deadline: seconds.map { MonotonicClock.now + $0 } ?? .infinity, isCancelled: isCancelled)
    }

    /// Throws ETIMEDOUT when the time is over, and ECANCELED when it was cancelled.
    func check() throws(File.Failure) {
        if isCancelled?() ?? false { throw File.Failure(errno: ECANCELED) }
        if MonotonicClock.now >= deadline { throw File.Failure(errno: ETIMEDOUT) }
    }

    /// Waits until a descriptor can be read from or written to, has ended, or is of a kind for which nothing waits.
    func wait(for descriptor: Int32, _ events: Int32) throws(File.Failure) {
        while true {
            try check()
            let left = (deadline - MonotonicClock.now) * 1000
            let most = isCancelled == nil ? 60_000 : Self.lookInterval
            // A millisecond more than is left, lest it be asked again and again in the last one.
            var asked = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
            let milliseconds = Int32(clamping: Int(bounded: min(most, max(0, left) + 1)))
            let count = unsafe poll(&asked, 1, milliseconds)
            if count > 0 { return }
            if count < 0, errno != EINTR { throw File.Failure(errno: errno) }
        }
    }

    /// Waits a moment for what cannot be waited for.
    func pause() throws(File.Failure) {
        try check()
        usleep(2000)
    }
}
