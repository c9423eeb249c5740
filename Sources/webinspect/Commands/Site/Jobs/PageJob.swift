import WebLoader

/// A job that is done with each page: a command with its own flags.
struct PageJob: Sendable {
    /// The command, with what its flags say.
    enum Work: Sendable {
        case report(InspectOptions)
        case metadata
        case links(LinkSelection)
        case text(TextOptions)
        case select(SelectOptions, [SelectQuery])
        case tables(TablesOptions, TableSelection?)
        case extract(Recipe, ExtractOptions)
    }

    /// The name of its result, which is unique.
    var name: String
    let work: Work
    /// As it was written.
    let text: String

    /// Whether it is evaluated in a process that parses the page itself.
    var isInWorker: Bool {
        if case .extract(_, let options) = work { return !options.isInProcess }
        return false
    }

    /// Whether the parser has to record where markup violates the standard.
    var needsParseErrors: Bool {
        if case .report(let options) = work { return options.needsParseErrors }
        return false
    }

    // MARK: - Reading

    /// The commands that are jobs.
    static let commands = ["url", "meta", "links", "text", "select", "tables", "extract"]

    private static let isJSON = "a job's result is JSON"

    /// Reads a job.
    ///
    /// - Parameters:
    ///   - words: Its words.
    ///   - options: The options of the line, for the time that reading a recipe may take.
    /// - Throws: ``Failure`` for an invalid job: a usage error, or a recipe or a selector that is invalid.
    init(_ words: JobWords, _ options: LoadingOptions) throws(Failure) {
        name = words.name ?? words.command
        text = words.text
        switch words.command {
        case "url":
            let refused = [
                "--format": Self.isJSON, "--with-resources": "a job loads nothing",
                "--fail-on": "a job has no exit status",
            ]
            let line = try words.line(InspectArguments.flags, refused: refused)
            try Self.expectNoOperands(line, words)
            work = .report(line.inspect)
        case "meta":
            try Self.expectNoOperands(try words.line([], refused: [:]), words)
            work = .metadata
        case "links":
            let refused = ["--format": Self.isJSON, "--csv-safe": Self.isJSON]
            let line = try words.line(LinksArguments.flags, refused: refused)
            try Self.expectNoOperands(line, words)
            work = .links(try line.links.selection())
        case "text":
            let line = try words.line(TextArguments.flags, refused: ["--all": "see --whole"])
            try Self.expectNoOperands(line, words)
            try line.text.check()
            work = .text(line.text)
        case "select":
            work = try Self.selection(words)
        case "tables":
            let refused = ["--format": Self.isJSON, "--csv-safe": Self.isJSON]
            let line = try words.line(TablesArguments.flags, refused: refused)
            try Self.expectNoOperands(line, words)
            work = .tables(line.tables, try line.tables.selection())
        case "extract":
            work = try Self.extraction(words, options)
        default:
            throw words.failure(
                "\"\(words.command.prefix(40))\" is no job; jobs are \(Self.commands.joined(separator: ", "))"
            )
        }
    }

    private static func expectNoOperands(_ line: LineOptions, _ words: JobWords) throws(Failure) {
        guard let first = line.operands.first else { return }
        throw words.failure(
            "unexpected \"\(first.prefix(40))\": a job has the flags of its command, and no source"
        )
    }

    private static func selection(_ words: JobWords) throws(Failure) -> Work {
        let refused = [
            "--jsonl": isJSON, "--budget-time": "a selector has a number of steps here, not a time",
        ]
        let line = try words.line(SelectArguments.flags, refused: refused)
        var select = line.select
        let rest = try select.prepare(operands: line.operands, hasSources: true)
        guard rest.isEmpty else { throw words.failure("one selector, or several by -e NAME=SELECTOR") }
        return .select(select, try SelectQuery.prepare(select))
    }

    private static func extraction(_ words: JobWords, _ options: LoadingOptions) throws(Failure) -> Work {
        let refused = [
            "--jsonl": isJSON, "--stdin-jsonl": isJSON,
            "--worker-reuse": "a worker serves a hundred pages, each with a fresh engine",
        ]
        let line = try words.line(ExtractArguments.flags, refused: refused)
        try expectNoOperands(line, words)
        // The source is the line's.
        try line.extract.check(["-"], LoadingOptions())
        return .extract(try line.extract.makeRecipe(options), line.extract)
    }
}
