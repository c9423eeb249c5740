import Foundation
import TestSupport
import Testing

/// What the command does where the system has too little: an error or the answer, never a trap, and never no end.
@Suite(
    .enabled(if: Nightly.isOn, "nightly: the system has too little"),
    .timeLimit(.minutes(20)),
    .enabled(if: !Sanitizer.ownsMemory, "sanitizers take descriptors, threads and address space of their own")
)
struct ScarcityTests {
    private static let page =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<title>x</title><p>x"

    private static let commands = [
        "webinspect url $SERVER --no-store", "webinspect fetch $SERVER --cache-dir cache",
        "webinspect fetch $SERVER --no-store --retry 1 --retry-max-time 2",
        "webinspect select p $SERVER --no-store",
        "webinspect extract -r recipe.yaml $SERVER --no-store",
    ]

    /// Runs a command in a shell that sets a limit for it.
    private func run(
        _ command: String,
        limit: String,
        answer: String = page,
        maximumTime: Int = 2
    ) async throws -> Command.Outcome {
        try await withTemporaryFolder { folder in
            let recipe = folder.appendingPathComponent("recipe.yaml")
            try "version: 1\nfields:\n  a: p\n".write(to: recipe, atomically: true, encoding: .utf8)
            return try await withRawServer([.send(answer)]) { server in
                let programs = try Command.file("webinspect").deletingLastPathComponent().path
                let line = command.replacing("webinspect ", with: "\(programs)/webinspect ")
                    .replacing("$SERVER", with: server.url)
                return try await Command.run(
                    "/bin/bash",
                    ["-c", "ulimit -c 0; \(limit); exec \(line) --max-time \(maximumTime)"],
                    environment: ["HOME": folder.path],
                    folder: folder,
                    seconds: 60
                )
            }
        }
    }

    @Test(arguments: Self.commands)
    func `few descriptors are an error, or enough`(_ command: String) async throws {
        for count in 4...20 {
            let outcome = try await run(command, limit: "ulimit -n \(count)")
            #expect(outcome.status < 128, "\(count) descriptors: \(outcome.errors)")
            // The loader of programs says that itself.
            if outcome.status == 71 { #expect(outcome.errors.hasSuffix("(system.descriptors)\n")) }
        }
        // Beside all other tests, two seconds may be too few.
        let enough = try await run(command, limit: "ulimit -n 32", maximumTime: 60)
        #expect(enough.status == 0, "\(enough.errors)")
    }

    @Test(arguments: Self.commands)
    func `little address space ends it, one way or another`(_ command: String) async throws {
        for megabytes in [32, 64, 96, 112, 128, 144, 160, 176, 192, 208, 224, 256] {
            let outcome = try await run(command, limit: "ulimit -v \(megabytes << 10)")
            #expect(
                outcome.status != 128 + 4 && outcome.status != 128 + 5,
                "\(megabytes) MB: \(outcome.errors)"
            )
        }
    }

    @Test func `without a free descriptor for timers there is no waiting for them`() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        for count in 10...14 {
            let command = "webinspect fetch $SERVER --no-store --retry 1"
            let outcome = try await run(command, limit: "ulimit -n \(count)", answer: busy)
            #expect(outcome.status < 128, "\(count) descriptors: \(outcome.errors)")
        }
    }
}
