import WebLoader

/// The pages that were asked for last, so that one question after the other about a page parses it once.
struct ReaderPages {
    /// What was asked for.
    struct Key: Equatable {
        let url: String
        let date: Timestamp?
    }

    /// A page, and by what is seen that the cache has another one now.
    struct Kept {
        let key: Key
        let page: Page
        /// Where it came from: the URLs of its redirects, and its own, each with what was stored then.
        let stamps: [(url: String, stamp: String?)]
    }

    /// Two, which a comparison needs.
    private static let maximumCount = 2
    /// A page with more bytes is the only one.
    private static let maximumSize = 4 << 20

    /// The last one first.
    private var kept: [Kept] = []

    /// The page of a key, which may be old.
    func page(_ key: Key) -> Kept? { kept.first { $0.key == key } }

    /// Lets go of pages, before another one is loaded.
    mutating func makeRoom() {
        kept.removeSubrange(min(kept.count, Self.maximumCount - 1)...)
        kept.removeAll { $0.page.response.body.count > Self.maximumSize }
    }

    /// Keeps a page, in place of an older one of its key.
    mutating func add(_ new: Kept) {
        kept.removeAll { $0.key == new.key }
        makeRoom()
        kept.insert(new, at: 0)
    }
}

extension ReaderPages.Kept {
    /// - Parameters:
    ///   - page: The page.
    ///   - key: What was asked for.
    ///   - stamp: What the cache had for that before the page was loaded.
    ///   - browser: The cache.
    init(_ page: Page, _ key: ReaderPages.Key, _ stamp: String?, in browser: CacheBrowser) {
        self.key = key
        self.page = page
        let others = page.response.redirects.map(\.url.href) + [page.response.url.href]
        stamps =
            [(key.url, stamp)]
            + others.map { ($0, Self.stamp(of: $0, key.date, in: browser)) }
    }

    /// Whether the cache still has what the page was made of.
    func isCurrent(in browser: CacheBrowser) -> Bool {
        stamps.allSatisfy { Self.stamp(of: $0.url, key.date, in: browser) == $0.stamp }
    }

    /// What changes whenever another response is stored for a URL; nil if none is.
    static func stamp(of url: String, _ date: Timestamp?, in browser: CacheBrowser) -> String? {
        guard let url = try? WebURL(url) else { return nil }
        return browser.stamp(of: url, withVersions: date != nil)
    }
}
