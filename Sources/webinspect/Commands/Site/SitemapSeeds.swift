import WebLoader
import WebSite

/// The pages that a crawl begins with besides its seeds: those that sitemaps list.
struct SitemapSeeds {
    /// The sitemaps; ``CheckCommand/findsSitemaps`` stands for those that the seeds' sites name.
    let urls: [String]
    let seeds: [WebURL]
    let options: LineOptions

    /// Adds the pages of the sitemaps, once per job; a process that is ended meanwhile begins anew with it.
    func add(
        to job: CrawlJob,
        _ loader: PageLoader,
        _ template: WebRequest,
        _ stop: StopRequest
    ) async throws(Failure) {
        guard !urls.isEmpty, try !areRead(job) else { return }
        var sitemaps: [WebURL] = []
        for text in urls where text != CheckCommand.findsSitemaps {
            guard case .url(let url) = try Source(text, options.loading) else {
                throw Failure(usage: "--sitemap", "expects a URL or a path")
            }
            sitemaps.append(url)
        }
        // The user's credentials are for the sites that the user named, not for those that a robots.txt
        // names.
        let named = sitemaps + seeds
        if urls.contains(CheckCommand.findsSitemaps) {
            for seed in seeds { sitemaps += await loader.sitemaps(ofSite: seed, template: template) }
        }
        var faults = 0
        var found: [WebURL] = []
        for await item in loader.sitemapEntries(of: sitemaps, template: template, sites: named) {
            // Pages read so far are stored; the next run reads all of the sitemaps again.
            guard stop.level == .goOn else { return try add(found, to: job) }
            switch item {
            case .entry(let entry, _): found.append(entry.location)
            case .fault(let fault, let url):
                faults += 1
                warn("\(url): \(fault.message)", faults)
            case .failure(let error, _):
                faults += 1
                warn(error.description, faults)
            }
            guard found.count >= Self.batchSize else { continue }
            try add(found, to: job)
            found = []
        }
        try add(found, to: job)
        try CrawlRun.state { () throws(StateError) in
            try job.frontier.setNote(Self.sitemapsNote, "read", now: .now)
            try job.frontier.commit()
        }
    }

    private func areRead(_ job: CrawlJob) throws(Failure) -> Bool {
        try CrawlRun.state { () throws(StateError) in
            try job.frontier.note(Self.sitemapsNote) != nil
        }
    }

    private func add(_ urls: [WebURL], to job: CrawlJob) throws(Failure) {
        try CrawlRun.state { () throws(StateError) in try job.add(listed: urls) }
    }

    private func warn(_ message: String, _ number: Int) {
        guard !options.loading.isSilent, number <= Self.maximumWarnings else { return }
        Output.message("webinspect: warning: \(TerminalText.visible(message))")
    }

    private static let batchSize = 1000
    private static let maximumWarnings = 20
    private static let sitemapsNote = "crawl.sitemaps"
}
