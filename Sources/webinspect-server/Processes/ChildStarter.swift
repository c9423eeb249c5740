import CServer
import Glibc
import NIOPosix
import WebStandards

/// Starts processes, all from one thread, which lives as long as this process.
///
/// The system sends a process its death signal when the thread that has started it ends.
final class ChildStarter: Sendable {
    static let shared = ChildStarter()

    /// Never shut down.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    private init() {
        // A child that has closed its end of a pipe must not end this process.
        _ = signal(SIGPIPE, SIG_IGN)
        thread.start()
    }

    /// Starts a program as the leader of a session of its own.
    ///
    /// The caller has to wait for it. The descriptors stay open here, and must stay open until this returns.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and its arguments.
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - error: Its standard error.
    ///   - deathSignal: The signal that it receives when this process ends; 0 for no signal.
    /// - Returns: Its process ID, which is also that of its process group.
    /// - Throws: ``ServeError`` if the system does not start it.
    func start(
        _ arguments: [String],
        input: Int32,
        output: Int32,
        error: Int32,
        deathSignal: Int32
    ) async throws(ServeError) -> pid_t {
        // Not cancelled with the caller's task: nobody would know of the process.
        let result: Result<pid_t, ServeError> = await withCheckedContinuation { continuation in
            thread.submit { _ in
                continuation.resume(
                    returning: Result { () throws(ServeError) in
                        try Self.spawn(arguments, input, output, error, deathSignal)
                    }
                )
            }
        }
        return try result.get()
    }

    private static func spawn(
        _ arguments: [String],
        _ input: Int32,
        _ output: Int32,
        _ error: Int32,
        _ deathSignal: Int32
    ) throws(ServeError) -> pid_t {
        func failure(_ code: Int32) -> ServeError {
            let reason = File.Failure(errno: code).text
            return ServeError(500, "process.start", "\(arguments.first ?? "") cannot be started: \(reason)")
        }
        // An argument with a NUL would be cut off there.
        guard !arguments.isEmpty, !arguments.contains(where: { $0.utf8.contains(0) }) else {
            throw failure(EINVAL)
        }
        let copies = unsafe arguments.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let words = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        var process: pid_t = 0
        let code = unsafe webl_spawn(words, input, output, error, deathSignal, &process)
        guard code == 0 else { throw failure(code) }
        return process
    }
}
