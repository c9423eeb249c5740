import Glibc

/// Seconds of a clock that never jumps, for time-outs.
enum MonotonicClock {
    /// Seconds since some moment in the past.
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
