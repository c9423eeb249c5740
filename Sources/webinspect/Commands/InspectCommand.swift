import ArgumentParser
import WebLoader

/// `webinspect [url] SOURCE`: reports what is on a page.
struct InspectCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Load a page and report what is on it (the default command).",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. Several are reported one after the \
            other.

            Examples:
              webinspect https://example.com/
              webinspect https://example.com/ --cache-only --json
              webinspect https://example.com/ --with-resources
              curl -s https://example.com/ | webinspect - --base-url https://example.com/
              webinspect page.html --format pretty
              webinspect page.html --findings --fail-on warning
              webinspect https://example.com/ --from site.warc.gz --at 2024-05-01
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var own: InspectArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var lines: PageLinesArguments
    @OptionGroup var shared: PageArguments

    static let tables = [
        PageArguments.flags, InspectArguments.flags, AllPagesArguments.flags, PageLinesArguments.flags,
    ]
    static let operandCount = 1...Int.largestBounded
    var operands: [String] { sources }
    var given: [GivenFlags] { [shared.given, own.given, pages.given, lines.given] }

    /// Loads, inspects and reports.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        var options = line.loading
        options.reportsParseErrors = line.inspect.needsParseErrors
        try options.rendering.check()
        if options.archives.isEmpty { try SourceMistake.check(command: line.operands) }
        let sources = try PageSources(line.operands, options)
        let status = try await sources.forEach { (item, output) async throws(Failure) in
            try await write(item, line.inspect, sources, &output)
        }
        return status
    }

    private static func write(
        _ item: PageSources.Item,
        _ inspect: InspectOptions,
        _ sources: PageSources,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let name = item.name
        let options = sources.options
        let loaded = item.page
        let page = try await loaded.parsed(for: name)
        page.shareAllowance()
        var found: FindingsReport?
        if inspect.reportsFindings {
            found = FindingsReport(findings: loaded.findings(of: page), source: name, url: page.response.url)
            if let failure = inspect.failure { found?.threshold = failure }
        }
        let format = inspect.format ?? (options.writesDocuments ? .json : .text)
        if sources.areSeveral, format == .sarif || format == .junit {
            throw Failure(usage: "--format \(format.rawValue)", "of one source only")
        }
        try output.write(
            try await bytes(loaded, page, name, format, inspect, found, options.terminal),
            of: item,
            as: format == .json ? .document : .text,
            isStyled: format == .text
        )
        try options.rendering.write(loaded, of: name)
        Diagnostics.report(page, options)
        await sources.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
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
            let report = try await report(loaded, page, name, inspect, resources, found?.findings)
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
    static func report(
        _ loaded: Page,
        _ page: ParsedPage,
        _ name: String,
        _ inspect: InspectOptions,
        _ resources: PageResources?,
        _ findings: Findings? = nil
    ) async throws(Failure) -> PageReport {
        var report = inspect.report(page, name)
        report.resources = resources
        report.rendering = loaded.rendering
        if report.findings != nil { report.findings = findings ?? loaded.findings(of: page) }
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
