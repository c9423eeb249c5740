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

    @Test func theReportSaysTheKind() async throws {
        let json = try await text("--json").json()
        #expect(json["kind"] as? String != nil)
        #expect((json["kind_confidence"] as? Double).map { $0 > 0 && $0 <= 1 } == true)
        #expect((json["completeness"] as? Double).map { $0 > 0.5 && $0 <= 1 } == true)
        #expect(json["warnings"] as? [[String: String]] != nil)
        #expect(json["blocks"] == nil)
        let whole = try await text("--json", "--whole").json()
        #expect(
            whole["kind"] is NSNull && whole["kind_confidence"] is NSNull && whole["completeness"] is NSNull
        )
    }

    /// Each block is named once, on stderr, and in the JSON.
    @Test func theChoiceIsExplained() async throws {
        let outcome = try await text("--explain")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("* kind: ") } && lines.contains { $0.hasPrefix("* content: ") })
        #expect(lines.count { $0.hasPrefix("* in, ") } == 3)
        #expect(lines.count { $0.hasPrefix("* out, unlikely, ") && $0.contains(": nav at 1:") } == 1)
        let blocks = try #require(try await text("--explain", "--json").json()["blocks"] as? [[String: Any]])
        #expect(blocks.map { $0["kept"] as? Bool } == [false, true, true, true])
        #expect(blocks.map { $0["element"] as? String } == ["nav", "h1", "p", "p"])
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

    private static let discussion = Data(
        """
        <!DOCTYPE html><title>t</title><p>Not this.</p>
        <div class=comment id=c1><a class=author href=/ann>Ann</a> <time datetime=2026-01-02>3. I.</time><p>One <i>thing</i>.</p>
        <p>More.</p><div class=comment><b class=author>B*b</b><p>Two.</p></div></div>
        <div class=comment><b class=author>Cy\u{1B}</b><p>Three.</p></div>
        """.utf8
    )

    @Test func theDiscussionIsWrittenByItself() async throws {
        let plain = try await text("--comments", "--encoding", "utf-8", input: Self.discussion)
        #expect(plain.status == 0)
        #expect(
            plain.text == """
                Ann, 3. I.
                One thing.

                More.

                  B*b
                  Two.

                Cy\u{FFFD}
                Three.

                """
        )
        let markdown = try await text("--comments", "--markdown", input: Self.discussion)
        #expect(
            markdown.text.hasPrefix(
                "**Ann**, 3\\. I\\.\n\nOne _thing_.\n\nMore.\n\n> **B\\*b**\n>\n> Two.\n\n**Cy"
            )
        )
    }

    @Test func theDiscussionIsReported() async throws {
        let json = try await text(
            "--comments",
            "--json",
            "--base-url",
            "http://h.test/",
            input: Self.discussion
        ).json()
        #expect(json["schema"] as? Int == 1)
        let posts = try #require(json["discussion"] as? [[String: Any]])
        #expect(posts.count == 3)
        #expect(posts.map { $0["depth"] as? Int } == [0, 1, 0])
        #expect(posts[1]["parent"] as? Int == 0)
        #expect(posts[0]["parent"] is NSNull)
        #expect(posts[0]["author"] as? String == "Ann")
        #expect(posts[0]["author_url"] as? String == "http://h.test/ann")
        #expect(posts[0]["date"] as? String == "2026-01-02")
        #expect(posts[0]["date_text"] as? String == "3. I.")
        #expect(posts[0]["id"] as? String == "c1")
        #expect(posts[0]["text"] as? String == "One thing.\n\nMore.")
        #expect(posts[0]["line"] as? Int == 2)
    }

    @Test func noDiscussionIsOne() async throws {
        let outcome = try await text("--comments")
        #expect(outcome.status == 1)
        #expect(outcome.text == "")
        let empty = try await text("--comments", "--json").json()
        #expect((empty["discussion"] as? [Any])?.isEmpty == true)
        #expect(try await text("--comments", "--mime", "image/png", input: Data("PNG".utf8)).status == 7)
    }

    @Test func mistakesAreUsage() async throws {
        #expect(try await text("--markdown", "--json").status == 2)
        #expect(try await text("--format", "md").status == 2)
        let both = try await text("--comments", "--all")
        #expect(both.status == 2)
        #expect(both.errors.contains("contradicts"))
    }
}
