import HTTPTypes

/// State that the requests of a user share: cookies, HSTS hosts, and credentials of a netrc file.
package struct WebSession: Sendable {
    let cookieJar: CookieJar?
    let hstsStore: HSTSStore?
    let blockingWork: BlockingWork
    package var netrc: NetrcFile?

    package init(
        cookieJar: CookieJar?,
        hstsStore: HSTSStore?,
        blockingWork: BlockingWork,
        netrc: NetrcFile? = nil
    ) {
        self.cookieJar = cookieJar
        self.hstsStore = hstsStore
        self.blockingWork = blockingWork
        self.netrc = netrc
    }

    /// The request with the netrc file's credentials for its host; waits for the file at most `seconds`.
    func withCredentials(_ request: WebRequest, within seconds: Double?) async -> WebRequest {
        guard let netrc, request.mayHaveKeptCredentials else { return request }
        return await blockingWork.run { netrc.authorizing(request, within: seconds) }
    }

    /// The HTTPS form of an HTTP URL whose host is an HSTS host; nil for other URLs.
    func secured(_ url: WebURL) async -> WebURL? {
        guard let hstsStore, url.scheme == "http", let host = url.host else { return nil }
        let isKnown =
            hstsStore.mayBlock
            ? await blockingWork.run { hstsStore.isKnown(host, now: .now) }
            : hstsStore.isKnown(host, now: .now)
        guard isKnown else { return nil }
        var secured = url
        // An http URL can always become an https one.
        try? secured.setProtocol("https")
        return secured
    }

    /// The request with the jar's cookies for its URL, before its own.
    func withCookies(_ request: WebRequest) -> WebRequest {
        guard let field = cookieJar?.field(for: request) else { return request }
        var request = request
        let own = request.headerFields[.cookie]
        request.setValue(own.map { "\(field); \($0)" } ?? field, forHTTPHeaderField: "Cookie")
        return request
    }

    /// Stores the cookies of a response to a request.
    func takeCookies(from response: WebResponse, to request: WebRequest) {
        guard response.source == .network else { return }
        cookieJar?.take(response.headerFields, from: request.url)
    }

    /// Stores the HSTS policy of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that it answers.
    ///   - seconds: How long to wait for other processes that write the HSTS file.
    func learn(from response: WebResponse, to request: WebRequest, within seconds: Double) async {
        // Only a policy over verified TLS counts: section 8.1.
        guard let hstsStore, response.source == .network, request.url.scheme == "https",
            response.tls?.isVerified == true,
            let host = request.url.host, let policy = StrictTransportSecurity(response.headerFields)
        else { return }
        let isKept = request.storesResponse
        // A failure to write is no reason for the load to fail; the next load learns the policy again.
        let patience = min(HSTSStore.lockPatience, max(0, seconds))
        await blockingWork.run {
            try? hstsStore.note(host, policy, now: .now, isKept: isKept, patience: patience)
        }
    }
}

/// A fetcher that updates a session from responses of the network, including a 304 that the cache does not
/// pass on.
package struct SessionFetcher: Fetcher {
    let session: WebSession
    let upstream: any Fetcher

    package init(session: WebSession, upstream: any Fetcher) {
        self.session = session
        self.upstream = upstream
    }

    package func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let started = MonotonicClock.now
        if let receiver, receiver.isPaced {
            // Its reader may make other requests before the end of the body, or never get there.
            let noting = FilteredReceiver(receiver) { head in
                session.takeCookies(from: head, to: request)
                Task { await session.learn(from: head, to: request, within: HSTSStore.lockPatience) }
                return head
            }
            return try await upstream.fetch(request, limits: limits, receiver: noting)
        }
        let response = try await upstream.fetch(request, limits: limits, receiver: receiver)
        session.takeCookies(from: response, to: request)
        let left = (limits.maximumSeconds ?? .infinity) - (MonotonicClock.now - started)
        await session.learn(from: response, to: request, within: left)
        return response
    }
}
