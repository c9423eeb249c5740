import Foundation
import TestSupport
import Testing

/// `Scripts/run-tests`, on programs that do what test programs do: pass, fail, fail once, hang, crash.
@Suite(.timeLimit(.minutes(5)))
struct RunTestsScriptTests {
    /// Runs a program in Bash that writes events with `test NAME`, `begin NAME`, `issue NAME TEXT`, `skip NAME WHY` and `end NAME`, and
    /// closes with `close WORD`.
    private func run(
        _ program: String,
        _ arguments: [String] = [],
        ignoringSignals: Bool = false
    ) async throws -> Command.Outcome {
        let preamble = #"""
            #!/bin/bash
            events=$4
            now() { date +%s.%N; }
            event() { printf '{"kind":"event","payload":{"kind":"%s","instant":{"absolute":%s},"testID":"%s","messages":[{"symbol":"%s","text":"%s"}],"issue":{"isKnown":false,"sourceLocation":{"fileID":"A/A.swift","line":7}}}}\n' "$1" "$(now)" "$2" "$3" "$4" >>"$events"; }
            id() { echo "A.S/$1()/A.swift:1:2"; }
            test() { printf '{"kind":"test","payload":{"kind":"function","id":"%s","name":"%s","isParameterized":true}}\n' "$(id "$1")" "$1" >>"$events"; }
            begin() { event testCaseStarted "$(id "$1")" default "case of $1"; }
            issue() { event issueRecorded "$(id "$1")" fail "$2"; }
            skip() { event testSkipped "$(id "$1")" skip "Test $1() skipped: \\\"$2\\\""; }
            end() { event testCaseEnded "$(id "$1")" pass ""; }
            close() { event runEnded "" "$1" "Test run with 1 test in 1 suite $1 after 1 seconds."; }

            """#
        return try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("program")
            try Data((preamble + program).utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            let script = ProjectFolder.root.appendingPathComponent("Scripts/run-tests").path
            let all = ["--logs", folder.path] + arguments + [file.path]
            guard ignoringSignals else { return try await Command.run(script, all) }
            return try await Command.run(
                "/bin/bash",
                ["-c", "trap '' INT HUP PIPE; \"$0\" \"$@\"", script] + all
            )
        }
    }

    @Test func whatPassesIsShort() async throws {
        let outcome = try await run("test a; begin a; end a; skip b 'there is no b'; close pass")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("skipped: 1\n       1  there is no b\n"))
        #expect(outcome.text.contains("A.S/a()"))
        #expect(outcome.text.hasSuffix("✔ Test run with 1 test in 1 suite pass after 1 seconds.\n"))
    }

    @Test func whatFailsTwiceIsToldAtTheEndWithItsPlaceAndCut() async throws {
        let outcome = try await run(
            "test a; begin a; issue a \"1 == $(printf '2%.0s' {1..900})\"; end a; close fail; exit 1"
        )
        #expect(outcome.status == 1)
        let lines = outcome.text.split(separator: "\n").suffix(2)
        #expect(lines.first?.hasPrefix("failed: A.S/a() at A/A.swift:7: 1 == 222") == true)
        #expect(lines.first.map { $0.utf8.count < 600 } == true)
    }

    @Test func whatFailsOnceIsFlaky() async throws {
        let outcome = try await run(
            "test a; begin a; [ -e \"$0.once\" ] || { touch \"$0.once\"; issue a odd; end a; close fail; exit 1; }; end a; close pass"
        )
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("flaky: A.S/a() at A/A.swift:7: odd\n"))
        #expect(outcome.text.split(separator: "\n").last?.hasPrefix("✔ ") == true)
    }

    @Test func moreThanTwoAreNotTriedAgain() async throws {
        let outcome = try await run(
            "for t in a b c; do test $t; begin $t; issue $t odd; end $t; done; echo run >>\"$0.runs\"; [ $(wc -l <\"$0.runs\") = 1 ] || exit 3; close fail; exit 1"
        )
        #expect(outcome.status == 1)
        #expect(!outcome.text.contains("flaky"))
        for name in ["a", "b", "c"] { #expect(outcome.text.contains("failed: A.S/\(name)()")) }
    }

    @Test(arguments: [false, true])
    func whatHangsIsEndedAndNamed(ignoringSignals: Bool) async throws {
        let outcome = try await run(
            "test a; begin a; sleep 1000",
            ["--stall", "1"],
            ignoringSignals: ignoringSignals
        )
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("nothing happened for 1 seconds; it was ended; running: A.S/a()\n"))
    }

    @Test func whatCrashesIsNamed() async throws {
        let outcome = try await run(
            "test a; begin a; echo 'Fatal error: index out of range' >&2; kill -ILL $$"
        )
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("failed: tests: ended by SIGILL; running: A.S/a()\n"))
        #expect(outcome.text.contains("Fatal error: index out of range"))
    }
}
