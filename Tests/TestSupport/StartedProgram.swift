public import Foundation
import Glibc

/// A program that runs beside a test until it is ended.
///
/// It has a session of its own, and the programs that it starts are in its process group: they are ended with it. Its
/// signals are as a user's shell has them, whatever the tests' parent ignores or blocks. It is waited for when this
/// object is released, and not before: until then no other process has its number, which may be sent signals.
public final class StartedProgram: Sendable {
    /// The number of its process, and of its group.
    public let id: Int32

    private let name: String

    /// Starts an executable of the package, or one by its path.
    ///
    /// - Parameters:
    ///   - name: Its name or path.
    ///   - arguments: Its arguments.
    ///   - descriptors: Its descriptors, from 0 on. They stay open here; it has no others.
    ///   - device: The device for those of its standard streams that are not among them.
    ///   - environment: Variables besides those of the tests.
    ///   - folder: Its working folder; nil for that of the tests.
    /// - Throws: An error, if there is no such program.
    public init(
        _ name: String,
        _ arguments: [String],
        descriptors: [Int32] = [],
        device: String = "/dev/null",
        environment: [String: String] = [:],
        folder: URL? = nil
    ) throws {
        var line = [name.hasPrefix("/") ? name : try Command.file(name).path] + arguments
        // Swift's module of glibc has not what would change the folder of a process that is started.
        if let folder { line = ["/usr/bin/env", "-C", folder.path] + line }
        let variables = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        self.name = name
        id = try Self.start(line, descriptors, device, variables)
    }

    deinit {
        if exitStatus == nil { kill(-id, SIGKILL) }
        while waitpid(id, nil, 0) < 0, errno == EINTR {}
    }

    private static func start(
        _ line: [String],
        _ descriptors: [Int32],
        _ device: String,
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
        let count = max(copies.count, 3)
        for number in copies.count..<count {
            unsafe posix_spawn_file_actions_addopen(&actions, Int32(number), device, O_RDWR, 0)
        }
        // Those of other tests: their programs would wait for the end of what this one holds open.
        for number in Int32(count)..<2048 { unsafe posix_spawn_file_actions_addclose(&actions, number) }
        var none = sigset_t()
        var usual = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&usual)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80  // POSIX_SPAWN_SETSID
        unsafe posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        var words = unsafe line.map { unsafe strdup($0) } + [nil]
        var settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, line[0], &actions, &attributes, &words, &settings)
        guard code == 0 else { throw TestServerError(message: "\(line[0]) does not start: errno \(code)") }
        return process
    }

    /// The exit status, or 128 and the signal; nil while it runs.
    public var exitStatus: Int32? { status(WNOHANG) }

    /// The exit status, which it may be asked for again.
    private func status(_ options: Int32) -> Int32? {
        var information = unsafe siginfo_t()
        var code: Int32
        repeat {
            code = unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT | options)
        } while code != 0 && errno == EINTR
        guard code == 0, unsafe information.si_signo == SIGCHLD else { return nil }
        let status = unsafe information._sifields._sigchld.si_status
        return unsafe information.si_code == Int32(CLD_EXITED) ? status : 128 + status
    }

    /// Sends a signal to it alone, if it still runs.
    public func signal(_ number: Int32) { kill(id, number) }

    /// Waits until it ends by itself; its exit status, or 128 and the signal.
    ///
    /// - Throws: An error, if it had to be ended with its group after so many seconds.
    public func end(within seconds: Double = 300) async throws -> Int32 {
        try await onThread { try self.wait(within: seconds) }
    }

    /// As `end(within:)`, for what has a thread of its own, which this keeps.
    public func wait(within seconds: Double = 300) throws -> Int32 {
        if let exitStatus { return exitStatus }
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = self.status(0)
            isOver.signal()
        }
        let result = isOver.wait(timeout: .now() + max(0, seconds))
        if result == .timedOut {
            kill(-id, SIGKILL)
            isOver.wait()
        }
        guard result == .success, let exitStatus else {
            throw TestServerError(message: "\(name) was not done after \(seconds) seconds, and was ended")
        }
        return exitStatus
    }

    /// Ends it and all of its group, and waits until they are gone, or for a while.
    public func endGroup() async {
        kill(-id, SIGKILL)
        await onThread {
            _ = self.status(0)
            for _ in 0..<1000 where self.hasCompany() { usleep(5000) }
        }
    }

    /// Whether others of its group still run.
    private func hasCompany() -> Bool {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.contains { entry in
            guard let process = Int32(entry), process != id, getpgid(process) == id else { return false }
            let line = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8)
            // Whoever has to wait for it now may never do so.
            return line?.contains(") Z ") == false
        }
    }
}
