import FlyingFox
import Foundation
import TestSupport
import Testing

/// Input that no honest page is: an answer with a warning, or one clear line; never a trap or a hang.
@Suite struct BadInputTests {
    @Test func `binary data called HTML is an answer`() async throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let outcome = try await Command.run(
            "webinspect",
            ["-", "--mime", "text/html", "--json"],
            input: bytes
        )
        #expect(outcome.status == 0)
        #expect(try outcome.json()["kind"] as? String == "html")
    }

    @Test func `binary data called nothing is described, not parsed`() async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["-", "--json"],
            input: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0])
        )
        #expect(outcome.status == 0)
        let report = try outcome.json()
        #expect(report["kind"] as? String == "other")
        #expect(report["mime_type"] as? String == "image/png")
        #expect(report["bytes"] as? Int == 10)
    }

    @Test(.timeLimit(.minutes(20)))
    func `200 MB of div hit the limit of size, before they are parsed`() async throws {
        let outcome = try await Command.run(
            "/bin/sh",
            ["-c", "yes '<div>' 2>&- | head -c 200000000 2>&- | '\(try Command.file("webinspect").path)' -"]
        )
        #expect(outcome.status == 6)
        #expect(outcome.errors.contains("67108864 bytes"))
        #expect(outcome.errors.hasSuffix("(limit.size)\n"))
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["html5", "libxml2"])
    func `a megabyte of div is an answer`(_ parser: String) async throws {
        let page = Data(String(repeating: "<div>", count: 200_000).utf8)
        let outcome = try await Command.run(
            "webinspect",
            ["-", "--mime", "text/html", "--parser", parser],
            input: page
        )
        #expect(outcome.status == 6)
        #expect(outcome.text.contains("Counts"))
        #expect(outcome.errors.contains(parser == "html5" ? "more than 512 deep" : "more than 256 deep"))
    }

    @Test func `an unwritable cache directory costs a warning and nothing else`() async throws {
        try await withTestServer({ _ in HTTPResponse(statusCode: .ok, body: Data("<title>t</title>".utf8)) })
        { server in
            let outcome = try await Command.run(
                "webinspect",
                [server.url("/"), "--cache-dir", "/dev/null/cache"]
            )
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("not stored in the cache"))
            let silent = try await Command.run(
                "webinspect",
                [server.url("/"), "--cache-dir", "/dev/null/cache", "--silent"]
            )
            #expect(silent.errors.isEmpty)
        }
    }

    @Test func `a truncated response is an error and is not kept`() async throws {
        let response =
            "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nCache-Control: max-age=60\r\n\r\n<title>half"
        try await withTemporaryFolder { cache in
            try await withRawServer([.send(response)]) { server in
                let arguments = [server.url, "--cache-dir", cache.path]
                let outcome = try await Command.run("webinspect", arguments)
                #expect(outcome.status == 3)
                #expect(outcome.errors.hasSuffix("(network.lost)\n"))
                let files = try FileManager.default.subpathsOfDirectory(atPath: cache.path)
                #expect(files.isEmpty)
                #expect(try await Command.run("webinspect", arguments + ["--cache-only"]).status == 5)
            }
        }
    }

    @Test func `a full disk behind stdout is an error`() async throws {
        let binary = try Command.file("webinspect").path
        let page = ProjectFolder.fixtures.appendingPathComponent("title-cases.html").path
        let full = try await Command.run("/bin/sh", ["-c", "'\(binary)' '\(page)' > /dev/full"])
        #expect(full.status == 8)
        #expect(full.errors.hasSuffix("(file.write)\n"))
        let closed = try await Command.run("/bin/sh", ["-c", "'\(binary)' '\(page)' >&-"])
        #expect(closed.status == 8)
        #expect(closed.errors.hasSuffix("(file.write)\n"))
    }

    @Test func `a reader that goes away ends it quietly`() async throws {
        let binary = try Command.file("webinspect").path
        let page = ProjectFolder.fixtures.appendingPathComponent("attribute-huge.html").path
        let outcome = try await Command.run(
            "/bin/bash",
            ["-c", "'\(binary)' fetch 'file://\(page)' | true; echo ${PIPESTATUS[0]}"]
        )
        #expect(outcome.text == "0\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test func `control characters of a page are not written to the terminal`() async throws {
        let page = Data("<title>a\u{1B}]0;x\u{7}b\u{202E}c</title>".utf8)
        let outcome = try await Command.run(
            "webinspect",
            ["-", "--mime", "text/html", "--encoding", "utf-8"],
            input: page
        )
        #expect(outcome.text.hasPrefix("Title     a\u{FFFD}]0;x\u{FFFD}b\u{FFFD}c\n"))
    }
}
