public import WebDatabase
public import WebLoader
public import WebStandards
import HTTPTypes
import WebTransport

/// An asynchronous sequence of a site's pages, which can be continued after the program was ended in any way.
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
/// Each page that can be reached by links is an element once, whatever its status, and so is each page that could not
/// be loaded; a redirect is not an element, but its target is. Requests are polite: robots.txt is obeyed, and public
/// hosts get two requests at once and one a second (``Configuration/maximumLoadsPerHost``, ``Configuration/interval``).
///
/// A page is done when the next one is requested. With a ``Configuration/statePath`` a program that was ended, even by
/// `kill -9`, continues where it was: no page is left out, and no page is repeated except those in progress at the end.
/// A sequence that has ended stays empty.
///
/// Memory is bounded by the pages that are loaded ahead, at most ``Configuration/maximumLoads``, and does not grow with
/// the site.
public struct SiteCrawler: AsyncSequence, Sendable {
    /// The configuration of a crawl.
    public struct Configuration: Sendable {
        /// The pages that belong to the crawl; `nil`, the default, for those of the seeds' hosts.
        public var scope: CrawlScope?

        /// How much is loaded, and what is taken for a trap.
        public var limits = CrawlLimits()

        /// The rule by which two URLs are the same page.
        public var canonical = CanonicalURL()

        /// Whether images, style sheets and other resources are loaded too; false by default.
        ///
        /// They are loaded into the loader's cache or archive, and are not elements of the sequence.
        public var loadsResources = false

        /// Whether links marked with "nofollow" are followed; true by default.
        public var followsNofollow = true

        /// Whether robots.txt is requested and obeyed; true by default.
        public var obeysRobots = true

        /// The maximum number of times that a request is repeated after a temporary failure; 2 by default.
        public var maximumRetries = 2 { didSet { maximumRetries.boundCount() } }

        /// The maximum number of concurrent requests and of buffered pages; 16 by default, at least 1.
        public var maximumLoads = 16 { didSet { maximumLoads = Swift.max(1, maximumLoads) } }

        /// The maximum number of concurrent requests to one host; `nil`, the default, for 2, and 3 for local hosts.
        public var maximumLoadsPerHost: Int?

        /// The interval between the starts of requests to a host; `nil`, the default, for one second, and none for
        /// local hosts.
        ///
        /// A longer interval that a host asks for (Crawl-delay, Retry-After) takes precedence.
        public var interval: Duration?

        /// The file that stores the state of the crawl; `nil`, the default, for a temporary one.
        ///
        /// Files with the same name and `-wal` and `.lock` are created beside it. Only one sequence at a time may use
        /// it, with the same seeds and the same scope each time.
        public var statePath: String?

        /// The template of each request: its fields, its cache policy, its time-out; `nil`, the default, for plain
        /// requests.
        ///
        /// Its URL is ignored. Hosts that no seed belongs to only receive Accept, Accept-Encoding, Accept-Language,
        /// Cache-Control and User-Agent of it.
        public var template: WebRequest?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// The URLs that the crawl begins with.
    public let seeds: [WebURL]

    /// The configuration of the crawl.
    public let configuration: Configuration

    private let loader: PageLoader

    /// Creates a crawler; nothing is loaded until its first element is requested.
    ///
    /// - Parameters:
    ///   - seeds: The URLs that the crawl begins with, of the schemes http, https and file.
    ///   - configuration: The configuration of the crawl.
    ///   - loader: The loader of the pages.
    public init(
        _ seeds: [WebURL],
        _ configuration: Configuration = Configuration(),
        loader: PageLoader = PageLoader()
    ) {
        self.seeds = seeds
        self.configuration = configuration
        self.loader = loader
    }

    /// Returns an iterator that begins or continues the crawl.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(CrawlFeed(self)) }

    /// The iterator over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let feed: CrawlFeed

        fileprivate init(_ feed: CrawlFeed) { self.feed = feed }

        /// Returns the next page, and marks the previous one as done; `nil` at the end, at a limit, and if the task is
        /// cancelled.
        ///
        /// - Throws: `StateError` if the state cannot be stored: another process uses it, it belongs to other seeds, or
        ///   the disk is full.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StateError) -> CrawledPage? {
            try await feed.next()
        }
    }

    // MARK: - The job

    /// Runs the crawl, handing over its pages.
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
        // The files are in use up to here.
        withExtendedLifetime(folder) {}
    }
}

/// A folder for the state of a crawl that is not continued; it is removed when this is deallocated.
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
