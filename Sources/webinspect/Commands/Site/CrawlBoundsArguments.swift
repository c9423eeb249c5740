import ArgumentParser
import WebLoader
import WebSite

/// The flags that limit a crawl.
struct CrawlBoundsArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Pages, without their resources (any number).", valueName: "n"))
    var maxPages: String?

    @Option(help: ArgumentHelp("Bytes of bodies, as in 10G (any number).", valueName: "size"))
    var maxBytes: String?

    @Option(help: ArgumentHelp("Pages of one folder, the first three of a path (250000).", valueName: "n"))
    var maxPerFolder: String?

    @Option(help: ArgumentHelp("Pages of one host (2000000).", valueName: "n"))
    var maxPerHost: String?

    @Option(help: ArgumentHelp("Look-alikes in a row of one form of URL (5000).", valueName: "n"))
    var maxLookAlikes: String?

    /// Returns the limits of the crawl.
    func limits(_ reach: CrawlReachArguments, _ options: LineOptions) throws(Failure) -> CrawlLimits {
        var limits = CrawlLimits()
        limits.maximumDepth = try reach.maximumDepth()
        limits.maximumPages = try number("--max-pages", maxPages)
        limits.maximumBytes = try maxBytes.map { (text) throws(Failure) in
            try LoadingOptions.size(text, of: "--max-bytes")
        }
        limits.maximumTime = options.site.maximumTime.map { Duration(boundedSeconds: $0) }
        if let number = try number("--max-per-folder", maxPerFolder) {
            limits.maximumPagesPerFolder = number
        }
        if let number = try number("--max-per-host", maxPerHost) {
            limits.maximumPagesPerHost = number
        }
        if let number = try number("--max-look-alikes", maxLookAlikes) {
            limits.maximumLookAlikes = number
        }
        if let redirects = options.loading.maximumRedirects { limits.maximumRedirects = redirects }
        return limits
    }

    private func number(_ flag: String, _ text: String?) throws(Failure) -> Int? {
        guard let text else { return nil }
        return try LoadingOptions.count(flag, text)
    }
}
