import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import webinspect

/// A command that a document or a help text shows, and its stated outcome.
struct ShownCommand: CustomTestStringConvertible, Sendable {
    /// The document or help text that shows it.
    let place: String
    /// The line, as a shell reads it.
    let line: String
    /// The exit status that is shown (by `echo $?`); 0 if none is shown.
    var status: Int32 = 0
    /// The output that is shown; `nil` if none is shown.
    ///
    /// A line "…" stands for the rest.
    var output: String?

    var testDescription: String { "\(place): \(line)" }

    /// Those of README.md and docs/*.md: in blocks without a language, lines that begin with "$ " or "webinspect ".
    static func documented() throws -> [ShownCommand] {
        let docs = ProjectFolder.root.appendingPathComponent("docs")
        let files = try FileManager.default.contentsOfDirectory(at: docs, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .sorted { $0.path < $1.path }
        return try ([ProjectFolder.root.appendingPathComponent("README.md")] + files).flatMap { file in
            try blocks(String(contentsOf: file, encoding: .utf8))
                .flatMap { commands($0, in: file.lastPathComponent) }
        }
    }

    /// Those of the examples in a command's help.
    static func examples(of discussion: String, in place: String) -> [ShownCommand] {
        discussion.split(separator: "\n").drop { $0 != "Examples:" }.dropFirst()
            .map { ShownCommand(place: place, line: $0.trimmingCharacters(in: .whitespaces)) }
    }

    /// The blocks of Markdown that are fenced, and of no language.
    private static func blocks(_ text: String) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var fence: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                fence = fence == nil ? line : nil
                if fence == "```" { blocks.append([]) }
            } else if fence == "```", let last = blocks.indices.last {
                blocks[last].append(line)
            }
        }
        return blocks
    }

    private static func commands(_ block: [Substring], in place: String) -> [ShownCommand] {
        var commands: [ShownCommand] = []
        var shown: [Substring] = []
        /// Stores the lines below a command as its output, except for remarks in parentheses.
        func finish() {
            let output = shown.filter { !$0.hasPrefix("(") }.joined(separator: "\n")
                .trimmingCharacters(in: .newlines)
            shown = []
            guard let last = commands.indices.last, !output.isEmpty else { return }
            if commands[last].line == "echo $?" {
                commands.removeLast()
                if let command = commands.indices.last, let status = Int32(output) {
                    commands[command].status = status
                }
            } else {
                commands[last].output = output
            }
        }
        for line in block {
            if line.hasPrefix("$ ") || line.hasPrefix("webinspect ") {
                finish()
                let command = line.hasPrefix("$ ") ? line.dropFirst(2) : line
                commands.append(ShownCommand(place: place, line: String(command)))
            } else {
                shown.append(line)
            }
        }
        finish()
        return commands
    }
}

/// A command of `webinspect`, by the words that call it.
struct NamedCommand: CustomTestStringConvertible, Sendable {
    let words: [String]
    let discussion: String

    var testDescription: String { words.joined(separator: " ") }

    /// All of them, nested ones too.
    static let all = below(RootCommand.self, [])

    private static func below(_ command: any ParsableCommand.Type, _ words: [String]) -> [NamedCommand] {
        let configuration = command.configuration
        let own = words + [configuration.commandName ?? ""]
        return [NamedCommand(words: own, discussion: configuration.discussion)]
            + configuration.subcommands.flatMap { below($0, own) }
    }
}
