import WebStandards

/// The help of a command, its flags under headings: ArgumentParser has a list of 70.
struct HelpText {
    /// A heading, and the flags below it, by one of their names; the most used come first.
    private typealias Heading = (title: String, flags: [String])

    /// The text, which has the headings where the command has many flags.
    let text: String

    /// How many flags come first.
    private static let firstCount = 10

    /// How many of these are the command's own.
    private static let ownCount = 5

    /// Fewer flags need no headings.
    private static let leastCount = 20

    /// The flags of all commands that are used most.
    private static let mostUsed = [
        "--output", "--json", "--cache-only", "--from", "--base-url", "--header", "--cookie", "--max-time",
        "--silent",
        "--timeout", "--user-agent", "--jobs", "--rate",
    ]

    /// Flags below none of the headings are the command's own.
    private static let headings: [Heading] = [
        ("SOURCE", ["--from", "--at", "--all", "--base-url", "--mime", "--encoding", "--stdin-jsonl"]),
        (
            "CACHE",
            [
                "--cache-only", "--prefer-cache", "--refresh", "--revalidate", "--policy", "--no-store",
                "--keep",
                "--keep-history", "--cache-dir", "--record",
            ]
        ),
        (
            "CONNECTION",
            [
                "--header", "--user-agent", "--cookie", "--cookie-jar", "--user", "--timeout", "--max-time",
                "--max-filesize", "--jobs", "--per-host", "--rate", "--page-time", "--connect-timeout",
                "--max-redirs",
                "--no-location", "--fail", "--retry", "--retry-max-time", "--proxy", "--oauth2-bearer",
                "--netrc",
                "--netrc-file", "--insecure", "--cacert", "--resolve", "--contact",
            ]
        ),
        (
            "PARSING",
            [
                "--parser", "--max-depth", "--max-nodes", "--max-tree-memory", "--render", "--wait-for",
                "--wait",
                "--render-time", "--render-memory", "--render-bytes", "--render-requests", "--screenshot",
                "--full",
                "--selector", "--width", "--pdf",
            ]
        ),
        (
            "OUTPUT",
            [
                "--output", "--json", "--jsonl", "--format", "--silent", "--verbose", "--explain",
                "--progress",
                "--color", "--version", "--help",
            ]
        ),
    ]

    /// Takes what ArgumentParser has written, be it help or something else.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - whole: The line that shows all flags, where only the most used are wanted; nil for all.
    init(_ message: String, unlessWholeBy whole: String? = nil) {
        let mark = "\nOPTIONS:\n"
        guard let start = message.firstRange(of: mark)?.upperBound else {
            text = message
            return
        }
        let end = message[start...].firstRange(of: "\n\n")?.lowerBound ?? message.endIndex
        let flags = Self.flags(message[start..<end])
        guard flags.count >= Self.leastCount else {
            text = message
            return
        }
        var sections = Self.sections(flags)
        var text = String(message[..<start].dropLast(mark.utf8.count - 1))
        var rest = ""
        if let whole {
            let others = sections.dropFirst()
            let titles = others.map { $0.title.lowercased() }.joined(separator: ", ")
            // The examples, the usage and the arguments say how to begin; the prose is for those who read on.
            text =
                text.split(separator: "\n\n").filter { part in
                    Self.brief.contains { part.hasPrefix($0) }
                }.joined(separator: "\n\n") + "\n\n"
            rest = "\n\(others.reduce(0) { $0 + $1.flags.count }) more flags are in \(whole): \(titles).\n"
            sections = Array(sections.prefix(1))
        }
        text += sections.map { "\($0.title):\n\($0.flags.map(\.text).joined())" }.joined(separator: "\n")
        text += rest
        self.text = text + message[end...].drop { $0 == "\n" && end == message.endIndex }
    }

    /// The beginnings of the paragraphs that the short help has.
    private static let brief = ["OVERVIEW:", "Examples:", "USAGE:", "ARGUMENTS:"]

    /// A flag: its names, and its lines.
    private struct Flag {
        var names: Set<String>
        var text: String

        func isNamed(_ name: String) -> Bool { names.contains(name) }
    }

    private static func flags(_ text: Substring) -> [Flag] {
        var flags: [Flag] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
            if line.hasPrefix("  -") {
                let words = line.split { $0 == " " || $0 == "," || $0 == "/" }.prefix {
                    $0.hasPrefix("-") || $0.hasPrefix("<")
                }
                flags.append(Flag(names: Set(words.map(String.init)), text: ""))
            }
            guard !flags.isEmpty else { continue }
            flags[flags.count - 1].text += "\(line)\n"
        }
        return flags
    }

    private static func sections(_ all: [Flag]) -> [(title: String, flags: [Flag])] {
        var left = all
        /// Takes flags out of those that are left.
        func take(_ names: [String], atMost count: Int = .largestBounded) -> [Flag] {
            var taken: [Flag] = []
            for name in names where taken.count < count {
                guard let index = left.firstIndex(where: { $0.isNamed(name) }) else { continue }
                taken.append(left.remove(at: index))
            }
            return taken
        }
        let known = headings.flatMap(\.flags)
        let own = all.filter { flag in !known.contains(where: flag.isNamed) }.compactMap(\.names.first)
        var first = take(own, atMost: ownCount)
        first += take(mostUsed, atMost: firstCount - first.count)
        var sections = headings.map { (title: $0.title, flags: take($0.flags)) }
        sections.insert((title: "THIS COMMAND", flags: left), at: 0)
        sections.insert((title: "MOST USED", flags: first), at: 0)
        return sections.filter { !$0.flags.isEmpty }
    }
}
