public import WebDatabase
public import WebLoader
public import WebStandards
import HTTPTypes
import WebTransport

/// The pages of a site, one after the other, past whatever ends the program.
///
/// ```swift
/// var configuration = SiteCrawler.Configuration()
/// configuration.statePath = "example.state"
/// let crawler = SiteCrawler([try WebURL("https://example.com/")], configuration)
/// for try await page in crawler {
///     print(page.url, page.page?.title ?? "")
/// }
/// ```
///
/// Each page that can be reached by links is an element once, whatever its status, and so is each that could not be loaded; what
/// redirects is none, but the page that it leads to. Sites are asked politely: robots.txt is obeyed, and hosts of the open web get two
/// requests at once and one a second (``Configuration/maximumLoadsPerHost``, ``Configuration/interval``).
///
/// A page counts as done when the next one is asked for. With a ``Configuration/statePath`` a program that was ended, also by
/// `kill -9`, goes on where it was: no page is left out, and none comes again but those of the last moment. A sequence that has come to
/// its end is empty from then on.
///
/// Memory is bounded by the pages that are loaded ahead, of which there are at most ``Configuration/maximumLoads``, and does not
/// grow with the site.
public struct SiteCrawler: AsyncSequence, Sendable {
    /// How a site is crawled.
    public struct Configuration: Sendable {
        /// Which pages belong to it; nil, the default, for those of the seeds' hosts.
        public var scope: CrawlScope?

        /// How much is loaded, and what is taken for a trap.
        public var limits = CrawlLimits()

        /// What makes two URLs the same.
        public var canonical = CanonicalURL()

        /// Whether images, style sheets and the like are loaded too; false by default.
        ///
        /// They are for the loader's cache or archive, and no elements.
        public var loadsResources = false

        /// Whether links marked with "nofollow" are followed; true by default.
        public var followsNofollow = true

        /// Whether robots.txt is asked for and obeyed; true by default.
        public var obeysRobots = true

        /// How often a request is made again that failed for a reason that may pass; 2 by default.
        public var maximumRetries = 2 { didSet { maximumRetries.boundCount() } }

        /// How many requests run at once, and how many pages are held; 16 by default, at least 1.
        public var maximumLoads = 16 { didSet { maximumLoads = Swift.max(1, maximumLoads) } }

        /// How many of them are of one host; nil, the default, for 2, and 3 of this machine's own.
        public var maximumLoadsPerHost: Int?

        /// How far apart requests to a host begin; nil, the default, for a second, and nothing of this machine's own.
        ///
        /// A host that asks for more (Crawl-delay, Retry-After) gets it.
        public var interval: Duration?

        /// The file that keeps what is done and what is left; nil, the default, for none that outlives the sequence.
        ///
        /// Beside it there are files of its name and `-wal` and `.lock`. It is used by one sequence at a time, with the same seeds
        /// and the same scope each time.
        public var statePath: String?

        /// What each request is like: its fields, its cache policy, its time-out; nil, the default, for plain requests.
        ///
        /// Its URL does not count. To hosts that no seed is of, nothing of it goes but Accept, Accept-Encoding, Accept-Language,
        /// Cache-Control and User-Agent.
        public var template: WebRequest?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// What it begins with.
    public let seeds: [WebURL]

    /// How it is crawled.
    public let configuration: Configuration

    private let loader: PageLoader

    /// Creates a crawler; nothing is loaded until its first element is asked for.
    ///
    /// - Parameters:
    ///   - seeds: What it begins with: URLs of http, https and file.
    ///   - configuration: How it is crawled.
    ///   - loader: What loads.
    public init(
        _ seeds: [WebURL],
        _ configuration: Configuration = Configuration(),
        loader: PageLoader = PageLoader()
    ) {
        self.seeds = seeds
        self.configuration = configuration
        self.loader = loader
    }

    /// Begins, or goes on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(CrawlFeed(self)) }

    /// Takes the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let feed: CrawlFeed

        fileprivate init(_ feed: CrawlFeed) { self.feed = feed }

        /// The next page, the one before being done with; nil at the end, at a limit, and when the task is cancelled.
        ///
        /// - Throws: `StateError` if the state cannot be kept: another process has it, it is of other seeds, the disk is full.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StateError) -> CrawledPage? {
            try await feed.next()
        }
    }

    // MARK: - The job

    /// Runs the crawl, handing its pages over.
    func run(to pages: PageHandover, _ stop: StopRequest) async throws(StateError) {
        let folder = try configuration.statePath == nil ? CrawlFolder() : nil
        var options = CrawlJob.Options()
        options.seeds = seeds
        var scope = configuration.scope ?? CrawlScope(.host)
        for seed in seeds { scope.add(seed) }
        options.scope = scope
        options.limits = configuration.limits
        options.canonical = configuration.canonical
        options.loadsResources = configuration.loadsResources
        options.followsNofollow = configuration.followsNofollow
        let template = configuration.template ?? WebRequest(url: .aboutBlank)
        let agent = template.headerFields[.userAgent] ?? CurlFetcher.userAgent
        if configuration.obeysRobots { options.robotsAgent = agent }
        options.retries = configuration.maximumRetries
        options.width = configuration.maximumLoads
        if let number = configuration.maximumLoadsPerHost {
            options.politeness.concurrency = Swift.max(1, number)
            options.localPoliteness.concurrency = Swift.max(1, number)
        }
        if let interval = configuration.interval {
            options.politeness.interval = interval.inSeconds
            options.localPoliteness.interval = interval.inSeconds
        }
        options.state = configuration.statePath ?? folder?.statePath ?? ""
        options.settings = [
            "command": "SiteCrawler", "seeds": seeds.map(\.withoutCredentials.href).joined(separator: " "),
            "scope": scope.extent.rawValue,
            "resources": String(configuration.loadsResources),
            "nofollow": String(configuration.followsNofollow),
        ]
        let job = try CrawlJob(options)
        _ = try await job.run(
            loader,
            template: template,
            stop: stop,
            deliver: { page in await pages.hand(page) }
        )
        // The files are used until here.
        withExtendedLifetime(folder) {}
    }
}

/// A folder for the state of a crawl that nobody continues, which goes with it.
private final class CrawlFolder {
    private let path: String

    var statePath: String { "\(path)/state" }

    init() throws(StateError) {
        let parent = TemporaryFolder.path
        path = "\(parent)/webloader-crawl-\(UInt64.random(in: 0 ... .max).hexadecimal(digits: 16))"
        do throws(File.Failure) {
            _ = try NewFolder(path)
        } catch {
            throw .unwritable(path, error)
        }
    }

    deinit { TemporaryFolder.remove(path, ["state", "state-wal", "state-journal", "state.lock"]) }
}
