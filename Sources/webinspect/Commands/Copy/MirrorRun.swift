import WebCopy
import WebSite

/// One run of a mirror.
struct MirrorRun {
    private let command: MirrorCommand
    private let options: LineOptions
    private let seeds: [WebURL]
    private let folder: String
    private let job: MirrorJob.Options

    /// How many missing URLs are said one by one.
    private static let maximumWarnings = 1000

    init(_ command: MirrorCommand, _ options: LineOptions) throws(Failure) {
        self.command = command
        self.options = options
        guard options.loading.record == nil else {
            throw Failure(usage: "--record", "not with mirror, which keeps an archive in its folder")
        }
        seeds = try CrawlReachArguments.seeds(command.seeds, options)
        var base = command.output[...]
        while base.utf8.count > 1, base.last == "/" { base = base.dropLast() }
        guard !base.isEmpty else { throw Failure(usage: "-o", "it is empty") }
        folder = String(base)
        var job = MirrorJob.Options()
        job.crawl.seeds = seeds
        job.crawl.scope = try command.reach.crawlScope(seeds)
        job.crawl.limits = try command.bounds.limits(command.reach, options)
        command.reach.set(&job.crawl, options)
        job.crawl.loadsResources = command.reach.resources
        job.crawl.keepsScripted = options.loading.rendering.isWanted
        job.crawl.maximumAnswers = try command.maxFiles.map { (text) throws(Failure) in
            try LoadingOptions.count("--max-files", text)
        }
        job.isUpdate = command.update
        job.keepsScripts = command.scripts
        job.showsLazyImages = command.lazy
        if let density = command.maxDensity { job.maximumDensity = try SaveArguments.density(density) }
        job.crawl.settings = try Self.settings(command, seeds, job.maximumDensity, options)
        self.job = job
    }

    /// Returns the settings that a mirror depends on: it can be continued only with the same ones.
    private static func settings(
        _ command: MirrorCommand,
        _ seeds: [WebURL],
        _ density: Double,
        _ options: LineOptions
    ) throws(Failure) -> [String: String] {
        var settings = try command.reach.settings(seeds, options)
        settings["command"] = "mirror"
        settings["--resources"] = command.reach.resources ? "yes" : "no"
        settings["--scripts"] = command.scripts ? "yes" : "no"
        if command.lazy { settings["--lazy"] = "yes" }
        if options.loading.rendering.isWanted { settings["--render"] = "yes" }
        // The default is the same, said or not.
        if density != MirrorJob.Options().maximumDensity { settings["--max-density"] = String(density) }
        return settings
    }

    func run() async throws(Failure) -> ExitStatus {
        let stop = StopRequest()
        let configuration = try options.siteConfiguration()
        let template = try options.loading.request(for: .aboutBlank)
        let mirror: MirrorJob
        do throws(StateError) {
            mirror = try await MirrorJob(folder, job, limits: configuration.limits)
        } catch {
            throw Failure(state: error)
        }
        // A job that never loaded a page begins anew with each start.
        if command.retryFailed || mirror.crawl.totals.pages == 0 {
            try CrawlRun.state { () throws(StateError) in try mirror.crawl.retryFailed() }
        }
        let loader = PageLoader(configuration: mirror.crawl.recording(configuration))
        Interruptions.pass(to: stop, isSilent: options.loading.isSilent)
        let sitemaps = SitemapSeeds(urls: command.reach.sitemap, seeds: seeds, options: options)
        try await sitemaps.add(to: mirror.crawl, loader, template, stop)
        let (end, summary) = try await copy(mirror, loader, template, stop)
        try options.loading.connection.save(configuration.cookieJar)
        guard let summary else {
            if !options.loading.isSilent {
                Output.message("webinspect: interrupted; the same command goes on")
            }
            return .interrupted
        }
        try report(summary, end, mirror.crawl.failures)
        return status(end, summary, mirror)
    }

    /// Loads the pages and writes the copy; returns `nil` in place of a summary if the run was interrupted.
    private func copy(
        _ mirror: MirrorJob,
        _ loader: PageLoader,
        _ template: WebRequest,
        _ stop: StopRequest
    ) async throws(Failure) -> (SiteRunner.End, MirrorSummary?) {
        defer { ProgressLine.clear() }
        do throws(StateError) {
            let end = try await mirror.load(
                loader,
                template: template,
                stop: stop,
                progress: SiteProgressLine.reporter(options)
            )
            ProgressLine.clear()
            if end == .drained || end == .stopped { return (end, nil) }
            return (end, try await mirror.write(after: end, loader, stop: stop))
        } catch {
            throw Failure(state: error)
        }
    }

    // MARK: - The end

    private func status(_ end: SiteRunner.End, _ summary: MirrorSummary, _ mirror: MirrorJob) -> ExitStatus {
        if case .limit = end { return .limit }
        if !mirror.hasPages, CrawlRun.isUnreachable(mirror.crawl) { return .network }
        if summary.missing.contains(where: { $0.code.hasPrefix("limit.") }) { return .limit }
        return summary.missing.count == summary.deadLinks && mirror.hasPages ? .done : .no
    }

    private func report(
        _ summary: MirrorSummary,
        _ end: SiteRunner.End,
        _ failures: [VisitFailure]
    ) throws(Failure) {
        if !options.loading.isSilent {
            // Missing files have lines of their own.
            for failure in failures where failure.url.path == "/robots.txt" { Output.message(failure.line) }
            warn(summary.missing.filter { !$0.isDeadLink }, "missing", "are missing")
            warn(summary.missing.filter(\.isDeadLink), "dead link", "links are dead")
            let missing = summary.missing.count - summary.deadLinks
            var line = "\(Wording.number(summary.files, "file")), \(TerminalText.bytes(summary.bytes))"
            if missing > 0 { line += ", \(missing) missing" }
            if let dead = Wording.count(summary.deadLinks, "dead link") { line += ", \(dead)" }
            if case .limit(let code) = end { line += "; a limit was reached (\(code))" }
            Output.message("webinspect: \(TerminalText.visible(folder))/index.html: \(line)")
        }
        if command.json { try Output.write(summary.json.line) }
    }

    private func warn(_ missing: [MirrorSummary.Missing], _ word: String, _ words: String) {
        for missing in missing.prefix(Self.maximumWarnings) {
            let url = Source.redacted(missing.url)
            Output.message("webinspect: warning: \(TerminalText.visible(url)): \(word) (\(missing.code))")
        }
        let more = missing.count - Self.maximumWarnings
        if more > 0 { Output.message("webinspect: warning: \(more) more \(words)") }
    }
}
