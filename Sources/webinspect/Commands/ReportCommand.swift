import ArgumentParser
import WebLoader

/// `webinspect report SOURCE -o FILE`: writes everything found as one HTML page.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write everything found on a page as one HTML page.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. The report is self-contained \
            and loads nothing; it shows the images that are in the cache, or beside a local page; with --render also a picture of \
            the page, what its scripts have said, and what they have asked for.

            Examples:
              webinspect report https://example.com/ -o report.html
              webinspect report page.html --base-url https://example.com/ -o report.html
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @OptionGroup var shared: PageArguments

    func run() async throws {
        var options = try shared.options()
        if options.json {
            throw Failure(usage: "--json", "the report is HTML; \"webinspect url\" writes JSON")
        }
        options.startClock(source)
        options.reportsParseErrors = true
        options.rendering.options.screenshot = .init()
        let loader = try options.loader()
        let loaded = try await options.load(source, with: loader)
        let page = try await loaded.parsed(for: source)
        page.shareAllowance()
        let links = page.links
        let images = await ReportImages(links, page, loader)
        var facts = PageReport(page, source: Source.redacted(source), including: .content)
        facts.rendering = loaded.rendering
        let report = ReportDocument(
            page: page,
            report: facts.json,
            rendering: loaded.rendering,
            screenshot: loaded.screenshot,
            findings: loaded.findings(of: page),
            images: images.images,
            otherImages: images.others
        )
        try Output.write(report.bytes, to: options.output)
        Diagnostics.report(page, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.check(page, options)
    }
}
