import ArgumentParser
import WebLoader

/// `webinspect select SELECTOR SOURCE`: what a selector or an XPath expression matches.
struct SelectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Write what a CSS selector or an XPath expression matches.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. Each match is a line: its text, \
            white space collapsed, unless a flag changes that. Besides the CSS of browsers, there are ::text, \
            ::attr(name), :contains("text"), :matches("expression") and :eq(index), unless --strict is given. Exit \
            status 1: nothing matched.

            Examples:
              webinspect select title https://example.com/
              webinspect select 'a[href]' page.html -a href
              webinspect select '//table[1]//td' page.html --xpath --json
              webinspect select -e title=h1 -e 'price=.price::text' page.html --jsonl
            """
    )

    @Argument(
        help: ArgumentHelp("A selector, unless -e gives one, and the source.", valueName: "selector> <source")
    )
    var operands: [String] = []

    @Option(
        name: .customShort("e"),
        help: ArgumentHelp(
            "A selector and a name for its matches; may be repeated.",
            valueName: "name=selector"
        )
    )
    var named: [String] = []

    @Flag(help: "Selectors are CSS (the default).")
    var css = false

    @Flag(help: "Selectors are XPath 1.0 expressions.")
    var xpath = false

    @Flag(name: .shortAndLong, help: "Write the text, white space collapsed (the default).")
    var text = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the value of an attribute.", valueName: "name"))
    var attribute: String?

    @Flag(help: "Write the HTML.")
    var html = false

    @Flag(help: "Write a selector, or with --xpath an expression, that matches only this node.")
    var path = false

    @Flag(name: [.customShort("1"), .customLong("first")], help: "Only the first match.")
    var first = false

    @Flag(help: "Write the number of matches.")
    var count = false

    @Flag(help: "Write one JSON document per line for each match.")
    var jsonl = false

    @Flag(help: "Allow only what browsers support.")
    var strict = false

    @Option(
        name: .customLong("namespace"),
        help: ArgumentHelp(
            "A prefix and its namespace; may be repeated.",
            valueName: "prefix=name"
        )
    )
    var namespaces: [String] = []

    @Option(help: ArgumentHelp("Maximum seconds for selecting (5).", valueName: "s"))
    var budgetTime: String?

    @OptionGroup var loading: LoadingArguments

    @OptionGroup var content: ContentArguments

    func run() async throws {
        var options = try loading.options()
        try content.set(&options)
        // As grep has it: nothing found is an answer, not an error.
        guard try await Self.run(options, try selectOptions()) else { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// What the flags say, as a plain value.
    func selectOptions() throws(Failure) -> SelectOptions {
        if css, xpath { throw Failure(usage: "--css", "not together with --xpath") }
        var select = SelectOptions()
        for assignment in named { select.queries.append(try SelectOptions.Query(assignment: assignment)) }
        try select.set(operands: operands)
        var forms: [SelectOptions.Form] = []
        if text { forms.append(.text) }
        if let attribute { forms.append(.attribute(attribute)) }
        if html { forms.append(.html) }
        if path { forms.append(.path) }
        guard forms.count <= 1 else {
            throw Failure(usage: "select", "only one of --text, --attribute, --html and --path can be given")
        }
        select.form = forms.first ?? .text
        select.isXPath = xpath
        select.takesFirst = first
        select.counts = count
        select.writesLines = jsonl
        select.isStrict = strict
        select.namespaces = namespaces
        if let budgetTime { select.budgetTime = try LoadingOptions.seconds(budgetTime) }
        return select
    }

    /// Loads, selects and writes; false if nothing matched.
    static func run(_ options: LoadingOptions, _ select: SelectOptions) async throws(Failure) -> Bool {
        if options.json, select.writesLines { throw Failure(usage: "--jsonl", "not together with --json") }
        options.startClock(select.source)
        // What is no selector needs no page to say so.
        let queries = try SelectQuery.prepare(select)
        let page = try await options.load(select.source, with: try options.loader())
            .parsed(for: select.source)
        let document = try document(of: page, select.source)
        TimeBudget.begin(seconds: select.budgetTime, subject: "select", writesJSON: options.json)
        var results: [SelectionResult] = []
        let budget = InspectionBudget(document)
        for query in queries { results.append(try query.evaluate(document, select, budget)) }
        let report = SelectionReport(
            page: page,
            source: select.source,
            options: select,
            results: results,
            budget: budget
        )
        let output = options.json ? report.json : report.lines
        var explanation: [String] = []
        if options.explains {
            for query in queries { explanation += try query.explanation(document) }
        }
        TimeBudget.end()
        try Output.write(output, to: options.output)
        for line in explanation { Output.message(TerminalText.visible(line)) }
        Diagnostics.report(page, options)
        try Diagnostics.check(page, options)
        if report.isTruncated {
            throw Failure(
                subject: select.source,
                "the matches take too much memory: some were left out",
                code: ReachedLimit.Code.inspection.rawValue,
                status: .limit,
                isReported: true
            )
        }
        // The process ends now, and the tree with it: to free it node by node would only take time.
        _ = unsafe Unmanaged.passRetained(document)
        return results.contains { !$0.isEmpty }
    }

    private static func document(of page: ParsedPage, _ source: String) throws(Failure) -> Document {
        guard let document = page.document else {
            throw Failure(
                subject: source,
                "\(page.mediaType.essence) has no document tree to select from",
                code: "select.type",
                status: .content
            )
        }
        return document
    }
}
