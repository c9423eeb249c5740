import Glibc
import Synchronization
import WebStandards

/// A process that this one has started by ``ChildStarter``, until it has been waited for.
///
/// No other code may wait for it. Then its ID is not reused until ``end(within:)`` returns.
final class ChildProcess: Sendable {
    /// How a process has ended.
    enum Ending: Sendable, Equatable, CustomStringConvertible {
        case status(Int32)
        case signal(Int32)
        /// Other code has waited for it.
        case unknown

        /// As in "it was ended by signal 9".
        var description: String {
            switch self {
            case .status(let status): "it has ended with status \(status)"
            case .signal(let signal): "it was ended by signal \(signal)"
            case .unknown: "it has ended"
            }
        }
    }

    /// Its process ID, which is also that of its process group.
    let id: pid_t
    private let ending = Mutex<Ending?>(nil)

    init(_ id: pid_t) {
        self.id = id
    }

    /// Whether it has ended.
    var hasEnded: Bool {
        ending.withLock { ending in
            if ending != nil { return true }
            var information = unsafe siginfo_t()
            // The status remains until it is waited for without this flag.
            let number = id_t(truncatingIfNeeded: id)
            if unsafe waitid(P_PID, number, &information, WEXITED | WNOHANG | WNOWAIT) == 0 {
                return unsafe information.si_signo != 0
            }
            if errno == ECHILD { ending = .unknown }
            return ending != nil
        }
    }

    /// The bytes of its resident memory; 0 if they are unknown.
    var memory: Int {
        guard let text = try? FileReader.read(path: "/proc/\(id)/statm", maximumSize: 4096) else { return 0 }
        let numbers = text.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard numbers.count > 1, let pages = Int(bounded: numbers[1]) else { return 0 }
        return pages *| Int(getpagesize())
    }

    /// Kills it, and the processes that it has started.
    func kill() { send(SIGKILL) }

    /// Sends it a signal; SIGKILL is also sent to the processes that it has started.
    func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { _ = Glibc.kill(signal == SIGKILL ? 0 -| id : id, signal) }
        }
    }

    /// Waits for its end, and kills it after a number of seconds.
    ///
    /// The processes that it has started are killed, too. This blocks the thread.
    func end(within seconds: Double) -> Ending {
        let deadline = MonotonicClock.now + seconds
        while !hasEnded, MonotonicClock.now < deadline { pause() }
        kill()
        while !hasEnded { pause() }
        return ending.withLock { ending in
            if let ending { return ending }
            let new = reap()
            ending = new
            return new
        }
    }

    private func pause() { _ = poll(nil, 0, 2) }

    private func reap() -> Ending {
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, 0) == id else { return .unknown }
        return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }
}
