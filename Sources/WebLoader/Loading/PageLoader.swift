import Synchronization
public import WebArchive

/// Loads pages: fetches them (through the cache), decodes and parses them, and notifies a delegate.
///
/// ```swift
/// let loader = PageLoader()
/// let page = try await loader.load(WebRequest(url: WebURL("https://example.com/")))
/// print(page.title ?? "untitled", try await page.parsed().links.count)
/// ```
///
/// One loader serves any number of loads at once. A load ends soon after its task is cancelled.
public final class PageLoader: Sendable {
    /// How a loader works.
    public struct Configuration: Sendable {
        /// The limits of a load.
        public var limits = LoadLimits()

        /// The directory of the cache, `nil` for no cache; by default `$XDG_CACHE_HOME/WebLoader` (or
        /// `~/.cache/WebLoader`), and `nil` if neither is set.
        public var cacheDirectory = CacheDirectory.standard(named: "WebLoader")

        /// The maximum size of the cache in bytes, 1 GiB by default.
        ///
        /// Beyond it, the least recently used responses are removed.
        public var maximumCacheSize = 1 << 30 { didSet { maximumCacheSize.boundCount() } }

        /// Whether responses are cached in memory, while the loader exists, and nothing on disk; false by
        /// default.
        ///
        /// ``cacheDirectory`` is not used then, and ``maximumCacheSize`` is bytes of memory.
        public var keepsCacheInMemory = false

        /// The program's own store for the cache, in place of the disk; `nil` by default.
        ///
        /// ``cacheDirectory`` then stores only what servers declare about HTTPS, and ``maximumCacheSize`` and
        /// ``keepsCacheInMemory`` are not used. A store that fails, hangs, or returns data that was not stored fails
        /// no load.
        public var cacheStore: (any CacheStore)?

        /// How long a load waits for each call of ``cacheStore``: two seconds by default, and never more than half of the time
        /// that the load has left.
        public var maximumCacheStoreTime = Duration.seconds(2)

        /// The parser for HTML.
        public var htmlParser = HTMLParserKind.html5

        /// Whether pages keep their parse errors (``Page/parseErrors``), which costs time; false by default.
        public var reportsParseErrors = false

        /// Whether it is noted where the tags of pages are, for who copies them; parse errors are not kept then.
        package var notesTags = false

        /// The encoding of HTML without a declaration; windows-1252 by default, as in most browsers.
        public var fallbackEncoding = TextEncoding.windows1252

        /// The archives from which `http` and `https` URLs are loaded, in place of the network and the cache; empty
        /// by default.
        ///
        /// Neither a load nor one of a page's resources then opens a socket. A URL that is not in the archives fails
        /// with the error "archive.miss".
        public var archives: [Archive] = []

        /// The date that selects the copy of a page: the nearest before or at it, else the first after it; `nil`, the
        /// default, for the newest.
        ///
        /// With ``archives``, the copy is one of theirs. Without, it is one of the versions that the cache on disk
        /// stores (``keepsHistory``), or the newest response there, whatever the request's cache policy: no request
        /// is sent, and a URL that is not in the cache fails with the error "cache.miss".
        public var archiveDate: Timestamp?

        /// Whether each different version of a response is stored beside the newest in the cache on disk; false by
        /// default.
        ///
        /// Versions differ if their status, Content-Type, Location or body differs. A response that may not be stored
        /// is not, unless ``/WebStandards/WebRequest/keepsForOfflineUse`` has it stored. A URL has at most 100,000
        /// versions; beyond that its oldest tenth is removed. Versions count towards ``maximumCacheSize``, and are
        /// evicted after everything that is only cached. ``PageLoader/history(of:maximumCount:)`` lists them. A cache
        /// in memory or in ``cacheStore`` stores no versions.
        public var keepsHistory = false

        /// The fetcher for HTTP; libcurl by default.
        public var fetcher: any Fetcher = CurlFetcher()

        /// Whether and when failed requests are retried; never by default.
        public var retryPolicy = RetryPolicy()

        /// The cookies that requests send and responses set; `nil` by default.
        public var cookieJar: CookieJar?

        /// Runs work that blocks a thread.
        public var blockingWork = BlockingWork.threads

        /// The processes that evaluate rules.
        public var workers = RuleWorkers()

        /// The renderer that runs the scripts of HTML pages, which then are as scripts have changed them
        /// (``Page/rendering``); `nil`, the default, runs none.
        ///
        /// All requests of the pages are made by the loader itself: none bypasses it.
        public var renderer: (any PageRenderer)?

        /// The observer of all that the loader does, for logs, metrics and traces; `nil`, the default, costs nothing.
        public var observer: (any LoadObserver)?

