import Foundation
import TestSupport
import Testing

/// Tests of invalid requests, and of requests that two readers would not interpret alike.
@Suite(.timeLimit(.minutes(20)))
struct ServeFramingTests {
    /// Fields that state where a request ends, or do not, and the bytes after them.
    private static let framings = [
        ("Transfer-Encoding: chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: xchunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked, gzip", "0\r\n\r\n"), ("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: identity", ""), ("Transfer-Encoding : chunked", "0\r\n\r\n"),
        ("Transfer-Encoding:\u{B}chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
        ("Content-Length: 0\r\nContent-Length: 2", "{}"), ("Content-Length: 2\r\nContent-Length: 2", "{}"),
        ("Content-Length: 2, 2", "{}"), ("Content-Length: +2", "{}"), ("Content-Length: -2", "{}"),
        ("Content-Length: 0x2", "{}"), ("Content-Length: 2 2", "{}"), ("Content-Length:", "{}"),
        ("Content-Length: 18446744073709551618", "{}"), ("Content-Length: 00000000000000000002", "{}"),
        ("Content-Length : 2", "{}"), (" Content-Length: 2", "{}"), ("X: a\r\n Content-Length: 2", "{}"),
        ("X: a\r\n\tb", ""), ("X: a\nContent-Length: 2", "{}"), ("X: a\rContent-Length: 2", "{}"),
        ("X: a\0b", ""), ("X\0: a", ""), ("Xyz", ""), (": x", ""), ("X Y: a", ""), ("X: a\u{7F}", ""),
    ]

    @Test func `a request whose end is in doubt is refused, and nothing behind it is answered`() async throws
    {
        try await withServer { (server) async throws in
            let behind = server.request("GET", "/api/settings")
            for (fields, body) in Self.framings {
                let own = [
                    "Host: 127.0.0.1:\(server.port)", "Authorization: Bearer \(server.token)",
                    "Origin: \(server.origin)", "Content-Type: application/json", fields,
                ]
                for line in ["GET /api/list HTTP/1.1", "POST /api/settings HTTP/1.1"] {
                    let answers = try await server.answers(RunningServer.request(line, own) + body + behind)
                    expectRefusal(answers, "\(line) \(fields) \(body)")
                }
            }
            #expect(try await server.ask("/api/list").status == 200)
        }
    }

    @Test func `what is no HTTP/1.1 is refused`() async throws {
        try await withServer { (server) async throws in
            let host = "Host: 127.0.0.1:\(server.port)"
            let lines = [
                "GET / HTTP/1.0", "GET / HTTP/2.0", "GET / HTTP/0.9", "GET / HTTP/1.10", "GET / http/1.1",
                "GET /",
                "GET / HTTP/1.1 x", "G\u{0}T / HTTP/1.1", "PRI * HTTP/2.0", "\u{16}\u{3}\u{1}\u{2}",
            ]
            for line in lines {
                let answers = try await server.answers(RunningServer.request(line, [host]))
                #expect(answers.count <= 1 && answers.allSatisfy { $0.status >= 400 }, "\(line)")
            }
            #expect(try await server.ask("/").status == 200)
        }
    }

    @Test func `requests that come at once are answered in order, up to the first that is refused`()
        async throws
    {
        try await withServer { (server) async throws in
            let good = ["lists", "jobs", "recipes"].map { server.request("GET", "/api/\($0)") }.joined()
            let evil = RunningServer.request("GET /api/list HTTP/1.1", ["Host: evil.test"])
            let answers = try await server.answers(good + evil + good)
            #expect(answers.map(\.status) == [200, 200, 200, 421])
            for (answer, name) in zip(answers, ["lists", "jobs", "recipes"]) {
                #expect(answer.text.contains("\"\(name)\""))
            }
            // Many, whose answers nobody reads.
            let client = try RawClient(port: server.port, patience: 1)
            await client.send(String(repeating: server.request("GET", "/api/list"), count: 3000))
            #expect(try await server.ask("/api/list").status == 200)
        }
    }

    @Test func `a target is a path, and no path leads to a file of the machine`() async throws {
        try await withServer { (server) async throws in
            let own = [
                "Host: 127.0.0.1:\(server.port)", "Authorization: Bearer \(server.token)",
                "Connection: close",
            ]
            let up = (
                dots: String(repeating: "../", count: 12), encoded: String(repeating: "%2e%2e/", count: 12)
            )
            let targets = [
                "http://127.0.0.1:\(server.port)/", "http://evil.test/", "https://evil.test/", "evil.test:80",
                "*",
                "index.html", "/#x", "/\u{1}", "/\u{7F}", "/ä", "//evil.test/", "/%", "/%zz", "/%0", "/%00",
                "/x%0d%0ay",
                "/\(up.dots)etc/passwd", "/\(up.encoded)etc/passwd", "/assets/\(up.dots)etc/passwd",
                "/assets/\(up.encoded)etc/passwd", "/assets/..%2f..%2f..%2fetc%2fpasswd",
                "/assets/..\\..\\etc\\passwd",
                "/assets/..%5c..%5cetc%5cpasswd", "/assets/core.js%00.html", "/assets/core.js/", "/assets/",
                "/assets//etc/passwd", "//etc/passwd", "/%c0%ae%c0%ae/etc/passwd", "/..;/etc/passwd",
                "/assets/serve.sqlite",
                "/api/page/..%2f..%2fetc?url=x", "/api/../api/list", "/api/", "/api", "/view/x",
            ]
            for target in targets {
                let head = RunningServer.request("GET \(target) HTTP/1.1", own)
                let answers = try await server.answers(head)
                expectRefusal(answers, target)
                #expect(!(answers.first?.text.contains("root:") ?? false), "\(target)")
            }
            let job = RunningServer.request("GET /jobs/\(up.dots)etc/passwd HTTP/1.1", own)
            let answer = try #require(try await server.answers(job).first)
            #expect(answer.status >= 400 || answer.text.contains("<!doctype html>"))
        }
    }

    @Test func `methods are GET, HEAD and POST, each where it means something`() async throws {
        try await withServer { (server) async throws in
            for method in ["OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "PROPFIND", "get", "XYZ"]
            {
                for target in ["/", "/api/list"] {
                    let answers = try await server.answers(server.request(method, target))
                    expectRefusal(answers, "\(method) \(target)")
                    #expect(!(answers.first?.text.contains(server.token) ?? false))
                }
            }
            for target in ["/", "/assets/core.js", "/api/list", "/api/nothing", "/api/page/report"] {
                let answers = try await server.answers(
                    server.request("POST", target, "{}", ["Connection: close"])
                )
                #expect(answers.allSatisfy { (400..<500).contains($0.status) }, "\(target)")
            }
            for target in ["/", "/assets/core.js", "/api/list", "/nothing"] {
                let got = try await server.ask(target)
                let client = try RawClient(port: server.port)
                await client.send(server.request("HEAD", target))
                let head = try await client.answer(toHead: true)
                #expect(head.status == got.status && head.body.isEmpty)
                #expect(head["content-length"] == got["content-length"])
                // The next bytes are the next answer, and not a body.
                await client.send(server.request("GET", "/api/lists", nil, ["Connection: close"]))
                #expect(try await client.answer().text.hasPrefix("{"))
            }
        }
    }

    @Test func `the stream of events has no body where only its head was asked for`() async throws {
        try await withServer { (server) async throws in
            let client = try RawClient(port: server.port, patience: 30)
            await client.send(server.request("HEAD", "/api/events", nil, ["Connection: close"]))
            #expect(try await client.answer(toHead: true).status == 200)
            #expect(await client.rest() == Data())
        }
    }

    @Test func `what is asked amiss is said to be so`() async throws {
        try await withServer { (server) async throws in
            let questions = [
                "list?kind=x", "list?sort=x", "list?list=x", "list?list=99999999999999999999",
                "list?filter=\(String(repeating: "x", count: 2000))", "position", "page/report",
                "page/report?url=",
                "page/report?url=x", "page/report?url=file:///etc/passwd", "page/nothing?url=x",
                "page/remove?url=x",
                "page/load?url=x", "page/select?url=http://127.0.0.1:9/&selector=%5B", "jobs/results?id=x",
                "jobs/results",
            ]
            for question in questions {
                let answer = try await server.ask("/api/\(question)")
                #expect((400..<500).contains(answer.status), "\(question): \(answer.status) \(answer.text)")
            }
            for count in ["-1", "0", "99999999999999999999", "x", "1e9"] {
                #expect(try await server.ask("/api/list?from=\(count)&count=\(count)").status == 200)
            }
            let commands = [
                ("pages", "[]"), ("pages", "{}"), ("pages", #"{"urls":[1]}"#), ("pages", #"{"urls":"x"}"#),
                ("pages", "{"),
                ("pages", String(repeating: "[", count: 30000)), ("pages", "\u{0}"), ("pages", ""),
                ("lists", #"{"name":1}"#), ("lists/rename", #"{"id":1e400,"name":"x"}"#),
                ("lists/delete", #"{"id":"1"}"#),
                ("lists/nothing", "{}"), ("undo", #"{"undo":1.5}"#), ("view", "{}"),
                ("view", #"{"url":"x","at":[]}"#),
                ("view", #"{"url":"x","mark":"\#(String(repeating: "x", count: 20000))"}"#),
                ("run", #"{"url":"x","recipe":"","time_ms":0}"#),
                ("run", #"{"url":"x","recipe":"","time_ms":1e9}"#),
                ("settings", #"{"settings":1}"#), ("recipes", #"{"name":"","text":""}"#), ("nothing", "{}"),
            ]
            for (name, body) in commands {
                let answer = try await server.ask("/api/\(name)", body)
                #expect((400..<500).contains(answer.status), "\(name) \(body.prefix(60)): \(answer.status)")
                #expect(answer["content-type"] == "application/json")
            }
            let answer = try await server.json(
                "/api/pages",
                #"{"urls":["javascript:alert(1)","file:///etc/passwd","data:,x","ftp://127.0.0.1/","  ","http://["]}"#
            )
            #expect((answer["loads"] as? [Any])?.count == 0 && (answer["rejected"] as? [Any])?.count == 5)
            #expect(server.errors == "")
        }
    }
}
