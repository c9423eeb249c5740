import ArgumentParser
import WebLoader

/// `webinspect [url] SOURCE`: reports what is on a page.
struct InspectCommand: AsyncParsableCommand {
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

    @Option(
        help: """
            What to write: \(PageFormat.allCases.map(\.rawValue).joined(separator: ", ")); html, pretty and xml are the \
            tree, as browsers write it, for people and as XML; sarif and junit are the findings.
            """,
        completion: .list(PageFormat.allCases.map(\.rawValue))
    )
    var format: String?

    @Flag(help: "List the parse errors of the markup.")
    var parseErrors = false

    @Flag(help: "List problems of the page and possible improvements.")
    var findings = false

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if there is a finding of at least this severity: note, warning or error.",
            valueName: "severity"
        ),
        completion: .list(Finding.Severity.allCases.map(\.rawValue))
    )
    var failOn: String?

    @Flag(help: "Load and store its images and style sheets too, so that the page is complete offline.")
    var withResources = false

    @OptionGroup var loading: LoadingArguments
    @OptionGroup var content: ContentArguments

    func run() async throws {
        let (loading, inspect) = try options()
        try await Self.run(loading, source: source, inspect)
    }

    /// The flags' options as plain values.
    func options() throws(Failure) -> (LoadingOptions, InspectOptions) {
        var options = try loading.options()
        try content.set(&options)
        var inspect = InspectOptions()
        if let format { inspect.format = try options.format(format, text: .text, json: .json) }
        inspect.listsParseErrors = parseErrors
        inspect.looksForFindings = findings
        inspect.loadsResources = withResources
        if let failOn {
            guard let severity = Finding.Severity(rawValue: failOn) else {
                throw Failure(
                    usage: "--fail-on \(failOn)",
                    "not one of \(Finding.Severity.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            inspect.failure = severity
        }
        options.reportsParseErrors = inspect.needsParseErrors
        return (options, inspect)
    }

    /// Loads, inspects and reports.
    static func run(
        _ options: LoadingOptions,
        source name: String,
        _ inspect: InspectOptions = InspectOptions()
    ) async throws(Failure) {
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
