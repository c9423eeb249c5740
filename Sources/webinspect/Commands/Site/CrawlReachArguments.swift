import ArgumentParser
import WebLoader
import WebSite

/// How far a crawl goes.
struct CrawlReachArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How far: the seeds' hosts, their registrable domains, their folders (prefix), or any.",
            valueName: "host|domain|prefix|any"
        ),
        completion: .list(CrawlScope.Extent.allCases.map(\.rawValue))
    )
    var scope = "host"

    @Option(
        help: ArgumentHelp(
            "Only pages whose URL matches; \"*\" matches any characters. May be repeated.",
            valueName: "glob"
        )
    )
    var include: [String] = []

    @Option(help: ArgumentHelp("Nothing whose URL matches. May be repeated.", valueName: "glob"))
    var exclude: [String] = []

    @Option(help: ArgumentHelp("Links away from a seed; seeds are 0 (any number).", valueName: "n"))
    var depth: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Load what pages need to be shown too, from any host: images, style sheets, scripts."
    )
    var resources = true

    @Flag(help: "Do not follow links that are marked with nofollow.")
    var nofollow = false

    @Flag(inversion: .prefixedNo, help: "Keep the rules of robots.txt.")
    var robots = true

    @Option(
        help: ArgumentHelp(
            "Begin with what a sitemap lists too: this one, or with --sitemap alone those that the seeds' sites name.",
            valueName: "url"
        )
    )
    var sitemap: [String] = []

    @Flag(help: "Take URLs for the same that differ in session IDs or the parameters of campaigns (utm_…).")
    var stripSessions = false

    /// Returns the URLs that a crawl begins with.
    static func seeds(_ texts: [String], _ options: LineOptions) throws(Failure) -> [WebURL] {
        guard !texts.isEmpty else { throw Failure(usage: "seed", "no URL to begin with was given") }
        return try texts.map { (text) throws(Failure) in
            guard case .url(let url) = try Source(text, options.loading), url.scheme != "data" else {
                throw Failure(usage: Source.redacted(text), "not a URL or a path that a crawl can begin with")
            }
            return url.withoutFragment
        }
    }

    /// Which pages belong to it.
    func crawlScope(_ seeds: [WebURL]) throws(Failure) -> CrawlScope {
        guard let extent = CrawlScope.Extent(rawValue: scope) else {
            throw Failure(
                usage: "--scope \(scope)",
                "not one of \(CrawlScope.Extent.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        var scope = CrawlScope(extent, around: seeds)
        for pattern in include { scope.include(pattern) }
        for pattern in exclude { scope.exclude(pattern) }
        return scope
    }

    /// How many links away from a seed a page may be; nil: any number.
    func maximumDepth() throws(Failure) -> Int? {
        guard let depth else { return nil }
        return try LoadingOptions.count("--depth", depth, least: 0)
    }

    /// Returns the settings that the result depends on.
    func settings(_ seeds: [WebURL], _ options: LineOptions) throws(Failure) -> [String: String] {
        var settings = [
            "seeds": seeds.map(\.withoutCredentials.href).joined(separator: " "), "--scope": scope,
            "--nofollow": nofollow ? "yes" : "no",
            "robots.txt": robots ? "obeyed" : "ignored", "user agent": options.agent,
            "--strip-sessions": stripSessions ? "yes" : "no",
        ]
        if !include.isEmpty { settings["--include"] = include.joined(separator: " ") }
        if !exclude.isEmpty { settings["--exclude"] = exclude.joined(separator: " ") }
        if let depth = try maximumDepth() { settings["--depth"] = String(depth) }
        if !options.loading.archives.isEmpty {
            settings["--from"] = options.loading.archives.joined(separator: " ")
        }
        if let date = options.loading.archiveDate { settings["--at"] = date.text }
        return settings
    }

    /// Sets what of it is the job's, and what the line says of its pace.
    func set(_ job: inout CrawlJob.Options, _ options: LineOptions) {
        job.canonical = CanonicalURL(stripsSessions: stripSessions)
        job.followsNofollow = !nofollow
        job.robotsAgent = robots ? options.agent : nil
        job.retries = options.site.retries
        job.width = options.site.jobs
        var politeness = Frontier.Options()
        politeness.localPoliteness = job.localPoliteness
        options.site.set(&politeness)
        job.politeness = politeness.politeness
        job.localPoliteness = politeness.localPoliteness
        job.information = [("robots", robots ? "obey" : "ignore")]
    }
}
