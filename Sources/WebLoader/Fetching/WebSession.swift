import HTTPTypes

/// What is carried from one request to another: cookies, and which hosts are to be reached over TLS only.
struct WebSession: Sendable {
    let cookieJar: CookieJar?
    let hstsStore: HSTSStore?
    let blockingWork: BlockingWork

    /// The URL that a request for `url` goes to: over TLS where its host has said so.
    func secured(_ url: WebURL) async -> WebURL? {
        guard let hstsStore, url.scheme == "http", let host = url.host else { return nil }
        let isKnown =
            hstsStore.mayBlock
            ? await blockingWork.run { hstsStore.isKnown(host, now: .now) }
            : hstsStore.isKnown(host, now: .now)
        guard isKnown else { return nil }
        var secured = url
        secured.setProtocol("https")
        return secured
    }

    /// A request with the cookies that belong to it, before its own.
    func withCookies(_ request: WebRequest) -> WebRequest {
        guard let field = cookieJar?.field(for: request.url) else { return request }
        var request = request
        request.headerFields[.cookie] = request.headerFields[.cookie].map { "\(field); \($0)" } ?? field
        return request
    }

    /// Takes what a response says of the requests to come.
    func learn(from response: WebResponse, to request: WebRequest) async {
        guard response.source == .network else { return }
        cookieJar?.take(response.headerFields, from: request.url)
        // Only TLS that was in order counts: section 8.1.
        guard let hstsStore, request.url.scheme == "https", response.tls?.isVerified == true,
            let host = request.url.host, let policy = StrictTransportSecurity(response.headerFields)
        else { return }
        let isKept = request.storesResponse
        // That it cannot be written is no reason for the load to fail; the next one learns it again.
        await blockingWork.run { try? hstsStore.note(host, policy, now: .now, isKept: isKept) }
    }
}

/// A fetcher that has a session learn from what comes over the network, be it a 304 that the cache keeps to itself.
struct SessionFetcher: Fetcher {
    let session: WebSession
    let upstream: any Fetcher

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let response = try await upstream.fetch(request, limits: limits, receiver: receiver)
        await session.learn(from: response, to: request)
        return response
    }
}
