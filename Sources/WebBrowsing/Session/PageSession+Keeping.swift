import WebLoader
import WebTransport

/// The pages of entries, in memory and stored.
extension PageSession {
    /// Returns the request for the page of an entry, like those for its links: with the caller's fields, if the entry
    /// was made by this process.
    func request(for entry: HistoryEntry) -> WebRequest {
        var request = requests[entry.id] ?? plainRequest(for: entry.url)
        request.url = entry.url
        request.referrer = entry.referrer
        return request
    }

    /// Returns a request made from ``Configuration/request``.
    func plainRequest(for url: WebURL) -> WebRequest {
        let model = configuration.request
        var request = WebRequest(
            url: url,
            cachePolicy: model.cachePolicy,
            timeoutInterval: model.timeoutInterval
        )
        request.storesResponse = model.storesResponse
        request.keepsForOfflineUse = model.keepsForOfflineUse
        return request
    }

    /// Returns the cache policy for the links of an entry, which decides whether servers may be asked at all.
    func cachePolicy(of entry: HistoryEntry?) -> CachePolicy {
        entry.flatMap { requests[$0.id]?.cachePolicy } ?? configuration.request.cachePolicy
    }

    /// Returns the page of an entry: from memory, as it was stored, or else loaded again.
    func page(of entry: HistoryEntry) async throws(LoadError) -> Page {
        if let key = entry.cacheKey, let page = pages[key] {
            remember(page, key)
            return page
        }
        var request = request(for: entry)
        // A cached response is used, however old.
        if request.cachePolicy.mayLoad { request.cachePolicy = .returnCacheDataElseLoad }
        if let key = entry.cacheKey, let kept = await keptPage(entry) {
            var response = kept.response
            response.url = entry.url
            let page = try await loader.load(
                kept: response,
                for: request,
                overriding: configuration.overrides
            )
            remember(page, key)
            return page
        }
        guard entry.httpMethod == "GET", Self.isLoadable(entry.url) else {
            throw LoadError(
                FetchError(
                    .cacheMiss,
                    "the page is not kept any more, and a form's answer is not asked for again"
                ),
                url: entry.url
            )
        }
        let page = try await loader.load(request, overriding: configuration.overrides)
        let kept = try await keep(KeptPage(page.response, sent: WebRequest(url: entry.url)), entry.url)
        remove(history.keep(kept.key, for: entry, title: HistoryEntry.title(page.title)))
        history.forget(kept.gone)
        remember(page, kept.key)
        return page
    }

    func keptPage(_ entry: HistoryEntry) async -> KeptPage? {
        guard let key = entry.cacheKey else { return nil }
        return await configuration.loader.blockingWork.run { [kept] in kept.page(key) }
    }

    func keep(
        _ page: KeptPage,
        _ url: WebURL
    ) async throws(LoadError) -> (key: String, gone: Set<String>) {
        do throws(FileError) {
            return try await configuration.loader.blockingWork.run { [kept] () throws(FileError) in
                try kept.keep(page)
            }
        } catch {
            throw LoadError(error, url: url)
        }
    }

    func remove(_ keys: Set<String>) {
        guard !keys.isEmpty else { return }
        for key in keys { pages[key] = nil }
        recentPages.removeAll(where: keys.contains)
        // The saved state may still name them.
        guard configuration.keptDirectory == nil else { return unusedPages.formUnion(keys) }
        kept.remove(keys)
    }

    /// Keeps a page in memory, as the most recently used.
    func remember(_ page: Page, _ key: String) {
        if recentPages.last != key {
            recentPages.removeAll { $0 == key }
            recentPages.append(key)
        }
        pages[key] = page
        while recentPages.count > configuration.maximumTrees + 1 {
            pages[recentPages.removeFirst()] = nil
        }
    }

    /// Releases memory that can be rebuilt: the pages that are not in view.
    ///
    /// Going back to them reads them again.
    public func handleMemoryPressure() {
        let current = history.current?.cacheKey
        recentPages.removeAll { $0 != current }
        pages = pages.filter { $0.key == current }
        if finding?.entry != history.current?.id { finding = nil }
        if forms?.entry != history.current?.id { forms = nil }
    }
}
