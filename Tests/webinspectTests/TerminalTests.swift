import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import webinspect

/// Text on a terminal: its width, its colours, and lines that fit.
@Suite(.timeLimit(.minutes(20)))
struct TerminalTests {
    @Test(arguments: [
        ("abc", 3), ("äöü", 3), ("a\u{308}", 1), ("名前", 4), ("שלום", 4), ("😀", 2), ("👩\u{200D}💻", 2), ("", 0),
        ("\u{200E}", 0),
    ])
    func textHasAWidth(text: String, width: Int) {
        #expect(TerminalText.width(text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef", "abcdef"), ("abcdef", 4, "abc…", "ab…f"), ("名前名前", 5, "名前…", "名…前"),
        ("名前名前", 4, "名…", "名…"), ("abc", 1, "…", "…"),
    ])
    func textIsShortened(text: String, columns: Int, end: String, middle: String) {
        #expect(TerminalText.shortened(text, to: columns) == end)
        #expect(TerminalText.shortenedInTheMiddle(text, to: columns) == middle)
    }

    /// Returns a command's output on a terminal with the columns of the environment.
    private func onTerminal(_ arguments: String, _ environment: [String: String]) async throws -> String {
        let binary = try Command.file("webinspect").path
        let outcome = try await Command.run(
            "/usr/bin/script",
            ["-qec", "\(binary) \(arguments)", "/dev/null"],
            environment: Self.plain.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
        )
        return outcome.text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    /// An environment without preferences.
    private static let plain = ["NO_COLOR": "", "CLICOLOR_FORCE": ""]

    private static let page = """
        'data:text/html;charset=utf-8,<title>T</title><a href="https://h.test/a/very/long/path/to/a/page.html">A long text</a>'
        """

    @Test func linksFitTheTerminal() async throws {
        let text = try await onTerminal(Self.page, ["COLUMNS": "40", "NO_COLOR": "1"])
        let line = try #require(text.split(separator: "\n").last)
        #expect(line.hasPrefix("  navigation  https://"))
        #expect(line.contains("…"))
        #expect(TerminalText.width(String(line)) <= 40)
        let wide = try await onTerminal(Self.page, ["COLUMNS": "200", "NO_COLOR": "1"])
        #expect(wide.hasSuffix("  navigation  https://h.test/a/very/long/path/to/a/page.html  A long text\n"))
    }

    @Test func tablesFitTheTerminal() async throws {
        let table = "<table><tr><th>名前<th>n<tr><td>山田<td>a rather long text for a narrow line</table>"
        let arguments = "tables 'data:text/html;charset=utf-8,\(table)'"
        let text = try await onTerminal(arguments, ["COLUMNS": "24", "NO_COLOR": "1"])
        let lines = text.split(separator: "\n").dropFirst()
        #expect(lines.allSatisfy { TerminalText.width(String($0)) <= 24 })
        #expect(lines.first == "  名前  n")
    }

    @Test func theCachesListFitsTheTerminal() async throws {
        let server = try await TestServer { _ in HTTPResponse(statusCode: .ok, body: Data("x".utf8)) }
        try await withTemporaryFolder { folder in
            let flags = ["--cache-dir", folder.path]
            let url = server.url("/a/very/long/path/to/what/is/kept/for/a/while.html")
            _ = try await Command.run("webinspect", ["fetch", url, "--keep"] + flags)
            let text = try await onTerminal("cache ls \(flags.joined(separator: " "))", ["COLUMNS": "50"])
            let line = try #require(text.split(separator: "\n").first)
            #expect(line.contains("  200  http://"))
            #expect(line.contains("…"))
            #expect(TerminalText.width(String(line)) <= 50)
        }
        await server.stop()
    }

    @Test func coloursAreForTerminals() async throws {
        let escape = "\u{1B}["
        #expect(try await onTerminal(Self.page, [:]).contains(escape))
        #expect(try await !onTerminal(Self.page, ["NO_COLOR": "1"]).contains(escape))
        #expect(try await !onTerminal(Self.page, ["TERM": "dumb"]).contains(escape))
        #expect(try await !onTerminal("\(Self.page) --color never", [:]).contains(escape))
        #expect(try await onTerminal("\(Self.page) --color always", ["NO_COLOR": "1"]).contains(escape))
        let page = "data:text/html,<title>T</title>"
        #expect(try await !Command.run("webinspect", [page]).text.contains(escape))
        #expect(try await Command.run("webinspect", [page, "--color", "always"]).text.contains(escape))
        let forced = try await Command.run(
            "webinspect",
            [page],
            environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": ""]
        )
        #expect(forced.text.contains(escape))
        #expect(try await Command.run("webinspect", [page, "--color", "some"]).status == 2)
    }
}
