import WebArchive
import WebLoader
import WebSite

/// One run of a crawl.
struct CrawlRun {
    let command: CrawlCommand
    let options: LineOptions
    let place: CrawlPlace
    let seeds: [WebURL]
    private let scope: CrawlScope
    private let limits: CrawlLimits
    private let archiveSize: Int?

    init(_ command: CrawlCommand, _ options: LineOptions, _ place: CrawlPlace) throws(Failure) {
        self.command = command
        self.options = options
        self.place = place
        guard options.loading.record == nil else {
            throw Failure(usage: "--record", "not with crawl, which writes an archive itself; see -o")
        }
        seeds = try CrawlReachArguments.seeds(command.seeds, options)
        scope = try command.reach.crawlScope(seeds)
        limits = try command.bounds.limits(command.reach, options)
        archiveSize = try command.warcSize.map { (text) throws(Failure) in
            try LoadingOptions.size(text, of: "--warc-size")
        }
        if archiveSize != nil, place.form != .warc {
            throw Failure(usage: "--warc-size", "only where -o is a WARC")
        }
    }

    /// Returns the settings that the result depends on: a job is continued only with the same ones, though
    /// its limits and its pace may differ.
    private func settings() throws(Failure) -> [String: String] {
        var settings = try command.reach.settings(seeds, options)
        settings["command"] = "crawl"
        settings["output"] = place.form.rawValue
        settings["--resources"] = command.reach.resources ? "yes" : "no"
        return settings
    }

    func run() async throws(Failure) -> ExitStatus {
        let stop = StopRequest()
        let configuration = try configuration()
        var template = try options.loading.request(for: .aboutBlank)
        if place.form == .folder { template.keepsForOfflineUse = template.storesResponse }
        let jobOptions = try jobOptions()
        let job = try Self.state { () throws(StateError) in try CrawlJob(jobOptions) }
        // A job that never loaded a page begins anew with each start.
        if command.job.retryFailed || job.totals.pages == 0 {
            try Self.state { () throws(StateError) in try job.retryFailed() }
        }
        let loader = PageLoader(configuration: job.recording(configuration))
        Interruptions.pass(to: stop, isSilent: options.loading.isSilent)
        let sitemaps = SitemapSeeds(urls: command.reach.sitemap, seeds: seeds, options: options)
        try await sitemaps.add(to: job, loader, template, stop)
        let lines = CrawlLines(stop)
        var deliver: (@Sendable (CrawledPage) async -> Bool)?
        if command.jsonl { deliver = { await lines.write($0) } }
        let end: SiteRunner.End
        do throws(StateError) {
            end = try await job.run(
                loader,
                template: template,
                stop: stop,
                progress: SiteProgressLine.reporter(options),
                deliver: deliver
            )
        } catch {
            ProgressLine.clear()
            throw Failure(state: error)
        }
        ProgressLine.clear()
        try options.loading.connection.save(configuration.cookieJar)
        if let failure = await lines.failure { throw failure }
        let status = status(end, job)
        if place.form == .wacz, status == .done || status == .limit { try pack(job) }
        if !options.loading.isSilent { report(end, job) }
        return status
    }

    static func state<Value>(
        _ body: () throws(StateError) -> Value
    ) throws(Failure) -> Value {
        do throws(StateError) {
            return try body()
        } catch {
            throw Failure(state: error)
        }
    }

    // MARK: - Settings

    /// How pages are loaded.
    private func configuration() throws(Failure) -> PageLoader.Configuration {
        var configuration = try options.siteConfiguration()
        if place.form == .folder {
            configuration.cacheDirectory = place.output
            configuration.maximumCacheSize = .largestBounded
        }
        return configuration
    }

    private func jobOptions() throws(Failure) -> CrawlJob.Options {
        var job = CrawlJob.Options()
        job.seeds = seeds
        job.scope = scope
        job.limits = limits
        command.reach.set(&job, options)
        job.loadsResources = command.reach.resources
        job.state = place.state
        job.archive = place.archive
        job.archiveSize = archiveSize
        job.settings = try settings()
        return job
    }
}
