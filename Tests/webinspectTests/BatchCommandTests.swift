import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct BatchCommandTests {
    private static let jobs = ["--run", "links", "--run", "text"]

    private func batch(
        _ arguments: [String],
        input: String = "",
        _ folder: URL
    ) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["batch"] + arguments, input: Data(input.utf8), folder: folder)
    }

    private func ids(_ name: String, _ folder: URL) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map {
            line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return "\(try #require(object?["id"]))"
        }.sorted()
    }

    private func html(_ count: Int) -> String {
        (1...count).map { #"{"id":"n\#($0)","html":"<p>page \#($0)"}"# + "\n" }.joined()
    }

    private func write(_ text: String, _ name: String, _ folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    @Test func `each input is in the output once, and another start does nothing`() async throws {
        try await withTemporaryFolder { folder in
            try write(html(50) + "\r\n\n" + "not there.html\n{\"id\":1", "in", folder)
            let first = try await batch(["in", "-o", "out"] + Self.jobs, folder)
            #expect(first.status == 0)
            #expect(first.errors.split(separator: "\n").count == 1)
            let output = try Data(contentsOf: folder.appending(path: "out"))
            let expected = (1...50).map { "n\($0)" } + ["53", "54"]
            #expect(try ids("out", folder) == expected.sorted())
            let again = try await batch(["in", "-o", "out"] + Self.jobs, folder)
            #expect(again.status == 0)
            #expect(try Data(contentsOf: folder.appending(path: "out")) == output)
        }
    }

    @Test func `progress is lines of JSON`() async throws {
        try await withTemporaryFolder { folder in
            try write(html(50), "in", folder)
            let outcome = try await batch(["in", "-o", "out", "--progress", "json"] + Self.jobs, folder)
            let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
            let last = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
            let progress = try #require((last as? [String: [String: Any]])?["progress"])
            #expect(progress["done"] as? Int == 50)
        }
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: processes are killed at random"))
    func `kills lose nothing and double nothing`() async throws {
        try await withTemporaryFolder { folder in
            try write(html(400), "in", folder)
            let file = try Command.file("webinspect").path
            let script = """
                for n in 5 20 40 60 80 100 120 140 160 180; do
                    timeout -s KILL 0.$(printf %03d $((n * 4))) "$0" batch in -o out --jobs 4 --run links --run text -s
                done
                "$0" batch in -o out --jobs 4 --run links --run text -s
                """
            let outcome = try await Command.run("/bin/bash", ["-c", script, file], folder: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try ids("out", folder) == (1...400).map { "n\($0)" }.sorted())
        }
    }

    @Test func `the pages of an archive are the list`() async throws {
        try await withTemporaryFolder { folder in
            let handler: TestServer.Handler = { request in
                HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html"],
                    body: Data("<title>\(request.path)</title><p>words".utf8)
                )
            }
            try await withTestServer(handler) { server in
                for path in ["/a", "/b", "/a"] {
                    let arguments = ["fetch", "--refresh", server.url(path), "--record", "site.warc.gz"]
                    let made = try await Command.run(
                        "webinspect",
                        arguments,
                        environment: ["XDG_CACHE_HOME": folder.path],
                        folder: folder
                    )
                    #expect(made.status == 0, "\(made.errors)")
                }
            }
            let list = ["--from", "site.warc.gz", "--all", "-o", "out"] + Self.jobs
            // The second start finds its list.
            for _ in 0..<2 {
                let outcome = try await batch(list, folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try ids("out", folder) == ["1", "2"])
            }
            #expect(try await batch(["urls"] + list, folder).status == 2)
        }
    }

    @Test func `what failed is asked for again, and is in the output once`() async throws {
        let isUp = Mutex(false)
        let handler: TestServer.Handler = { request in
            let isFailing = request.path.hasPrefix("/bad") && !isUp.withLock { $0 }
            return HTTPResponse(
                statusCode: isFailing ? .internalServerError : .ok,
                body: Data("<p>\(request.path)".utf8)
            )
        }
        try await withTestServer(handler) { server in
            try await withTemporaryFolder { folder in
                let paths = (1...30).map { $0 % 3 == 0 ? "/bad\($0)" : "/good\($0)" }
                try write(paths.map { server.url($0) + "\n" }.joined(), "in", folder)
                let line = ["in", "-o", "out", "--retry", "0"] + Self.jobs
                #expect(try await batch(line, folder).status == 0)
                let status = try await batch(["--status", "--json", "-o", "out"], folder).json()
                #expect(status["done"] as? Int == 20)
                #expect((status["failures"] as? [String: Int]) == ["http.500": 10])
                isUp.withLock { $0 = true }
                #expect(try await batch(line + ["--retry-failed"], folder).status == 0)
                #expect(try ids("out", folder) == (1...30).map(String.init).sorted())
                let text = try String(contentsOf: folder.appending(path: "out"), encoding: .utf8)
                #expect(!text.contains("http.500"))
                #expect(Set(server.requestedPaths).count == 30)
                #expect(server.requestedPaths.count == 40)
            }
        }
    }

    @Test func `redirects lead on, and credentials stay behind`() async throws {
        let seen = Mutex<[String]>([])
        let target: TestServer.Handler = { request in
            seen.withLock { $0.append(request.headers[.authorization] ?? "none") }
            return HTTPResponse(statusCode: .ok, body: Data("<p>there".utf8))
        }
        try await withTestServer(target) { other in
            let handler: TestServer.Handler = { request in
                seen.withLock { $0.append(request.headers[.authorization] == nil ? "none" : "sent") }
                let place = request.path == "/loop" ? "/loop" : other.url("/there")
                return HTTPResponse(statusCode: .found, headers: [.location: place], body: Data())
            }
            try await withTestServer(handler) { server in
                try await withTemporaryFolder { folder in
                    try write(server.url("/go") + "\n" + server.url("/loop") + "\n", "in", folder)
                    let line = [
                        "in", "-o", "out", "-u", "a:b", "--max-redirs", "3", "--jobs", "1", "--retry", "0",
                    ]
                    #expect(try await batch(line + Self.jobs, folder).status == 0)
                    let text = try String(contentsOf: folder.appending(path: "out"), encoding: .utf8)
                    #expect(text.contains(#""url":"\#(other.url("/there"))","status":200"#))
                    #expect(text.contains("network.too-many-redirects"))
                    #expect(
                        seen.withLock { $0.sorted() } == ["none", "sent", "sent", "sent", "sent", "sent"]
                    )
                }
            }
        }
    }

    @Test func `standard input is kept, and compared`() async throws {
        try await withTemporaryFolder { folder in
            let line = ["-", "-o", "out"] + Self.jobs
            #expect(try await batch(line, input: html(5), folder).status == 0)
            #expect(try await batch(line, folder).status == 0)
            #expect(try await batch(line, input: html(5), folder).status == 0)
            let other = try await batch(line, input: html(6), folder)
            #expect(other.status == 2)
            #expect(other.errors.contains("state.settings"))
            #expect(try ids("out", folder).count == 5)
        }
    }

    @Test func `other jobs, another input or another recipe are other settings`() async throws {
        try await withTemporaryFolder { folder in
            try write(html(2), "in", folder)
            try write("version: 1\nfields: {t: p}\n", "r.yaml", folder)
            let line = ["in", "-o", "out", "--run", "extract -r r.yaml"]
            #expect(try await batch(line, folder).status == 0)
            try write("version: 1\nfields: {u: p}\n", "r.yaml", folder)
            #expect(try await batch(line, folder).status == 2)
            try write("version: 1\nfields: {t: p}\n", "r.yaml", folder)
            #expect(try await batch(line, folder).status == 0)
            #expect(try await batch(line + ["--run", "meta"], folder).status == 2)
            #expect(try await batch(line + ["--jobs", "2", "--timeout", "3"], folder).status == 0)
            try write(html(3), "in", folder)
            let changed = try await batch(line, folder)
            #expect(changed.status == 2)
            #expect(changed.errors.contains("input was"))
        }
    }

    @Test(
        arguments: [
            (["in", "-o", "theirs"], 8), (["in", "-o", "in"], 2), (["in", "-o", "."], 8),
            (["in", "-o", "/dev/full"], 8),
            (["in", "-o", "-"], 2), (["in"], 2), ([".", "-o", "out"], 8), (["nope", "-o", "out"], 8),
            (["-o", "out"], 2),
            (["--status", "-o", "out"], 8), (["in", "-o", "nowhere/out"], 8),
            (["in", "-o", "out", "--state", "out"], 2),
            (["in", "-o", "out", "--state", "in"], 2), (["--salvage", "-o", "in"], 8),
        ] as [([String], Int32)]
    )
    func `what cannot be an output stays as it is`(_ line: [String], _ status: Int32) async throws {
        try await withTemporaryFolder { folder in
            try write(html(2), "in", folder)
            try write("precious", "theirs", folder)
            let outcome = try await batch(line + ["--run", "meta"], folder)
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(try String(contentsOf: folder.appending(path: "theirs"), encoding: .utf8) == "precious")
            #expect(try String(contentsOf: folder.appending(path: "in"), encoding: .utf8) == html(2))
        }
    }

    @Test func `two at once: the second says who has the job`() async throws {
        try await withTemporaryFolder { folder in
            try write("fifo\n", "in", folder)
            let file = try Command.file("webinspect").path
            let script = """
                mkfifo fifo
                "$0" batch in -o out --run meta --page-time 30 -s & p=$!
                until [ -s out.state.lock ]; do sleep 0.05; done
                "$0" batch in -o out --run meta; echo "$?"
                kill -9 $p; wait $p 2> /dev/null; true
                """
            let outcome = try await Command.run("/bin/bash", ["-c", script, file], folder: folder)
            #expect(outcome.text == "8\n")
            #expect(outcome.errors.contains("state.busy"))
            #expect(outcome.errors.contains("process "))
        }
    }

    @Test func `robots are asked where that is wanted`() async throws {
        let handler: TestServer.Handler = { request in
            request.path == "/robots.txt"
                ? HTTPResponse(statusCode: .ok, body: Data("User-agent: *\nDisallow: /no\n".utf8))
                : HTTPResponse(statusCode: .ok, body: Data("<p>x".utf8))
        }
        try await withTestServer(handler) { server in
            try await withTemporaryFolder { folder in
                try write(server.url("/no") + "\n" + server.url("/yes") + "\n", "in", folder)
                #expect(try await batch(["in", "-o", "free"] + Self.jobs, folder).status == 0)
                #expect(server.requestedPaths.sorted() == ["/no", "/yes"])
                #expect(try await batch(["in", "-o", "bound", "--robots"] + Self.jobs, folder).status == 0)
                #expect(server.requestedPaths.count == 4)
                let text = try String(contentsOf: folder.appending(path: "bound"), encoding: .utf8)
                #expect(text.contains("robots.disallowed"))
            }
        }
    }
}
