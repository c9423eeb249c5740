import Glibc
// Which module `timespec` is of depends on what the compiler has loaded before.
import SwiftOverlayShims

/// Seconds of a clock that never jumps, for time-outs.
enum MonotonicClock {
    /// Seconds since some moment in the past.
    static var now: Double { read(CLOCK_MONOTONIC) }

    /// The same, up to some milliseconds ago, for a fifth of the cost.
    static var recent: Double { read(CLOCK_MONOTONIC_COARSE) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
