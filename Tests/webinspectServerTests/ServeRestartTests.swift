import Foundation
import Glibc
import TestSupport
import Testing

/// Servers that end, however they do, that come again, and that share a cache.
@Suite(.timeLimit(.minutes(20)))
struct ServeRestartTests {
    /// A cache in a folder of its own, and a site.
    private func withCache(_ body: (_ cache: URL, TestServer) async throws -> Void) async throws {
        try await withTemporaryFolder { (folder) async throws in
            try await withTestServer(ServedSite.handler()) { (site) async throws in
                try await body(folder.appendingPathComponent("cache"), site)
            }
        }
    }

    private func titles(_ server: RunningServer, _ query: String = "") async throws -> [String] {
        let rows = try await server.json("/api/list?group=none\(query)")["rows"] as? [[String: Any]] ?? []
        return rows.map { $0["title"] as? String ?? "" }
    }

    private func names(_ server: RunningServer, _ kind: String) async throws -> Set<String> {
        let items = try await server.json("/api/\(kind)")[kind] as? [[String: Any]] ?? []
        return Set(items.compactMap { $0["name"] as? String })
    }

    @Test func `a server that was killed has all when it comes again, and leaves no process behind`()
        async throws
    {
        try await withCache { (cache, site) async throws in
            try await ServedSite.fetch([site.url("/page/01"), site.url("/page/02")], into: cache)
            let first = try await withServer(cache) { (server) async throws in
                try await server.wait("the cache is read") {
                    try await titles(server) == ["Page 01", "Page 02"]
                }
                let list = try #require(
                    try await server.json("/api/lists", #"{"name":"Mine"}"#)["id"] as? Int
                )
                _ = try await server.json(
                    "/api/lists/add",
                    #"{"id":\#(list),"urls":["\#(site.url("/page/02"))"]}"#
                )
                _ = try await server.json("/api/recipes", #"{"name":"r","text":"version: 1"}"#)
                _ = try await server.json("/api/settings", #"{"settings":{"split":30}}"#)
                _ = try await server.json("/api/folds", #"{"host":"127.0.0.1","open":false}"#)
                _ = try await server.json("/api/remove", #"{"urls":["\#(site.url("/page/01"))"]}"#)
                _ = try await server.json("/api/pages", #"{"url":"\#(site.url("/slow"))"}"#)
                try await server.wait("a reader loads") { !server.helpers.isEmpty }
                server.program.signal(SIGKILL)
                #expect(try await server.program.end() == 128 + SIGKILL)
                try await server.wait("all have ended") { server.helpers.isEmpty }
                return server
            }
            try await withServer(cache) { (server) async throws in
                #expect(server.token != first.token)
                #expect(try await names(server, "lists") == ["Mine"])
                #expect(try await names(server, "recipes") == ["r"])
                #expect(try await server.json("/api/settings")["split"] as? Int == 30)
                let page = server.request("GET", "/api/list", nil, ["Connection: close"])
                let old = page.replacing(server.token, with: first.token)
                #expect(try await server.answers(old).map(\.status) == [401])
                let list = try #require(
                    (try await server.json("/api/lists")["lists"] as? [[String: Any]])?.first?["id"] as? Int
                )
                #expect(try await titles(server, "&list=\(list)") == ["Page 02"])
                let rows = try await server.json("/api/list")["rows"] as? [[String: Any]]
                #expect(rows?.first?["open"] as? Bool == false)
                // Removed pages stay removed.
                #expect(!(try await titles(server).contains("Page 01")))
                #expect(server.errors == "")
            }
        }
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: processes are killed at random"))
    func `what was answered is kept, whenever the server is killed`() async throws {
        try await withCache { (cache, _) async throws in
            var answered: Set<String> = []
            for round in 1...3 {
                try await withServer(cache) { (server) async throws in
                    for number in 1...10 * round {
                        let name = "\(round)-\(number)"
                        _ = try await server.json("/api/recipes", #"{"name":"\#(name)","text":"x"}"#)
                        answered.insert(name)
                    }
                    // One more is on its way.
                    let client = try RawClient(port: server.port)
                    await client.send(server.request("POST", "/api/recipes", #"{"name":"last","text":"x"}"#))
                    server.program.signal(SIGKILL)
                    #expect(try await server.program.end() == 128 + SIGKILL)
                }
                try await withServer(cache) { (server) async throws in
                    #expect(try await names(server, "recipes").subtracting(["last"]) == answered)
                    #expect(server.errors == "")
                }
            }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the server, whoever is connected`(signal: Int32) async throws {
        try await withCache { (cache, site) async throws in
            try await withServer(cache) { (server) async throws in
                try await server.load([site.url("/tea")])
                let idle = try RawClient(port: server.port)
                let events = try RawClient(port: server.port)
                await events.send(server.request("GET", "/api/events"))
                try await events.wait(for: "beat")
                _ = try await server.json("/api/pages", #"{"url":"\#(site.url("/slow"))"}"#)
                server.program.signal(signal)
                #expect([0, 128 + signal].contains(try await server.program.end()))
                #expect(await idle.rest() != nil)
                try await server.wait("all have ended") { server.helpers.isEmpty }
                #expect(throws: TestServerError.self) { try RawClient(port: server.port) }
                #expect(server.errors == "")
            }
        }
    }

    @Test func `two servers on one cache show the same`() async throws {
        try await withCache { (cache, site) async throws in
            try await withServer(cache) { (one) async throws in
                try await withServer(cache) { (two) async throws in
                    #expect(one.port != two.port && one.token != two.token)
                    let events = try RawClient(port: two.port)
                    await events.send(two.request("GET", "/api/events"))
                    try await events.wait(for: "beat")
                    try await one.load([site.url("/page/01"), site.url("/page/02")])
                    try await events.wait(for: "{\"list\":")
                    try await two.wait("both pages are there") {
                        try await titles(two) == ["Page 01", "Page 02"]
                    }
                    _ = try await one.json("/api/lists", #"{"name":"Mine"}"#)
                    #expect(try await names(two, "lists") == ["Mine"])
                    _ = try await two.json("/api/remove", #"{"urls":["\#(site.url("/page/01"))"]}"#)
                    #expect(try await titles(one) == ["Page 02"])
                    // One is not the other's: tokens and views are each server's own.
                    let foreign = one.request("GET", "/api/list", nil, ["Connection: close"])
                        .replacing(one.token, with: two.token)
                    #expect(try await one.answers(foreign).map(\.status) == [401])
                    two.program.signal(SIGKILL)
                    _ = try await two.program.end()
                }
                #expect(try await titles(one) == ["Page 02"])
                #expect(one.errors == "")
            }
        }
    }

    @Test func `what the command keeps meanwhile is shown`() async throws {
        try await withCache { (cache, site) async throws in
            try await withServer(cache) { (server) async throws in
                let events = try RawClient(port: server.port)
                await events.send(server.request("GET", "/api/events"))
                try await events.wait(for: "beat")
                try await ServedSite.fetch([site.url("/page/07")], into: cache)
                try await events.wait(for: "{\"list\":")
                try await server.wait("the page is there") { try await titles(server) == ["Page 07"] }
            }
        }
    }

    @Test func `a port that is taken is said to be`() async throws {
        try await withServer { (server) async throws in
            let arguments = ["serve", "--port", "\(server.port)", "--cache-dir", server.cache.path]
            let outcome = try await Command.run("webinspect", arguments)
            #expect(outcome.status != 0)
            #expect(outcome.text == "")
            #expect(outcome.errors.contains("\(server.port)") && outcome.errors.contains("serve.port"))
        }
    }
}
