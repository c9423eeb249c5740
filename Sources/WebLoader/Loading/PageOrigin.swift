/// The loader and the request of a page, to load the pages and resources that it refers to.
struct PageOrigin: Sendable {
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
        next.keepsForOfflineUse = request.keepsForOfflineUse
        next.omittedFields = request.omittedFields
        if url.isSameOrigin(as: request.url) {
            next.headerFields = request.headerFields
        } else {
            next.mayHaveKeptCredentials = false
        }
        return next
    }
}
