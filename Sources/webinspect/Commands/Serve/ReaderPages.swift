import WebLoader

/// The pages that were asked for last, so that one question after the other about a page parses it once.
struct ReaderPages {
    /// The URL and the date of a request.
    struct Key: Equatable {
        let url: String
        let date: Timestamp?
    }

    /// A page, with the stamps that show whether the cache has another one now.
    struct Kept {
        let key: Key
        let page: Page
        /// The URLs of its request, its redirects and its response, each with the stamp of the response
        /// stored then.
        let stamps: [(url: String, stamp: String?)]
    }

    /// Two, which a comparison needs.
    private static let maximumCount = 2
    /// A page with more bytes is the only one.
    private static let maximumSize = 4 << 20

    /// The pages, the most recent first.
    private var kept: [Kept] = []

    /// The page of a key, which may be old.
    func page(_ key: Key) -> Kept? { kept.first { $0.key == key } }

    /// Discards pages before another one is loaded.
    mutating func makeRoom() {
        kept.removeSubrange(min(kept.count, Self.maximumCount - 1)...)
        kept.removeAll { $0.page.response.body.count > Self.maximumSize }
    }

    /// Stores a page, in place of an older one of its key.
    mutating func add(_ new: Kept) {
        kept.removeAll { $0.key == new.key }
        makeRoom()
        kept.insert(new, at: 0)
    }
}

extension ReaderPages.Kept {
    /// - Parameters:
    ///   - page: The page.
    ///   - key: The URL and the date of the request.
    ///   - stamp: The cache's stamp of the URL before the page was loaded.
    ///   - browser: The cache.
    init(_ page: Page, _ key: ReaderPages.Key, _ stamp: String?, in browser: CacheBrowser) {
        self.key = key
        self.page = page
        let others = page.response.redirects.map(\.url.href) + [page.response.url.href]
        stamps =
            [(key.url, stamp)]
            + others.map { ($0, Self.stamp(of: $0, key.date, in: browser)) }
    }

    /// Whether the cache still has the responses that the page was made of.
    func isCurrent(in browser: CacheBrowser) -> Bool {
        stamps.allSatisfy { Self.stamp(of: $0.url, key.date, in: browser) == $0.stamp }
    }

    /// Returns a stamp that changes whenever another response is stored for a URL; `nil` if none is stored.
    static func stamp(of url: String, _ date: Timestamp?, in browser: CacheBrowser) -> String? {
        guard let url = try? WebURL(url) else { return nil }
        return browser.stamp(of: url, withVersions: date != nil)
    }
}
