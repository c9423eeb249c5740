import FlyingFox
import Foundation
import TestSupport
import Testing

/// The real binary, on input good and bad: the exit status, one line on stderr, and with `--json` an error object.
@Suite struct ExitStatusTests {
    /// A line of arguments, and what has to come of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        let status: Int32
        /// The stable code, nil where there is no error.
        let code: String?

        init(_ arguments: [String], _ status: Int32, _ code: String? = nil) {
            self.arguments = arguments
            self.status = status
            self.code = code
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            Case(["FIXTURES/title-cases.html"], 0),
            Case(["FIXTURES/empty.html"], 0),
            Case(["data:text/html,<title>x</title>"], 0),
            Case(["data:image/png;base64,iVBORw0KGgo="], 0),
            Case(["--help"], 0),
            Case(["--version"], 0),
            Case([], 2, "usage"),
            Case(["FIXTURES/empty.html", "--unknown"], 2, "usage"),
            Case(["fetch", "http://127.0.0.1:1/", "--mime", "text/html"], 2, "usage"),
            Case(["fetch", "-"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--cache-only", "--refresh"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--policy", "never"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--timeout", "soon"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--max-filesize", "big"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--encoding", "klingon"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--mime", "text"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--base-url", "not a url"], 2, "url.invalid"),
            Case(["http://127.0.0.1:99999/"], 2, "url.invalid"),
            Case(["http://[::1/"], 2, "url.invalid"),
            Case(["ftp://127.0.0.1/x"], 2, "url.unsupported"),
            Case(["http://127.0.0.1:1/", "-H", "no colon"], 2, "usage"),
            Case(["data:no comma"], 2, "url.data"),
            Case(["fetch", "http://127.0.0.1:1/", "--method", "G E T"], 2, "request.invalid"),
            Case(["http://127.0.0.1:1/", "--no-store"], 3, "network.connect"),
            Case(["http://nothing.invalid/", "--no-store"], 3, "network.dns"),
            Case(["http://127.0.0.1:1/never", "--cache-only"], 5, "cache.miss"),
            Case(["FIXTURES/attribute-huge.html", "--max-filesize", "1K"], 6, "limit.size"),
            Case(["/dev/zero"], 6, "limit.size"),
            Case(["FIXTURES/nesting-deep.html", "--max-depth", "10"], 6, "limit.depth"),
            Case(["FIXTURES/nesting-deep.html", "--max-depth", "2000000"], 0),
            Case(["FIXTURES/title-cases.html", "--max-nodes", "5"], 6, "limit.nodes"),
            Case(["links", "FIXTURES/title-cases.html", "--max-nodes", "5"], 6, "limit.nodes"),
            Case(["FIXTURES/title-cases.html", "--max-tree-memory", "1K"], 6, "limit.memory"),
            Case(["FIXTURES/title-cases.html", "--max-tree-memory", "lots"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--max-depth", "0"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--max-nodes", "many"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--format", "klingon"], 2, "usage"),
            Case(["FIXTURES/empty.html", "--format", "html", "--json"], 2, "usage"),
            Case(["data:image/png;base64,iVBORw0KGgo=", "--format", "html"], 7, "parse.kind"),
            Case(["data:text/xml,<"], 7, "parse.xml"),
            Case(["FIXTURES/none.html"], 8, "file.not-found"),
            Case(["FIXTURES"], 8, "file.directory"),
            Case(["FIXTURES/empty.html", "-o", "/nowhere/at/all"], 8, "file.write"),
        ]
    )
    func `a line ends as it should`(_ line: Case) async throws {
        try await withTemporaryFolder { cache in
            let arguments = line.arguments.map {
                $0.replacingOccurrences(of: "FIXTURES", with: ProjectFolder.fixtures.path)
            }
            let outcome = try await Command.run(
                "webinspect",
                arguments,
                environment: ["XDG_CACHE_HOME": cache.path]
            )
            #expect(outcome.status == line.status, "\(outcome.errors)")
            guard let code = line.code else { return }
            #expect(outcome.errors.hasPrefix("webinspect: "))
            #expect(outcome.errors.hasSuffix("(\(code))\n"))
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test func `with --json an error is an object on stdout`() async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["fetch", "http://127.0.0.1:1/", "--json", "--no-store"]
        )
        #expect(outcome.status == 3)
        let error = try #require(try outcome.json()["error"] as? [String: Any])
        #expect(error["code"] as? String == "network.connect")
        #expect(error["nsURLErrorCode"] as? Int == -1004)
        #expect(error["message"] as? String != nil)
    }

    @Test func `a miss names the URL and never a password`() async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["http://ann:secret@127.0.0.1:1/page", "--cache-only", "--json"]
        )
        #expect(outcome.status == 5)
        #expect(outcome.errors.contains("127.0.0.1:1/page"))
        #expect(!(outcome.errors + outcome.text).contains("secret"))
        let invalid = try await Command.run("webinspect", ["http://ann:secret@[/"])
        #expect(invalid.status == 2)
        #expect(!invalid.errors.contains("secret"))
    }

    @Test func `a password never gets into a report or an error`() async throws {
        for source in ["ftp://ann:secret@h/", "data:,x --base-url http://ann:secret@[/"] {
            let outcome = try await Command.run(
                "webinspect",
                source.split(separator: " ").map(String.init) + ["--json"]
            )
            #expect(outcome.status == 2)
            #expect(!(outcome.errors + outcome.text).contains("secret"))
        }
    }

    @Test(arguments: [
        "url --json", "fetch --json", "links --json", "tables --json", "select p --json", "text --json",
        "text --markdown", "report", "extract -e a=p --json", "extract -e a=p --jsonl",
    ])
    func `a password that is used gets into no report`(_ command: String) async throws {
        let page =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>a <a href=b>b</a><table><td>c</table>"
        try await withRawServer([.send(page)]) { server in
            let url = server.url.replacing("://", with: "://ann:secret@")
            let words = command.split(separator: " ").map(String.init)
            let outcome = try await Command.run("webinspect", words + [url, "--no-store"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(!outcome.text.isEmpty)
            #expect(!(outcome.errors + outcome.text).contains("secret"), "\(outcome.text)")
        }
    }

    @Test func `without a cache directory --cache-only keeps off the network all the same`() async throws {
        let binary = try Command.file("webinspect").path
        let outcome = try await Command.run(
            "/usr/bin/env",
            [
                "-u", "HOME", "-u", "XDG_CACHE_HOME", try Command.file("network-guard").path, binary,
                "http://127.0.0.1:1/", "--cache-only",
            ]
        )
        #expect(outcome.status == 5)
    }

    @Test func `an HTTP error is an answer, and with --fail an error too`() async throws {
        try await withTestServer({ _ in HTTPResponse(statusCode: .notFound, body: Data("<title>gone".utf8)) })
        { server in
            let answer = try await Command.run("webinspect", [server.url("/x"), "--no-store"])
            #expect(answer.status == 0)
            #expect(answer.text.contains("gone"))
            let failure = try await Command.run("webinspect", [server.url("/x"), "--no-store", "--fail"])
            #expect(failure.status == 4)
            #expect(failure.errors.hasSuffix("(http.status)\n"))
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `a silent server is given up on`() async throws {
        try await withRawServer([.pause(seconds: 30)]) { server in
            for (flag, code) in [("--timeout", "network.timeout"), ("--max-time", "network.timeout.total")] {
                let outcome = try await Command.run("webinspect", [server.url, "--no-store", flag, "0.3"])
                #expect(outcome.status == 3)
                #expect(outcome.errors.hasSuffix("(\(code))\n"))
                #expect(outcome.errors.contains("0.3 s"))
            }
        }
    }
}
