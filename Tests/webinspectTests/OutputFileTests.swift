import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

/// Files that the user names, for output and for input.
@Suite(.timeLimit(.minutes(20)))
struct OutputFileTests {
    private func shell(_ line: String, _ folder: URL, seconds: Double = 60) async throws -> Command.Outcome {
        try await Command.run(
            "/bin/bash",
            ["-c", line],
            environment: [
                "B": try Command.file("webinspect").path, "XDG_CACHE_HOME": folder.appending(path: "c").path,
                "XDG_CONFIG_HOME": folder.path,
            ],
            folder: folder,
            seconds: seconds
        )
    }

    /// Wherever a write fails, what was there stays.
    @Test(arguments: [0, 1, 2, 8, 50])
    func `a write that fails leaves what was there`(_ blocks: Int) async throws {
        try await withTemporaryFolder { folder in
            let line = """
                printf precious > out; head -c 100000 /dev/zero | tr '\\0' x > page.html
                (ulimit -f \(blocks); "$B" fetch "file://$PWD/page.html" -o out)
                echo "exit $?"; cat out; ls -A
                """
            let outcome = try await shell(line, folder)
            #expect(outcome.text.hasPrefix("exit 8\nprecious"), "\(outcome.text) \(outcome.errors)")
            #expect(outcome.errors.contains("(file.write)"))
            #expect(!outcome.text.contains("-new-"))
        }
    }

    @Test func `standard output and pipes by their paths are written to`() async throws {
        try await withTemporaryFolder { folder in
            let page = "'data:text/plain,hello'"
            #expect(try await shell("\"$B\" fetch \(page) -o /dev/stdout", folder).text == "hello")
            #expect(try await shell("\"$B\" fetch \(page) -o /dev/stdout | cat", folder).text == "hello")
            // Existing content stays, as with every other line that is written there.
            let appended = try await shell(
                "echo a > f; \"$B\" fetch \(page) -o /dev/stdout >> f; cat f",
                folder
            )
            #expect(appended.text == "a\nhello")
            #expect(try await shell("\"$B\" fetch \(page) -o >(cat) | cat", folder).text == "hello")
            #expect(try await shell("\"$B\" fetch \(page) -o /dev/null; ls -A", folder).text == "f\n")
        }
    }

    @Test func `pipes in the place of files are read`() async throws {
        try await withTemporaryFolder { folder in
            let page = "echo '<title>T</title><p>x'"
            for line in [
                "\"$B\" select title <(\(page))", "\(page) | \"$B\" select title /dev/stdin",
                "\(page) | \"$B\" select title -", "mkfifo p; (\(page) > p &); \"$B\" select title p",
            ] {
                let outcome = try await shell(line, folder)
                #expect(outcome.text.contains("T"), "\(line): \(outcome.errors)")
            }
        }
    }

    @Test(arguments: [
        "url -", "select title -", "extract -e t=title -", "url p", "fetch file://$PWD/p",
        "url http://127.0.0.1:1/ -b p", "text /dev/stdin", "links p", "extract -r p data:,x",
        "extract -r p --jsonl data:,x data:,y",
    ])
    func `what never comes ends with the time`(_ arguments: String) async throws {
        try await withTemporaryFolder { folder in
            // Both ends are open, and nothing comes.
            let line = "mkfifo p q; exec 3<> q; \"$B\" \(arguments) --max-time 0.5 < q 3<&-"
            let outcome = try await shell("exec 3<&-; \(line)", folder, seconds: 20)
            // Beside a load over the network, which of the two is over first is not known.
            let ends: [(Int32, String)] = [(6, "(limit.time)"), (3, "(network.timeout.total)")]
            let isEnded = ends.contains { outcome.status == $0.0 && outcome.errors.contains($0.1) }
            #expect(isEnded, "\(outcome.status) \(outcome.errors)")
        }
    }
}
