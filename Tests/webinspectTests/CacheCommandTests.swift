import FlyingFox
import Foundation
import TestSupport
import Testing

/// `webinspect cache …`, `--keep`, and what the cache says when it has nothing.
@Suite(.timeLimit(.minutes(20)))
struct CacheCommandTests {
    /// Answers by the path: how a response may be stored, and a large one.
    private static let handler: TestServer.Handler = { request in
        var headers: HTTPHeaders = [.contentType: "text/plain"]
        switch request.path {
        case "/fresh", "/large": headers[HTTPHeader("Cache-Control")] = "max-age=3600"
        case "/stale": headers[HTTPHeader("Cache-Control")] = "max-age=0"
        case "/forbidden": headers[HTTPHeader("Cache-Control")] = "no-store"
        default: break
        }
        let body =
            request.path == "/large" ? Data(repeating: 0x78, count: 1_000_000) : Data(request.path.utf8)
        return HTTPResponse(statusCode: .ok, headers: headers, body: body)
    }

    private func run(_ arguments: [String], _ cache: URL) async throws -> Command.Outcome {
        try await Command.run("webinspect", arguments + ["--cache-dir", cache.path])
    }

    /// A cache with four pages in it, by their URLs.
    private func withCache(_ body: (URL, TestServer) async throws -> Void) async throws {
        try await withTemporaryFolder { cache in
            try await withTestServer(Self.handler) { server in
                for path in ["/fresh", "/stale", "/large", "/forbidden"] {
                    let keep = path == "/forbidden" ? ["--keep"] : []
                    let outcome = try await run(["fetch", server.url(path), "-o", "/dev/null"] + keep, cache)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
                try await body(cache, server)
            }
        }
    }

    @Test func `ls lists what is there, all or what matches`() async throws {
        try await withCache { cache, server in
            let all = try await run(["cache", "ls"], cache)
            #expect(all.text.split(separator: "\n").count == 4)
            #expect(all.text.contains("kept\t"))
            let some = try await run(["cache", "ls", server.url("/*r*"), "--json"], cache)
            let entries = try #require(try some.json()["entries"] as? [[String: Any]])
            #expect(
                entries.compactMap { $0["url"] as? String }
                    == ["/forbidden", "/fresh", "/large"].map(server.url)
            )
            #expect(entries.map { $0["fresh"] as? Bool } == [false, true, true])
            #expect(entries.map { $0["kept"] as? Bool } == [true, false, false])
            let none = try await run(["cache", "ls", "http://other.test/*"], cache)
            #expect(none.status == 1)
            #expect(none.text.isEmpty)
        }
    }

    @Test func `show says what is kept and why it would be used`() async throws {
        try await withCache { cache, server in
            let fresh = try await run(["cache", "show", server.url("/fresh"), "--json"], cache).json()
            let use = try #require(fresh["use"] as? [String: [String: Any]])
            #expect(use.count == 6)
            #expect(use["useProtocolCachePolicy"]?["used"] as? Bool == true)
            #expect(use["reloadIgnoringLocalCacheData"]?["reason"] as? String == "policy-reloads")
            #expect(fresh["body_bytes"] as? Int == 6)
            let kept = try await run(["cache", "show", server.url("/forbidden")], cache)
            #expect(kept.text.contains("kept with --keep"))
            #expect(kept.text.contains("not used, useProtocolCachePolicy"))
            #expect(kept.text.contains("\nused, returnCacheDataDontLoad"))
            let body = try await run(["cache", "show", server.url("/large"), "--body"], cache)
            #expect(body.output == Data(repeating: 0x78, count: 1_000_000))
            let missing = try await run(["cache", "show", server.url("/never"), "--json"], cache)
            #expect(missing.status == 5)
            #expect((try missing.json()["error"] as? [String: Any])?["code"] as? String == "cache.miss")
        }
    }

