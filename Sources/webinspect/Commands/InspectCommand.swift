import ArgumentParser
import WebLoader

/// `webinspect [url] SOURCE`: what is on a page.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Load a page and say what is on it (the default command).",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input.

            Examples:
              webinspect https://example.com/
              webinspect https://example.com/ --cache-only --json
              curl -s https://example.com/ | webinspect - --base-url https://example.com/
              webinspect page.html --format pretty
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @Option(
        help: """
            What to write: \(PageFormat.allCases.map(\.rawValue).joined(separator: ", ")); html, pretty and xml are the \
            tree, as browsers write it, for people and as XML.
            """,
        completion: .list(PageFormat.allCases.map(\.rawValue))
    )
    var format: String?

    @Flag(help: "List where the markup departs from the standard.")
    var parseErrors = false

    @OptionGroup var loading: LoadingArguments
    @OptionGroup var content: ContentArguments

    func run() async throws {
        let options = try options()
        try await Self.run(
            options,
            source: source,
            try format.map { (name) throws(Failure) in
                try PageFormat(name, options)
            }
        )
    }

    /// What the flags say, as a plain value.
    func options() throws(Failure) -> LoadingOptions {
        var options = try loading.options()
        try content.set(&options)
        options.reportsParseErrors = parseErrors
        return options
    }

    /// Loads, inspects and reports.
    static func run(
        _ options: LoadingOptions,
        source name: String,
        _ format: PageFormat? = nil
    ) async throws(Failure) {
        let loader = try options.loader()
        let page = try await options.load(name, with: loader)
        try Output.write(
            try bytes(page, name, format ?? (options.json ? .json : .text), options),
            to: options.output
        )
        Diagnostics.report(page, options)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        try Diagnostics.check(page, options)
    }

    private static func bytes(
        _ page: Page,
        _ name: String,
        _ format: PageFormat,
        _ options: LoadingOptions
    ) throws(Failure) -> [UInt8] {
        switch format {
        case .text, .json:
            let report = PageReport(
                page,
                source: name,
                links: try links(page, name),
                reportsErrors: options.reportsParseErrors
            )
            return format == .json ? report.json.serialized() + [0x0A] : Array(report.text.utf8)
        case .html: return try markup(page, name, .html)
        case .pretty: return try markup(page, name, .pretty)
        case .xml: return try markup(page, name, .xml)
        }
    }

    private static func markup(_ page: Page, _ name: String, _ form: MarkupForm) throws(Failure) -> [UInt8] {
        let document: Document?
        do throws(ParsingError) {
            document = try page.document
        } catch {
            throw Failure(error, source: name)
        }
        guard let document else {
            throw Failure(
                subject: name,
                "\(page.mediaType.essence) has no tree",
                code: "parse.kind",
                status: .content
            )
        }
        return Array(document.markup(form).utf8)
    }

    private static func links(_ page: Page, _ name: String) throws(Failure) -> [Link] {
        do throws(ParsingError) {
            return try page.links
        } catch {
            throw Failure(error, source: name)
        }
    }
}
