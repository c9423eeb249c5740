import ArgumentParser
import WebLoader

/// `webinspect extract -r RECIPE SOURCE`: evaluates a recipe on a page, within a budget.
struct ExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract fields of a page with a recipe, within a budget of time and memory.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. The recipe is YAML or JSON: see \
            docs/recipes.md and "webinspect rules". It is evaluated in a separate process, which is ended when the \
            budget is used up; fields finished by then are written. Exit status 1: an assertion failed; 6: a \
            budget was exceeded; 7: a rule failed.

            With --stdin-jsonl each line of standard input is {"id":1,"url":"https://…"} or {"id":1,"html":"…",\
            "base_url":"https://…"}, and is answered with one line, in order.

            Examples:
              webinspect extract -r article.yaml https://example.com/ --json
              webinspect extract -e title=h1 -e 'links[]=a@url:href' page.html --base-url https://example.com/
              webinspect extract -r product.yaml --stdin-jsonl --worker-reuse 100 < pages.jsonl > products.jsonl
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\"; several with --jsonl.", valueName: "source"))
    var sources: [String] = []

    @Option(
        name: [.customShort("r"), .customLong("recipe")],
        help: ArgumentHelp("The recipe's file.", valueName: "file")
    )
    var recipe: String?

    @Option(
        name: .customShort("e"),
        help: ArgumentHelp(
            "A field, without a recipe: all matches with NAME[], an attribute with SELECTOR@NAME.",
            valueName: "name=selector"
        )
    )
    var assignments: [String] = []

    @Option(help: ArgumentHelp("Time for the recipe (5s; as in 500ms).", valueName: "time"))
    var budgetTime: String?

    @Option(help: ArgumentHelp("Memory for the recipe (10MB).", valueName: "bytes"))
    var budgetMemory: String?

    @Flag(help: "Report where each value comes from.")
    var provenance = false

    @Flag(help: "Write one JSON document per line for each source, without what differs between runs.")
    var jsonl = false

    @Flag(help: "Read lines of JSON from standard input and answer each with one line.")
    var stdinJsonl = false

    @Option(
        help: ArgumentHelp("Pages for each worker process, each with a fresh engine (1).", valueName: "n")
    )
    var workerReuse = 1

    @Flag(
        help:
            "Evaluate the recipe in this process, with fewer safeguards: for recipes and pages you trust."
    )
    var noWorker = false

    @OptionGroup var loading: LoadingArguments

    @OptionGroup var content: ContentArguments

    func run() async throws {
        var options = try loading.options()
        try content.set(&options)
        let status = try await Self.run(options, try extractOptions())
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// The flags' options as a plain value.
    func extractOptions() throws(Failure) -> ExtractOptions {
        var extract = ExtractOptions()
        extract.recipe = recipe
        extract.assignments = assignments
        extract.sources = sources
        extract.writesLines = jsonl
        extract.readsLines = stdinJsonl
        extract.notesProvenance = provenance
        extract.isInProcess = noWorker
        extract.workerReuse = workerReuse
        if let budgetTime { extract.budgetTime = try ExtractOptions.time(budgetTime) }
        if let budgetMemory { extract.budgetMemory = .bytes(try LoadingOptions.size(budgetMemory)) }
        return extract
    }

    /// Loads, extracts and writes; returns the exit status.
    static func run(_ options: LoadingOptions, _ extract: ExtractOptions) async throws(Failure) -> ExitStatus
    {
        try extract.check()
        // With several sources, each has the time limit for itself; loads and workers enforce it.
        if !extract.readsLines, !extract.writesLines { options.startClock(extract.sources[0]) }
        let recipe = try extract.makeRecipe(options)
        let extractor = try Extractor(recipe, options, extract)
        if extract.readsLines {
            try await ExtractionLines.answer(with: extractor)
            return .done
        }
        if extract.writesLines { return try await lines(extractor, extract.sources, options) }
        let source = extract.sources[0]
        let (response, report) = try await extractor.extract(source)
        var output: [UInt8]
        if options.json {
            output = JSONValue.object(report.members).serialized(sortingNames: false) + [0x0A]
        } else {
            output = Array("\(report.extraction.data.indented)\n".utf8)
        }
        try Output.write(output, to: options.output)
        for line in report.lines { Output.message(line) }
        if !options.json {
            for line in report.extraction.log { Output.message("* \(TerminalText.visible(line))") }
        }
        Diagnostics.report(response, options)
        try Diagnostics.checkStatus(response, options)
        return report.status
    }

    /// Writes one line per source; returns the status of the first that is not `done`.
    private static func lines(
        _ extractor: Extractor,
        _ sources: [String],
        _ options: LoadingOptions
    ) async throws(Failure) -> ExitStatus {
        var status = ExitStatus.done
        var output: [UInt8] = []
        for source in sources {
            let line = await extractor.line(.init("source", .string(source)), source)
            output += line.json.serialized(sortingNames: false) + [0x0A]
            if status == .done { status = line.status }
            guard options.output == nil else { continue }
            try Output.write(output)
            output = []
        }
        if options.output != nil { try Output.write(output, to: options.output) }
        return status
    }
}
