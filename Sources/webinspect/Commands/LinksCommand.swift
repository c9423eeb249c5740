import ArgumentParser
import WebLoader

/// `webinspect links SOURCE`: every reference of a page.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "List every link of a page, absolute, with its kind and its position.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. As text it is one URL a \
            line; invalid references are in the other formats only. With several sources each line begins with its source. \
            With --cache-dir a column tells whether the target is in that cache. Exit status 1: no link is listed.

            Examples:
              webinspect links https://example.com/
              webinspect links https://example.com/ --kind image --kind script --unique
              webinspect links https://example.com/ --external --format csv
              webinspect links --from site.wacz --all --jsonl
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var own: LinksArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var lines: PageLinesArguments
    @OptionGroup var shared: PageArguments

    func run() async throws {
        let line = try LineOptions([], [shared.given, pages.given, lines.given, own.given])
        let options = line.loading
        let format: LinkList.Format = try options.format(line.links.format, text: .text, json: .json)
        let selection = try line.links.selection()
        let sources = try PageSources(sources, options)
        let status = try await sources.forEach { (item, output) async throws(Failure) in
            try await write(item, format, (selection, line.links.isSafe), sources, &output)
        }
        await sources.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func write(
        _ item: PageSources.Item,
        _ format: LinkList.Format,
        _ chosen: (selection: LinkSelection, isSafe: Bool),
        _ sources: PageSources,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let options = sources.options
        let page = try await item.page.parsed(for: item.name)
        page.shareAllowance()
        let base = try options.overrides().baseURL
        var list = LinkList(page, source: item.name, chosen.selection, base: base)
        if options.cacheDirectory != nil { list.cached = await Self.cached(list.links, sources.loader) }
        list.isSafe = chosen.isSafe
        if sources.areSeveral {
            list.hasSourceColumn = true
            list.hasHeader = output.isFirst
        }
        try output.write(list.bytes(format), of: item, as: Self.form(format))
        Diagnostics.report(page, options)
        let failures = format == .text ? list.links.count { $0.url == nil } : 0
        if failures > 0, !options.isSilent {
            Output.message(
                "webinspect: warning: \(failures) references are not valid URLs and not listed; see --format json"
            )
        }
        try Diagnostics.check(page, options)
        // As in grep: finding nothing is an answer, not an error.
        return list.links.count == failures ? .no : .done
    }

    private static func form(_ format: LinkList.Format) -> PageSources.Form {
        switch format {
        case .text: .lines
        case .json: .document
        case .jsonl: .links
        case .csv: .rows
        }
    }

    private static func cached(_ links: [Link], _ loader: PageLoader) async -> [Bool] {
        var cached: [Bool] = []
        for link in links {
            if let url = link.url {
                cached.append(await loader.isCached(url))
            } else {
                cached.append(false)
            }
        }
        return cached
    }
}
