import ArgumentParser
import WebLoader

/// `webinspect select SELECTOR SOURCE`: what a selector or an XPath expression matches.
struct SelectCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Write what a CSS selector or an XPath expression matches.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. Each match is a line: its text, \
            white space collapsed, unless a flag changes that. Besides the CSS of browsers, there are ::text, \
            ::attr(name), :contains("text"), :matches("expression") and :eq(index), unless --strict is given. What begins with "/", \
            "./" or "(" is an XPath expression. Exit \
            status 1: nothing matched. Operands behind the first, or with -e all, are sources; with several each line begins \
            with its source.

            Examples:
              webinspect select title https://example.com/
              webinspect select 'a[href]' page.html -a href
              webinspect select '//table[1]//td' page.html --json
              webinspect select -e title=h1 -e 'price=.price::text' page.html --jsonl
              webinspect select title *.html
            """
    )

    @Argument(
        help: ArgumentHelp("A selector, unless -e gives one, and the source.", valueName: "selector> <source")
    )
    var operands: [String] = []

    @OptionGroup var own: SelectArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var shared: PageArguments

    static let tables = [PageArguments.flags, SelectArguments.flags, AllPagesArguments.flags]
    static let operandCount = 0...Int.largestBounded
    var given: [GivenFlags] { [shared.given, own.given, pages.given] }

    /// Loads, selects and writes; as grep has it, `no` if nothing matched: that is an answer, not an error.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        let options = line.loading
        var select = line.select
        let names = try select.prepare(operands: line.operands, hasSources: options.takesAllPages)
        if options.json, select.writesLines { throw Failure(usage: "--jsonl", "not together with --json") }
        // An invalid selector is reported before a page is loaded.
        let queries = try SelectQuery.prepare(select)
        let sources = try PageSources(names, options)
        return try await sources.forEach { (item, output) async throws(Failure) in
            try await write(item, queries, select, options, &output)
        }
    }

    private static func write(
        _ item: PageSources.Item,
        _ queries: [SelectQuery],
        _ select: SelectOptions,
        _ options: LoadingOptions,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let source = item.name
        let page = try await item.page.parsed(for: source)
        let document = try SelectionReport.document(of: page, source)
        TimeBudget.begin(seconds: select.budgetTime, subject: "select", writesJSON: options.json)
        let report = try SelectionReport(page, source: source, select, queries)
        let lines = options.json ? report.json : report.lines
        var explanation: [String] = []
        if options.explains {
            for query in queries { explanation += try query.explanation(document) }
        }
        TimeBudget.end()
        let form: PageSources.Form =
            options.json ? .document : select.writesLines && !select.counts ? .matches : .lines
        try output.write(lines, of: item, as: form)
        for line in explanation { Output.message(TerminalText.visible(line)) }
        Diagnostics.report(page, options)
        try Diagnostics.check(page, options)
        if let failure = report.failure { throw failure }
        item.leave(document)
        return report.results.contains { !$0.isEmpty } ? .done : .no
    }
}
