import Glibc
// Which module declares `timespec` depends on what the compiler has loaded before.
import SwiftOverlayShims

/// A clock in seconds that is never set, for timeouts.
package enum MonotonicClock {
    /// Seconds since an arbitrary moment in the past.
    package static var now: Double { read(CLOCK_MONOTONIC) }

    /// The same clock, up to some milliseconds late, at a fifth of the cost.
    package static var recent: Double { read(CLOCK_MONOTONIC_COARSE) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