        /// The archive to which all exchanges of ``fetcher`` with servers are appended, if that is a `CurlFetcher`;
        /// `nil` by default.
        ///
        /// Responses from the cache are not exchanged with a server, so they are not written. A load whose exchange
        /// cannot be written fails.
        public var archiveWriter: ArchiveWriter? { didSet { recorder = archiveWriter } }

        /// The recorder of all exchanges of ``fetcher`` with servers, if that is a `CurlFetcher`; `nil`, the default,
        /// costs nothing.
        ///
        /// Responses from the cache are not exchanged with a server, so they are not recorded. A load whose exchange
        /// cannot be recorded fails.
        package var recorder: (any ExchangeRecorder)?

        /// Receives how much of each response has arrived, from the network or the cache; `nil` by default.
        package var meter: (any FetchMeter)?

        /// Creates a configuration with the defaults.
        public init() {}
    }

    /// How the loader works.
    public let configuration: Configuration

    /// Reports the loader's work to the observer; `nil` if there is no observer.
    let observation: Observation?

    /// The processes that evaluate rules.
    let workers: WorkerPool

    let store: CacheAccess?
    let background: BackgroundWork?
    let follower: RedirectFollower
    private let pages = Mutex<[WeakPage]>([])

    private struct WeakPage {
        weak var page: Page?
    }

