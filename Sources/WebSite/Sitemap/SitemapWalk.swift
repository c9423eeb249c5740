public import WebStandards

/// Which sitemaps of a site are to be fetched next, each of them once.
///
/// Seeds are what robots.txt names, or the user; an index names more. What names itself, or what names it, is not asked for
/// again, and the depth and the number of sitemaps are bounded. A value: it fetches nothing.
///
///     var walk = SitemapWalk(seeds)
///     while let map = walk.next() {
///         let sitemap = Sitemap(parsing: try await fetch(map.url), url: map.url)
///         if sitemap.kind == .index { walk.add(sitemap.entries.map(\.location), foundIn: map) }
///     }
public struct SitemapWalk: Sendable {
    /// A sitemap to fetch.
    public struct Map: Sendable, Hashable {
        /// Its URL, without a fragment.
        public let url: WebURL

        /// How many indexes lead to it: 0 for a seed.
        public let depth: Int
    }

    /// What became of a sitemap that an index names.
    public enum Addition: String, Sendable, Hashable {
        /// It is to be fetched.
        case added
        /// It was named before.
        case known
        /// Too many indexes lead to it.
        case tooDeep = "too-deep"
        /// There are too many sitemaps, or their URLs have too many bytes in all.
        case tooMany = "too-many"
    }

    /// The indexes that may lead to a sitemap; the protocol allows one.
    public let maximumDepth: Int

    /// The sitemaps that are fetched.
    public let maximumCount: Int

    /// The sitemaps that were left out because of a bound.
    public private(set) var leftOutCount = 0

    private var seen: Set<WebURL> = []
    private var queue: [Map] = []
    private var position = 0
    private var count = 0
    /// The bytes of all URLs that were added.
    private var knownLength = 0

    /// The bytes that the URLs of all sitemaps may have.
    private static let maximumLength = 16 << 20

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - seeds: The sitemaps to begin with.
    ///   - maximumDepth: The indexes that may lead to a sitemap.
    ///   - maximumCount: The sitemaps that are fetched, seeds among them.
    public init(_ seeds: [WebURL], maximumDepth: Int = 10, maximumCount: Int = 50_000) {
        self.maximumDepth = max(0, maximumDepth)
        self.maximumCount = max(0, maximumCount)
        for seed in seeds { add(seed, depth: 0) }
    }

    /// The sitemap to fetch now; nil if there is none, unless more are added.
    public mutating func next() -> Map? {
        guard position < queue.count else {
            queue.removeAll()
            position = 0
            return nil
        }
        defer { position += 1 }
        return queue[position]
    }

    /// Adds a sitemap that an index names.
    ///
    /// - Parameters:
    ///   - url: The sitemap; its fragment does not count.
    ///   - index: The index.
    /// - Returns: Whether it is to be fetched.
    @discardableResult
    public mutating func add(_ url: WebURL, foundIn index: Map) -> Addition {
        add(url, depth: index.depth +| 1)
    }

    /// Adds the sitemaps that an index names.
    ///
    /// - Parameters:
    ///   - urls: The sitemaps.
    ///   - index: The index.
    public mutating func add(_ urls: some Sequence<WebURL>, foundIn index: Map) {
        for url in urls { add(url, foundIn: index) }
    }

    /// Marks where the redirects of a sitemap end, so that it is not fetched from there again.
    ///
    /// - Parameter url: The final URL.
    /// - Returns: Whether it is new; if not, what was got from there was read before, or will be.
    public mutating func markRedirect(to url: WebURL) -> Bool {
        seen.insert(url.withoutFragment).inserted
    }

    @discardableResult
    private mutating func add(_ url: WebURL, depth: Int) -> Addition {
        let url = url.withoutFragment
        guard !seen.contains(url) else { return .known }
        guard depth <= maximumDepth else {
            leftOutCount += 1
            return .tooDeep
        }
        let length = url.href.utf8.count
        guard count < maximumCount, length <= Self.maximumLength - knownLength else {
            leftOutCount += 1
            return .tooMany
        }
        knownLength += length
        seen.insert(url)
        count += 1
        queue.append(Map(url: url, depth: depth))
        return .added
    }
}
