import Glibc
// Which module its times are of depends on what the compiler has loaded before.
import SwiftOverlayShims

/// Seconds of this process and of its children that have ended, and of the wall's clock, since some time.
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
