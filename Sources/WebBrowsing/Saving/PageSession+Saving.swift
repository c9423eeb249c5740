public import WebCopy
public import WebLoader

extension PageSession {
    /// The page in view with all that a browser needs to draw it, to be written as one HTML file, MHTML, WARC, WACZ or `.webarchive`.
    ///
    /// The page is not loaded again, nor is what was loaded with it (``Configuration/loadsResources``) or is in the cache, however
    /// old; what was never loaded is loaded now.
    ///
    /// - Parameters:
    ///   - options: What is copied, and within which limits.
    ///   - loadsMissing: Whether what was never loaded is; else it is listed as missing.
    /// - Returns: The copy; nil if there is no page.
    /// - Throws: `LoadError` as ``page``, and as `PageCopy.init(of:options:)`.
    public func copy(
        options: PageCopy.Options = PageCopy.Options(),
        loadsMissing: Bool = true
    ) async throws(LoadError) -> PageCopy? {
        guard let page = try await page else { return nil }
        var request = page.request(for: page.response.url)
        request.cachePolicy =
            loadsMissing && cachePolicy(of: list.current).mayLoad
            ? .returnCacheDataElseLoad : .returnCacheDataDontLoad
        request.keepsForOfflineUse = true
        // The same bytes, whose resources are asked for in another way.
        let source = try await loader.load(
            kept: page.response,
            for: request,
            overriding: configuration.overrides
        )
        return try await PageCopy(of: source, options: options)
    }
}
