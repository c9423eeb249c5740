import Foundation
import TestSupport
import Testing

/// Tests of the command when the system has too few resources: it fails or answers, and never traps or hangs.
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
        maximumTime: Int? = 2
    ) async throws -> Command.Outcome {
        try await withTemporaryFolder { folder in
            let recipe = folder.appendingPathComponent("recipe.yaml")
            try "version: 1\nfields:\n  a: p\n".write(to: recipe, atomically: true, encoding: .utf8)
            return try await withRawServer([.send(answer)]) { server in
                let pages = folder.appendingPathComponent("pages.yaml")
                try "- \(server.url)\n".write(to: pages, atomically: true, encoding: .utf8)
                let list = folder.appendingPathComponent("pages.txt")
                try "\(server.url)\n".write(to: list, atomically: true, encoding: .utf8)
                let programs = try Command.file("webinspect").deletingLastPathComponent().path
                let line = command.replacing("webinspect ", with: "\(programs)/webinspect ")
                    .replacing("$SERVER", with: server.url)
                let time = maximumTime.map { " --max-time \($0)" } ?? ""
                return try await Command.run(
                    "/bin/bash",
                    ["-c", "ulimit -c 0; \(limit); exec \(line)\(time)"],
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

    /// Other commands that load or read something, besides `commands`.
    private static let others = [
        "webinspect resolve x --base-url $SERVER", "webinspect links $SERVER --cache-dir cache",
        "webinspect text $SERVER --no-store", "webinspect tables $SERVER --no-store",
        "webinspect report $SERVER --no-store", "webinspect check $SERVER --no-store",
        "webinspect save $SERVER -o copy.html --no-store", "webinspect mirror $SERVER -o copy",
        "webinspect crawl $SERVER -o site.warc.gz", "webinspect batch --run links pages.txt -o rows.jsonl",
        "webinspect pipe --run text --no-store <<< $SERVER",
        "webinspect session --no-store <<< 'open $SERVER'",
        "webinspect watch pages.yaml --no-store", "webinspect diff recipe.yaml $SERVER --no-store",
        "webinspect archive ls recipe.yaml", "webinspect cache ls --cache-dir cache",
        "timeout 5 webinspect serve --cache-dir cache",
    ]

    /// The least address space that the command starts in, to half a MiB; in KiB.
    private func leastAddressSpace() async throws -> Int {
        var (low, high) = (0, 1 << 20)
        while high - low > 512 {
            let middle = (low + high) / 2
            let limit = "ulimit -v \(middle)"
            let outcome = try await run("webinspect --version", limit: limit, maximumTime: nil)
            if outcome.status < 126 { high = middle } else { low = middle }
        }
        return high
    }

    @Test(arguments: Self.commands + Self.others)
    func `little address space is an error, or enough`(_ command: String) async throws {
        let least = try await leastAddressSpace()
        for step in 0..<20 {
            let limit = "ulimit -v \(least + step * 5120)"
            let outcome = try await run(command, limit: limit, maximumTime: nil)
            // No signal: neither a trap nor that of being ended, which does not end.
            #expect(outcome.status < 128, "\(limit): \(outcome.errors)")
            if outcome.status == 71 {
                let hasCode = outcome.errors.contains(/\((system|worker)\.[a-z]+\)\n$/)
                #expect(hasCode, "\(limit): \(outcome.errors)")
            }
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
