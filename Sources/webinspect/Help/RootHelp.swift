import ArgumentParser

/// The help of `webinspect` itself, which fits a screen: its commands in groups, and the topics.
///
/// ArgumentParser's wraps what each command does, and is twice as long.
enum RootHelp {
    /// The page that a line asks for, unless it is the help of one command; `nil` for every other line.
    ///
    /// - Parameter line: The words of the command line.
    /// - Returns: The commands, for no word but `help`, `-h` or `--help`; or a topic, for `help TOPIC`.
    /// - Throws: `usage`, for `help` of what is neither a command nor a topic.
    static func text(for line: [String]) throws(Failure) -> String? {
        let help = ["help", "-h", "--help"]
        guard let first = line.first, help.contains(first) else { return nil }
        let words = line.filter { !help.contains($0) }
        guard let word = words.first else { return text }
        guard first == "help" else { return nil }
        if words.count == 1, let topic = HelpTopic(word: word) { return topic.text }
        guard !RootCommand.subcommandNames.contains(word) else { return nil }
        let names = RootCommand.subcommandNames + HelpTopic.allCases.map(\.rawValue)
        let hint =
            Suggestion.nearest(to: word, in: names).map { "; did you mean \($0)?" }
            ?? "; see webinspect --help"
        throw Failure(usage: word, "neither a command nor a topic\(hint)")
    }

    /// The commands, in groups, and the topics.
    static let text: String = {
        let configuration = RootCommand.configuration
        var sections = [
            configuration.abstract, configuration.discussion,
            "USAGE: webinspect [<command>] [<options>] <source> ...",
        ]
        for group in configuration.groupedSubcommands {
            sections.append(section(group.name, group.subcommands.compactMap(line)))
        }
        let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
        sections[sections.count - 1] +=
            "\n"
            + [
                line("help", "A command, or a topic: \(topics)"),
                line("-h", "The flags of a command that are used most; --help lists all of them"),
            ].joined(separator: "\n")
        return sections.joined(separator: "\n\n")
    }()

    private static func section(_ title: String, _ lines: [String]) -> String {
        "\(title.uppercased()):\n\(lines.joined(separator: "\n"))"
    }

    private static func line(_ command: any ParsableCommand.Type) -> String? {
        let configuration = command.configuration
        guard configuration.shouldDisplay, let name = configuration.commandName else { return nil }
        var abstract = configuration.abstract
        if abstract.last == "." { abstract.removeLast() }
        return line(name, abstract)
    }

    private static func line(_ name: String, _ text: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 10 - name.utf8.count)))\(text)"
    }
}
