import FlyingFox
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// `--keep-history`, `webinspect history`, `--at` of the cache, and versions in archives.
@Suite(.timeLimit(.minutes(20)))
struct HistoryCommandTests {
    /// A page whose text is set, served at every path.
    private final class Site: Sendable {
        private let state = Mutex(("Tea", "one"))

        func set(_ title: String, _ text: String) { state.withLock { $0 = (title, text) } }

        var handler: TestServer.Handler {
            { [self] _ in
                let (title, text) = state.withLock { $0 }
                return HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html", HTTPHeader("Cache-Control"): "no-store"],
                    body: Data("<!doctype html><title>\(title)</title><p>\(text)".utf8)
                )
            }
        }
    }

    private func run(_ arguments: [String], _ cache: URL) async throws -> Command.Outcome {
        try await Command.run("webinspect", arguments + ["--cache-dir", cache.path])
    }

    /// A cache with three versions of a page, the last the same as the first.
    private func withHistory(_ body: (URL, String) async throws -> Void) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            let site = Site()
            try await withTestServer(site.handler) { (server) async throws in
                let url = server.url("/page")
                for (title, text) in [("Tea", "one"), ("Tea", "one"), ("Tee", "two<p>three"), ("Tea", "one")]
                {
                    site.set(title, text)
                    let outcome = try await run(["fetch", url, "--refresh", "--keep-history"], cache)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
                try await body(cache, url)
            }
        }
    }

    private func versions(_ cache: URL, _ url: String) async throws -> [[String: Any]] {
        let outcome = try await run(["history", url, "--json"], cache)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(try outcome.json()["versions"] as? [[String: Any]])
    }

    @Test func `history lists the versions, the newest first, and what they changed`() async throws {
        try await withHistory { (cache, url) async throws in
            let versions = try await versions(cache, url)
            #expect(
                versions.map { $0["change"] as? String } == [
                    "text: 1 removed, 1 changed; metadata: 1 changed",
                    "text: 1 added, 1 changed; metadata: 1 changed",
                    "first version",
                ]
            )
            #expect(versions.map { $0["changes"] as? Int } == [3, 3, nil])
            #expect(versions.allSatisfy { $0["status"] as? Int == 200 })
            let text = try await run(["history", url], cache)
            #expect(text.text.split(separator: "\n").count == 3)
            let brief = try await run(["history", url, "--brief"], cache)
            #expect(!brief.text.contains("metadata"))
            #expect(brief.text.split(separator: "\n").count == 3)
            let two = try await run(["history", url, "--max", "2"], cache)
            #expect(two.text == text.text.split(separator: "\n").prefix(2).map { "\($0)\n" }.joined())
            #expect(two.errors.contains("1 older versions are not listed"))
            #expect(
                try await run(["history", url, "--max", "2", "--json"], cache).json()["older"] as? Int == 1
            )
            #expect(try await run(["history", url, "--max", "0"], cache).status == 2)
        }
    }

    @Test func `--at loads the version of a date, without the network`() async throws {
        try await withHistory { (cache, url) async throws in
            let dates = try await versions(cache, url).compactMap { $0["received_ms"] as? Int }
            // To the second, as dates are given: all may be of one.
            let first = try await run(["text", url, "--all", "--at", "2001-01-01"], cache)
            #expect(first.text.contains("one"))
            #expect(dates.count == 3)
            // The date that is shown finds its version.
            for (version, words) in zip(try await self.versions(cache, url), ["one", "two", "one"]) {
                let date = try #require(version["date"] as? String)
                let found = try await run(["text", url, "--all", "--at", date], cache)
                #expect(found.text.contains(words), "\(date)")
            }
            let missing = try await run(["text", "\(url)/other", "--at", "2001-01-01"], cache)
            #expect(missing.status == 5)
            let wrong = try await run(["text", url, "--at", "2001-01-01", "--refresh"], cache)
            #expect(wrong.status == 2)
        }
    }

    @Test func `versions go to a WARC as revisits and come back from it`() async throws {
        try await withHistory { (cache, url) async throws in
            let warc = cache.deletingLastPathComponent().appendingPathComponent("kept.warc.gz").path
            let created = try await run(["archive", "create", url, "-o", warc], cache)
            #expect(created.status == 0, "\(created.errors)")
            let list = try await Command.run("webinspect", ["archive", "ls", warc, "--jsonl"])
            let kinds = list.text.split(separator: "\n").filter {
                $0.contains("\"page\"") || $0.contains("/page")
            }
            #expect(kinds.filter { $0.contains("\"type\":\"response\"") }.count == 2)
            #expect(kinds.filter { $0.contains("\"type\":\"revisit\"") }.count == 1)
            let other = cache.deletingLastPathComponent().appendingPathComponent("other")
            let imported = try await run(["cache", "import", warc, "--history"], other)
            #expect(imported.text.hasPrefix("3 kept, 0 the same"), "\(imported.text)\(imported.errors)")
            let again = try await run(["cache", "import", warc, "--history"], other)
            #expect(again.text.hasPrefix("0 kept, 3 the same"))
            #expect(try await versions(other, url).count == 3)
        }
    }

    @Test func `what was exported is the same when it comes back to where it was`() async throws {
        try await withHistory { (cache, url) async throws in
            let warc = cache.deletingLastPathComponent().appendingPathComponent("kept.warc.gz").path
            #expect(try await run(["archive", "create", url, "-o", warc], cache).status == 0)
            let before = try await versions(cache, url).compactMap { $0["path"] as? String }
            let outcome = try await run(["cache", "import", warc, "--history"], cache)
            #expect(outcome.text.hasPrefix("0 kept, 3 the same"), "\(outcome.text)")
            #expect(try await versions(cache, url).compactMap { $0["path"] as? String } == before)
        }
    }

    @Test func `an archive that is cut off is imported as far as it goes, and said`() async throws {
        try await withHistory { (cache, url) async throws in
            let warc = cache.deletingLastPathComponent().appendingPathComponent("kept.warc")
            #expect(try await run(["archive", "create", url, "-o", warc.path], cache).status == 0)
            let bytes = try Data(contentsOf: warc)
            try bytes.dropLast(300).write(to: warc)
            let other = cache.deletingLastPathComponent().appendingPathComponent("other")
            let outcome = try await run(["cache", "import", warc.path, "--history"], other)
            #expect(outcome.status == 1, "\(outcome.text)\(outcome.errors)")
            // Of the last record, a revisit, there may be enough.
            let kept = outcome.text.prefix { $0 != " " }
            #expect(kept == "2" || kept == "3", "\(outcome.text)\(outcome.errors)")
            #expect(outcome.errors.contains("archive."), "\(outcome.errors)")
        }
    }

    @Test func `pages of users are not exported`() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            let site = Site()
            try await withTestServer(site.handler) { (server) async throws in
                let url = server.url("/page")
                let users = url.replacingOccurrences(of: "http://", with: "http://me:secret@")
                for name in [users, url] {
                    #expect(try await run(["fetch", name, "--refresh", "--keep-history"], cache).status == 0)
                }
                #expect(try await versions(cache, users).count == 1)
                let warc = folder.appendingPathComponent("kept.warc").path
                let outcome = try await run(["archive", "create", url + "*", "-o", warc], cache)
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("user name"), "\(outcome.errors)")
                let list = try await Command.run("webinspect", ["archive", "ls", warc, "--jsonl"])
                #expect(list.text.components(separatedBy: "\"type\":\"response\"").count == 2)
            }
        }
    }

    @Test func `gc thins out, rm takes all, and nothing kept is a miss`() async throws {
        try await withHistory { (cache, url) async throws in
            let none = try await run(["cache", "gc", "--thin", "--json"], cache)
            #expect(try none.json()["removed_versions"] as? Int == 0)
            let some = try await run(
                ["cache", "gc", "--keep-all", "0", "--keep-daily", "0", "--keep-weekly", "0", "--json"],
                cache
            )
            #expect(try some.json()["removed_versions"] as? Int == 2)
            #expect(try await versions(cache, url).count == 1)
            #expect(try await run(["cache", "verify"], cache).status == 0)
            #expect(try await run(["cache", "rm", url], cache).status == 0)
            #expect(try await run(["history", url], cache).status == 5)
            #expect(try await run(["cache", "gc", "--keep-all", "-1"], cache).status == 2)
        }
    }

    @Test func `a damaged version is left out, and said`() async throws {
        try await withHistory { (cache, url) async throws in
            let path = try #require(try await versions(cache, url).last?["path"] as? String)
            let file = URL(fileURLWithPath: path)
            var bytes = try Data(contentsOf: file)
            bytes[60] ^= 1
            try bytes.write(to: file)
            let outcome = try await run(["history", url], cache)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("damaged"))
            #expect(outcome.text.split(separator: "\n").count == 2)
            #expect(try await run(["cache", "verify"], cache).status == 1)
        }
    }

    /// Each answer is another one, some too large for an entry.
    private final class Changing: Sendable {
        private let count = Mutex(0)

        var handler: TestServer.Handler {
            { [self] _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let body = Data("\(number % 7)".utf8) + Data(repeating: 0x78, count: number % 2 * 300_000)
                return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: body)
            }
        }
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: processes are killed at random"))
    func `writers that are killed tear no version, and lose none that was kept`() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            let site = Changing()
            try await withTestServer(site.handler) { (server) async throws in
                let url = server.url("/page")
                for _ in 0..<5 {
                    #expect(try await run(["fetch", url, "--refresh", "--keep-history"], cache).status == 0)
                }
                let kept = try await versions(cache, url).compactMap { $0["received_ms"] as? Int }
                try await onThread {
                    for round in 0..<40 {
                        let writers = try (0..<4).map { _ in
                            try StartedProgram(
                                "webinspect",
                                [
                                    "fetch", url, "--refresh", "--keep-history", "--cache-dir", cache.path,
                                    "-o",
                                    "/dev/null",
                                ]
                            )
                        }
                        // Another moment each round, from before the first byte to after the last file.
                        usleep(UInt32(round * 1_500))
                        for writer in writers { writer.signal(SIGKILL) }
                        for writer in writers { _ = try writer.wait() }
                    }
                }
                let verified = try await run(["cache", "verify"], cache)
                #expect(verified.status == 0, "\(verified.text)")
                let left = try await versions(cache, url).compactMap { $0["received_ms"] as? Int }
                #expect(Set(left).isSuperset(of: kept))
            }
        }
    }
}
