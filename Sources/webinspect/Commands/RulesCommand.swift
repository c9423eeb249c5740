import ArgumentParser
import WebLoader

/// `webinspect rules`: looks at recipes.
struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check and explain recipes.",
        discussion: """
            Examples:
              webinspect rules check recipe.yaml
              webinspect rules explain recipe.yaml https://example.com/
              webinspect rules schema
            """,
        subcommands: [RulesCheckCommand.self, RulesExplainCommand.self, RulesSchemaCommand.self]
    )
}

/// `webinspect rules check FILE`: whether a recipe is one.
struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether a recipe, its selectors, patterns and scripts compile.",
        discussion: """
            An error is reported with its file, line and column, and what was expected. Exit status 2: there is one.

            Examples:
              webinspect rules check recipe.yaml
              webinspect rules check - --json < recipe.yaml
            """
    )

    @Argument(help: ArgumentHelp("The recipe's file; \"-\" is standard input.", valueName: "file"))
    var file: String

    @Flag(help: "Write one JSON document.")
    var json = false

    func run() throws {
        let bytes = try ExtractOptions.bytes(of: file)
        TimeBudget.begin(seconds: 5, subject: file, writesJSON: json)
        let count: Int
        do throws(RuleError) {
            let recipe = try Recipe(parsing: bytes, file: file)
            try recipe.check()
            count = recipe.ruleNames.count
        } catch {
            TimeBudget.end()
            throw Failure(error)
        }
        TimeBudget.end()
        let document = JSONValue.object([.init("rules", JSONValue(count)), .init("valid", true)])
        let line = "\(TerminalText.visible(file)): \(count) rules\n"
        try Output.write(json ? document.line : Array(line.utf8))
    }
}

/// `webinspect rules schema`: the JSON Schema of recipes.
struct RulesSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Write the JSON Schema of recipes.",
        discussion: """
            Examples:
              webinspect rules schema > recipe.schema.json
            """
    )

    func run() throws {
        try Output.write(Array("\(Recipe.schema)\n".utf8))
    }
}

/// `webinspect rules explain FILE SOURCE`: what each rule of a recipe does on a page.
struct RulesExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what each rule of a recipe finds on a page, and what each transform makes of it.",
        discussion: """
            The recipe is evaluated in this process, which ends when the time is used up; pages are not followed. Values \
            are those of a rule's first evaluation. Times and memory include the rules inside a rule; memory is the \
            growth of the memory in use.

            Examples:
              webinspect rules explain product.yaml https://example.com/p/1
            """
    )

    @Argument(help: ArgumentHelp("The recipe's file.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @Option(help: ArgumentHelp("Time for the recipe (5s; as in 500ms).", valueName: "time"))
    var budgetTime: String?

    @OptionGroup var shared: PageArguments

    func run() async throws {
        let options = try shared.options()
        options.startClock(source)
        var extract = ExtractOptions()
        extract.recipe = file
        if let budgetTime { extract.budgetTime = try ExtractOptions.time(budgetTime) }
        let recipe = try extract.makeRecipe(options)
        let page = try await options.load(source, with: try options.loader()).parsed(for: source)
        let seconds = try budgetTime.map { (text) throws(Failure) in try LoadingOptions.seconds(text) } ?? 5
        TimeBudget.begin(seconds: seconds, subject: file, writesJSON: options.json)
        let explained: (extraction: Extraction, rules: [RuleTrace.Entry])
        do throws(RuleError) {
            explained = try page.explain(recipe, budget: extract.budget)
        } catch {
            throw Failure(error)
        }
        TimeBudget.end()
        let report = ExplanationReport(rules: explained.rules)
        let result = ExtractionReport(extraction: explained.extraction, notesProvenance: false)
        if options.json {
            var members = [
                JSONValue.Member("rules", report.json),
                .init("errors", .array(explained.extraction.errors.map(ExtractionReport.error))),
            ]
            if let error = result.error { members.append(.init("error", error)) }
            try Output.write(
                JSONValue.object(members).serialized(sortingNames: false) + [0x0A],
                to: options.output
            )
        } else {
            try Output.write(Array(report.text.utf8), to: options.output)
        }
        for line in result.lines { Output.message(line) }
        Diagnostics.report(page, options)
        if result.status != .done { throw ExitCode(result.status.rawValue) }
    }
}
