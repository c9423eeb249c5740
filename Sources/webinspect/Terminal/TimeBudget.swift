import Glibc
// Which module its times are of depends on what the compiler has loaded before.
import SwiftOverlayShims
import WebLoader

/// Ends the process when its time is up, whatever it is doing: libxml2 cannot be stopped in the middle of an expression.
///
/// A signal handler writes lines that were made beforehand and leaves.
enum TimeBudget {
    // Written before the timer runs, and read by the handler.
    nonisolated(unsafe) private static var message: UnsafeMutableBufferPointer<UInt8>?
    nonisolated(unsafe) private static var document: UnsafeMutableBufferPointer<UInt8>?

    /// Starts the clock; 0 seconds is no time at all.
    static func begin(seconds: Double, subject: String, writesJSON: Bool) {
        let failure = Failure(
            subject: subject,
            "not done after \(seconds) s; see --budget-time",
            code: "budget.time",
            status: .limit
        )
        unsafe message = copy(Array("\(failure.line)\n".utf8))
        if writesJSON { unsafe document = copy(failure.json.serialized() + [0x0A]) }
        signal(SIGALRM) { _ in TimeBudget.expire() }
        // A microsecond at least: a timer of none does not run. A year at most: it would not fit.
        let microseconds = max(1, min(seconds, 31_536_000) * 1e6)
        var timer = itimerval()
        timer.it_value.tv_sec = Int(bounded: microseconds / 1e6)
        timer.it_value.tv_usec = Int(bounded: microseconds.truncatingRemainder(dividingBy: 1e6))
        unsafe setitimer(__itimer_which_t(bitPattern: ITIMER_REAL.rawValue), &timer, nil)
    }

    /// Stops the clock.
    static func end() {
        var timer = itimerval()
        unsafe setitimer(__itimer_which_t(bitPattern: ITIMER_REAL.rawValue), &timer, nil)
    }

    /// Nothing here allocates or locks.
    private static func expire() -> Never {
        if let message = unsafe message { _ = unsafe write(2, message.baseAddress, message.count) }
        if let document = unsafe document { _ = unsafe write(1, document.baseAddress, document.count) }
        _exit(ExitStatus.limit.rawValue)
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        return unsafe copy
    }
}
