import TestSupport
import Testing

@testable import webinspect

/// Tests of `--help`, `-h` and `help`.
@Suite(.timeLimit(.minutes(20)))
struct HelpTests {
    @Test(arguments: [
        (["check", "--frob"], "webinspect check --help"),
        (["archive", "ls", "--frob"], "webinspect archive ls --help"),
        (["page.html", "--frob"], "webinspect url --help"),
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

    /// Lines of a terminal window that is not small.
    private static let screen = 50

    @Test func `the commands are in groups, on one screen`() throws {
        let text = try #require(try RootHelp.text(for: ["--help"]))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= Self.screen)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for command in NamedCommand.all where command.words.count == 2 && command.words[1] != "serve-reader" {
            #expect(lines.count { $0.hasPrefix("  \(command.words[1]) ") } == 1, "\(command)")
        }
        for line in [["help"], ["-h"], ["help", "help"], ["help", "--help"]] {
            #expect(try RootHelp.text(for: line) == text)
        }
        for line in [
            [], ["help", "links"], ["help", "cache", "ls"], ["links", "--help"], ["a.html", "help"],
            ["--help", "links"],
        ] {
            #expect(try RootHelp.text(for: line) == nil, "\(line)")
        }
    }

    @Test(arguments: HelpTopic.allCases)
    func `a topic fits a small terminal, and its flags exist`(_ topic: HelpTopic) async throws {
        let lines = topic.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        #expect(lines.allSatisfy { $0.count <= 80 })
        let url = try await Command.run("webinspect", ["extract", "--help"]).text
        let flags = topic.text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
        for flag in flags where flag != "--help" { #expect(url.contains(flag), "\(flag)") }
        let outcome = try await Command.run("webinspect", ["help", topic.rawValue])
        #expect(outcome.status == 0)
        #expect(outcome.text == topic.text + "\n")
    }

    @Test func `the statuses are those of the command`() {
        let numbers = HelpTopic.exitStatuses.text.split(separator: "\n").compactMap {
            Int32($0.prefix { $0 != " " })
        }
        #expect(numbers == ExitStatus.allCases.map(\.rawValue))
    }

    @Test(arguments: [
        ("exit", nil), ("caches", "did you mean cache?"), ("linsk", "did you mean links?"),
        ("budgest", "budgets?"),
        ("frobnicate", "see webinspect --help"),
    ])
    func `what there is no help of is said`(word: String, hint: String?) async throws {
        let outcome = try await Command.run("webinspect", ["help", word])
        #expect(outcome.status == (hint == nil ? 0 : 2))
        if let hint { #expect(outcome.errors.contains(hint), "\(outcome.errors)") }
    }

    @Test(arguments: NamedCommand.all)
    func `the short help has the most used flags, and fits a screen`(_ command: NamedCommand) async throws {
        let words = Array(command.words.dropFirst())
        let (brief, whole) = (
            try await Command.run("webinspect", words + ["-h"]),
            try await Command.run("webinspect", words + ["--help"])
        )
        #expect(brief.status == 0)
        let lines = Set(whole.text.split(separator: "\n"))
        let others = brief.text.split(separator: "\n").filter { !lines.contains($0) }
        #expect(
            others.allSatisfy {
                $0.contains(" more flags are in \(command.words.joined(separator: " ")) --help: ")
            }
        )
        #expect(brief.text.split(separator: "\n", omittingEmptySubsequences: false).count <= Self.screen)
    }

    @Test func `all commands are looked at`() { #expect(NamedCommand.all.count >= 22) }
}
