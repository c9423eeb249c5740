import Foundation
import Glibc
import Synchronization

/// A program that runs beside a test until it is ended.
///
/// It has a session of its own, and what it starts is in its process group: with the one the others are ended.
public final class StartedProgram: Sendable {
    /// The number of its process, and of its group.
    public let id: Int32

    private let status = Mutex<Int32?>(nil)

    /// Starts an executable of the package, or one by its path.
    ///
    /// - Parameters:
    ///   - name: Its name or path.
    ///   - arguments: Its arguments.
    ///   - descriptors: What it has as its descriptors, from 0 on. They stay open here; it has no others.
    ///   - environment: Variables besides those of the tests.
    /// - Throws: An error, if there is no such program.
    public init(
        _ name: String,
        _ arguments: [String],
        descriptors: [Int32],
        environment: [String: String] = [:]
    ) throws {
        let file = name.hasPrefix("/") ? name : try Command.file(name).path
        let variables = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        id = try Self.start(file, arguments, descriptors, variables)
    }

    deinit {
        guard exitStatus == nil else { return }
        kill(-id, SIGKILL)
        _ = waitpid(id, nil, 0)
    }

    private static func start(
        _ file: String,
        _ arguments: [String],
        _ descriptors: [Int32],
        _ variables: [String: String]
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        // Their numbers have to be others than those that they get there.
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer {
            copies.forEach { close($0) }
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (number, copy) in copies.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, copy, Int32(number))
        }
        // Those of other tests: their programs would wait for the end of what this one holds open.
        for number in Int32(copies.count)..<2048 {
            unsafe posix_spawn_file_actions_addclose(&actions, number)
        }
        var none = sigset_t()
        var usual = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80  // POSIX_SPAWN_SETSID
        unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        var words = unsafe ([file] + arguments).map { unsafe strdup($0) } + [nil]
        var settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, file, &actions, &attributes, &words, &settings)
        guard code == 0 else { throw TestServerError(message: "\(file) does not start: errno \(code)") }
        return process
    }

    /// The exit status, or 128 and the signal; nil while it runs.
    public var exitStatus: Int32? {
        status.withLock { status in
            var code: Int32 = 0
            if status == nil, unsafe waitpid(id, &code, WNOHANG) == id {
                status = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + (code & 0x7F)
            }
            return status
        }
    }

    /// Sends a signal to it alone, if it still runs.
    public func signal(_ number: Int32) {
        if exitStatus == nil { kill(id, number) }
    }

    /// Waits until it ends by itself; its exit status, or 128 and the signal.
    public func end(within seconds: Double = 300) async throws -> Int32 {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if let exitStatus { return exitStatus }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw TestServerError(message: "process \(id) goes on")
    }

    /// Ends it and all of its group, and waits until they are gone, or for a while.
    public func endGroup() async {
        for _ in 0..<1000 {
            let isOver = exitStatus != nil
            guard kill(-id, SIGKILL) == 0 || !isOver else { return }
            _ = await onThread { usleep(5000) }
        }
    }
}
