import ArgumentParser
import WebLoader

/// `webinspect links SOURCE`: every reference of a page.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "List every link of a page, absolute, with its kind and its position.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. As text it is one URL a \
            line; invalid references are in the other formats only. With --cache-dir a column tells whether the target is \
            in that cache. Exit status 1: no link is listed.

            Examples:
              webinspect links https://example.com/
              webinspect links https://example.com/ --kind image --kind stylesheet --unique
              webinspect links page.html --base-url https://example.com/ --external --format csv
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

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

    @OptionGroup var shared: PageArguments

    func run() async throws {
        let options = try shared.options()
        options.startClock(source)
        let format: LinkList.Format = try options.format(format, text: .text, json: .json)
        let selection = try selection()
        let loader = try options.loader()
        let page = try await options.load(source, with: loader).parsed(for: source)
        page.shareAllowance()
        let host =
            options.baseURL == nil ? page.response.url : try options.overrides().baseURL ?? page.response.url
        let links = selection.links(of: page.links, page: host)
        var cached: [Bool]?
        if options.cacheDirectory != nil { cached = await Self.cached(links, loader) }
        let list = LinkList(page: page, source: source, links: links, cached: cached, isSafe: csvSafe)
        try Output.write(list.bytes(format), to: options.output)
        Diagnostics.report(page, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        let failures = format == .text ? links.count { $0.url == nil } : 0
        if failures > 0, !options.isSilent {
            Output.message(
                "webinspect: warning: \(failures) references are not valid URLs and not listed; see --format json"
            )
        }
        try Diagnostics.check(page, options)
        // As in grep: finding nothing is an answer, not an error.
        if links.count == failures { throw ExitCode(ExitStatus.no.rawValue) }
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
