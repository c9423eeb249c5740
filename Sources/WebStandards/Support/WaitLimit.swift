import Glibc

/// A limit for a wait: a deadline, and a check for cancellation.
package struct WaitLimit: Sendable {
    /// When the wait ends, by ``MonotonicClock``; infinity for never.
    let deadline: Double
    private let isCancelled: (@Sendable () -> Bool)?

    /// Milliseconds between two checks for cancellation.
    private static let checkInterval = 20.0

    /// No limit.
    package static let none = WaitLimit(deadline: .infinity)

    /// The limit of what this task or thread does: blocking reads of archives end with it.
    @TaskLocal package static var current = WaitLimit.none

    /// Does something with this as the ``current`` limit.
    package func limit<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try Self.$current.withValue(self) { Result { () throws(Failure) in try body() } }.get()
    }

    /// The limit that ends with this or with another one.
    package func and(_ other: WaitLimit) -> WaitLimit {
        let (mine, others) = (isCancelled, other.isCancelled)
        guard let mine, let others else {
            return WaitLimit(deadline: min(deadline, other.deadline), isCancelled: mine ?? others)
        }
        return WaitLimit(deadline: min(deadline, other.deadline)) { mine() || others() }
    }

    /// Limits a wait to a moment, or until `isCancelled` returns true.
    package init(deadline: Double, isCancelled: (@Sendable () -> Bool)? = nil) {
        // NaN means no time at all, as everywhere.
        self.deadline = deadline.isNaN ? 0 : deadline
        self.isCancelled = isCancelled
    }

    /// Limits a wait to `seconds` from now; nil is no limit.
    package init(seconds: Double?, isCancelled: (@Sendable () -> Bool)? = nil) {
        self.init(deadline: seconds.map { MonotonicClock.now + $0 } ?? .infinity, isCancelled: isCancelled)
    }

    /// Throws ETIMEDOUT when the deadline has passed, and ECANCELED when it was cancelled.
    package func check() throws(File.Failure) {
        if isCancelled?() ?? false { throw File.Failure(errno: ECANCELED) }
        if deadline < .infinity, MonotonicClock.now >= deadline { throw File.Failure(errno: ETIMEDOUT) }
    }

    /// Waits until a descriptor can be read from or written to, has ended, or is of a kind that is always
    /// ready.
    func wait(for descriptor: Int32, _ events: Int32) throws(File.Failure) {
        while true {
            try check()
            let left = (deadline - MonotonicClock.now) * 1000
            let most = isCancelled == nil ? 60_000 : Self.checkInterval
            // One millisecond more than is left, to avoid repeated polling within the last millisecond.
            var asked = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
            let milliseconds = Int32(clamping: Int(bounded: min(most, max(0, left) + 1)))
            let count = unsafe poll(&asked, 1, milliseconds)
            if count > 0 { return }
            if count < 0, errno != EINTR { throw File.Failure(errno: errno) }
        }
    }

    /// Pauses briefly, to poll something that cannot be waited for.
    func pause() throws(File.Failure) {
        try check()
        usleep(2000)
    }
}
