import ArgumentParser
import WebLoader

/// `webinspect text SOURCE`: what a page says, to be read.
struct TextCommand: QuickCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Write the readable text of a page, plain or as Markdown.",
        discussion: """
            SOURCE is a URL (http, https, file, data), a path, or "-" for standard input. It writes the main \
            content, without menus, advertisements, comments and the like; --whole writes the whole page, --comments \
            what people have said on it: comments, replies, posts of a forum, answers. Markdown is CommonMark with \
            GitHub's tables and footnotes, links absolute. With several sources each text has a line before it that says \
            its source. Exit status 1: there is no text, or no comment.

            Examples:
              webinspect text https://example.com/article
              webinspect text https://example.com/article --markdown -o article.md
              webinspect text https://example.com/article --comments
              webinspect text page.html --base-url https://example.com/ --json
              diff <(webinspect text old.html --whole) <(webinspect text new.html --whole)
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String] = []

    @OptionGroup var own: TextArguments
    @OptionGroup var lines: PageLinesArguments
    @OptionGroup var shared: PageArguments

    static let tables = [PageArguments.flags, TextArguments.flags, PageLinesArguments.flags]
    static let operandCount = 1...Int.largestBounded
    var operands: [String] { sources }
    var given: [GivenFlags] { [shared.given, own.given, lines.given] }

    /// Loads, finds and writes; as grep has it, `no` if there is no text: that is an answer, not an error.
    static func run(_ line: LineOptions) async throws(Failure) -> ExitStatus {
        var line = line
        if line.text.takesAll {
            // The flag is older than --from.
            if line.loading.archives.isEmpty {
                line.text.isWhole = true
            } else {
                line.loading.takesAllPages = true
            }
        }
        line.text.explains = line.loading.explains
        let options = line
        if line.loading.writesDocuments, line.text.isMarkdown {
            throw Failure(usage: "--markdown", "not together with --json, which has both")
        }
        try line.text.check()
        return try await PageSources(line.operands, line.loading).forEach {
            (item, output) async throws(Failure) in
            try await write(item, options, &output)
        }
    }

    private static func write(
        _ item: PageSources.Item,
        _ line: LineOptions,
        _ output: inout PageOutput
    ) async throws(Failure) -> ExitStatus {
        let options = line.loading
        let page = try await item.page.parsed(for: item.name)
        page.shareAllowance()
        let answer = try TextAnswer(page, source: item.name, line.text)
        let lines = answer.lines
        let isDocument = options.writesDocuments
        try output.write(isDocument ? answer.json.line : lines, of: item, as: isDocument ? .document : .text)
        Diagnostics.report(page, options)
        answer.report(options)
        try Diagnostics.check(page, options)
        item.leave(page)
        return lines.isEmpty ? .no : .done
    }
}
