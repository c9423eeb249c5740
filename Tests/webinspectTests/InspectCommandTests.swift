import Foundation
import TestSupport
import Testing

/// `webinspect SOURCE`: what it writes.
@Suite(.timeLimit(.minutes(20)))
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

    @Test func saysWhatThePageSaysForPrograms() async throws {
        let page =
            "data:text/html,<script type=application/ld%2bjson>{\"@type\":[\"A\",\"http://s/B\"]}</script>"
            + "<script type=application/ld%2bjson>{</script><div itemscope itemtype=http://s/C id=a"
            + " itemprop=p itemref=b></div><i id=b itemscope itemprop=q itemref=a></i>"
            + "<meta property=og:type content=website><meta name=twitter:card content=summary>"
            + "<meta name=dc.title content=T><p class=vcard><b class=fn>N</b></p>"
        let report = try await run(page, "--json").json()
        let data = try #require(report["structured_data"] as? [String: Any])
        #expect(
            data.keys.sorted() == [
                "dublin_core", "json_ld", "microdata", "microformats", "open_graph", "rdfa", "twitter_card",
            ]
        )
        let items = try #require(data["microdata"] as? [[String: Any]])
        // Each refers to the other.
        let inner = ((items.first?["properties"] as? [String: Any])?["q"] as? [[String: Any]])?.first
        let own = ((inner?["properties"] as? [String: Any])?["p"] as? [[String: Any]])?.first
        #expect(items.count == 1)
        #expect(own?.keys.sorted() == ["item"])
        #expect(own?["item"] as? Int == 0)
        let text = try await run(page).text
        #expect(
            text.contains(
                """
                JSON-LD   A+B
                JSON-LD   cannot be read: line 1, column 2: expected a name in quotes
                Microdata C, (no type)
                OpenGraph website, 1 property
                Twitter   summary, 1 property
                Dublin    1 statement
                Formats   h-card

                """
            )
        )
    }

    @Test func itemsThatReferToEachOtherMakeNoLongReport() async throws {
        let levels = (0..<300).map { level in
            let next = "itemref=l\(level + 1)"
            return
                "<p id=l\(level)><b itemprop=x itemscope \(next)></b><b itemprop=y itemscope \(next)></b></p>"
        }
        let page = "data:text/html,<div itemscope itemref=l0></div>" + levels.joined()
        let outcome = try await run(page, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.text.utf8.count < 1_000_000)
    }
}
