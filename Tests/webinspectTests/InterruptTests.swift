import Foundation
import Glibc
import TestSupport
import Testing

/// What an interrupt (Ctrl-C) leaves behind.
@Suite(.timeLimit(.minutes(20)))
struct InterruptTests {
    @Test func `an interrupted load ends as the system has it, and leaves no file`() async throws {
        let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 8000000\r\n\r\n"
        let piece = String(repeating: "x", count: 100_000)
        let answer: [RawServer.Step] = [
            .send(head), .sendRepeatedly(piece, times: 40), .pause(seconds: 600),
        ]
        try await withTemporaryFolder { folder in
            try await withRawServer(answer) { server in
                let process = Process()
                process.executableURL = try Command.file("webinspect")
                process.arguments = [
                    "fetch", server.url, "--cache-dir", folder.appending(path: "cache").path, "-o",
                    folder.appending(path: "body").path,
                    // The rest of the suite may have all cores for long: it is not to give up by itself.
                    "--timeout", "600", "--max-time", "1000",
                ]
                let (output, errors) = (Pipe(), Pipe())
                process.standardOutput = output
                process.standardError = errors
                try await Self.start(process)
                for await _ in server.arrivals { break }
                kill(process.processIdentifier, SIGINT)
                await onThread { process.waitUntilExit() }
                #expect(process.terminationReason == .uncaughtSignal)
                #expect(process.terminationStatus == SIGINT)
                #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
                #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
                #expect(try Self.files(in: folder) == [])
            }
        }
    }

    /// Starts a process that takes SIGINT: it has the signal mask of the thread that starts it.
    private static func start(_ process: Process) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGINT)
                unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                // Tests that a shell has put into the background ignore it, and so would what they start.
                signal(SIGINT, SIG_DFL)
                continuation.resume(with: Result { try process.run() })
            }
        }
    }

    private static func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            var isDirectory: ObjCBool = false
            let path = folder.appending(path: path).path
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }
}