    @Test func `rm removes what matches`() async throws {
        try await withCache { cache, server in
            #expect(try await run(["cache", "rm", server.url("/never")], cache).status == 1)
            #expect(try await run(["cache", "rm", server.url("/large")], cache).text == "1 removed\n")
            #expect(try await run(["cache", "rm", "*"], cache).text == "3 removed\n")
            let stats = try await run(["cache", "stats", "--json"], cache).json()
            #expect(stats["entries"] as? Int == 0)
            #expect(stats["large_bodies"] as? Int == 0)
        }
    }

    @Test func `verify finds damage, and gc sweeps and trims`() async throws {
        try await withCache { cache, server in
            #expect(try await run(["cache", "verify"], cache).text == "4 whole, 0 damaged\n")
            let listed = try await run(["cache", "ls", server.url("/fresh"), "--json"], cache).json()
            let entry = try #require((listed["entries"] as? [[String: Any]])?.first)
            let path = try #require(entry["path"] as? String)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: URL(fileURLWithPath: path))
            let verified = try await run(["cache", "verify", "--json"], cache)
            #expect(verified.status == 1)
            #expect((try verified.json()["damaged"] as? [String])?.first?.hasPrefix(path) == true)

            // A temporary file of a writer that was killed long ago, one of a writer at work, and somebody else's.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let (old, new, foreign) = (".new-0123456789abcdef", ".new-fedcba9876543210", ".new-foo")
            for folder in [folder, cache] {
                for name in [old, new, foreign, "mine"] {
                    try Data("x".utf8).write(to: folder.appendingPathComponent(name))
                }
                for name in [old, foreign] {
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                        ofItemAtPath: folder.appendingPathComponent(name).path
                    )
                }
            }
            try Data("hsts".utf8).write(to: cache.appendingPathComponent("hsts"))
            let swept = try await run(["cache", "gc", "--json"], cache).json()
            #expect(swept["swept_files"] as? Int == 2)
            #expect(swept["removed"] as? Int == 0)
            let trimmed = try await run(["cache", "gc", "--max-size", "900K", "--json"], cache).json()
            #expect(trimmed["removed"] as? Int != 0)
            for folder in [folder, cache] {
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(left.contains("mine") && left.contains(new) && left.contains(foreign))
                #expect(!left.contains(old))
            }
            #expect(FileManager.default.fileExists(atPath: cache.appendingPathComponent("hsts").path))
        }
    }

    @Test func `what was kept is for offline use only, and a miss says so`() async throws {
        try await withTemporaryFolder { cache in
            try await withTestServer(Self.handler) { server in
                let url = server.url("/forbidden")
                #expect(try await run(["fetch", url], cache).status == 0)
                let miss = try await run(["fetch", url, "--cache-only"], cache)
                #expect(miss.status == 5)
                #expect(miss.errors.contains("offline use"))
                let shown = try await run(["cache", "show", url], cache)
                #expect(shown.status == 5)
                #expect(shown.errors.contains("no-store"))
                #expect(try await run(["fetch", url, "--keep"], cache).status == 0)
                #expect(try await run(["fetch", url, "--cache-only"], cache).text == "/forbidden")
                #expect(try await run(["fetch", url, "--prefer-cache"], cache).text == "/forbidden")
                #expect(server.requestedPaths.count == 2)
                #expect(try await run(["fetch", url], cache).status == 0)
                #expect(server.requestedPaths.count == 3)
                #expect(try await run(["fetch", url, "--keep", "--no-store"], cache).status == 2)
                let never = try await run(["fetch", server.url("/never"), "--cache-only"], cache)
                #expect(never.errors.contains("never loaded"))
            }
        }
    }

    @Test func `a cache that is not there is an empty one, and a file is none`() async throws {
        try await withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("missing")
            #expect(try await run(["cache", "stats", "--json"], missing).status == 0)
            #expect(try await run(["cache", "verify"], missing).text == "0 whole, 0 damaged\n")
            #expect(try await run(["cache", "gc"], missing).status == 0)
            #expect(!FileManager.default.fileExists(atPath: missing.path))
            let file = folder.appendingPathComponent("file")
            try Data("x".utf8).write(to: file)
            let outcome = try await run(["cache", "ls", "--json"], file)
            #expect(outcome.status == 8)
            #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == "file.unreadable")
        }
    }
}
