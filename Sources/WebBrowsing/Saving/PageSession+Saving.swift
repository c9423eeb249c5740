public import WebCopy
public import WebLoader

extension PageSession {
    /// Returns a copy of the page in view with all resources that a browser needs to draw it, to be written as one HTML
    /// file, MHTML, WARC, WACZ or `.webarchive`.
    ///
    /// The page is not loaded again, nor are resources that were loaded with it (``Configuration/loadsResources``) or
    /// are in the cache, however old; resources that were never loaded are loaded now.
    ///
    /// - Parameters:
    ///   - options: The parts of the page to copy, and the limits.
    ///   - loadsMissing: Whether resources that were never loaded are loaded; otherwise they are listed as missing.
    /// - Returns: The copy; nil if there is no page.
    /// - Throws: `LoadError` as ``page``, and as `PageCopy.init(of:options:)`.
    public func copy(
        options: PageCopy.Options = PageCopy.Options(),
        loadsMissing: Bool = true
    ) async throws(LoadError) -> PageCopy? {
        guard let page = try await page else { return nil }
        var request = page.request(for: page.response.url)
        request.cachePolicy =
            loadsMissing && cachePolicy(of: history.current).mayLoad
            ? .returnCacheDataElseLoad : .returnCacheDataDontLoad
        request.keepsForOfflineUse = true
        // The same bytes, with another cache policy for their resources.
        let source = try await loader.load(
            kept: page.response,
            for: request,
            overriding: configuration.overrides
        )
        return try await PageCopy(of: source, options: options)
    }
}
