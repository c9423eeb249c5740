import HTTPTypes
import WebLoader
import WebSite

/// The options of the commands that load many pages.
struct SiteOptions: Equatable {
    var jobs = 16
    var loadsPerHost: Int?
    /// Loads a second of a host.
    var rate: Double?
    var retries = 2
    /// Seconds for all of it.
    var maximumTime: Double?
    /// Seconds for one load.
    var pageTime = 60.0
    /// How it is said how far the job is; nil for as the command does.
    var progress: ProgressForm?

    /// More loads at once than any machine has use for.
    static let largestJobs = 256

    /// Parses a rate: "2/s", "30/m", "100/h", or a number of loads a second.
    static func rate(_ text: String) throws(Failure) -> Double {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let units: [Substring: Double] = ["s": 1, "m": 60, "h": 3600]
        guard let number = Double(parts[0]), number > 0, number.isFinite,
            let unit = parts.count == 1 ? 1 : units[parts[1]]
        else {
            throw Failure(usage: "--rate \(text)", "not a rate, as in 2/s, 30/m or 0.5")
        }
        return number / unit
    }

    /// How hosts are spared, those of the open web and one's own.
    func set(_ options: inout Frontier.Options) {
        if let loadsPerHost {
            options.politeness.concurrency = loadsPerHost
            options.localPoliteness.concurrency = loadsPerHost
        }
        if let rate {
            // A little more, so that no second has one too many: neither by chance nor with a robots.txt.
            options.politeness.interval = (1.05 / rate).boundedSeconds
            options.localPoliteness.interval = options.politeness.interval
        }
    }
}

/// How a command says on stderr how far its job is.
enum ProgressForm: String, CaseIterable {
    /// A line that stays in its place, on a terminal only.
    case text
    /// Lines of JSON.
    case json
    case off = "none"

    /// The names, for people.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// A form by its name.
    static func named(_ name: String) throws(Failure) -> ProgressForm {
        guard let form = ProgressForm(rawValue: name) else {
            throw Failure(usage: "--progress \(name)", "not one of \(names)")
        }
        return form
    }
}

extension LineOptions {
    /// A loader for many pages, by ``siteConfiguration(keepsCookies:)``.
    func siteLoader(keepsCookies: Bool = true) throws(Failure) -> PageLoader {
        PageLoader(configuration: try siteConfiguration(keepsCookies: keepsCookies))
    }

    /// How many pages are loaded: retries and pace are the job's, and the cache is used only if a flag speaks of it.
    ///
    /// - Parameter keepsCookies: Whether what a site sets is sent back to it, unless `-b` or `-c` say so anyway.
    /// - Returns: The configuration.
    /// - Throws: ``Failure`` for a flag that makes no sense.
    func siteConfiguration(keepsCookies: Bool = true) throws(Failure) -> PageLoader.Configuration {
        // A load that gets no descriptor would look as if the server could not be reached.
        try Main.checkDescriptors(Int32(clamping: min(8 + 2 * site.jobs, 64)))
        var loading = loading
        loading.connection.maximumConnections = site.jobs
        loading.maximumTime = site.pageTime
        var configuration = try loading.configuration(pagesPerWorker: 100)
        try loading.checkRecords(of: configuration)
        configuration.blockingWork = .threads
        if !usesCache { configuration.cacheDirectory = nil }
        // Cookies are stored for the run.
        if configuration.cookieJar == nil, keepsCookies { configuration.cookieJar = CookieJar() }
        return configuration
    }

    /// Whether a flag speaks of the cache.
    var usesCache: Bool {
        !loading.policies.isEmpty && loading.policies != [.reloadIgnoringLocalCacheData]
            || loading.cacheDirectory != nil || loading.keepsForOfflineUse || loading.archiveDate != nil
    }

    /// Creates the fetcher that makes the requests of a job.
    ///
    /// - Parameters:
    ///   - seeds: The URLs that the job begins with.
    ///   - other: Another fetcher of the job, whose cookies it shares; `nil` if there is no other.
    /// - Returns: The fetcher.
    /// - Throws: ``Failure`` for a flag that makes no sense.
    func siteFetcher(
        seeds: some Sequence<WebURL>,
        sharingCookiesOf other: SiteFetcher? = nil
    ) throws(Failure) -> SiteFetcher {
        var configuration = try siteConfiguration()
        if let other { configuration.cookieJar = other.loader.configuration.cookieJar }
        let loader = PageLoader(configuration: configuration)
        return SiteFetcher(loader, template: try loading.request(for: .aboutBlank), seeds: seeds)
    }

    /// The User-Agent that is sent, which robots.txt is read for.
    var agent: String { loading.userAgent ?? CurlFetcher.userAgent }
}
