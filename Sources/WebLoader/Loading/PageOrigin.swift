/// Who has loaded a page, and how: what loading the pages needs that it leads to.
struct PageOrigin: Sendable {
    let loader: PageLoader
    let request: WebRequest

    /// The request for a page that a rule follows: under the same cache policy, and with the same fields within the
    /// same origin only, lest a link carry credentials away.
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
