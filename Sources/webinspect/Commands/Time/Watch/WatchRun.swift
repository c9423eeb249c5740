import WebLoader
import WebSite

/// `watch`: one run over a list, or one after the other.
struct WatchRun {
    private let path: String
    private let line: LineOptions
    private let every: Double?
    private let state: String
    private let command: [String]?
    private let webhook: WebURL?
    private let output: WatchLines
    private let hooks: WatchWebhook
    private let robots: RobotsCache?
    private let stop = StopRequest()

    init(_ watch: WatchCommand, _ line: LineOptions) throws(Failure) {
        path = watch.list
        self.line = line
        for (flag, isGiven) in [
            ("--from", !line.loading.archives.isEmpty), ("--at", line.loading.archiveDate != nil),
            ("--record", line.loading.record != nil),
        ] where isGiven {
            throw Failure(usage: flag, "watch asks servers; see webinspect diff and webinspect crawl")
        }
        every = try watch.every.map { (text) throws(Failure) in try Self.interval(text) }
        command = try watch.command.map { (text) throws(Failure) in
            guard let words = ShellWords.split(text), words.first?.isEmpty == false else {
                throw Failure(
                    usage: "--run",
                    "not a program with its arguments: a quote is not closed, or there is none"
                )
            }
            return words
        }
        webhook = try watch.webhook.map { (text) throws(Failure) in
            guard let url = try? WebURL(text), url.scheme == "http" || url.scheme == "https" else {
                throw Failure(usage: "--webhook", "not a URL of http or https", code: "url.invalid")
            }
            return url
        }
        output = WatchLines(isJSON: watch.jsonl)
        hooks = WatchWebhook(line, isLocal: watch.localWebhook)
        robots = watch.robots ? RobotsCache(try line.siteFetcher(seeds: []), agent: line.agent) : nil
        state = watch.state ?? "\(path).state"
    }

