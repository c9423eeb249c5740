import Foundation
import TestSupport
import Testing

/// Who sends slowly, much, or from many connections at once: others are answered all the same.
@Suite(.enabled(if: Nightly.isOn, "nightly: servers and clocks are waited for"), .timeLimit(.minutes(20)))
struct ServeScarcityTests {
    @Test func `who sends slowly, or nothing, keeps nobody waiting, and is not waited for`() async throws {
        try await withServer { (server) async throws in
            let host = "GET /api/list HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
            let begun = server.request("POST", "/api/settings", "{}", ["X: y"]).dropLast(1)
            let starts = ["", "G", host, host + "X: ", String(begun), host + "Authorization: Bearer"]
            var clients: [RawClient] = []
            for start in starts {
                for _ in 0..<20 {
                    let client = try RawClient(port: server.port)
                    await client.send(start)
                    clients.append(client)
                }
            }
            // One that always has a little more to say.
            let endless = try RawClient(port: server.port)
            await endless.send(host)
            let trickle = Task {
                while !Task.isCancelled {
                    await endless.send("X: y\r\n")
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            defer { trickle.cancel() }
            for _ in 0..<20 { #expect(try await server.ask("/api/list").status == 200) }
            for client in clients + [endless] { #expect(await client.rest() != nil) }
            #expect(try await server.ask("/api/list").status == 200)
            #expect(server.errors == "")
        }
    }

    @Test func `an answer may take longer than the next request may, also behind another`() async throws {
        try await withTestServer(ServedSite.handler()) { (site) async throws in
            try await withServer { (server) async throws in
                try await server.load([site.url("/tea")])
                let recipe = #"version: 1\nfields: {a: {script: 'while true do end'}}"#
                let budget = #""time_ms":17000,"memory_bytes":10000000"#
                let text = #"{"url":"\#(site.url("/tea"))","recipe":"\#(recipe)",\#(budget)}"#
                let client = try RawClient(port: server.port)
                await client.send(
                    server.request("GET", "/api/lists")
                        + server.request("POST", "/api/run", text, ["Connection: close"])
                )
                let answers = try await client.answers()
                #expect(answers.map(\.status) == [200, 200])
                #expect(answers.last?.text.contains("budget.time") == true)
            }
        }
    }

    @Test func `who opens many connections has the first of them closed`() async throws {
        try await withServer { (server) async throws in
            var clients: [RawClient] = []
            for _ in 0..<300 { clients.append(try RawClient(port: server.port)) }
            #expect(try await server.ask("/api/list").status == 200)
            #expect(await clients[0].rest() == Data())
            // Streams without an end, more than it has room for.
            var streams: [RawClient] = []
            for _ in 0..<80 {
                let stream = try RawClient(port: server.port)
                await stream.send(server.request("GET", "/api/events"))
                try await stream.wait(for: "{\"beat\":true}")
                streams.append(stream)
            }
            #expect(await streams[0].rest() != nil)
            for _ in 0..<5 { #expect(try await server.ask("/api/list").status == 200) }
            // The last one still hears what happens.
            _ = try await server.json("/api/lists", #"{"name":"new"}"#)
            try await streams[79].wait(for: "{\"lists\":true}")
            #expect(server.errors == "")
        }
    }

    @Test func `who reads no answers keeps nobody waiting`() async throws {
        try await withServer { (server) async throws in
            var clients: [RawClient] = []
            let many = String(repeating: server.request("GET", "/assets/page.js"), count: 500)
            for _ in 0..<20 {
                let client = try RawClient(port: server.port, patience: 0.1)
                await client.send(many)
                clients.append(client)
            }
            for _ in 0..<20 { #expect(try await server.ask("/api/list").status == 200) }
            #expect(server.errors == "")
            clients.removeAll()
            #expect(try await server.ask("/api/list").status == 200)
        }
    }

    @Test func `what is too large is refused before it is there`() async throws {
        try await withServer { (server) async throws in
            let much = String(repeating: "x", count: 1 << 20)
            let requests = [
                server.request("GET", "/api/list", nil, ["X: \(much)"]),
                server.request("GET", "/api/list", nil, ["\(much): x"]),
                server.request("GET", "/api/list", nil, (1...10_000).map { "X-\($0): y" }),
                server.request("GET", "/api/list?filter=\(much)"), server.request("GET", "/\(much)"),
                server.request(much, "/"), much, String(repeating: "\r\n", count: 1 << 20),
                server.request(
                    "POST",
                    "/api/settings",
                    #"{"settings":{"x":"\#(String(repeating: much, count: 32))"}}"#
                ),
            ]
            for request in requests {
                let answers = try await server.answers(request)
                let isRefused = answers.count <= 1 && answers.allSatisfy { (400..<500).contains($0.status) }
                #expect(isRefused, "\(request.prefix(200)): \(answers.map(\.status))")
                #expect(try await server.ask("/api/list").status == 200)
            }
            let urls =
                String(repeating: #""http://127.0.0.1:9/","#, count: 30_000) + #""http://127.0.0.1:9/""#
            let status = try await server.ask("/api/pages", #"{"urls":[\#(urls)]}"#).status
            #expect([413, 503].contains(status))
            #expect(server.errors == "")
        }
    }
}
