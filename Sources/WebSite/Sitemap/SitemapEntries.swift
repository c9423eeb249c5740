public import WebLoader
public import WebStandards

/// What the sitemaps of a site list, as they arrive, and what is wrong with them.
///
/// Sitemaps are fetched one after another, those that an index names behind it, each of them once, as ``SitemapWalk`` has
/// it. A sitemap that cannot be fetched or read is a fault, and the walk goes on: it ends with the last one, or when its
/// task is cancelled.
///
/// ```swift
/// let site = try WebURL("https://example.com/")
/// for await found in loader.sitemapEntries(of: await loader.sitemaps(ofSite: site)) {
///     switch found {
///     case .entry(let entry, _): print(entry.location)
///     case .fault(let fault, let sitemap): print(sitemap, fault.message)
///     case .failure(let error, _): print(error)
///     }
/// }
/// ```
///
/// Memory is bounded, whatever a site has: by a piece of a sitemap, and by the URLs of the sitemaps that are still to be
/// fetched.
public struct SitemapEntries: AsyncSequence, Sendable {
    /// What is found.
    public enum Element: Sendable {
        /// A page, and the sitemap that lists it; if indexes are not followed, a sitemap, and the index that names it.
        case entry(SitemapEntry, in: WebURL)
        /// Something that is wrong with a sitemap; what else it has is read all the same.
        case fault(SitemapFault, in: WebURL)
        /// A sitemap could not be fetched, or not to its end; what was read of it counts.
        case failure(LoadError, of: WebURL)
    }

    let loader: PageLoader
    let seeds: [WebURL]
    let template: WebRequest?
    /// The sites that the template's credentials are meant for.
    let sites: [WebURL]
    let includesImages: Bool
    let followsIndexes: Bool
    let maximumDepth: Int
    let maximumCount: Int

    /// Begins a walk; nothing is fetched yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Walks the sitemaps.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reading: SitemapReading
        private var found: [Element] = []
        private var position = 0

        fileprivate init(_ entries: SitemapEntries) {
            reading = SitemapReading(entries)
        }

        /// The next of what is found; nil once all sitemaps were read.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while position == found.count {
                guard let more = await reading.more() else { return nil }
                found = more
                position = 0
            }
            defer { position += 1 }
            return found[position]
        }
    }
}

extension PageLoader {
    /// Walks sitemaps, and the sitemaps that they name.
    ///
    /// Of a sitemap as much is read as the protocol allows, ``Sitemap/maximumSize`` unpacked bytes, whatever it has; less if
    /// the loader's ``/WebStandards/LoadLimits/maximumBodySize`` is lower.
    ///
    /// - Parameters:
    ///   - sitemaps: Their URLs, as ``sitemaps(ofSite:template:)`` has them; `file` and `data` URLs too.
    ///   - template: What the requests are like: their fields, their cache policy, their time-out. Its URL and its method do not
    ///     count, and what of it may be a secret goes to the origins of `sites` only. Nil for plain requests.
    ///   - sites: Any URLs of the sites that the template's credentials and further fields are meant for; nil for those of `sitemaps`.
    ///     Where sitemaps are what a robots.txt names (``sitemaps(ofSite:template:)``), which may be anywhere, it is the site's URL.
    ///   - includesImages: Whether the images of a page are read.
    ///   - followsIndexes: Whether the sitemaps that an index names are read, and not listed themselves.
    ///   - maximumDepth: The indexes that may lead to a sitemap; the protocol allows one.
    ///   - maximumCount: The sitemaps that are fetched.
    /// - Returns: What is found, in the order of the sitemaps.
    public func sitemapEntries(
        of sitemaps: [WebURL],
        template: WebRequest? = nil,
        sites: [WebURL]? = nil,
        includesImages: Bool = false,
        followsIndexes: Bool = true,
        maximumDepth: Int = 10,
        maximumCount: Int = 50_000
    ) -> SitemapEntries {
        SitemapEntries(
            loader: self,
            seeds: sitemaps,
            template: template,
            sites: sites ?? sitemaps,
            includesImages: includesImages,
            followsIndexes: followsIndexes,
            maximumDepth: maximumDepth,
            maximumCount: maximumCount
        )
    }

    /// The sitemaps of a site: those that its robots.txt names, else `/sitemap.xml`.
    ///
    /// Whether there is one at `/sitemap.xml` shows when it is fetched.
    ///
    /// - Parameters:
    ///   - url: Any URL of the site, of http or https.
    ///   - template: What the request for the robots.txt is like, as for ``sitemapEntries(of:template:sites:includesImages:followsIndexes:maximumDepth:maximumCount:)``.
    /// - Returns: Their URLs, each once; none for a URL of another scheme.
    public func sitemaps(ofSite url: WebURL, template: WebRequest? = nil) async -> [WebURL] {
        await robotsFile(ofSite: url, template: template).map { $0.sitemaps } ?? []
    }
}
