import FlyingFox
import Foundation
import TestSupport
import Testing

/// The main job: what was loaded once is there again with the network gone.
@Suite struct OfflineTests {
    /// The pages to load: the project's own, and by night the real ones where they are at hand, which take minutes.
    static let folders =
        [ProjectFolder.fixtures, Nightly.isOn ? ProjectFolder.suite("conformance/pages/pages") : nil]
        .compactMap(\.self)

    @Test(.timeLimit(.minutes(20)), arguments: folders)
    func `every page is inspected alike from the network and, the server gone, from the cache`(
        _ folder: URL
    ) async throws {
        let pages = try ProjectFolder.pages(in: folder)
        #expect(pages.count >= 40)
        try await withTemporaryFolder { cache in
            let server = try await TestServer(TestServer.files(of: folder))
            var online: [String: NSDictionary] = [:]
            for page in pages {
                let url = server.url("/\(page.lastPathComponent)")
                let outcome = try await Command.run("webinspect", [url, "--json", "--cache-dir", cache.path])
                #expect(outcome.status == 0, "\(url): \(outcome.errors)")
                online[url] = try comparable(outcome)
            }
            await server.stop()
            #expect(server.requestedPaths.count == pages.count)
            for (url, report) in online {
                // Under a guard that kills what opens a socket.
                let outcome = try await Command.run(
                    "network-guard",
                    [
                        try Command.file("webinspect").path, url, "--json", "--cache-only", "--cache-dir",
                        cache.path,
                    ]
                )
                #expect(outcome.status == 0, "\(url): \(outcome.errors)")
                #expect(try comparable(outcome) == report, "\(url)")
            }
        }
    }

    /// A report without what may differ: the timing and the cache's verdict.
    private func comparable(_ outcome: Command.Outcome) throws -> NSDictionary {
        var report = try outcome.json()
        report["timing"] = nil
        report["cache"] = nil
        // How it came: the connection, and an Age of the cache's own.
        report["response"] = nil
        return report as NSDictionary
    }

    @Test func `the guard kills what opens a socket, so a command that lives opened none`() async throws {
        let binary = try Command.file("webinspect").path
        let loading = try await Command.run("network-guard", [binary, "http://127.0.0.1:1/", "--no-store"])
        #expect(loading.status == 128 + SIGSYS)
        let miss = try await Command.run("network-guard", [binary, "http://127.0.0.1:1/", "--cache-only"])
        #expect(miss.status == 5)
        #expect(miss.errors.contains("http://127.0.0.1:1/"))
    }

    // The first one takes half a millisecond of a command's four (docs/decisions/0001-start-up.md).
    @Test(arguments: [["--json"], ["select", "a"], ["text"]], ["links-schemes.html", "-"])
    func `a command with a file or standard input starts no thread`(
        _ arguments: [String],
        _ source: String
    ) async throws {
        let page = ProjectFolder.fixtures.appendingPathComponent("links-schemes.html")
        let outcome = try await Command.run(
            "network-guard",
            ["--no-threads", try Command.file("webinspect").path] + arguments + [source],
            input: Data(contentsOf: page),
            folder: ProjectFolder.fixtures
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test func `an offline run does not so much as load libcurl`() async throws {
        let outcome = try await Command.run(
            "webinspect",
            [ProjectFolder.fixtures.appendingPathComponent("empty.html").path],
            environment: ["LD_DEBUG": "libs"]
        )
        #expect(outcome.errors.contains("libxml2") || outcome.errors.contains("libc.so"))
        #expect(!outcome.errors.contains("libcurl"))
    }

    @Test func `the policies do what their names say`() async throws {
        try await withTemporaryFolder { cache in
            let server = try await TestServer(TestServer.files(of: ProjectFolder.fixtures))
            let url = server.url("/title-cases.html")
            func outcome(_ flags: String...) async throws -> String {
                let run = try await Command.run(
                    "webinspect",
                    ["url", url, "--json", "--cache-dir", cache.path] + flags
                )
                let verdict = try #require(try run.json()["cache"] as? [String: Any])
                return try #require(verdict["outcome"] as? String)
            }
            #expect(try await outcome("--no-store") == "miss")
            #expect(try await outcome() == "miss")
            #expect(try await outcome() == "hit")
            #expect(try await outcome("--prefer-cache") == "hit")
            #expect(try await outcome("--refresh") == "bypass")
            #expect(try await outcome("--policy", "reloadIgnoringLocalAndRemoteCacheData") == "bypass")
            #expect(server.requestedPaths.count == 4)
            await server.stop()
        }
    }
}
