import ArgumentParser
import WebLoader
import WebSite

/// `webinspect robots FILE|URL URL…`: what a robots.txt allows.
struct RobotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "robots",
        abstract: "Say whether a robots.txt lets an agent ask for URLs, and why.",
        discussion: """
            ROBOTS is a file, "-" for standard input, or a URL of a site, whose robots.txt is fetched (RFC 9309): with a status of \
            4xx all is allowed, with 5xx or without an answer nothing is. Each URL is a line: whether it is allowed, the URL, \
            and the line that says so. With a file a URL may be a path. Without URLs the rules for the agent are shown.

            Exit status 1: a URL is not allowed, or there are no rules to show.

            Examples:
              webinspect robots https://example.com/ --agent Crab https://example.com/a
              webinspect robots robots.txt --agent Crab /about /photo.png --jsonl
              webinspect robots robots.txt
            """
    )

    @Argument(help: ArgumentHelp("A robots.txt: a path, \"-\", or a URL of its site.", valueName: "robots"))
    var robots: String

    @Argument(help: ArgumentHelp("The URLs; \"-\" for lines of standard input.", valueName: "url"))
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "The crawler's product token, as in \"Crab\"; by default that of the User-Agent.",
            valueName: "token"
        )
    )
    var agent: String?

    @Flag(help: "List the sitemaps that the file names, and nothing else.")
    var sitemaps = false

    @Flag(help: "Write one JSON document per line for each URL.")
    var jsonl = false

    @OptionGroup var loading: LoadingArguments

    func run() async throws {
        var options = try loading.options()
        if jsonl, options.json { throw Failure(usage: "--jsonl", "not together with --json") }
        if sitemaps, !urls.isEmpty { throw Failure(usage: "--sitemaps", "not together with a URL") }
        if urls.contains("-"), robots == "-" || urls.count > 1 {
            throw Failure(usage: "-", "standard input can be read once, and for all URLs")
        }
        // No more of it is read than counts.
        options.maximumFileSize = options.maximumFileSize ?? .largestBounded
        options.maximumTime = options.maximumTime ?? Self.maximumTime
        options.startClock(robots)
        let loader = try options.loader()
        let file = try await file(options, loader)
        TimeBudget.noteArrival()
        let report = RobotsReport(
            file: file,
            agent: agent ?? options.userAgent ?? CurlFetcher.userAgent
        )
        let status =
            sitemaps
            ? try writeSitemaps(report, options)
            : urls.isEmpty ? try writeRules(report, options) : try writeAnswers(report, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// The seconds for all of it, unless a flag says otherwise: a robots.txt that takes longer does not
    /// count.
    private static let maximumTime = 60.0

    // MARK: - The file

    /// Fetches or reads the robots.txt.
    private func file(_ options: LoadingOptions, _ loader: PageLoader) async throws(Failure) -> RobotsFile {
        let url: WebURL
        switch try Source(robots, options) {
        case .url(let source): url = source
        case .standardInput: url = try Source.parse("file:///dev/stdin")
        }
        let template = try options.request(for: url)
        // A site's is at its root; where the path names another one, that is meant.
        let location = url.path.hasSuffix("/robots.txt") ? nil : RobotsFile.location(ofSite: url)
        let file = await loader.robotsFile(at: location ?? url, template: template)
        try options.connection.save(loader.configuration.cookieJar)
        guard let error = file.error else { return file }
        let failure = Failure(error, source: robots)
        // An unreachable site is an answer, a local error is not.
        guard failure.status == .network, error.code != "network.unavailable", !urls.isEmpty else {
            throw failure
        }
        if !options.isSilent {
            Output.message("webinspect: warning: \(failure.line.dropFirst("webinspect: ".count))")
        }
        return file
    }

    // MARK: - Answers

    private func writeAnswers(
        _ report: RobotsReport,
        _ options: LoadingOptions
    ) throws(Failure) -> ExitStatus {
        var status = ExitStatus.done
        let output = try SiteOutput(options.output, isStyled: options.terminal.isColored)
        var documents: [JSONValue] = []
        func answer(_ text: String) throws(Failure) {
            let answer = try report.answer(text, of: robots)
            if !answer.access.isAllowed { status = .no }
            if options.json {
                documents.append(answer.json)
            } else {
                try output.add(jsonl ? answer.json.lineInOrder : answer.line(options.terminal))
            }
        }
        if urls == ["-"] {
            var lines = LineReader()
            while let some = try lines.next() {
                for line in some {
                    let text = String(decoding: line, as: UTF8.self).trimmingASCIIWhitespace
                    if !text.isEmpty { try answer(text) }
                }
                try output.flush()
            }
        } else {
            for url in urls { try answer(url) }
        }
        if options.json { try output.add(report.json(documents).lineInOrder) }
        try output.finish()
        return status
    }

    private func writeRules(_ report: RobotsReport, _ options: LoadingOptions) throws(Failure) -> ExitStatus {
        let output = try SiteOutput(options.output, isStyled: options.terminal.isColored)
        try output.add(
            options.json || jsonl ? report.json(nil).lineInOrder : Array(report.text.utf8)
        )
        try output.finish()
        return report.hasRules ? .done : .no
    }

    private func writeSitemaps(
        _ report: RobotsReport,
        _ options: LoadingOptions
    ) throws(Failure) -> ExitStatus {
        let output = try SiteOutput(options.output)
        if options.json {
            let document: JSONValue = ["sitemaps": .array(report.sitemaps.map(\.json))]
            try output.add(document.lineInOrder)
        } else {
            for sitemap in report.sitemaps {
                try output.add(
                    jsonl
                        ? sitemap.json.lineInOrder
                        : Array(
                            "\(TerminalText.visible(sitemap.url ?? Source.redacted(sitemap.location)))\n".utf8
                        )
                )
            }
        }
        try output.finish()
        return report.sitemaps.isEmpty ? .no : .done
    }
}
