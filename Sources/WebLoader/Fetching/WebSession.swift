import HTTPTypes

/// What is carried from one request to another, and goes with those of the user: cookies, which hosts are to be reached
/// over TLS only, credentials of a file.
struct WebSession: Sendable {
    let cookieJar: CookieJar?
    let hstsStore: HSTSStore?
    let blockingWork: BlockingWork
    var netrc: NetrcFile?

    /// A request with the credentials that a file has for its host, which may be waited for so many seconds.
    func withCredentials(_ request: WebRequest, within seconds: Double?) async -> WebRequest {
        guard let netrc, request.mayHaveKeptCredentials else { return request }
        return await blockingWork.run { netrc.authorizing(request, within: seconds) }
    }

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
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: What it answers.
    ///   - seconds: How long that may take, where other processes are in the way.
    func learn(from response: WebResponse, to request: WebRequest, within seconds: Double) async {
        guard response.source == .network else { return }
        cookieJar?.take(response.headerFields, from: request.url)
        // Only TLS that was in order counts: section 8.1.
        guard let hstsStore, request.url.scheme == "https", response.tls?.isVerified == true,
            let host = request.url.host, let policy = StrictTransportSecurity(response.headerFields)
        else { return }
        let isKept = request.storesResponse
        // That it cannot be written is no reason for the load to fail; the next one learns it again.
        let patience = min(HSTSStore.lockPatience, max(0, seconds))
        await blockingWork.run {
            try? hstsStore.note(host, policy, now: .now, isKept: isKept, patience: patience)
        }
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
        let started = MonotonicClock.now
        let response = try await upstream.fetch(request, limits: limits, receiver: receiver)
        let left = (limits.maximumTime ?? .infinity) - (MonotonicClock.now - started)
        await session.learn(from: response, to: request, within: left)
        return response
    }
}
