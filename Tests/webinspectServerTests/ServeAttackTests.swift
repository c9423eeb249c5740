import Foundation
import TestSupport
import Testing

/// Tests of requests by strangers: pages of other sites, and foreign names that resolve to this machine.
@Suite(.timeLimit(.minutes(20)))
struct ServeAttackTests {
    /// A text that only a stored page has.
    private static let secret = "A page that nobody else may see"

    /// A server that keeps one page, and the port of its views.
    private func withKeptPage(
        _ body: (RunningServer, _ views: Int, _ url: String) async throws -> Void
    ) async throws {
        try await withTestServer(ServedSite.always("<!doctype html><title>\(Self.secret)</title><p>1")) {
            site in
            try await withServer { server in
                try await server.load([site.url("/")])
                let view = try await server.view(site.url("/"))
                try await body(server, try #require(view.port), site.url("/"))
            }
        }
    }

    private func expectSecrecy(_ answers: [RawClient.Answer], _ what: String) {
        #expect(!answers.contains { $0.text.contains(Self.secret) }, "\(what)")
    }

    @Test func `only the address itself is a host`() async throws {
        try await withKeptPage { (server, views, url) async throws in
            let names = [
                "evil.test", "evil.test:PORT", "127.0.0.1", "127.0.0.1:", "127.0.0.1:1", "localhost:PORT",
                "localhost.:PORT", "127.0.0.1.:PORT", "2130706433:PORT", "127.1:PORT", "127.0.0.2:PORT",
                "0.0.0.0:PORT",
                "[::1]:PORT", "[::ffff:127.0.0.1]:PORT", "127.0.0.1.nip.io:PORT", "evil@127.0.0.1:PORT", "",
                "127.0.0.1:PORT, evil.test", "127.0.0.1:PORT evil.test", "http://127.0.0.1:PORT",
            ]
            let hosts =
                names.map { ["Host: \($0)"] } + [
                    [], ["Host: 127.0.0.1:PORT", "Host: 127.0.0.1:PORT"],
                    ["Host: evil.test", "Host: 127.0.0.1:PORT"],
                    ["X-Forwarded-Host: 127.0.0.1:PORT"],
                    ["Host: evil.test", "X-Forwarded-Host: 127.0.0.1:PORT"],
                ]
            let view = try await server.view(url).path
            for (port, targets) in [(server.port, ["/", "/api/list"]), (views, [view])] {
                for host in hosts {
                    for target in targets {
                        let fields = host.map { $0.replacing("PORT", with: "\(port)") }
                        let token = "Authorization: Bearer \(server.token)"
                        let head = RunningServer.request("GET \(target) HTTP/1.1", fields + [token])
                        let answers = try await server.answers(head, port: port)
                        expectRefusal(answers, "\(fields) \(target)", 421..<422)
                        expectSecrecy(answers, "\(fields) \(target)")
                    }
                }
            }
        }
    }

    @Test func `nothing is told without the token, or with another`() async throws {
        try await withKeptPage { (server, views, url) async throws in
            let token = server.token
            let values = [
                nil, "", "Bearer", "Bearer ", "Bearer \(String(token.reversed()))",
                "Bearer \(token.dropLast())",
                "Bearer \(token)x", "bearer \(token)", token, "Basic \(token)", "Bearer \(token), Bearer x",
            ]
            let targets = [
                "list", "lists", "loads", "recipes", "settings", "jobs", "events", "page/report?url=x",
                "nothing",
            ]
            let host = "Host: 127.0.0.1:\(server.port)"
            for target in targets {
                for value in values {
                    let fields = [host, "Connection: close"] + (value.map { ["Authorization: \($0)"] } ?? [])
                    let head = RunningServer.request("GET /api/\(target) HTTP/1.1", fields)
                    let answers = try await server.answers(head)
                    expectRefusal(answers, "\(target) \(value ?? "-")", 401..<402)
                }
            }
            // The spelling of the path does not matter.
            let query = "url=\(url)"
            for path in [
                "/%61pi/list", "/api%2Flist", "/%2Fapi/list", "/%61pi/page/report?\(query)", "/a%70i/jobs",
            ] {
                let head = RunningServer.request("GET \(path) HTTP/1.1", [host])
                let answers = try await server.answers(head)
                expectRefusal(answers, path)
                expectSecrecy(answers, path)
            }
            // Neither do other places have it, and the port of views has no data at all.
            for target in ["/", "/page?url=x", "/assets/core.js"] {
                let head = RunningServer.request("GET \(target) HTTP/1.1", [host, "Connection: close"])
                let answers = try await server.answers(head)
                #expect(answers.map(\.status) == [200])
                #expect(!(answers.first?.text.contains(token) ?? true))
            }
            for target in ["/api/list", "/api/events", "/", "/view/", "/view/x", "/assets/core.js"] {
                let fields = [
                    "Host: 127.0.0.1:\(views)", "Authorization: Bearer \(token)", "Connection: close",
                ]
                let head = RunningServer.request("GET \(target) HTTP/1.1", fields)
                expectRefusal(try await server.answers(head, port: views), target, 404..<405)
            }
        }
    }

    @Test func `pages of other sites change nothing and read nothing`() async throws {
        try await withServer { (server) async throws in
            let body = #"{"url":"http://127.0.0.1:9/"}"#
            let own = [
                "Host: 127.0.0.1:\(server.port)", "Authorization: Bearer \(server.token)",
                "Connection: close",
                "Content-Length: \(body.utf8.count)",
            ]
            let json = "Content-Type: application/json"
            let cases: [(fields: [String], status: Int)] = [
                (["Origin: http://evil.test", "Sec-Fetch-Site: cross-site", json], 403),
                (["Origin: null", "Sec-Fetch-Site: cross-site", json], 403),
                (["Origin: http://evil.test", json], 403), (["Origin: null", json], 403),
                (["Origin: http://127.0.0.1:1", "Sec-Fetch-Site: same-site", json], 403),
                (["Sec-Fetch-Site: same-site", json], 403), (["Sec-Fetch-Site: cross-site", json], 403),
                (["Sec-Fetch-Site: none", json], 403), ([json], 403),
                (["Origin: \(server.origin).evil.test", json], 403),
                (["Origin: \(server.origin)/", json], 403),
                (["Origin: http://localhost:\(server.port)", json], 403),
                (["Origin: \(server.origin)", "Origin: http://evil.test", json], 403),
                (["Origin: \(server.origin)", "Sec-Fetch-Site: cross-site", json], 403),
                (
                    [
                        "Origin: \(server.origin)", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                        json,
                    ], 403
                ),
                (["Origin: \(server.origin)", "Content-Type: text/plain"], 415),
                (["Origin: \(server.origin)", "Content-Type: application/x-www-form-urlencoded"], 415),
                (["Origin: \(server.origin)"], 415),
            ]
            for (fields, status) in cases {
                let head = RunningServer.request("POST /api/pages HTTP/1.1", own + fields)
                let answers = try await server.answers(head + body)
                #expect(answers.map(\.status) == [status], "\(fields)")
            }
            let forged = RunningServer.request(
                "POST /api/pages HTTP/1.1",
                [own[0], own[2], own[3], "Origin: \(server.origin)", "Sec-Fetch-Site: same-origin", json]
            )
            #expect(try await server.answers(forged + body).map(\.status) == [401])
            #expect((try await server.json("/api/loads")["loads"] as? [Any])?.count == 0)
            for fields in [
                ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"], ["Sec-Fetch-Site: same-site"],
            ] {
                let head = RunningServer.request("GET /api/list HTTP/1.1", own.dropLast() + fields)
                #expect(try await server.answers(head).map(\.status) == [403])
            }
            // A link to it works, as long as it is one.
            for (mode, place, status) in [
                ("navigate", "document", 200), ("navigate", "iframe", 403), ("no-cors", "script", 403),
            ] {
                let fields = [
                    own[0], "Connection: close", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: \(mode)",
                    "Sec-Fetch-Dest: \(place)",
                ]
                let head = RunningServer.request("GET / HTTP/1.1", fields)
                #expect(try await server.answers(head).map(\.status) == [status], "\(mode) \(place)")
            }
        }
    }

    @Test func `all answers say what browsers may do with them, and no other site may read them`()
        async throws
    {
        try await withKeptPage { (server, views, url) async throws in
            let fields = [
                "Authorization: Bearer \(server.token)", "Origin: http://evil.test", "Connection: close",
            ]
            let view = try await server.view(url).path
            let targets = [
                (server.port, "/"), (server.port, "/assets/core.js"), (server.port, "/api/list"),
                (server.port, "/api/nothing"), (server.port, "/nothing"), (views, view), (views, "/view/x"),
            ]
            for (port, target) in targets {
                let head = RunningServer.request(
                    "GET \(target) HTTP/1.1",
                    ["Host: 127.0.0.1:\(port)"] + fields
                )
                let answer = try #require(try await server.answers(head, port: port).first)
                #expect(answer["x-content-type-options"] == "nosniff", "\(target)")
                #expect(answer["cache-control"] == "no-store", "\(target)")
                #expect(answer["referrer-policy"] == "no-referrer", "\(target)")
                #expect(answer["cross-origin-resource-policy"] == "same-origin", "\(target)")
                #expect(answer["cross-origin-opener-policy"] == "same-origin", "\(target)")
                #expect(!answer.fields.contains { $0.name.hasPrefix("access-control-") }, "\(target)")
                #expect(answer["set-cookie"] == nil && answer["server"] == nil, "\(target)")
                let policy = answer["content-security-policy"] ?? ""
                if target == "/" {
                    #expect(
                        policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'")
                    )
                    #expect(!policy.contains("unsafe") && !policy.contains("*"))
                    #expect(answer["x-frame-options"] == "DENY")
                } else if port == views {
                    #expect(policy.hasPrefix("sandbox; default-src 'none'; script-src 'none'"))
                    #expect(policy.hasSuffix("frame-ancestors \(server.origin)"))
                }
            }
        }
    }
}
