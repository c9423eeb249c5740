import Foundation
import TestSupport
import Testing

/// `webinspect SOURCE --findings`, `--fail-on`, and the formats of findings.
@Suite(.timeLimit(.minutes(20)))
struct FindingsCommandTests {
    private static let page = """
        data:text/html;charset=utf-8,<!doctype html><html lang=en><title>T</title><meta name=viewport content=x>\
        <h1>H</h1><input><a href="%23x">&lt;x></a><img src="https://h.test/a.png" alt="">
        """

    private func run(_ arguments: String...) async throws -> Command.Outcome {
        try await Command.run("webinspect", arguments)
    }

    @Test func listsFindingsWhenAsked() async throws {
        let report = try await run(Self.page, "--json", "--findings").json()
        let findings = try #require(report["findings"] as? [[String: Any]])
        #expect(
            findings.map { $0["code"] as? String } == [
                "field.label-missing", "link.fragment-broken", "image.size-missing",
            ]
        )
        #expect(findings.first?["severity"] as? String == "warning")
        #expect(findings.first?["element"] as? String == "input")
        #expect(findings.first?["line"] as? Int == 1)
        #expect(report["parse_errors"] == nil)
        #expect(try await run(Self.page, "--json").json()["findings"] == nil)
        let text = try await run(Self.page, "--findings").text
        #expect(text.contains("\nFindings\n"))
        #expect(text.hasSuffix("\n  2 warnings, 1 note\n"))
    }

    @Test(arguments: [("note", 1), ("warning", 1), ("error", 0)])
    func failsWhereAFindingMattersSoMuch(severity: String, status: Int32) async throws {
        let outcome = try await run(Self.page, "--fail-on", severity)
        #expect(outcome.status == status)
        #expect(outcome.text.contains("\nFindings\n"))
    }

    @Test func anUnknownSeverityIsAUsageError() async throws {
        #expect(try await run(Self.page, "--fail-on", "fatal").status == 2)
    }

    @Test func writesSARIF() async throws {
        let report = try await run(Self.page, "--format", "sarif").json()
        #expect(report["version"] as? String == "2.1.0")
        let run = try #require((report["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 3)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
        }
    }

    @Test func writesJUnit() async throws {
        let outcome = try await run(Self.page, "--format", "junit")
        #expect(outcome.status == 0)
        let names = try ElementReader.elements(of: outcome.text).map(\.name)
        #expect(names.count { $0 == "failure" } == 2)
        #expect(names.count { $0 == "system-out" } == 1)
    }
}
