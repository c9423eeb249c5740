import Foundation

/// Runs the package's executables for what they take, not for what they say.
public enum MeasuredCommand {
    /// What a run took.
    public struct Cost: Sendable {
        /// The exit status, or 128 and the signal.
        public let status: Int32
        /// The most memory that it had at any time, in bytes.
        public let peakMemory: Int
    }

    /// Runs an executable to its end, its output thrown away; after `seconds` it is ended, which shows as a signal.
    public static func run(_ name: String, _ arguments: [String], seconds: Double = 60) async throws -> Cost {
        let file = try Command.file(name).path
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try spawn(file, arguments, seconds) })
            }
        }
    }

    private static func spawn(_ file: String, _ arguments: [String], _ seconds: Double) throws -> Cost {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([file] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        let started = Date()
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, file, &actions, nil, words, environ)
        guard code == 0 else { throw TestServerError(message: "\(file) cannot be run: error \(code)") }
        var status: Int32 = 0
        var peak = 0
        // What the system says of a process that has ended has in it what its parent took.
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            // For a moment after it has started, its memory is still said to be that of its parent.
            if program(of: process) == path { peak = max(peak, peakMemory(of: process)) }
            if -started.timeIntervalSinceNow > seconds { kill(process, SIGKILL) }
            usleep(2000)
        }
        let signal = status & 0x7F
        return Cost(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
            peakMemory: peak
        )
    }

    /// The file of the program that a process runs; nil for one that is gone.
    private static func program(of process: pid_t) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    /// The most memory that a process had so far, in bytes; 0 for one that is gone.
    private static func peakMemory(of process: pid_t) -> Int {
        // One that has ended has no file.
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }
}
