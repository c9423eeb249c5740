import HTTPTypes

/// The loader and the request of a page, to load the pages and resources that it refers to.
struct LoaderOrigin: Sendable {
    let loader: PageLoader
    let request: WebRequest

    /// The request for a page that a rule follows: with the same cache policy, and with the same fields only
    /// within the same origin, so that a link cannot leak credentials.
    func request(for url: WebURL) -> WebRequest {
        var next = WebRequest(
            url: url,
            cachePolicy: request.cachePolicy,
            timeoutInterval: request.timeoutInterval
        )
        next.storesResponse = request.storesResponse
        next.acceptsPresumedFreshness = request.acceptsPresumedFreshness
        next.keepsForOfflineUse = request.keepsForOfflineUse
        next.omittedFields = request.omittedFields
        if url.isSameOrigin(as: request.url) {
            next.headerFields = request.headerFields
        } else {
            next.mayHaveKeptCredentials = false
        }
        return next
    }

    /// The bytes of a resource of the page, from the cache or from the URL itself, without a network; nil if they are
    /// not available.
    func storedBody(_ url: WebURL) async -> [UInt8]? {
        if url.scheme == "http" || url.scheme == "https" {
            // Checking for the entry is cheaper than a load that fails.
            guard await loader.isCached(url) else { return nil }
        } else if url.scheme != "data" {
            return nil
        }
        var request = request(for: url)
        request.cachePolicy = .returnCacheDataDontLoad
        // A resource that cannot be read counts as not available.
        guard let response = try? await loader.fetch(request) else { return nil }
        return response.status.map { $0.kind == .successful } ?? true ? response.body : nil
    }
}
