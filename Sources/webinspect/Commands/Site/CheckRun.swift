import WebLoader
import WebSite

/// A run of `check`: seeds, the check, and what it writes.
struct CheckRun {
    let options: CheckOptions
    let line: LineOptions
    private let fetcher: SiteFetcher
    private let robots: RobotsCache?
    private let baseline: CheckBaseline?

    init(_ options: CheckOptions, _ line: LineOptions) throws(Failure) {
        self.options = options
        self.line = line
        fetcher = try line.siteFetcher(seeds: options.seeds.map(\.url))
        let scope = options.settings.scope
        let isEntered = scope.isRecursive || options.findsSitemaps || !options.sitemaps.isEmpty
        let isOffline = !line.loading.archives.isEmpty || line.loading.archiveDate != nil
        robots =
            scope.obeysRobots && isEntered && !isOffline ? RobotsCache(fetcher, agent: line.agent) : nil
        baseline = try options.baseline.map { (path) throws(Failure) in try CheckBaseline(path) }
    }

    /// Whether links are kept with the state and written at the end, rather than as they become known.
    private var writesAtEnd: Bool {
        // A file holds all of it, also what former lives found.
        !options.format.isLines || options.isGrouped || options.output != nil && options.settings.state != nil
    }

    func run(_ runner: SiteRunner) async throws(Failure) -> ExitStatus {
        let output = try SiteOutput(
            options.output,
            isStyled: line.loading.terminal.isColored,
            maximumTime: line.site.maximumTime
        )
        var report = CheckReport(
            options.format,
            saysAll: line.loading.isVerbose,
            terminal: options.output == nil ? line.loading.terminal : .none
        )
        report.isCompared = baseline != nil
        if options.isGrouped { report.groups = CheckGroups(saysAll: report.saysAll) }
        let keeper = CheckLineKeeper(report, output, baseline, writesAtEnd: writesAtEnd)
        let told = SiteChecker.Output(
            link: { (link) throws(StateError) in try keeper.add(link) },
            flush: { () throws(StateError) in try keeper.flush() }
        )
        let checker = try keeper.attempt { () throws(StateError) in
            try SiteChecker(options.settings, fetcher, robots: robots, told)
        }
        keeper.checker = checker
        defer { keeper.checker = nil }
        if try keeper.attempt({ () throws(StateError) in try checker.needsSeeds }) {
            let seeds = CheckSeeds(options: options, line: line, fetcher: fetcher, robots: robots)
            try await seeds.add(to: checker)
        }
        // Until here a signal ends the process: lists may come from a pipe that nobody writes to.
        Interruptions.pass(to: runner.stop, isSilent: line.loading.isSilent)
        let end: SiteRunner.End
        do throws(StateError) {
            end = try await checker.run(runner)
        } catch {
            throw keeper.failure ?? Failure(state: error)
        }
        try line.loading.connection.save(fetcher.loader.configuration.cookieJar)
        try write(checker, report, output, keeper)
        try keeper.attempt { () throws(StateError) in try checker.close() }
        return status(checker, end)
    }

    /// Writes what is written at the end.
    private func write(
        _ checker: SiteChecker,
        _ report: CheckReport,
        _ output: SiteOutput,
        _ keeper: CheckLineKeeper
    ) throws(Failure) {
        var report = report
        try report.begin(checker.summary, output)
        if writesAtEnd {
            var count = 0
            let failure = try keeper.attempt { () throws(StateError) in
                try checker.forEachLine { (line) throws(Failure) in
                    count += 1
                    if count.isMultiple(of: 4096) { output.noteProgress() }
                    try report.add(line, output)
                }
            }
            output.noteProgress()
            if let failure { throw failure }
        }
        try report.end(checker.summary, output)
        try output.finish()
    }

    private func status(_ checker: SiteChecker, _ end: SiteRunner.End) -> ExitStatus {
        let summary = checker.summary
        var status = summary.new > 0 ? ExitStatus.no : .done
        if options.failsOnUnknown, summary.unknown > 0 { status = .no }
        if options.failsOnMoved, summary.moved > 0 { status = .no }
        // A seed that cannot be read is not sound, although no broken link was found on it.
        if summary.failedSeeds > 0, baseline == nil { status = .no }
        let rest = options.settings.state.map { "; the same command goes on, with --state \($0)" } ?? ""
        switch end {
        case .complete:
            if checker.isFull {
                say("there are more pages than --max-pages allows; links to them are checked")
            }
            return status
        case .limit(let code):
            say("not all was checked (\(code))\(rest)")
            return status == .done ? .limit : status
        case .drained, .stopped:
            say("not all was checked\(rest)")
            return .interrupted
        }
    }

    private func say(_ message: String) {
        if !line.loading.isSilent { Output.message("webinspect: \(message)") }
    }
}
