import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the state after an interrupt (Ctrl-C).
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
                let cache = folder.appending(path: "cache").path
                let body = folder.appending(path: "body").path
                let command = try RunningCommand(
                    "webinspect",
                    [
                        "fetch", server.url, "--cache-dir", cache, "-o", body,
                        // The rest of the suite may have all cores for long: it is not to give up by itself.
                        "--timeout", "600", "--max-time", "1000",
                    ]
                )
                for await _ in server.arrivals { break }
                command.program.signal(SIGINT)
                let outcome = try await command.end()
                #expect(outcome.status == 128 + SIGINT)
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.isEmpty)
                #expect(try Self.files(in: folder) == [])
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
