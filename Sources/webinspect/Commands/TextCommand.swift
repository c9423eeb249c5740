import ArgumentParser
import WebLoader

/// `webinspect text SOURCE`: what a page says, to be read.
struct TextCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Write the readable text of a page, plain or as Markdown.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. It writes the main \
            content, without menus, advertisements, comments and the like; --all writes the whole page, --comments \
            what people have said on it: comments, replies, posts of a forum, answers. Markdown is CommonMark with \
            GitHub's tables and footnotes, links absolute. Exit status 1: there is no text, or no comment.

            Examples:
              webinspect text https://example.com/article
              webinspect text https://example.com/article --markdown -o article.md
              webinspect text https://example.com/article --comments
              webinspect text page.html --base-url https://example.com/ --json
              diff <(webinspect text old.html --all) <(webinspect text new.html --all)
            """
    )

    @Argument(help: ArgumentHelp("A URL, a path, or \"-\".", valueName: "source"))
    var source: String

    @OptionGroup var own: TextArguments
    @OptionGroup var shared: PageArguments

    static let tables = [PageArguments.flags, TextArguments.flags]
    var operands: [String] { [source] }
    var given: [GivenFlags] { [shared.given, own.given] }

    /// Loads, finds and writes; as grep has it, `no` if there is no text: that is an answer, not an error.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        let options = line.loading
        if options.json, line.text.isMarkdown {
            throw Failure(usage: "--markdown", "not together with --json, which has both")
        }
        if line.text.isDiscussion, line.text.isWhole {
            throw Failure(usage: "--comments", "not together with --all, which contradicts it")
        }
        options.startClock(line.source)
        let page = try await options.load(line.source, with: try options.loader()).parsed(for: line.source)
        page.shareAllowance()
        let lines: [UInt8]
        let json: () -> JSONValue
        if line.text.isDiscussion {
            let report = try DiscussionReport(page, source: line.source)
            lines = report.lines(asMarkdown: line.text.isMarkdown)
            json = { report.json }
        } else {
            let report = try TextReport(page, source: line.source, line.text)
            lines = report.lines
            json = { report.json }
        }
        try Output.write(options.json ? json().line : lines, to: options.output)
        Diagnostics.report(page, options)
        try Diagnostics.check(page, options)
        // The process ends now, and the tree with it: to free it node by node would only take time.
        _ = unsafe Unmanaged.passRetained(page)
        return lines.isEmpty ? .no : .done
    }
}
