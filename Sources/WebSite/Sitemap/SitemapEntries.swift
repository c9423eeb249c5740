public import WebLoader
public import WebStandards

/// A sequence of the entries and faults of a site's sitemaps, as they arrive.
///
/// Sitemaps are fetched one after another, each once, with those that an index names after it, as by ``SitemapWalk``. A
/// sitemap that cannot be fetched or read is a fault, and the walk continues: it ends with the last sitemap, or when
/// its task is cancelled.
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
/// Memory is bounded for any site: by a piece of a sitemap, and by the URLs of the sitemaps that are still to be
/// fetched.
public struct SitemapEntries: AsyncSequence, Sendable {
    /// A result of the walk.
    public enum Element: Sendable {
        /// A page, and the sitemap that lists it; if indexes are not followed, a sitemap, and the index that names it.
        case entry(SitemapEntry, in: WebURL)
        /// A fault of a sitemap; the rest of the sitemap is read all the same.
        case fault(SitemapFault, in: WebURL)
        /// A sitemap could not be fetched completely; the entries that were read count.
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

    /// Returns an iterator; nothing is fetched yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator over the entries.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reading: SitemapReading
        private var found: [Element] = []
        private var position = 0

        fileprivate init(_ entries: SitemapEntries) {
            reading = SitemapReading(entries)
        }

        /// Returns the next result; `nil` once all sitemaps were read.
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
    /// Sitemaps are read up to the limit of the protocol, ``Sitemap/maximumSize`` unpacked bytes, or up to the loader's
    /// ``/WebStandards/LoadLimits/maximumBodySize`` if that is lower.
    ///
    /// - Parameters:
    ///   - sitemaps: The URLs, as returned by ``sitemaps(ofSite:template:)``; `file` and `data` URLs are possible too.
    ///   - template: The template of the requests: its fields, its cache policy, its time-out. Its URL and its method
    ///     are ignored, and parts that may be secret are only sent to the origins of `sites`. `nil` for plain requests.
    ///   - sites: Any URLs of the sites that the template's credentials and further fields are meant for; `nil` for
    ///     those of `sitemaps`. For sitemaps that a robots.txt names (``sitemaps(ofSite:template:)``), which may be
    ///     anywhere, pass the site's URL.
    ///   - includesImages: Whether the images of a page are read.
    ///   - followsIndexes: Whether the sitemaps that an index names are read, instead of being listed themselves.
    ///   - maximumDepth: The maximum number of indexes above a sitemap; the protocol allows one.
    ///   - maximumCount: The maximum number of sitemaps to fetch.
    /// - Returns: The results, in the order of the sitemaps.
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

    /// Returns the sitemaps of a site: those that its robots.txt names, otherwise `/sitemap.xml`.
    ///
    /// Whether `/sitemap.xml` exists is only known once it is fetched.
    ///
    /// - Parameters:
    ///   - url: Any URL of the site, with the scheme http or https.
    ///   - template: The template of the request for the robots.txt, as for
    ///     ``sitemapEntries(of:template:sites:includesImages:followsIndexes:maximumDepth:maximumCount:)``.
    /// - Returns: The URLs, each once; empty for a URL with another scheme.
    public func sitemaps(ofSite url: WebURL, template: WebRequest? = nil) async -> [WebURL] {
        await robotsFile(ofSite: url, template: template).map { $0.sitemaps } ?? []
    }
}
