import Foundation
import TestSupport
import Testing

/// `webinspect SOURCE`: what it writes.
@Suite(.timeLimit(.minutes(10)))
struct InspectCommandTests {
    private func run(_ arguments: String...) async throws -> Command.Outcome {
        try await Command.run("webinspect", arguments)
    }

    @Test(
        arguments: [
            ("html", "<html><head></head><body><p>a<br></p></body></html>"),
            ("pretty", "<html>\n  <head></head>\n  <body>\n    <p>a<br></p>\n  </body>\n</html>\n"),
            (
                "xml",
                "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head></head><body><p>a<br/></p></body></html>"
            ),
        ]
    )
    func writesTheTree(format: String, output: String) async throws {
        let outcome = try await run("data:text/html,<p>a<br>", "--format", format)
        #expect(outcome.text == output)
        #expect(outcome.status == 0)
    }

    @Test func listsParseErrorsWhenAsked() async throws {
        let report = try await run("data:text/html,<p a a>", "--json", "--parse-errors").json()
        let errors = try #require(report["parse_errors"] as? [[String: Any]])
        #expect(errors.first?["name"] as? String == "duplicate-attribute")
        #expect(errors.first?["line"] as? Int == 1)
        #expect(errors.first?["column"] as? Int == 7)
        #expect(try await run("data:text/html,<p a a>", "--json").json()["parse_errors"] == nil)
        let text = try await run("data:text/html,<p a a>", "--parse-errors").text
        #expect(text.hasSuffix("\nParse errors\n  1:7  duplicate-attribute\n"))
    }

    @Test func saysWhichLimitsWereMetAndWritesTheRest() async throws {
        let outcome = try await run("data:text/html,<p>a<p>b<p>c<p>d", "--json", "--max-nodes", "8")
        #expect(outcome.status == 6)
        let report = try outcome.json()
        let limits = try #require(report["limits"] as? [[String: Any]])
        #expect(limits.map { $0["code"] as? String } == ["limit.nodes"])
        #expect(limits.first?["limit"] as? Int == 8)
        #expect(report["truncated"] as? Bool == true)
    }

    @Test func saysWhatThePageSaysOfItself() async throws {
        let page =
            "data:text/html,<html lang=de><link rel=canonical href=http://a.test/x>"
            + "<meta name=description content=Words><meta name=date content='2 May 2024'>"
        let report = try await run(page, "--json").json()
        let metadata = try #require(report["metadata"] as? [String: Any])
        #expect(metadata.keys.sorted() == ["canonicals", "descriptions", "languages", "published"])
        let published = try #require(metadata["published"] as? [[String: Any]])
        #expect(published.first?["date"] as? String == "2024-05-02")
        #expect(published.first?["source"] as? String == "meta")
        let text = try await run(page).text
        #expect(
            text.contains(
                """
                About     Words
                Published 2024-05-02 (date)
                Language  de
                Canonical http://a.test/x

                """
            )
        )
    }
}
