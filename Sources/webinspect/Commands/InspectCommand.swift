import ArgumentParser
import WebLoader

/// `webinspect [url] SOURCE`: reports what is on a page.
struct InspectCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Load a page and report what is on it (the default command).",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input.

            Examples:
              webinspect https://example.com/
              webinspect https://example.com/ --cache-only --json
              webinspect https://example.com/ --with-resources
              curl -s https://example.com/ | webinspect - --base-url https://example.com/
              webinspect page.html --format pretty
              webinspect page.html --findings --fail-on warning
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @OptionGroup var own: InspectArguments
    @OptionGroup var shared: PageArguments

    static let tables = [PageArguments.flags, InspectArguments.flags]
    var operands: [String] { [source] }
    var given: [GivenFlags] { [shared.given, own.given] }

    /// Loads, inspects and reports.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        let name = line.source
        let inspect = line.inspect
        var options = line.loading
        options.reportsParseErrors = inspect.needsParseErrors
        options.startClock(name)
        let loader = try options.loader()
        let loaded = try await options.load(name, with: loader)
        let page = try await loaded.parsed(for: name)
        page.shareAllowance()
        var found: FindingsReport?
        if inspect.reportsFindings {
            found = FindingsReport(findings: page.findings, source: name, url: page.response.url)
            if let failure = inspect.failure { found?.threshold = failure }
        }
        let format = inspect.format ?? (options.json ? .json : .text)
        try Output.write(
            try await bytes(loaded, page, name, format, inspect, found, options.terminal),
            to: options.output,
            isStyled: format == .text
        )
        Diagnostics.report(page, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.check(page, options)
        if let failure = inspect.failure, let worst = found?.findings.worst, worst >= failure {
            throw Failure(
                subject: name,
                "there are findings of severity \(worst.rawValue)",
                code: "findings",
                status: .no,
                isReported: true
            )
        }
        return .done
    }

    private static func bytes(
        _ loaded: Page,
        _ page: ParsedPage,
        _ name: String,
        _ format: PageFormat,
        _ inspect: InspectOptions,
        _ found: FindingsReport?,
        _ terminal: Terminal
    ) async throws(Failure) -> [UInt8] {
        // Resources are loaded even if the format does not report them, to make the page complete offline.
        let resources = inspect.loadsResources ? try await resources(loaded, name) : nil
        switch format {
        case .text, .json:
            let report = try await report(loaded, page, name, inspect, resources)
            return format == .json
                ? report.document(isLine: true) : Array(report.text(for: terminal).utf8)
        case .html: return try markup(page, name, .html)
        case .pretty: return try markup(page, name, .pretty)
        case .xml: return try markup(page, name, .xml)
        case .sarif: return (found?.sarif ?? .null).serialized(sortingNames: false) + [0x0A]
        case .junit: return found?.junit ?? []
        }
    }

    /// Loads the images and style sheets.
    private static func resources(_ page: Page, _ name: String) async throws(Failure) -> PageResources {
        do throws(ParsingError) {
            return try await page.loadResources()
        } catch {
            throw Failure(error, source: name)
        }
    }

    /// Gathers what the page has; reads its images' files if the page came over HTTP or resources were loaded.
    private static func report(
        _ loaded: Page,
        _ page: ParsedPage,
        _ name: String,
        _ inspect: InspectOptions,
        _ resources: PageResources?
    ) async throws(Failure) -> PageReport {
        var sections: PageReport.Sections = []
        if inspect.listsParseErrors { sections.insert(.parseErrors) }
        if inspect.reportsFindings { sections.insert(.findings) }
        var report = PageReport(page, source: Source.redacted(name), including: sections)
        report.resources = resources
        guard page.response.status != nil || resources != nil else { return report }
        do throws(ParsingError) {
            report.images = try await loaded.measuredImages()
        } catch {
            throw Failure(error, source: name)
        }
        return report
    }

    private static func markup(
        _ page: ParsedPage,
        _ name: String,
        _ form: MarkupForm
    ) throws(Failure) -> [UInt8] {
        guard let document = page.document else {
            throw Failure(
                subject: name,
                "\(page.mediaType.essence) has no document tree",
                code: "parse.kind",
                status: .content
            )
        }
        return Array(document.markup(form).utf8)
    }
}