    /// Creates a loader with a cache and connections of its own.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        if let observer = configuration.observer {
            observation = Observation(observer)
        } else {
            observation = nil
        }
        workers = WorkerPool(configuration.workers)
        guard configuration.archives.isEmpty else {
            var fetcher: any Fetcher = ArchiveFetcher(
                ArchiveCollection(configuration.archives),
                at: configuration.archiveDate,
                configuration.blockingWork
            )
            if let observation {
                fetcher = ObservedFetcher(kind: .request, observation: observation, upstream: fetcher)
            }
            if let meter = configuration.meter { fetcher = MeteredFetcher(meter: meter, upstream: fetcher) }
            follower = RedirectFollower(fetcher: fetcher)
            (store, background) = (nil, nil)
            return
        }
        var upstream = configuration.fetcher
        var session = WebSession(
            cookieJar: configuration.cookieJar,
            hstsStore: configuration.cacheDirectory.map { HSTSStore(directory: $0) },
            blockingWork: configuration.blockingWork
        )
        if let curl = upstream as? CurlFetcher, let netrc = curl.netrc {
            // Credentials are added above the cache, which must keep the responses to them apart.
            session.netrc = netrc
            upstream = curl.withoutNetrc
        }
        if let curl = upstream as? CurlFetcher, let recorder = configuration.recorder {
            upstream = curl.recording(into: recorder)
        }
        if let observation {
            upstream = ObservedFetcher(kind: .exchange, observation: observation, upstream: upstream)
        }
        var fetcher: any Fetcher = SessionFetcher(session: session, upstream: upstream)
        if configuration.retryPolicy.maximumRetries > 0 {
            var retrying = RetryingFetcher(policy: configuration.retryPolicy, upstream: fetcher)
            if let observation {
                retrying.willRetry = { observation.current?.retrying(after: Duration(boundedSeconds: $0)) }
            }
            fetcher = retrying
        }
        store = Self.store(configuration)
        if let store {
            var caching = CachingFetcher(
                store: store,
                upstream: fetcher,
                blockingWork: configuration.blockingWork,
                now: { .now }
            )
            caching.allowedAddresses = configuration.fetcher.allowedAddresses
            caching.keepsHistory = configuration.keepsHistory
            caching.versionDate = configuration.archiveDate
            background = caching.background
            fetcher = caching
        } else {
            background = nil
        }
        if let observation {
            fetcher = ObservedFetcher(kind: .request, observation: observation, upstream: fetcher)
        }
        if let meter = configuration.meter { fetcher = MeteredFetcher(meter: meter, upstream: fetcher) }
        // Of old versions no host asks for HTTPS, and no cookie is of their time.
        follower =
            configuration.archiveDate == nil
            ? RedirectFollower(fetcher: fetcher, session: session) : RedirectFollower(fetcher: fetcher)
    }

    // MARK: - Loading

    /// Loads a page from an `http`, `https`, `file` or `data` URL.
    ///
    /// - Parameters:
    ///   - request: The request for the page.
    ///   - overrides: Settings that override those of the server.
    ///   - delegate: Is notified of the load's events.
    /// - Returns: The page.
    /// - Throws: ``LoadError``. An HTTP error status is not an error: its page is returned.
    public func load(
        _ request: WebRequest,
        overriding overrides: ContentOverrides = ContentOverrides(),
        delegate: (any PageLoadDelegate)? = nil
    ) async throws(LoadError) -> Page {
        try await observed(request, delegate) { () async throws(LoadError) in
            let watch = LoadWatch(self.configuration.limits)
            let settings = self.settings(overrides, watch, expectsContent: request.httpMethod != "HEAD")
            return try await watch.watching { () async throws(LoadError) in
                let (response, arriving) = try await self.arrival(request, settings, delegate)
                return try await self.page(response, settings, request, delegate, watch, arriving)
            }
        }
    }

    /// Creates a page from a string of HTML, like UIWebView's method of this name.
    ///
    /// - Parameters:
    ///   - string: The HTML. Its declarations of an encoding are ignored.
    ///   - baseURL: The URL against which its references are resolved; nil for `about:blank`.
    ///   - delegate: Is notified of the load's events.
    /// - Returns: The page.
    /// - Throws: ``LoadError``, if there is not enough memory or a name is unknown.
    public func loadHTMLString(
        _ string: String,
        baseURL: WebURL?,
        delegate: (any PageLoadDelegate)? = nil
    ) async throws(LoadError) -> Page {
        let overrides = ContentOverrides(mimeType: "text/html", baseURL: baseURL)
        return try await load(Array(string.utf8), overrides, .text, delegate)
    }

    /// Creates a page from bytes, like UIWebView's method of this name.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mimeType: Their type; nil to detect it from the bytes.
    ///   - textEncodingName: A label of the Encoding standard; nil to detect the encoding from the bytes.
    ///   - baseURL: The URL against which references are resolved; nil for `about:blank`.
    ///   - delegate: Is notified of the load's events.
    /// - Returns: The page.
    /// - Throws: ``LoadError``, if there is not enough memory or a name is unknown.
    public func loadData(
        _ data: [UInt8],
        mimeType: String?,
        textEncodingName: String?,
        baseURL: WebURL?,
        delegate: (any PageLoadDelegate)? = nil
    ) async throws(LoadError) -> Page {
        let overrides = ContentOverrides(
            mimeType: mimeType,
            textEncodingName: textEncodingName,
            baseURL: baseURL
        )
        return try await load(data, overrides, nil, delegate)
    }

    /// Creates a page from standard input, up to ``/WebStandards/LoadLimits/maximumBodySize``.
    package func loadStandardInput(overriding overrides: ContentOverrides) async throws(LoadError) -> Page {
        try await load(try await standardInput(), overrides, nil, nil, isLocal: true)
    }

    /// The bytes of standard input, up to ``/WebStandards/LoadLimits/maximumBodySize``.
    func standardInput() async throws(LoadError) -> [UInt8] {
        let limits = configuration.limits
        return try await reading(nil, limits) { (wait) throws(FileError) in
            try FileReader.read(
                descriptor: 0,
                name: "standard input",
                maximumSize: limits.maximumBodySize,
                within: wait
            )
        }
    }

    private func load(
        _ body: [UInt8],
        _ overrides: ContentOverrides,
        _ detection: EncodingDetection?,
        _ delegate: (any PageLoadDelegate)?,
        isLocal: Bool = false
    ) async throws(LoadError) -> Page {
        let url = overrides.baseURL ?? .aboutBlank
        let response = WebResponse(url: url, status: nil, body: body, source: .memory)
        return try await load(response, overrides, detection, delegate, isLocal: isLocal)
    }

    /// Creates a page from a response that is there as a whole.
    func load(
        _ response: WebResponse,
        _ overrides: ContentOverrides,
        _ detection: EncodingDetection?,
        _ delegate: (any PageLoadDelegate)? = nil,
        isLocal: Bool = false,
        for request: WebRequest? = nil,
        runsScripts: Bool = true
    ) async throws(LoadError) -> Page {
        let url = response.url
        let request = request ?? WebRequest(url: url)
        let limit = configuration.limits.maximumBodySize
        return try await observed(request, delegate) { () async throws(LoadError) in
            guard response.body.count <= limit else { throw LoadError(.bodyTooLarge(limit: limit), url: url) }
            let watch = LoadWatch(self.configuration.limits)
            var made = self.settings(overrides, watch, detection: detection)
            made.isLocal = isLocal
            let settings = made
            return try await watch.watching { () async throws(LoadError) in
                try await self.page(response, settings, request, delegate, watch, runsScripts: runsScripts)
            }
        }
    }

    /// Fetches one response without parsing it; `http`, `https`, `file` and `data` URLs.
    ///
    /// - Throws: ``LoadError``. An HTTP error status is not an error.
    public func fetch(_ request: WebRequest) async throws(LoadError) -> WebResponse {
        guard let observation else { return try await fetch(request, nil, nil) }
        return try await fetch(request, within: configuration.limits, observation)
    }

    /// Releases memory that can be recreated: the parsed trees of pages that are still held.
    ///
    /// Responses and the cache on disk stay, and so does every ``/WebDocument/ParsedPage`` that you hold: ``Page/parsed()``
    /// makes another one.
    public func handleMemoryPressure() {
        pages.withLock { pages in
            pages.removeAll { $0.page == nil }
            for reference in pages { reference.page?.releaseTree() }
        }
    }

    // MARK: - The stages

    /// Runs a load between the first call of the observer and of the delegate, and their last.
    private func observed(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ body: () async throws(LoadError) -> Page
    ) async throws(LoadError) -> Page {
        guard let observation else { return try await delegated(request, delegate, body) }
        return try await observed(request, delegate, body, observation)
    }

    private func observed(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ body: () async throws(LoadError) -> Page,
        _ observation: Observation
    ) async throws(LoadError) -> Page {
        let work = observation.begin(.load, request.url, request.httpMethod)
        return try await observation.during(work) { () async throws(LoadError) in
            try await self.delegated(request, delegate, body)
        } note: {
            $0.take($1.response)
        }
    }

    /// Runs a load between the delegate's first call and its last.
    private func delegated(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ body: () async throws(LoadError) -> Page
    ) async throws(LoadError) -> Page {
        do throws(LoadError) {
            try await start(request, delegate)
            let page = try await body()
            await delegate?.didFinish(page)
            return page
        } catch {
            if error.isCancellation {
                await delegate?.didCancel(error)
            } else {
                await delegate?.didFail(error)
            }
            throw error
        }
    }

    private func start(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?
    ) async throws(LoadError) {
        try checkCancellation(request.url)
        guard let delegate else { return }
        guard await delegate.shouldStart(request) else { throw LoadError(.refused, url: request.url) }
        await delegate.didStart(request)
    }

    private func page(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ watch: LoadWatch,
        _ arriving: ArrivingHTML? = nil,
        runsScripts: Bool = true
    ) async throws(LoadError) -> Page {
        try checkCancellation(response.url)
        await delegate?.didReceive(response)
        var parsed: ParsedPage
        do throws(ParsingError) {
            parsed = try await parsing(response.url) { () throws(ParsingError) in
                try ParsedPage(response, settings, arriving?.finish())
            }
        } catch {
            throw LoadError(error, url: response.url)
        }
        var scripted: ScriptedPage?
        if runsScripts, let renderer = configuration.renderer {
            let seconds = watch.remainingSeconds
            (parsed, scripted) = try await rendered(parsed, settings, request, within: seconds, by: renderer)
        }
        if let delegate, let document = parsed.document { await delegate.didParse(document) }
        try checkCancellation(response.url)
        let page = Page(parsed, from: LoaderOrigin(loader: self, request: request), scripted)
        pages.withLock { pages in
            // Occasionally, so that the list stays about as long as the number of pages that are held.
            if pages.count.nonzeroBitCount == 1 { pages.removeAll { $0.page == nil } }
            pages.append(WeakPage(page: page))
        }
        return page
    }

    /// Parses a page where blocking work is done.
    func parsing(
        _ url: WebURL,
        _ parse: @escaping @Sendable () throws(ParsingError) -> ParsedPage
    ) async throws(ParsingError) -> ParsedPage {
        guard let observation else { return try await configuration.blockingWork.run(parse) }
        return try await parsing(url, parse, observation)
    }

    private func parsing(
        _ url: WebURL,
        _ parse: @escaping @Sendable () throws(ParsingError) -> ParsedPage,
        _ observation: Observation
    ) async throws(ParsingError) -> ParsedPage {
        try await observation.during(observation.begin(.parsing, url)) { () async throws(ParsingError) in
            try await self.configuration.blockingWork.run(parse)
        } note: { _, _ in
        }
    }

    private func checkCancellation(_ url: WebURL) throws(LoadError) {
        if Task.isCancelled { throw LoadError(.cancelled, url: url) }
    }

    /// The settings to parse a page, by the configuration.
    func settings(
        _ overrides: ContentOverrides,
        _ watch: LoadWatch? = nil,
        detection: EncodingDetection? = nil,
        expectsContent: Bool = true
    ) -> PageContent.Settings {
        var interruption: (@Sendable () -> ParsingSettings.Interruption?)?
        if let watch { interruption = { watch.interruption } }
        var parsing = ParsingSettings(
            limits: configuration.limits,
            reportsErrors: configuration.reportsParseErrors,
            interruption: interruption
        )
        parsing.notesTags = configuration.notesTags
        return PageContent.Settings(
            overrides: overrides,
            parsing: parsing,
            htmlParser: configuration.htmlParser,
            fallbackEncoding: configuration.fallbackEncoding,
            detection: detection,
            expectsContent: expectsContent
        )
    }
}
