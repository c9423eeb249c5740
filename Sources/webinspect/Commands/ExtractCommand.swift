import ArgumentParser
import WebLoader

/// `webinspect extract -r RECIPE SOURCE`: evaluates a recipe on a page, within a budget.
struct ExtractCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract fields by a recipe, within a budget of time and memory.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. The recipe is YAML or JSON: see \
            docs/recipes.md and "webinspect rules". It is evaluated in a separate process, which is ended when the \
            budget is used up; fields finished by then are written. Exit status 1: an assertion failed; 6: a \
            budget was exceeded; 7: a rule failed.

            With --stdin-jsonl each line of standard input is {"id":1,"url":"https://…"} or {"id":1,"html":"…",\
            "base_url":"https://…"}, and is answered with one line, in order.

            Examples:
              webinspect extract -r article.yaml https://example.com/ --json
              webinspect extract -e title=h1 -e 'links[]=a@url:href' https://example.com/
              webinspect extract -e title=title --from site.wacz --all --jsonl
              webinspect extract -r product.yaml --stdin-jsonl < pages.jsonl
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\"; several with --jsonl.", valueName: "source"))
    var operands: [String] = []

    @OptionGroup var own: ExtractArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var shared: PageArguments

    static let tables = [PageArguments.flags, ExtractArguments.flags, AllPagesArguments.flags]
    static let operandCount = 0...Int.largestBounded
    var given: [GivenFlags] { [shared.given, own.given, pages.given] }

    /// Loads, extracts and writes.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        let options = line.loading
        let extract = line.extract
        let sources = line.operands
        try extract.check(sources, options)
        // With several sources, each has the time limit for itself; loads and workers enforce it.
        if !extract.readsLines, !extract.writesLines, !options.takesAllPages {
            options.startClock(sources[0])
        }
        let recipe = try extract.makeRecipe(options)
        let extractor = try Extractor(recipe, options, extract)
        if extract.readsLines {
            try await ExtractionLines.answer(with: extractor)
            return .done
        }
        if options.takesAllPages { return try await allPages(extractor, options) }
        if extract.writesLines { return try await lines(extractor, sources, options) }
        let source = sources[0]
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

    /// Writes one line for each page of the archives; returns the status of the first that is not `done`.
    private static func allPages(
        _ extractor: Extractor,
        _ options: LoadingOptions
    ) async throws(Failure) -> ExitStatus {
        var status = ExitStatus.done
        var output = PageOutput(options, isOneOfSeveral: true)
        var pages = extractor.loader.archivedPages.makeAsyncIterator()
        while let found = try await PageSources.next(
            &pages,
            of: options,
            onFailure: { (error) async throws(Failure) in
                Output.message(error.line)
                if status == .done { status = error.status }
            }
        ) {
            let line = await extractor.line(found)
            try output.add(line.json.lineInOrder)
            if status == .done { status = line.status }
        }
        try output.finish()
        return status
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
            let line = await extractor.line(.init("source", .string(Source.redacted(source))), source)
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
