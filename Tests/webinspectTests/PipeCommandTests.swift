import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct PipeCommandTests {
    private static let page =
        "<!DOCTYPE html><html lang=en><title>T</title><h1 id=x>Head</h1><p>Some words.</p><a href=/to>on</a>"
        + "<table><tr><th>A<tr><td>1</table>"

    private func pipe(
        _ input: String,
        _ arguments: String...,
        folder: URL? = nil
    ) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["pipe"] + arguments, input: Data(input.utf8), folder: folder)
    }

    private func objects(_ outcome: Command.Outcome) throws -> [[String: Any]] {
        try outcome.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// Each job, and the line of the command that it is.
    private static let jobs: [(job: String, command: [String])] = [
        ("links --unique", ["links", "--unique"]), ("text --markdown", ["text"]),
        ("text --whole", ["text", "--whole"]),
        ("text --comments", ["text", "--comments"]),
        ("select h1 --attribute id", ["select", "h1", "--attribute", "id"]),
        ("select -e a=h1 -e b=p --html", ["select", "-e", "a=h1", "-e", "b=p", "--html"]),
        ("select //h1 --xpath", ["select", "//h1", "--xpath"]), ("tables --fill", ["tables", "--fill"]),
        ("tables --table 1", ["tables", "--table", "1"]),
    ]

    @Test(arguments: jobs.indices)
    func `a job's result is what its command writes`(_ index: Int) async throws {
        let (job, command) = Self.jobs[index]
        try await withTemporaryFolder { folder in
            try Data(Self.page.utf8).write(to: folder.appending(path: "p.html"))
            let outcome = try await pipe("p.html\n", "--run", "r=\(job)", "--run", "links", folder: folder)
            #expect(outcome.status == 0)
            var line = [command[0]] + command.dropFirst()
            line.append(contentsOf: ["p.html", "--json"])
            let single = try await Command.run("webinspect", line, folder: folder)
            let document = single.text.trimmingCharacters(in: .newlines)
            #expect(!document.isEmpty)
            #expect(
                outcome.text.contains("\"results\":{\"r\":\(document),\"links\":"),
                "\(outcome.text)\n\(document)"
            )
        }
    }

    @Test func `fields stay with the origin of their line`() async throws {
        let other = try await TestServer { request in
            let isSent = request.headers[HTTPHeader("X-Api-Key")] != nil
            return HTTPResponse(
                statusCode: .ok,
                body: Data((isSent ? "<a href=leaked>" : "<a href=none>").utf8)
            )
        }
        let outcome = try await withTestServer({ request in
            let isSent = request.headers[HTTPHeader("X-Api-Key")] != nil
            let headers: HTTPHeaders = [.location: other.url(isSent ? "/sent" : "/lost")]
            return HTTPResponse(statusCode: .found, headers: headers)
        }) { server in
            try await pipe(server.url("/"), "--run", "links", "-H", "X-Api-Key: secret")
        }
        await other.stop()
        #expect(outcome.text.contains("/sent\"") && outcome.text.contains("\"none\""), "\(outcome.text)")
    }

    @Test func `what nobody reads any more is not waited for`() async throws {
        let (listener, port) = try listenOnLoopback()
        defer { close(listener) }
        let (input, output) = (try PipeEnds(), try PipeEnds())
        let program = try StartedProgram(
            "webinspect",
            ["pipe", "--run", "links", "--timeout", "3600", "--page-time", "3600"],
            descriptors: [input.reading, output.writing]
        )
        [input.reading, output.writing].forEach { close($0) }
        input.write(Data("http://127.0.0.1:\(port)/\n".utf8), until: .now() + 300)
        close(output.reading)
        #expect(try await program.end() == 0)
    }

    @Test func `each line has its answer, in order, whatever it is`() async throws {
        let handler: TestServer.Handler = { request in
            switch request.path {
            case "/404": return HTTPResponse(statusCode: .notFound, body: Data("<p>gone</p>".utf8))
            case "/moved":
                return HTTPResponse(statusCode: .found, headers: [.location: "/page"], body: Data())
            default:
                return HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html"],
                    body: Data(Self.page.utf8)
                )
            }
        }
        try await withTestServer(handler) { server in
            let input = [
                server.url("/page"), #"{"id":"a","url":"\#(server.url("/404"))"}"#, "", "nor URL nor JSON",
                #"{"id":{"b":[1]},"url":"\#(server.url("/moved"))"}"#, #"{"id":7"#,
                #"{"id":9,"html":"<a href=x>y</a>","base_url":"http://h.test/d/"}"#, "http://127.0.0.1:1/",
            ].joined(separator: "\r\n")
            let one = try await pipe("\u{FEFF}" + input, "--run", "links", "--retry", "0", "--jobs", "1")
            let many = try await pipe("\u{FEFF}" + input, "--run", "links", "--retry", "0", "--jobs", "32")
            #expect(one.status == 0)
            #expect(one.errors == "")
            #expect(one.output == many.output)
            let lines = try objects(one)
            #expect(lines.map { $0["id"] as? Int } == [1, nil, 4, nil, 6, 9, 8])
            #expect(lines.map { $0["status"] as? Int } == [200, 404, nil, 200, nil, nil, nil])
            let codes = lines.map { ($0["error"] as? [String: Any])?["code"] as? String }
            #expect(
                codes == [nil, "http.404", "file.not-found", nil, "input.json", nil, "network.connect"]
            )
            #expect(lines[3]["url"] as? String == server.url("/page"))
            #expect(one.text.contains(#""url":"http://h.test/d/x""#))
        }
    }

    @Test func `a recipe that fails is in its line, with the job's name`() async throws {
        let jobs = [
            "--run", "links", "--run", "select p", "--run", "slow=extract -e t=h1 --budget-time 0",
        ]
        let html = #"{"html":"<h1>x</h1>"}"#
        let outcome = try await Command.run(
            "webinspect",
            ["pipe"] + jobs,
            input: Data("\(html)\n{\"id\":\"image\",\"url\":\"data:image/png,x\"}\n".utf8)
        )
        let lines = try objects(outcome)
        try #require(lines.count == 2)
        let slow = try #require(lines[0]["error"] as? [String: Any])
        #expect(slow["code"] as? String == "budget.time")
        #expect(slow["job"] as? String == "slow")
        let other = try #require(lines[1]["error"] as? [String: Any])
        #expect(other["code"] as? String == "select.type")
        #expect(other["job"] as? String == "select")
        #expect((lines[1]["results"] as? [String: Any])?.count == 3)
    }

    @Test func `a line of any length is answered`() async throws {
        let long = String(repeating: "x", count: 68_000_000)
        let outcome = try await pipe("\(long)\n{\"id\":2,\"html\":\"a\"}\n", "--run", "meta")
        let lines = try objects(outcome)
        #expect(lines.count == 2)
        #expect((lines.first?["error"] as? [String: Any])?["code"] as? String == "input.line")
        #expect(lines.last?["error"] == nil)
    }

    @Test func `records are read at their places`() async throws {
        try await withTemporaryFolder { folder in
            let handler: TestServer.Handler = { _ in
                HTTPResponse(
                    statusCode: .ok,
                    headers: [.contentType: "text/html"],
                    body: Data(Self.page.utf8)
                )
            }
            try await withTestServer(handler) { server in
                let made = try await Command.run(
                    "webinspect",
                    ["fetch", server.url("/page"), "--record", "a.warc.gz"],
                    environment: ["XDG_CACHE_HOME": folder.path],
                    folder: folder
                )
                #expect(made.status == 0)
            }
            let list = try await Command.run(
                "webinspect",
                ["archive", "ls", "--jsonl", "a.warc.gz"],
                folder: folder
            )
            let record = try #require(try objects(list).first { $0["type"] as? String == "response" })
            let offset = try #require(record["offset"] as? Int)
            let places = [offset, offset + 1, 0, 1_000_000, 9_007_199_254_740_993]
            let input = places.map { #"{"id":\#($0),"warc":"a.warc.gz","offset":\#($0),"length":5}"# + "\n" }
                .joined()
            let lines = try objects(try await pipe(input, "--run", "links", folder: folder))
            #expect(lines.count == places.count)
            #expect(lines[0]["status"] as? Int == 200)
            #expect(lines[0]["error"] == nil)
            for line in lines.dropFirst() {
                #expect((line["error"] as? [String: Any])?["code"] as? String == "archive.miss")
            }
            let all = try objects(
                try await pipe("", "--run", "links", "--from", "a.warc.gz", "--all", folder: folder)
            )
            #expect(all.count == 1)
            #expect(all.first?["date"] != nil)
        }
    }

    @Test func `a part answers its own lines`() async throws {
        let input = (0..<40).map { #"{"id":\#($0),"html":"a"}"# + "\n" }.joined()
        var ids: [Int] = []
        for number in 1...3 {
            let outcome = try await pipe(input, "--run", "meta", "--shard", "\(number)/3")
            ids += try objects(outcome).compactMap { $0["id"] as? Int }
        }
        #expect(ids.sorted() == Array(0..<40))
    }

    /// An engine that asks line by line waits for each answer.
    @Test func `an answer does not wait for the next line`() async throws {
        let script = """
            coproc P { exec "$0" pipe --run meta; }
            for n in 1 2 3; do
                echo '{"id":'$n',"html":"a"}' >&"${P[1]}"
                read -r -u "${P[0]}" line; echo "$line"
            done
            """
        let file = try Command.file("webinspect").path
        let outcome = try await Command.run("/bin/bash", ["-c", script, file])
        #expect(outcome.text.split(separator: "\n").count == 3)
    }

    @Test func `a reader that goes away ends it quietly`() async throws {
        let file = try Command.file("webinspect").path
        let script = #"yes '{"html":"a"}' | "$0" pipe --run meta | head -n 3; echo "${PIPESTATUS[1]}""#
        let outcome = try await Command.run("/bin/bash", ["-c", script, file])
        #expect(outcome.text.split(separator: "\n").count == 4)
        #expect(outcome.text.hasSuffix("\n0\n"))
        #expect(outcome.errors.replacing(/yes: .*\n/, with: "") == "")
    }

    @Test func `a full disk is said in a line`() async throws {
        let file = try Command.file("webinspect").path
        let outcome = try await Command.run(
            "/bin/bash",
            ["-c", #"echo '{"html":"a"}' | "$0" pipe --run meta > /dev/full"#, file]
        )
        #expect(outcome.status == 8)
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }
}
