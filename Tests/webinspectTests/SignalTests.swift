import Foundation
import Glibc
import TestSupport
import Testing

/// Signals at any moment: nothing is torn, nothing hangs, nothing is left running.
@Suite(
    .enabled(if: Nightly.isOn, "nightly: processes are killed at random"),
    .timeLimit(.minutes(20)),
    .serialized
)
struct SignalTests {
    /// A command that runs.
    private struct Running {
        let process: Process
        let line: String
    }

    @Test(
        arguments: [
            (SIGINT, 2), (SIGTERM, 2), (SIGHUP, 2), (SIGQUIT, 2), (SIGUSR1, 1), (SIGKILL, 10),
        ] as [(Int32, Int)]
    )
    func `a signal that ends a command leaves files and cache whole, and no worker`(
        _ signal: Int32,
        _ rounds: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let place = try LoadedFolder(folder)
            try await withTestServer(LoadedFolder.handler) { server in
                let lines = LoadedFolder.lines(server.url("/page"))
                var generator = SeededGenerator(seed: UInt64(signal))
                for _ in 0..<rounds {
                    let moment = generator.next() % 300_000
                    try await Self.onThread {
                        let running = try lines.map { try Self.start($0, in: folder) }
                        var workers: [pid_t] = []
                        for command in running {
                            usleep(UInt32(moment / 4))
                            let pid = command.process.processIdentifier
                            workers += Self.children(of: pid)
                            kill(pid, signal)
                        }
                        for command in running {
                            command.process.waitUntilExit()
                            let status = command.process.terminationStatus
                            let isEnded = command.process.terminationReason == .uncaughtSignal
                            #expect(isEnded ? status == signal : status == 0, "\(command.line): \(status)")
                        }
                        #expect(Self.areGone(workers), "\(workers) still run")
                    }
                }
                #expect(try await place.faults() == [])
                #expect(try await place.leftovers() == [])
                #expect(try await place.faults() == [])
            }
        }
    }

    /// SIGTSTP is followed by SIGCONT, as by a user who thinks again.
    @Test(arguments: [SIGTSTP, SIGSTOP, SIGCONT, SIGWINCH, SIGCHLD, SIGURG])
    func `a signal that says nothing to a command changes nothing`(_ signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            let place = try LoadedFolder(folder)
            try await withTestServer(LoadedFolder.handler) { server in
                let lines = LoadedFolder.lines(server.url("/page"))
                try await Self.onThread {
                    let running = try lines.map { try Self.start($0, in: folder) }
                    let end = Date(timeIntervalSinceNow: 120)
                    while running.contains(where: \.process.isRunning), end.timeIntervalSinceNow > 0 {
                        for command in running where command.process.isRunning {
                            kill(command.process.processIdentifier, signal)
                            kill(command.process.processIdentifier, SIGCONT)
                        }
                        usleep(3000)
                    }
                    for command in running {
                        if command.process.isRunning { kill(command.process.processIdentifier, SIGKILL) }
                        command.process.waitUntilExit()
                        #expect(
                            command.process.terminationReason == .exit
                                && command.process.terminationStatus == 0,
                            "\(command.line): \(command.process.terminationStatus)"
                        )
                    }
                }
                #expect(try await place.faults() == [])
                #expect(try Data(contentsOf: folder.appending(path: "out")) == LoadedFolder.body)
            }
        }
    }

    /// Those that would end a program, if the command had nothing to say to them by the time that it asks for a page.
    @Test(arguments: [SIGALRM, SIGPIPE])
    func `a signal that a command knows by itself changes nothing from elsewhere`(
        _ signal: Int32
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n"
        try await withTemporaryFolder { folder in
            try await withRawServer([.send(head), .pause(seconds: 1), .send("x")]) { server in
                let arguments = ["fetch", server.url, "--no-store", "-o", "out", "--max-time", "300"]
                let command = try Self.start(arguments, in: folder)
                for await _ in server.arrivals { break }
                for _ in 0..<10 { kill(command.process.processIdentifier, signal) }
                try await Self.onThread { command.process.waitUntilExit() }
                #expect(command.process.terminationReason == .exit)
                #expect(command.process.terminationStatus == 0)
                #expect(try Data(contentsOf: folder.appending(path: "out")) == Data("x".utf8))
            }
        }
    }

    /// Starts a command that takes all signals as a user's shell would have it: whoever runs the tests may ignore or block
    /// some of them.
    private static func start(_ arguments: [String], in folder: URL) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["--default-signal", try Command.file("webinspect").path] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return Running(process: process, line: arguments.joined(separator: " "))
    }

    /// The processes that a process has started.
    private static func children(of parent: pid_t) -> [pid_t] {
        // Both may have ended meanwhile.
        let text = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
        return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    /// Waits until processes have ended; one that nobody has asked about yet (a zombie) has.
    private static func areGone(_ processes: [pid_t]) -> Bool {
        for _ in 0..<3000 {
            let running = processes.filter { process in
                guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
                    return false
                }
                return line.contains("webinspect") && !line.contains(") Z ")
            }
            if running.isEmpty { return true }
            usleep(10_000)
        }
        return false
    }

    /// Runs what blocks on a thread of its own, which blocks no signal that those it starts would not get then.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
                continuation.resume(with: Result(catching: body))
            }
        }
    }
}
