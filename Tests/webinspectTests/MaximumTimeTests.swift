import Foundation
import Glibc
import TestSupport
import Testing

/// `--max-time` ends a command whatever it waits for.
@Suite(.timeLimit(.minutes(20)))
struct MaximumTimeTests {
    /// Lines that read an archive, `FROM` in its place, and may write to `OUT`.
    static let lines = [
        "url http://h.test/none", "fetch http://h.test/none", "links http://h.test/none", "text --all",
        "select title --all", "tables --all", "report http://h.test/none",
        "extract http://h.test/none -e a=title",
        "save http://h.test/none -o OUT", "session", "diff http://h.test/a http://h.test/b",
    ]

    @Test(arguments: lines, ["pipe", "hole"])
    func endsACommandThatReadsAnArchive(_ line: String, _ kind: String) async throws {
        try await withTemporaryFolder { folder in
            let archive = folder.appending(path: "a.warc").path
            if kind == "pipe" {
                #expect(unsafe mkfifo(archive, 0o600) == 0)
            } else {
                // A record, and much that takes no room on the disk.
                try Data(Self.record.utf8).write(to: URL(fileURLWithPath: archive))
                #expect(unsafe truncate(archive, 1 << 38) == 0)
            }
            let words = line.split(separator: " ").map {
                $0 == "OUT" ? folder.appending(path: "out.html").path : String($0)
            }
            let outcome = try await Command.run(
                "webinspect",
                words + ["--from", archive, "--max-time", "0.5"],
                input: Data("open http://h.test/none\n".utf8)
            )
            // A hole of 256 GiB is read for minutes: whoever comes here has not read it.
            let code = outcome.status == 3 ? "(network.timeout.total)" : "(limit.time)"
            #expect([3, 6].contains(outcome.status), "\(line): \(outcome.errors)")
            #expect(outcome.errors.contains(code), "\(line): \(outcome.errors)")
        }
    }

    private static let record =
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-03-04T05:06:07Z\r\n"
        + "WARC-Target-URI: http://h.test/\r\nContent-Type: application/http; msgtype=response\r\n"
        + "Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n"

    @Test func endsACheckWhoseOutputNobodyReads() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            let page = folder.appending(path: "page.html")
            try Data("<p id=a><a href=#a>x</a>".utf8).write(to: page)
            let outcome = try await Command.run(
                "webinspect",
                ["check", page.path, "-o", pipe, "--max-time", "0.5"]
            )
            #expect(outcome.status == 6)
            #expect(outcome.errors.contains("(limit.time)"))
        }
    }

    @Test func endsACheckWhoseLinesNobodyReads() async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appending(path: "page.html")
            let links = (0..<3000).map { "<a href='\($0).html'>\(String(repeating: "x", count: 100))</a>" }
            try Data(links.joined().utf8).write(to: page)
            let pipe = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            // Opened for both, the pipe takes what fits into it: nothing, once dd has filled it.
            let outcome = try await Command.run(
                "/bin/sh",
                [
                    "-c",
                    """
                    exec 3<>"$2"; dd if=/dev/zero of="$2" bs=1k oflag=nonblock 2>/dev/null
                    exec "$0" check "$1" --format jsonl --max-time 1 >&3
                    """,
                    Command.file("webinspect").path, page.path, pipe,
                ]
            )
            #expect(outcome.status == 6, "\(outcome.errors)")
            #expect(outcome.errors.contains("(limit.time)"))
        }
    }

    @Test func endsACheckOfManyTextFragments() async throws {
        try await withTemporaryFolder { folder in
            let text = (0..<100_000).map { "<p>word\($0 % 7) and more" }.joined()
            try Data(text.utf8).write(to: folder.appending(path: "t.html"))
            let links = (0..<5000).map { "<a href='t.html#:~:text=zz\($0)'>x</a>" }.joined()
            let page = folder.appending(path: "a.html")
            try Data("\(links)<a href='t.html#:~:text=word3'>x</a>".utf8).write(to: page)
            let line = ["check", page.path, "--format", "jsonl", "--fail-on", "text"]
            let outcome = try await Command.run("webinspect", line)
            // Those that are looked for are missing, and those that nobody had the time for are not said to be.
            #expect(outcome.status == 1, "\(outcome.errors)")
            let broken = outcome.text.split(separator: "\n").count { $0.contains("\"missing\"") }
            #expect(broken > 10 && broken < 5000, "\(broken)")
        }
    }
}
