import ArgumentParser
import WebLoader

/// `webinspect text SOURCE`: what a page says, to be read.
struct TextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Write the readable text of a page, plain or as Markdown.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. It writes the main \
            content, without menus, advertisements, comments and the like; --all writes the whole page. Markdown is \
            CommonMark with GitHub's tables and footnotes, links absolute. Exit status 1: there is no text.

            Examples:
              webinspect text https://example.com/article
              webinspect text https://example.com/article --markdown -o article.md
              webinspect text page.html --base-url https://example.com/ --json
              diff <(webinspect text old.html --all) <(webinspect text new.html --all)
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @Flag(help: "Write CommonMark.")
    var markdown = false

    @Flag(help: "Write all of the page, not only its main content.")
    var all = false

    @OptionGroup var loading: LoadingArguments

    @OptionGroup var content: ContentArguments

    func run() async throws {
        var options = try loading.options()
        try content.set(&options)
        // As grep has it: nothing found is an answer, not an error.
        guard try await Self.run(options, textOptions()) else { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// What the flags say, as a plain value.
    func textOptions() -> TextOptions {
        TextOptions(source: source, isMarkdown: markdown, isWhole: all)
    }

    /// Loads, finds and writes; false if there is no text.
    static func run(_ options: LoadingOptions, _ text: TextOptions) async throws(Failure) -> Bool {
        if options.json, text.isMarkdown {
            throw Failure(usage: "--markdown", "not together with --json, which has both")
        }
        options.startClock(text.source)
        let page = try await options.load(text.source, with: try options.loader()).parsed(for: text.source)
        page.shareAllowance()
        let report = try TextReport(page, text)
        let lines = report.lines
        try Output.write(options.json ? report.json.line : lines, to: options.output)
        Diagnostics.report(page, options)
        try Diagnostics.check(page, options)
        // The process ends now, and the tree with it: to free it node by node would only take time.
        _ = unsafe Unmanaged.passRetained(page)
        return !lines.isEmpty
    }
}
