import TestSupport
import Testing

/// What `--help` and `help` say.
@Suite(.timeLimit(.minutes(20)))
struct HelpTests {
    @Test(arguments: [
        (["check", "--frob"], "webinspect check --help"),
        (["archive", "ls", "--frob"], "webinspect archive ls --help"),
        (["page.html", "--frob"], "webinspect --help"),
    ])
    func `a mistake on the line names the help of its command`(line: [String], help: String) async throws {
        let outcome = try await Command.run("webinspect", line)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("; see \(help) (usage)"), "\(outcome.errors)")
    }

    @Test(arguments: NamedCommand.all)
    func `help has examples`(_ command: NamedCommand) async throws {
        let examples = ShownCommand.examples(of: command.discussion, in: command.testDescription)
        // The default command is called without its name.
        let words = command.words == ["webinspect", "url"] ? ["webinspect"] : command.words
        let start = words.joined(separator: " ")
        #expect(examples.contains { $0.line.contains("\(start) ") || $0.line == start })
        for line in [Array(command.words.dropFirst()) + ["--help"], ["help"] + command.words.dropFirst()] {
            let outcome = try await Command.run("webinspect", line)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            // Long lines are broken.
            let text = Self.words(outcome.text)
            for example in examples { #expect(text.contains(Self.words(example.line))) }
        }
    }

    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `all commands are looked at`() { #expect(NamedCommand.all.count >= 22) }
}
