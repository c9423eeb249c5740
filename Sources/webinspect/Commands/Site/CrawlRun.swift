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
        guard !command.seeds.isEmpty else { throw Failure(usage: "seed", "no URL to begin with was given") }
        seeds = try command.seeds.map { (text) throws(Failure) in
            guard case .url(let url) = try Source(text, options.loading), url.scheme != "data" else {
                throw Failure(usage: Source.redacted(text), "not a URL or a path that a crawl can begin with")
            }
            return url.withoutFragment
        }
        scope = try Self.scope(command.reach, seeds)
        limits = try Self.limits(command, options)
        archiveSize = try command.bounds.warcSize.map(LoadingOptions.size)
        if archiveSize != nil, place.form != .warc {
            throw Failure(usage: "--warc-size", "only where -o is a WARC")
        }
    }

    private static func scope(
        _ reach: CrawlReachArguments,
        _ seeds: [WebURL]
    ) throws(Failure) -> CrawlScope {
        guard let extent = CrawlScope.Extent(rawValue: reach.scope) else {
            throw Failure(
                usage: "--scope \(reach.scope)",
                "not one of \(CrawlScope.Extent.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        var scope = CrawlScope(extent, around: seeds)
        for pattern in reach.include { scope.include(pattern) }
        for pattern in reach.exclude { scope.exclude(pattern) }
        return scope
    }

    private static func limits(
        _ command: CrawlCommand,
        _ options: LineOptions
    ) throws(Failure) -> CrawlLimits {
        func positive(_ flag: String, _ number: Int?, least: Int = 1) throws(Failure) -> Int? {
            guard let number else { return nil }
            guard number >= least else {
                throw Failure(usage: "\(flag) \(number)", "not a number from \(least)")
            }
            return Int(bounded: number)
        }
        let bounds = command.bounds
        var limits = CrawlLimits()
        limits.maximumDepth = try positive("--depth", command.reach.depth, least: 0)
        limits.maximumPages = try positive("--max-pages", bounds.maxPages)
        limits.maximumBytes = try bounds.maxBytes.map(LoadingOptions.size)
        limits.maximumTime = options.site.maximumTime.map { Duration(boundedSeconds: $0) }
        if let number = try positive("--max-per-folder", bounds.maxPerFolder) {
            limits.maximumPagesPerFolder = number
        }
        if let number = try positive("--max-per-host", bounds.maxPerHost) {
            limits.maximumPagesPerHost = number
        }
        if let number = try positive("--max-look-alikes", bounds.maxLookAlikes) {
            limits.maximumLookAlikes = number
        }
        if let redirects = options.loading.maximumRedirects { limits.maximumRedirects = redirects }
        return limits
    }

    /// What the result depends on: a job is continued with the same only, at other limits and another pace if need be.
    private var settings: [String: String] {
        let reach = command.reach
        var settings = [
            "command": "crawl", "output": place.form.rawValue,
            "seeds": seeds.map(\.href).joined(separator: " "),
            "--scope": reach.scope, "--resources": reach.resources ? "yes" : "no",
            "--nofollow": reach.nofollow ? "yes" : "no",
            "robots.txt": reach.robots ? "obeyed" : "ignored", "user agent": options.agent,
            "--strip-sessions": reach.stripSessions ? "yes" : "no",
        ]
        if !reach.include.isEmpty { settings["--include"] = reach.include.joined(separator: " ") }
        if !reach.exclude.isEmpty { settings["--exclude"] = reach.exclude.joined(separator: " ") }
        if let depth = reach.depth { settings["--depth"] = String(depth) }
        if !options.loading.archives.isEmpty {
            settings["--from"] = options.loading.archives.joined(separator: " ")
        }
        return settings
    }

    func run() async throws(Failure) -> ExitStatus {
        let stop = StopRequest()
        let configuration = try configuration()
        var template = try options.loading.request(for: .aboutBlank)
        if place.form == .folder { template.keepsForOfflineUse = template.storesResponse }
        let job = try Self.state { [self] () throws(StateError) in
            try CrawlJob(jobOptions())
        }
        // What never loaded anything begins anew with each start.
        if command.job.retryFailed || job.totals.pages == 0 {
            try Self.state { () throws(StateError) in try job.retryFailed() }
        }
        let loader = PageLoader(configuration: job.recording(configuration))
        Interruptions.pass(to: stop, isSilent: options.loading.isSilent)
        try await addSitemaps(loader, template, job, stop)
        let end: SiteRunner.End
        do throws(StateError) {
            end = try await job.run(
                loader,
                template: template,
                stop: stop,
                progress: SiteProgressLine.drawing(isSilent: options.loading.isSilent)
            )
        } catch {
            ProgressLine.clear()
            throw Failure(state: error)
        }
        ProgressLine.clear()
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
            configuration.maximumCacheSize = .max
        }
        return configuration
    }

    private func jobOptions() -> CrawlJob.Options {
        var job = CrawlJob.Options()
        job.seeds = seeds
        job.scope = scope
        job.limits = limits
        job.canonical = CanonicalURL(stripsSessions: command.reach.stripSessions)
        job.loadsResources = command.reach.resources
        job.followsNofollow = !command.reach.nofollow
        job.robotsAgent = command.reach.robots ? options.agent : nil
        job.retries = options.site.retries
        job.width = options.site.jobs
        var politeness = Frontier.Options()
        politeness.localPoliteness = job.localPoliteness
        options.site.set(&politeness)
        job.politeness = politeness.politeness
        job.localPoliteness = politeness.localPoliteness
        job.state = place.state
        job.archive = place.archive
        job.archiveSize = archiveSize
        job.settings = settings
        job.information = [("robots", command.reach.robots ? "obey" : "ignore")]
        return job
    }
}
