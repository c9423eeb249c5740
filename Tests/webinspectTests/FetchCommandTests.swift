import FlyingFox
import Foundation
import TestSupport
import Testing

struct FetchCommandTests {
    private let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: b\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"

    @Test(arguments: [(true, false), (true, true), (false, false)])
    func `redirects in vain that set cookies need a jar`(setsCookies: Bool, hasJar: Bool) async throws {
        var headers: HTTPHeaders = [.location: "/"]
        if setsCookies { headers[.setCookie] = "a=b" }
        let answer = HTTPResponse(statusCode: .found, headers: headers)
        let outcome = try await withTestServer({ _ in answer }) { server in
            try await withTemporaryFolder { folder in
                let flags = hasJar ? ["-c", "jar"] : []
                let line = ["fetch", server.url("/"), "--no-store"] + flags
                return try await Command.run("webinspect", line, folder: folder)
            }
        }
        #expect(outcome.errors.contains("network.too-many-redirects"))
        #expect(
            outcome.errors.contains("they set cookies; see -c") == (setsCookies && !hasJar),
            "\(outcome.errors)"
        )
    }

    /// A response without a lifetime is fresh for a tenth of its age; whoever needs the current state requests
    /// validation.
    @Test func `what is presumed fresh is said, or validated`() async throws {
        let fields: HTTPHeaders = [
            .contentType: "text/html", .init("Last-Modified"): "Sat, 01 Jan 2000 00:00:00 GMT",
        ]
        let answer: TestServer.Handler = { request in
            let isConditional = request.headers[.init("If-Modified-Since")] != nil
            let status: HTTPStatusCode = isConditional ? .notModified : .ok
            return HTTPResponse(
                statusCode: status,
                headers: fields,
                body: Data((isConditional ? "" : "<p>x").utf8)
            )
        }
        try await withTestServer(answer) { server in
            try await withTemporaryFolder { folder in
                func run(_ line: String...) async throws -> Command.Outcome {
                    let cache = ["--cache-dir", "cache"]
                    return try await Command.run(
                        "webinspect",
                        line + [server.url("/")] + cache,
                        folder: folder
                    )
                }
                #expect(try await run("fetch").errors == "")
                let again = try await run("text")
                #expect(again.errors.contains("presumed fresh: "))
                #expect(again.errors.contains(" old, no expiry given; see --revalidate"))
                #expect(try await run("text", "--silent").errors == "")
                #expect(server.requestedPaths.count == 1)
                #expect(try await run("fetch", "-I").errors == "")
                #expect(server.requestedPaths.count == 2)
                #expect(try await run("save", "-o", "page.html").errors == "")
                #expect(server.requestedPaths.count == 3)
            }
        }
    }

    @Test func `-I asks for the head and writes it`() async throws {
        try await withRawServer([.send(answer)]) { server in
            let outcome = try await Command.run("webinspect", ["fetch", "-I", "\(server.url)", "--no-store"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.hasPrefix("HTTP/1.1 200\nContent-Type: text/plain\nX-A: b\n"))
            #expect(outcome.text.hasSuffix("\n\n"))
        }
    }

    @Test(arguments: [["-d", "a=1"], ["-X", "POST"]])
    func `-I is one method`(_ others: [String]) async throws {
        let outcome = try await Command.run("webinspect", ["fetch", "-I", "http://127.0.0.1:1/"] + others)
        #expect(outcome.status == 2)
    }

    @Test func `without a terminal -u needs the password`() async throws {
        let outcome = try await Command.run("webinspect", ["fetch", "-u", "me", "http://127.0.0.1:1/"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("no terminal to ask at"))
    }

    /// A terminal of Python's, which answers the question and takes down what is shown.
    private static let terminal = """
        import os, pty, sys
        pid, terminal = pty.fork()
        if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
        shown = b''
        while b'Password for me: ' not in shown: shown += os.read(terminal, 1000)
        os.write(terminal, b'secrex\\x7ft\\n')
        try:
            while data := os.read(terminal, 1000): shown += data
        except OSError: pass
        os.waitpid(pid, 0)
        sys.stdout.buffer.write(shown)
        """

    @Test func `at a terminal the password is asked, and not shown`() async throws {
        try await withRawServer([.send(answer + "abc")]) { server in
            let line = [
                try Command.file("webinspect").path, "fetch", "-v", "-u", "me", "\(server.url)", "--no-store",
            ]
            let outcome = try await Command.run("/usr/bin/python3", ["-c", Self.terminal] + line)
            #expect(outcome.text.contains("abc"))
            #expect(!outcome.text.contains("secre"))
            #expect(
                server.requests.contains {
                    $0.contains("Authorization: Basic \(Data("me:secret".utf8).base64EncodedString())")
                }
            )
        }
    }
}
