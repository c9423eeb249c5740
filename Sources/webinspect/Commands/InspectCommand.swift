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
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @OptionGroup var loading: LoadingArguments
    @OptionGroup var content: ContentArguments

    func run() async throws {
        try await Self.run(try options(), source: source)
    }

    /// What the flags say, as a plain value.
    func options() throws(Failure) -> LoadingOptions {
        var options = try loading.options()
        try content.set(&options)
        return options
    }

    /// Loads, inspects and reports.
    static func run(_ options: LoadingOptions, source name: String) async throws(Failure) {
        let page = try await options.load(name, with: options.loader())
        let report = PageReport(page, source: name, links: try links(page, name))
        let output = options.json ? report.json.serialized() + [0x0A] : Array(report.text.utf8)
        try Output.write(output, to: options.output)
        Diagnostics.report(page, options)
        try Diagnostics.checkStatus(page.response, options)
    }

    private static func links(_ page: Page, _ name: String) throws(Failure) -> [Link] {
        do throws(ParsingError) {
            return try page.links
        } catch {
            throw Failure(error, source: name)
        }
    }
}
