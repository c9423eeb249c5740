import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of a cache directory under faults: killed writers, a full disk, other versions.
@Suite(.timeLimit(.minutes(20)))
struct CacheFaultTests {
    /// Each path has a body of its own, some larger than fits into an entry; a version of the body is all one letter.
    private static func body(_ path: String) -> Data {
        let size = path.hasPrefix("/big") ? 1_200_000 : 20_000
        return Data(
            repeating: UInt8(path.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF } | 0x20),
            count: size
        )
    }

    private static let handler: TestServer.Handler = { request in
        var headers: HTTPHeaders = [.contentType: "text/plain"]
        headers[HTTPHeader("Cache-Control")] = "max-age=3600"
        return HTTPResponse(statusCode: .ok, headers: headers, body: body(request.path))
    }

    private func fetch(_ url: String, _ cache: URL, _ flags: String...) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["fetch", url, "--cache-dir", cache.path] + flags)
    }

    /// Files that are neither an entry nor named by one.
    private func leftovers(_ cache: URL) -> [String] {
        guard let all = FileManager.default.enumerator(atPath: cache.path) else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.contains("/.new-") }
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: processes are killed at random"))
    func `eight writers, killed 200 times, lose nothing that was committed and leave nothing torn`()
        async throws
    {
        try await withTemporaryFolder { cache in
            try await withTestServer(Self.handler) { server in
                let committed = (0..<6).map { $0 % 2 == 0 ? "/safe\($0)" : "/big-safe\($0)" }
                for path in committed { #expect(try await fetch(server.url(path), cache).status == 0) }
                let origin = server.url("")
                try await onThread { try Self.killWriters(rounds: 200, origin, cache) }
                let before = server.requestedPaths.count
                for path in committed {
                    let outcome = try await fetch(server.url(path), cache, "--cache-only")
                    #expect(outcome.output == Self.body(path), "\(path): \(outcome.errors)")
                }
                // Everything else is complete: an incomplete file would be reported as damaged.
                let verified = try await Command.run(
                    "webinspect",
                    ["cache", "verify", "--cache-dir", cache.path]
                )
                #expect(verified.status == 0, "\(verified.text)")
                for round in 0..<10 {
                    for writer in 0..<8 {
                        let path = "/\(writer % 2 == 0 ? "big" : "x")\(round)-\(writer)"
                        #expect(try await fetch(server.url(path), cache).output == Self.body(path))
                    }
                }
                #expect(server.requestedPaths.count >= before)
                // The leftovers of the killed writers are removed an hour later.
                for name in leftovers(cache) {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                        ofItemAtPath: cache.appendingPathComponent(name).path
                    )
                }
                #expect(
                    try await Command.run("webinspect", ["cache", "gc", "--cache-dir", cache.path]).status
                        == 0
                )
                #expect(leftovers(cache).isEmpty)
                #expect(
                    try await Command.run("webinspect", ["cache", "verify", "--cache-dir", cache.path]).status
                        == 0
                )
            }
        }
    }

    /// Starts eight writers at a time and kills them, at any moment from their start to their end.
    private static func killWriters(rounds: Int, _ origin: String, _ cache: URL) throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<rounds {
            let writers = try (0..<8).map { writer in
                let url = "\(origin)/\(writer % 2 == 0 ? "big" : "x")\(round % 10)-\(writer)"
                return try StartedProgram(
                    "webinspect",
                    ["fetch", url, "--refresh", "--cache-dir", cache.path, "-o", "/dev/null"]
                )
            }
            usleep(UInt32(generator.next() % 30_000))
            for writer in writers { writer.signal(SIGKILL) }
            for writer in writers { _ = try writer.wait() }
        }
    }

    /// A limit on the size of files fails a write amid a body, as a full disk does.
    @Test(arguments: ["/big", "/small"])
    func `a write that fails does not fail the load, and leaves nothing`(_ path: String) async throws {
        try await withTemporaryFolder { cache in
            try await withTestServer(Self.handler) { server in
                let binary = try Command.file("webinspect").path
                let url = server.url(path)
                let line = "ulimit -f 8; exec '\(binary)' fetch '\(url)' --cache-dir '\(cache.path)'"
                let limited = try await Command.run("/bin/sh", ["-c", line])
                #expect(limited.status == 0)
                #expect(limited.output == Self.body(path))
                #expect(limited.errors.contains("not stored in the cache"))
                #expect(leftovers(cache).isEmpty)
                #expect(try await fetch(url, cache, "--cache-only").status == 5)
                #expect(try await fetch(url, cache).output == Self.body(path))
                #expect(try await fetch(url, cache, "--cache-only").output == Self.body(path))
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func `a full disk does not fail the load, and what was there is still there`() async throws {
        try await withTemporaryFolder { disk in
            guard
                try await Command.run("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.path])
                    .status == 0
            else {
                // Root that may not mount, as in a container.
                return
            }
            do {
                try await withTestServer(Self.handler) { server in
                    let small = (0..<80).map { "/small\($0)" }
                    for path in small {
                        #expect(try await fetch(server.url(path), disk).output == Self.body(path))
                    }
                    #expect(try await fetch(server.url("/big"), disk).output == Self.body("/big"))
                    let kept = try await fetch(server.url("/small0"), disk, "--cache-only")
                    #expect(kept.output == Self.body("/small0"))
                    // Existing entries can be replaced and removed, however full the disk.
                    let all = ["cache", "rm", "*", "--cache-dir", disk.path]
                    #expect(try await Command.run("webinspect", all).status == 0)
                    #expect(try await fetch(server.url("/small1"), disk).status == 0)
                    #expect(try await fetch(server.url("/small1"), disk, "--cache-only").status == 0)
                }
            } catch {
                _ = try await Command.run("/bin/umount", [disk.path])
                throw error
            }
            #expect(try await Command.run("/bin/umount", [disk.path]).status == 0)
        }
    }

    @Test(arguments: [1, 3] as [UInt8])
    func `an entry of another version of the format is a miss that heals`(_ version: UInt8) async throws {
        try await withTemporaryFolder { cache in
            try await withTestServer(Self.handler) { server in
                let url = server.url("/page")
                #expect(try await fetch(url, cache).status == 0)
                let listed = try await Command.run(
                    "webinspect",
                    ["cache", "ls", "--json", "--cache-dir", cache.path]
                ).json()
                let entry = try #require((listed["entries"] as? [[String: Any]])?.first?["path"] as? String)
                var bytes = try Data(contentsOf: URL(fileURLWithPath: entry))
                bytes[8] = version
                try bytes.write(to: URL(fileURLWithPath: entry))
                let miss = try await fetch(url, cache, "--cache-only")
                #expect(miss.status == 5)
                #expect(miss.errors.contains("format version \(version)"))
                let healed = try await fetch(url, cache, "-v")
                #expect(healed.errors.contains("format version \(version)"))
                #expect(try await fetch(url, cache, "--cache-only").output == Self.body("/page"))
            }
        }
    }
}