    /// Reads a time between runs, as in "30s", "10m", "1h" and "1d".
    static func interval(_ text: String) throws(Failure) -> Double {
        let units: [(Substring, Double)] = [
            ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("", 1),
        ]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard digits.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
                let number = Double(digits), number > 0
            else { break }
            return max(0.001, (number * seconds).boundedSeconds)
        }
        throw Failure(usage: "--every \(text)", "not a time, as in 30s, 10m or 1h")
    }

    // MARK: - Running

    func run() async throws(Failure) -> ExitStatus {
        var list = try read()
        let store: WatchStore
        do throws(StateError) {
            store = try WatchStore(state)
        } catch {
            throw Failure(state: error)
        }
        Interruptions.pass(to: stop, isSilent: line.loading.isSilent)
        while true {
            let began = MonotonicClock.now
            let status = try await round(list, store)
            guard let every, status != .interrupted else { return status }
            await stop.wait(Duration(boundedSeconds: max(0, every - (MonotonicClock.now - began))))
            guard stop.level == .goOn else { return .interrupted }
            // A list that is being edited may be invalid for a moment.
            do throws(Failure) {
                list = try read()
            } catch {
                Output.message("\(error.line); the list is as it was before")
            }
        }
    }

    private func read() throws(Failure) -> WatchList {
        let source = try ExtractOptions.bytes(of: path)
        do throws(RuleError) {
            return try WatchList(parsing: source, file: path)
        } catch {
            let place = [error.line, error.column].compactMap { $0.map { ":\($0)" } }.joined()
            let rule = error.rule.map { "\($0): " } ?? ""
            throw Failure(usage: (error.file ?? path) + place, rule + error.message, code: "watch.invalid")
        }
    }

    private func round(_ read: WatchList, _ store: WatchStore) async throws(Failure) -> ExitStatus {
        var list = read
        for index in list.entries.indices {
            if list.entries[index].command == nil { list.entries[index].command = command }
            if list.entries[index].webhook == nil { list.entries[index].webhook = webhook }
            if line.loading.keepsHistory { list.entries[index].keepsHistory = true }
            let isRendered = list.entries[index].isRendered ?? line.loading.rendering.isWanted
            list.entries[index].isRendered = isRendered
        }
        let fetcher = try served.siteFetcher(seeds: list.entries.map(\.url))
        let renderer = try renderer(list, fetcher)
        var round = WatchRound(
            list,
            fetcher: fetcher,
            keeper: try historian(list, fetcher) ?? fetcher,
            renderer: renderer,
            store: store,
            channels: channels,
            stop: stop,
            retries: line.site.retries,
            overrides: try line.loading.overrides(),
            robots: robots
        )
        line.site.set(&round.options)
        round.width = line.site.jobs
        round.maximumSeconds = line.site.maximumTime
        // A line for each page says enough, unless more is wanted.
        round.progress = SiteProgressLine.reporter(line, unlessSaid: .off)
        let ended: ExitStatus
        do throws(StateError) {
            let (tally, end) = try await round.run()
            await fetcher.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
            await renderer?.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
            ended = Self.status(tally, end)
        } catch {
            throw Failure(state: error)
        }
        try line.loading.connection.save(fetcher.loader.configuration.cookieJar)
        return ended
    }

    /// The line without the running of scripts: pages are asked for, and looked at, by loaders that run none.
    private var served: LineOptions {
        var line = line
        line.loading.rendering.isWanted = false
        return line
    }

    /// Returns the renderer that runs the scripts of pages; `nil` if no page has its scripts run.
    ///
    /// The cache must revalidate its responses, as below; no versions of the scripts' requests are stored.
    private func renderer(_ list: WatchList, _ fetcher: SiteFetcher) throws(Failure) -> WatchRenderer? {
        guard list.entries.contains(where: { $0.isRendered == true }) else { return nil }
        var line = line
        line.loading.rendering.isWanted = true
        line.loading.keepsHistory = false
        line.loading.keepsForOfflineUse = false
        if line.usesCache, line.loading.policies.isEmpty {
            line.loading.policies = [.reloadRevalidatingCacheData]
        }
        return WatchRenderer(
            try line.siteFetcher(seeds: list.entries.map(\.url), sharingCookiesOf: fetcher),
            awaitsSomething: line.loading.rendering.options.waitSelector != nil
        )
    }

    /// Returns the fetcher of pages whose versions the cache stores; `nil` if there are none.
    ///
    /// Fresh responses are revalidated, too: watching needs the current state.
    private func historian(_ list: WatchList, _ fetcher: SiteFetcher) throws(Failure) -> SiteFetcher? {
        guard list.entries.contains(where: \.keepsHistory) else { return nil }
        var line = served
        line.loading.keepsHistory = true
        line.loading.keepsForOfflineUse = true
        if line.loading.policies.isEmpty { line.loading.policies = [.reloadRevalidatingCacheData] }
        return try line.siteFetcher(seeds: list.entries.map(\.url), sharingCookiesOf: fetcher)
    }

    private var channels: WatchChannels {
        WatchChannels(
            line: { [output] in await output.write($0) },
            tellsAll: !line.loading.isSilent,
            command: { [stop] in await WatchProgram.send($0, $1, $2, stop) },
            webhook: { [hooks] in await hooks.send($0, $1) },
            warn: { [isSilent = line.loading.isSilent] in
                guard !isSilent else { return }
                Output.message("webinspect: warning: \(TerminalText.visible("\($0): \($1)"))")
            }
        )
    }

    private static func status(_ tally: WatchTally, _ end: SiteRunner.End) -> ExitStatus {
        switch end {
        case .drained, .stopped: return .interrupted
        case .complete, .limit: break
        }
        if tally.hasNews || tally.holds { return .no }
        if let code = tally.failure?.code { return status(of: code) }
        return end == .complete ? .done : .limit
    }

    /// The status for a page that could not be seen.
    private static func status(of code: String) -> ExitStatus {
        if code.hasPrefix("http.") { return .httpStatus }
        if code == "watch.empty" { return .content }
        if code == "host.dead" || code.hasPrefix("robots.") { return .network }
        return ExitStatus(RuleError.Code(rawValue: code))
    }
}
