import Glibc
// The module that declares its times depends on the modules that the compiler has loaded before.
import SwiftOverlayShims

/// The processor time of this process and its ended children, and the wall-clock time, in seconds since an arbitrary
/// moment.
struct Clock {
    let processor: Double
    let wall: Double

    static var now: Clock {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        let children = usage.ru_utime.seconds + usage.ru_stime.seconds
        return Clock(processor: seconds(CLOCK_PROCESS_CPUTIME_ID) + children, wall: seconds(CLOCK_MONOTONIC))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
