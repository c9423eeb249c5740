import Glibc
// Which module its times are of depends on what the compiler has loaded before.
import SwiftOverlayShims
import WebLoader

/// Ends the process when its time is up, whatever it is doing: a library of C cannot be stopped in the middle of an
/// expression, nor a write that nobody reads.
///
/// There is the command's time, of `--max-time`, and inside it that of a part of its work, of `--budget-time`; the
/// earlier of the two ends counts. A signal handler writes lines that were made beforehand and leaves.
enum TimeBudget {
    /// When a time is up, and what is said then.
    @safe private struct End {
        let deadline: Double
        let message: UnsafeMutableBufferPointer<UInt8>
        /// The error for standard output; nil where it is said in words alone.
        let document: UnsafeMutableBufferPointer<UInt8>?
        let status: ExitStatus

        /// Creates an end.
        ///
        /// - Parameters:
        ///   - seconds: The seconds from now; 0 is no time at all, more than a year is a year.
        ///   - failure: The error when the time is up.
        ///   - writesJSON: Whether the error goes to standard output too.
        init(_ seconds: Double, _ failure: Failure, writesJSON: Bool) {
            self.init(deadline: TimeBudget.now + min(seconds, 31_536_000), failure, writesJSON: writesJSON)
        }

        init(deadline: Double, _ failure: Failure, writesJSON: Bool) {
            self.deadline = deadline
            unsafe message = TimeBudget.copy(Array("\(TerminalText.visible(failure.line))\n".utf8))
            unsafe document = writesJSON ? TimeBudget.copy(failure.json.line) : nil
            status = failure.status
        }
    }

    // Written while the timer does not run, and read by the handler.
    nonisolated(unsafe) private static var command: End?
    nonisolated(unsafe) private static var inspection: End?
    nonisolated(unsafe) private static var part: End?
    nonisolated(unsafe) private static var next: End?

    nonisolated(unsafe) private static var started: Double?

    /// Whether standard output has something of the command's on it, behind which an error would be garbage.
    nonisolated(unsafe) private static var hasOutput = false

    /// The seconds after the time is up for a load to end by itself, and to write the lines that say so.
    private static let grace = 0.05

    /// Notes when the process began: reading the line is part of a command's time.
    static func noteStart() { unsafe started = now }

    /// Starts the clock of the whole command, from ``noteStart()`` to the last byte that it writes.
    ///
    /// - Parameters:
    ///   - seconds: The seconds that the command may take.
    ///   - source: The subject of the error.
    ///   - isRemote: Whether the command waits for the network, until ``noteArrival()`` says otherwise.
    ///   - writesJSON: Whether an error goes to standard output too.
    static func begin(command seconds: Double, source: String, isRemote: Bool, writesJSON: Bool) {
        let limit = seconds + grace
        let subject = shortened(source)
        let failure = Failure(
            subject: subject,
            "not finished after \(seconds) s; see --max-time",
            code: ReachedLimit.Code.time.rawValue,
            status: .limit
        )
        stop()
        let deadline = unsafe (started ?? now) + min(limit, 31_536_000)
        let end = End(deadline: deadline, failure, writesJSON: writesJSON)
        unsafe command = end
        unsafe inspection = nil
        if isRemote {
            let failure = Failure(
                subject: subject,
                "not loaded after \(seconds) s; see --max-time",
                code: FetchError.Code.totalTimeout.rawValue,
                status: .network
            )
            unsafe command = End(deadline: end.deadline, failure, writesJSON: writesJSON)
            unsafe inspection = end
        }
        start()
    }

    /// Starts the clock for the end of a command whose work is done, or was ended by its time: for writing
    /// its results.
    ///
    /// - Parameters:
    ///   - seconds: The seconds that the command may take from ``noteStart()``; a second from now is left in
    ///     any case.
    ///   - more: The seconds that are added, for a command that ends by itself at that time.
    ///   - source: The subject of the error.
    static func begin(end seconds: Double, more: Double = 0, source: String) {
        let left = unsafe max(1, (started ?? now) + seconds - now) + more
        let failure = Failure(
            subject: shortened(source),
            "not finished after \(seconds) s; see --max-time",
            code: ReachedLimit.Code.time.rawValue,
            status: .limit
        )
        stop()
        unsafe command = End(left + grace, failure, writesJSON: false)
        unsafe inspection = nil
        start()
    }

    /// Notes that nothing is waited for any more: what takes time now is the page.
    static func noteArrival() {
        guard let end = unsafe inspection else { return }
        stop()
        unsafe command = end
        unsafe inspection = nil
        start()
    }

    /// Starts the clock of a part of the command's work; 0 seconds is no time at all.
    static func begin(seconds: Double, subject: String, writesJSON: Bool) {
        let failure = Failure(
            subject: shortened(subject),
            "not finished after \(seconds) s; see --budget-time",
            code: "budget.time",
            status: .limit
        )
        stop()
        unsafe part = End(seconds, failure, writesJSON: writesJSON)
        start()
    }

    /// Stops the clock of the part.
    static func end() {
        stop()
        unsafe part = nil
        start()
    }

    /// Notes that standard output gets what the command has to say.
    static func noteOutput() { unsafe hasOutput = true }

    private static func start() {
        let ends = unsafe [command, part].compactMap { $0 }
        unsafe next = ends.min { $0.deadline < $1.deadline }
        guard let end = unsafe next else { return }
        signal(SIGALRM) { _ in TimeBudget.expire() }
        // Whoever started the process may have blocked it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGALRM)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        startTimer(until: end.deadline)
    }

    private static func startTimer(until deadline: Double) {
        // A microsecond at least: a timer of none does not run.
        let microseconds = max(1, (deadline - now) * 1e6)
        var timer = itimerval()
        timer.it_value.tv_sec = Int(bounded: microseconds / 1e6)
        timer.it_value.tv_usec = Int(bounded: microseconds.truncatingRemainder(dividingBy: 1e6))
        unsafe setitimer(__itimer_which_t(bitPattern: ITIMER_REAL.rawValue), &timer, nil)
    }

    private static func stop() {
        var timer = itimerval()
        unsafe setitimer(__itimer_which_t(bitPattern: ITIMER_REAL.rawValue), &timer, nil)
    }

    /// Nothing here allocates, locks or waits.
    private static func expire() {
        // Stopped as it came, or somebody else's signal.
        guard let end = unsafe next else { return }
        guard now >= end.deadline else { return startTimer(until: end.deadline) }
        unsafe write(end.message, 2)
        if unsafe !hasOutput, let document = unsafe end.document { unsafe write(document, 1) }
        _exit(end.status.rawValue)
    }

    /// Writes what fits a pipe at once, and nothing where even that has to wait for a reader.
    private static func write(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ descriptor: Int32) {
        var stream = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: POLLOUT), revents: 0)
        guard unsafe poll(&stream, 1, 0) == 1 else { return }
        _ = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// Seconds of a clock that never jumps.
    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A subject that leaves the lines shorter than what a pipe takes at once, 4096 bytes.
    private static func shortened(_ subject: String) -> String {
        subject.utf8.count > 256 ? "\(subject.prefix(256))…" : subject
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(from: bytes)
        return unsafe copy
    }
}
