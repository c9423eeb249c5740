import ArgumentParser
import WebLoader

/// `webinspect history URL`: lists the versions of a page that the cache keeps.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the versions of a page that --keep-history has kept.",
        discussion: """
            A line each, the newest first: date, status, size, and what has changed against the version before, as webinspect diff \
            finds it. --at DATE of other commands loads the version of a date. A version that is damaged is left out, with a \
            warning. Exit status 5: no version is kept.

            Examples:
              webinspect https://example.com/ --keep-history
              webinspect history https://example.com/
              webinspect history https://example.com/ --max 10 --json
              webinspect text https://example.com/ --at 2026-05-01
            """
    )

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    @Flag(help: "List the dates only, and compare nothing.")
    var brief = false

    @Option(help: ArgumentHelp("How many are listed, the newest (1000).", valueName: "count"))
    var max: String?

    @OptionGroup var cache: CacheArguments

    /// How many damaged files are named.
    private static let maximumWarnings = 20

    func run() async throws {
        let url = try Source.parse(self.url)
        let count = try max.map { (text) throws(Failure) in try LoadingOptions.count("--max", text) } ?? 1000
        var options = LoadingOptions()
        options.cacheDirectory = cache.cacheDir
        let loader = try options.loader()
        let history: PageHistory
        do throws(LoadError) {
            history = try await loader.history(of: url, maximumCount: count)
        } catch {
            throw Failure(error, source: self.url)
        }
        for damage in history.damages.prefix(Self.maximumWarnings) {
            Output.message("webinspect: warning: left out, damaged: \(TerminalText.visible(damage))")
        }
        let others = history.damages.count - Self.maximumWarnings
        if others > 0 {
            Output.message("webinspect: warning: \(others) more are damaged; see webinspect cache verify")
        }
        let now = Timestamp.now
        if let version = history.versions.last(where: { $0.date > now }) {
            Output.message(
                "webinspect: warning: \(version.date.text) is in the future: the clock was set back, or is wrong"
            )
        }
        guard !history.versions.isEmpty else {
            throw Failure(
                notCached: url.description,
                "no version is kept of this URL; --keep-history keeps them"
            )
        }
        if history.olderCount > 0 {
            Output.message("webinspect: \(history.olderCount) older versions are not listed; see --max")
        }
        if cache.json {
            let changes = brief ? nil : await loader.changes(in: history)
            try Output.write(HistoryReport.json(history, changes).line)
            return
        }
        let terminal = Terminal.at(1)
        if brief {
            let lines = history.versions.reversed().map { HistoryReport.line($0, nil, terminal) }
            try Output.write(Array(lines.joined().utf8))
            return
        }
        // Each as it is found: many pages take their time.
        try await loader.forEachChange(in: history) { (version, change) throws(Failure) in
            try Output.write(Array(HistoryReport.line(version, change, terminal).utf8))
        }
    }
}
