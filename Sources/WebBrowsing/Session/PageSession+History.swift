public import WebLoader

/// Going back and forward, and loading again.
extension PageSession {
    /// Goes to the stored page of the entry before the one in view.
    ///
    /// - Returns: The page, with its entry; nil if there is no entry before.
    /// - Throws: `LoadError` if the page is not stored any more, and cannot be loaded.
    @discardableResult
    public func goBack() async throws(LoadError) -> Navigation? { try await go(by: -1) }

    /// Goes to the stored page of the entry after the one in view.
    ///
    /// - Returns: The page, with its entry; nil if there is no entry after it.
    /// - Throws: `LoadError` if the page is not stored any more, and cannot be loaded.
    @discardableResult
    public func goForward() async throws(LoadError) -> Navigation? { try await go(by: 1) }

    /// Goes to the stored page of the entry at an offset from the one in view.
    ///
    /// - Parameter offset: The number of entries forward; negative numbers go back.
    /// - Returns: The page, with its entry; nil if there is no such entry.
    /// - Throws: `LoadError` if the page is not stored any more, and cannot be loaded.
    ///
    /// [Traverse the history by a
    /// delta](https://html.spec.whatwg.org/multipage/browsing-the-web.html#traverse-the-history-by-a-delta)
    @discardableResult
    public func go(by offset: Int) async throws(LoadError) -> Navigation? {
        guard let entry = history[offset] else { return nil }
        return try await go(to: entry)
    }

    /// Goes to the stored page of an entry of the history.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The page, with its entry; nil if it is not in the history (any more).
    /// - Throws: `LoadError` if the page is not stored any more, and cannot be loaded.
    @discardableResult
    public func go(to entry: HistoryEntry) async throws(LoadError) -> Navigation? {
        guard let entry = history.entries.first(where: { $0.id == entry.id }) else { return nil }
        return try await navigate(.go(entry), request(for: entry), by: .history)
    }

    /// Loads the page in view again under the rules of the cache: a fresh response may come from the cache.
    ///
    /// The body of a form is sent again.
    ///
    /// - Returns: The page, with its entry; nil if there is no page.
    /// - Throws: `LoadError`: the page in view stays as it was.
    @discardableResult
    public func reload() async throws(LoadError) -> Navigation? { try await reload(.useProtocolCachePolicy) }

    /// Loads the page in view again from its server, which revalidates it, past all caches on the way.
    ///
    /// - Returns: The page, with its entry; nil if there is no page.
    /// - Throws: `LoadError`: the page in view stays as it was.
    @discardableResult
    public func reloadFromOrigin() async throws(LoadError) -> Navigation? {
        try await reload(.reloadRevalidatingCacheData)
    }

    private func reload(_ policy: CachePolicy) async throws(LoadError) -> Navigation? {
        guard let entry = history.current else { return nil }
        var request = request(for: entry)
        // A page that may not be requested from a server may not be reloaded from one either.
        if request.cachePolicy.mayLoad { request.cachePolicy = policy }
        if request.cachePolicy == .reloadRevalidatingCacheData, request.headerFields[.cacheControl] == nil {
            // The loader's cache sets the field itself, if there is a cache.
            request.headerFields[.cacheControl] = WebRequest.revalidation
        }
        return try await navigate(.reload(entry), request, by: .reload)
    }

    /// Ends the navigation under way, if any, with "load.cancelled"; the page in view stays.
    public func stopLoading() {
        running?.cancel()
        number += 1
        running = nil
        ended()
    }
}
