import ArgumentParser
import WebLoader
import WebSite

/// `webinspect check SEED…`: whether the links of a page or a site lead somewhere.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check links, fragments and resources of pages, sitemaps and sites.",
        discussion: """
            SEED is a URL, a file, or a folder, which is a site then. Each target is asked for once (HEAD, then GET if need be), \
            each place that leads there is reported: ok, broken, unknown (401, 403, 429, time-outs: nobody can tell) or skipped. \
            With --recursive pages and style sheets of the seeds' hosts are read too, as their robots.txt allows. With --state a \
            check that is ended in any way goes on where it was. Hosts of the open web get 2 loads at once and one a second.

            Exit status 1: a link is broken, or what else --fail-on names; 6: --max-time was up.

            Examples:
              webinspect check https://example.com/ --no-external
              webinspect check https://example.com/ --recursive --no-external --state a.db
              webinspect check site/ --recursive --no-external --format junit -o links.xml
              webinspect check https://example.com/ --no-external --cache-results 1d
              webinspect check --list links.txt --no-external --baseline old.jsonl
            """
    )

    @Argument(help: ArgumentHelp("URLs, files, or folders.", valueName: "seed"))
    var sources: [String] = []

    @OptionGroup var check: CheckArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var shared: SiteArguments

    func run() async throws {
        let line = try shared.options(and: [pages.given])
        let options = try CheckOptions(check, sources, line)
        let run = try CheckRun(options, line)
        let status = try await run.run(
            SiteRunner(
                width: line.site.jobs,
                stop: StopRequest(),
                maximumSeconds: line.site.maximumTime,
                progress: SiteProgressLine.reporter(line)
            )
        )
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

extension CheckCommand {
    /// The value of `--sitemap` for those that the seeds' sites name.
    static let findsSitemaps = "auto"

    /// The line with a value for `--sitemap` where it has none, which ArgumentParser has no notion of.
    static func withOptionalValues(_ arguments: [String]) -> [String] {
        let commands: [any ParsableCommand.Type] = [Self.self, CrawlCommand.self, MirrorCommand.self]
        guard commands.contains(where: { $0.configuration.commandName == arguments.first }) else {
            return arguments
        }
        let end = arguments.firstIndex(of: "--") ?? arguments.count
        let whole = "--sitemap=\(findsSitemaps)"
        return arguments[..<end].map { $0 == "--sitemap" ? whole : $0 } + arguments[end...]
    }
}
