import WebLoader

/// A cache's responses for URLs, as exchanges of an archive.
struct CachedExchanges {
    /// The cache, and a loader that asks nothing else.
    private let browser: CacheBrowser
    private let loader: PageLoader
    private let options: LoadingOptions

    /// Whether stored versions are included.
    private let hasVersions: Bool

    /// The number of exchanges, and whether each could be read.
    private(set) var count = 0
    private(set) var isWhole = true

    init(directory: String?, hasVersions: Bool) throws(Failure) {
        var cache = CacheArguments()
        cache.cacheDir = directory
        browser = try cache.browser()
        var options = LoadingOptions()
        options.cacheDirectory = directory
        options.policies = [.returnCacheDataDontLoad]
        self.options = options
        loader = try options.loader()
        self.hasVersions = hasVersions
    }

    /// Passes the exchanges that match a pattern: for each URL the stored versions, oldest first, then the
    /// newest response, unless it is the same as the last version.
    mutating func forEach(
        matching pattern: String,
        _ body: (ArchivedExchange) throws(Failure) -> Void
    ) async throws(Failure) {
        var entries: [CacheEntry] = []
        var versions: Set<String> = []
        do throws(CacheBrowser.Failure) {
            try browser.forEach(matching: URLPattern(pattern)) { finding in
                switch finding {
                case .entry(let entry): entries.append(entry)
                case .version(let version): if hasVersions { versions.insert(version.url) }
                case .note, .damage: break
                }
            }
        } catch {
            throw Failure(error)
        }
        guard !entries.isEmpty || !versions.isEmpty else {
            throw Failure(notCached: pattern, "there is no such file, and nothing of that URL in the cache")
        }
        entries.sort { ($0.url, $0.path) < ($1.url, $1.path) }
        let urls = versions.union(entries.map(\.url)).sorted()
        var rest = entries[...]
        for url in urls {
            guard !url.contains("#") else {
                // Without them it would be another page, and with them a secret.
                leaveOut("\(url): it was loaded with a user name and a password")
                rest = rest.drop { $0.url == url }
                continue
            }
            let last = versions.contains(url) ? try await addVersions(of: url, body) : nil
            while let entry = rest.first, entry.url == url {
                rest.removeFirst()
                try await add(entry, unlessSameAs: last, body)
            }
        }
    }

    /// Passes the versions of a URL; returns the last one.
    private mutating func addVersions(
        of url: String,
        _ body: (ArchivedExchange) throws(Failure) -> Void
    ) async throws(Failure) -> WebResponse? {
        let parsed = try Source.parse(url)
        let history: PageHistory
        do throws(LoadError) {
            history = try await loader.history(of: parsed)
        } catch {
            throw Failure(error, source: url)
        }
        for damage in history.damages { leaveOut(damage) }
        var last: WebResponse?
        for version in history.versions {
            let response: WebResponse
            do throws(LoadError) {
                response = try await loader.response(of: version, in: history)
            } catch {
                leaveOut(error.message)
                continue
            }
            try body(ArchivedExchange(response, received: version.date))
            count += 1
            last = response
        }
        return last
    }

    private mutating func leaveOut(_ damage: String) {
        isWhole = false
        Output.message("webinspect: warning: left out: \(TerminalText.visible(damage))")
    }

    private mutating func add(
        _ entry: CacheEntry,
        unlessSameAs last: WebResponse?,
        _ body: (ArchivedExchange) throws(Failure) -> Void
    ) async throws(Failure) {
        var request = try options.request(for: try Source.parse(entry.url))
        request.followsRedirects = false
        let response: WebResponse
        do throws(LoadError) {
            response = try await loader.fetch(request)
        } catch {
            leaveOut("\(entry.url): \(error.message)")
            return
        }
        if let last, last.status == response.status, last.body == response.body { return }
        try body(ArchivedExchange(response, received: entry.received))
        count += 1
    }
}
