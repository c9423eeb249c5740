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
              webinspect links https://example.com/ --kind image --kind stylesheet --unique
              webinspect links page.html --base-url https://example.com/ --external --format csv
              webinspect links --from site.wacz --all --jsonl
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String] = []

    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp("Only links of this kind; may be repeated.", valueName: "kind"),
        completion: .list(Link.Kind.known.map(\.rawValue))
    )
    var kinds: [String] = []

    @Flag(name: .customLong("internal"), help: "Only links to the page's own host.")
    var isInternal = false

    @Flag(name: .customLong("external"), help: "Only links to other hosts.")
    var isExternal = false

    @Flag(help: "List each URL once, where it comes first.")
    var unique = false

    @Option(
        help: "The output format: \(LinkList.Format.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(LinkList.Format.allCases.map(\.rawValue))
    )
    var format: String?

    @Flag(help: "In CSV, put an apostrophe before what a spreadsheet would evaluate as a formula.")
    var csvSafe = false

    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var lines: PageLinesArguments
    @OptionGroup var shared: PageArguments

    func run() async throws {
        let options = try shared.options(and: [pages.given, lines.given])
        let format: LinkList.Format = try options.format(format, text: .text, json: .json)
        let selection = try selection()
        let sources = try PageSources(sources, options)
        let status = try await sources.forEach { (item, output) async throws(Failure) in
            try await write(item, format, selection, sources, &output)
        }
        await sources.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func write(
        _ item: PageSources.Item,
        _ format: LinkList.Format,
        _ selection: LinkSelection,
        _ sources: PageSources,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let options = sources.options
        let page = try await item.page.parsed(for: item.name)
        page.shareAllowance()
        let host =
            options.baseURL == nil ? page.response.url : try options.overrides().baseURL ?? page.response.url
        let links = selection.links(of: page.links, page: host)
        var cached: [Bool]?
        if options.cacheDirectory != nil { cached = await Self.cached(links, sources.loader) }
        var list = LinkList(page: page, source: item.name, links: links, cached: cached, isSafe: csvSafe)
        if sources.areSeveral {
            list.hasSourceColumn = true
            list.hasHeader = output.isFirst
        }
        try output.write(list.bytes(format), of: item, as: Self.form(format))
        Diagnostics.report(page, options)
        let failures = format == .text ? links.count { $0.url == nil } : 0
        if failures > 0, !options.isSilent {
            Output.message(
                "webinspect: warning: \(failures) references are not valid URLs and not listed; see --format json"
            )
        }
        try Diagnostics.check(page, options)
        // As in grep: finding nothing is an answer, not an error.
        return links.count == failures ? .no : .done
    }

    private static func form(_ format: LinkList.Format) -> PageSources.Form {
        switch format {
        case .text: .lines
        case .json: .document
        case .jsonl: .links
        case .csv: .rows
        }
    }

    private func selection() throws(Failure) -> LinkSelection {
        if isInternal, isExternal { throw Failure(usage: "--internal", "not together with --external") }
        for kind in kinds where !Link.Kind.known.contains(Link.Kind(rawValue: kind)) {
            throw Failure(
                usage: "--kind \(kind)",
                "not one of \(Link.Kind.known.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return LinkSelection(
            kinds: Set(kinds.map(Link.Kind.init(rawValue:))),
            host: isInternal ? .own : isExternal ? .others : .any,
            isUnique: unique
        )
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
