import ArgumentParser
import WebLoader

/// `webinspect tables SOURCE`: the tables of a page.
struct TablesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tables",
        abstract: "Write the tables of a page: as CSV, TSV, JSON, Markdown or text.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. Cells are placed by the rules of the \
            standard; one that covers several slots is written in the first, or with --fill in each. Several tables are \
            separated by a blank line, in every format but JSON. With several sources each row of CSV and TSV begins with its \
            source. Exit status 1: no table matches.

            Examples:
              webinspect tables https://example.com/
              webinspect tables page.html --format csv --table 2 -o prices.csv
              webinspect tables page.html --format json --table '#prices'
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var own: TablesArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var lines: PageLinesArguments
    @OptionGroup var shared: PageArguments

    func run() async throws {
        let line = try LineOptions([], [shared.given, pages.given, lines.given, own.given])
        let options = line.loading
        let format: TableList.Format = try options.format(line.tables.format, text: .text, json: .json)
        let selection = try line.tables.selection()
        let sources = try PageSources(sources, options)
        let status = try await sources.forEach { (item, output) async throws(Failure) in
            try await write(item, format, (line.tables, selection), sources, &output)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func write(
        _ item: PageSources.Item,
        _ format: TableList.Format,
        _ chosen: (options: TablesOptions, selection: TableSelection?),
        _ sources: PageSources,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let options = sources.options
        let page = try await item.page.parsed(for: item.name)
        var list = try TableList(page, source: item.name, chosen.options, chosen.selection)
        list.hasSourceColumn = sources.areSeveral
        if !list.tables.isEmpty || format == .json {
            let separator: [UInt8] = sources.areSeveral && !output.isFirst && format.hasRows ? [0x0A] : []
            try output.write(
                separator + list.bytes(format, options.terminal),
                of: item,
                as: format == .json ? .document : format.hasRows ? .rows : .text,
                isStyled: format == .text
            )
        }
        Diagnostics.report(page, options)
        for entry in list.tables where entry.table.isTruncated && !options.isSilent {
            Output.message(
                "webinspect: warning: table \(entry.number) is too large: parts of it were left out"
            )
        }
        try Diagnostics.check(page, options)
        // As grep has it: nothing found is an answer, not an error.
        return list.tables.isEmpty ? .no : .done
    }
}
