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
        let program: StartedProgram
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
                    try await onThread {
                        let running = try lines.map { try Self.start($0, in: folder) }
                        var workers: [pid_t] = []
                        for command in running {
                            usleep(UInt32(moment / 4))
                            workers += Self.children(of: command.program.id)
                            command.program.signal(signal)
                        }
                        for command in running {
                            let status = try command.program.wait()
                            #expect([0, 128 + signal].contains(status), "\(command.line): \(status)")
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
                try await onThread {
                    let running = try lines.map { try Self.start($0, in: folder) }
                    let end = Date(timeIntervalSinceNow: 120)
                    while running.contains(where: { $0.program.exitStatus == nil }),
                        end.timeIntervalSinceNow > 0
                    {
                        for command in running {
                            command.program.signal(signal)
                            command.program.signal(SIGCONT)
                        }
                        usleep(3000)
                    }
                    for command in running {
                        let status = try command.program.wait(within: 0)
                        #expect(status == 0, "\(command.line): \(status)")
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
                for _ in 0..<10 { command.program.signal(signal) }
                #expect(try await command.program.end() == 0)
                #expect(try Data(contentsOf: folder.appending(path: "out")) == Data("x".utf8))
            }
        }
    }

    private static func start(_ arguments: [String], in folder: URL) throws -> Running {
        Running(
            program: try StartedProgram("webinspect", arguments, folder: folder),
            line: arguments.joined(separator: " ")
        )
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
}
