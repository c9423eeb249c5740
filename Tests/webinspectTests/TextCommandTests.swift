import Foundation
import TestSupport
import Testing

/// `webinspect text`, the real binary.
@Suite(.timeLimit(.minutes(20)))
struct TextCommandTests {
    private static let page = Data(
        """
        <!DOCTYPE html><html lang=en><title>Stones of the old harbour | Gazette</title><nav><a href=/>Home</a></nav>
        <main><h1>Walls</h1><p>The first one, <a href=first>built</a> of stone that came by sea, is older than the town, \
        the church and the houses around it; it was repaired twice, after storms, and once after a war.</p>
        <p>The second one, which is lower, shorter and newer, has never been repaired, and will not be soon, since nobody \
        knows whose it is: the town's, the harbour's, or that of the people who live on it.</p></main>
        """.utf8
    )

    private func text(_ arguments: String..., input: Data = page) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["text", "-"] + arguments, input: input)
    }

    @Test func theContentIsWritten() async throws {
        let outcome = try await text()
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("Walls\n\nThe first one, built of stone"))
        #expect(!outcome.text.contains("Home"))
        #expect(try await text("--all").text.hasPrefix("Home\n\nWalls\n\n"))
        let markdown = try await text("--markdown", "--base-url", "http://h.test/d/")
        #expect(markdown.text.hasPrefix("# Walls\n\nThe first one, [built](http://h.test/d/first) of"))
    }

    @Test func theReportHasBothForms() async throws {
        let json = try await text("--json", "--base-url", "http://h.test/").json()
        #expect(json["schema"] as? Int == 1)
        #expect(json["title"] as? String == "Stones of the old harbour")
        #expect(json["byline"] is NSNull)
        #expect(json["language"] as? String == "en")
        #expect((json["text"] as? String)?.hasPrefix("Walls\n") == true)
        #expect((json["markdown"] as? String)?.hasPrefix("# Walls\n") == true)
        #expect(json["word_count"] as? Int == 73)
        #expect(json["line"] as? Int != nil)
        #expect((json["path"] as? String)?.hasPrefix("html") == true)
    }

    @Test func nothingToReadIsOne() async throws {
        let outcome = try await text(input: Data("<title>a</title><script>b</script>".utf8))
        #expect(outcome.status == 1)
        #expect(outcome.text == "")
        #expect(try await text("--json", input: Data()).json()["text"] as? String == "")
    }

    @Test func noControlCharactersAreWritten() async throws {
        let outcome = try await text(
            "--encoding",
            "utf-8",
            input: Data("<p>a\u{1B}[31m\u{202E}b\u{200F} \u{85}c".utf8)
        )
        #expect(outcome.text == "a\u{FFFD}[31m\u{FFFD}b\u{200F} \u{FFFD}c\n")
    }

    @Test func whatIsNoPageIsTextOrAnError() async throws {
        #expect(try await text("--mime", "text/plain", input: Data("a <b>\n".utf8)).text == "a <b>\n")
        let image = try await text("--mime", "image/png", input: Data("PNG".utf8))
        #expect(image.status == 7)
        #expect(image.errors.contains("(parse.kind)"))
    }

    @Test func mistakesAreUsage() async throws {
        #expect(try await text("--markdown", "--json").status == 2)
        #expect(try await text("--format", "md").status == 2)
    }
}
