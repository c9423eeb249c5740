public import WebStandards

/// A queue of the sitemaps of a site to fetch, each once.
///
/// The seeds are named by robots.txt or by the user; an index names more. A sitemap that names itself or the index
/// above it is not requested again, and the depth and the number of sitemaps are limited. It is a value, and does not
/// fetch anything.
///
///     var walk = SitemapWalk(seeds)
///     while let map = walk.next() {
///         let sitemap = Sitemap(parsing: try await fetch(map.url), url: map.url)
///         if sitemap.kind == .index { walk.add(sitemap.entries.map(\.location), foundIn: map) }
///     }
public struct SitemapWalk: Sendable {
    /// A sitemap to fetch.
    public struct Map: Sendable, Hashable {
        /// The URL of the sitemap, without a fragment.
        public let url: WebURL

        /// The number of indexes above the sitemap: 0 for a seed.
        public let depth: Int
    }

    /// The result of adding a sitemap that an index names.
    public enum Addition: String, Sendable, Hashable {
        /// The sitemap will be fetched.
        case added
        /// The sitemap was named before.
        case known
        /// There are too many indexes above the sitemap.
        case tooDeep = "too-deep"
        /// There are too many sitemaps, or their URLs are too long in total.
        case tooMany = "too-many"
    }

    /// The maximum number of indexes above a sitemap; the protocol allows one.
    public let maximumDepth: Int

    /// The maximum number of sitemaps to fetch.
    public let maximumCount: Int

    /// The number of sitemaps that were omitted because of a limit.
    public private(set) var leftOutCount = 0

    private var seen: Set<WebURL> = []
    private var queue: [Map] = []
    private var position = 0
    private var count = 0
    /// The number of bytes of all URLs that were added.
    private var knownLength = 0

    /// The maximum number of bytes of the URLs of all sitemaps.
    private static let maximumLength = 16 << 20

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - seeds: The sitemaps to begin with.
    ///   - maximumDepth: The maximum number of indexes above a sitemap.
    ///   - maximumCount: The maximum number of sitemaps to fetch, including the seeds.
    public init(_ seeds: [WebURL], maximumDepth: Int = 10, maximumCount: Int = 50_000) {
        self.maximumDepth = max(0, maximumDepth)
        self.maximumCount = max(0, maximumCount)
        for seed in seeds { add(seed, depth: 0) }
    }

    /// Returns the next sitemap to fetch; `nil` if there are no more, unless some are added.
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
    ///   - url: The sitemap; its fragment is ignored.
    ///   - index: The index.
    /// - Returns: Whether the sitemap will be fetched.
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

    /// Marks the target of a sitemap's redirects, so that it is not fetched again.
    ///
    /// - Parameter url: The final URL.
    /// - Returns: Whether the URL is new; if not, its sitemap was read before, or will be.
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
