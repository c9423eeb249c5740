import TestSupport
import Testing

@testable import webinspect

/// Tests of the output of `--help` and `help`.
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
        }
    }

    @Test(arguments: NamedCommand.all)
    func `help fits a terminal, and its examples can be pasted`(_ command: NamedCommand) async throws {
        let outcome = try await Command.run("webinspect", Array(command.words.dropFirst()) + ["--help"])
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") })
        for example in ShownCommand.examples(of: command.discussion, in: command.testDescription) {
            #expect(lines.contains("  \(example.line)"))
            #expect(example.line.count <= 76)
        }
    }

    @Test(arguments: ["check", "crawl", "diff"])
    func `flags are under headings, the most used first`(_ word: String) async throws {
        let outcome = try await Command.run("webinspect", [word, "--help"])
        let lines = outcome.text.split(separator: "\n")
        let headings = [
            "MOST USED:", "THIS COMMAND:", "SOURCE:", "CACHE:", "CONNECTION:", "PARSING:", "OUTPUT:",
        ]
        #expect(lines.filter { headings.contains(String($0)) }.map(String.init) == headings)
        let first = lines.drop { $0 != headings[0] }.dropFirst().prefix { $0.hasPrefix(" ") }
        #expect(first.count { $0.hasPrefix("  -") } == 10)
    }

    @Test func `headings leave no line out`() {
        var flags = (0..<12).map {
            "  --own-\($0) <n>          Its text\n                          goes on.\n"
        }
        flags += ["  -o, --output <file>     To a file.\n", "  --keep                  Keeps it.\n"]
        flags += (0..<9).map { "  --more-\($0)/--no-more-\($0)\n                          More.\n" }
        let message = "USAGE: a\n\nOPTIONS:\n\(flags.joined())\nSUBCOMMANDS:\n  b\n"
        let text = HelpText(message).text
        #expect(text.hasPrefix("USAGE: a\n\nMOST USED:\n  --own-0 <n> "))
        #expect(text.hasSuffix("\nSUBCOMMANDS:\n  b\n"))
        for flag in flags { #expect(text.contains(flag)) }
        #expect(HelpText("1.2\nOPTIONS:\n  --a\n").text == "1.2\nOPTIONS:\n  --a\n")
    }

    @Test func `all commands are looked at`() { #expect(NamedCommand.all.count >= 22) }
}
