import HTTPTypes

/// Follows redirects as the Fetch standard defines, each hop through the fetcher (and so the cache) below.
///
/// <https://fetch.spec.whatwg.org/#http-redirect-fetch>
package struct RedirectFollower: Sendable {
    /// The fetcher of each hop.
    let fetcher: any Fetcher

    /// The cookies, HSTS hosts and credentials that the hops share; `nil` if there are none.
    var session: WebSession?

    package init(fetcher: any Fetcher, session: WebSession? = nil) {
        self.fetcher = fetcher
        self.session = session
    }

    /// Asked before each hop after the first; an error ends the load.
    package typealias WillRedirect = @Sendable (WebRequest, WebResponse) async throws(FetchError) -> Void

    /// Fetches a response, following redirects.
    ///
    /// `limits.maximumTime` bounds all hops together. The receiver gets the last response only.
    package func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)? = nil,
        willRedirect: WillRedirect? = nil
    ) async throws(FetchError) -> WebResponse {
        let started = MonotonicClock.now
        var request = request
        var redirects: [WebResponse.Redirect] = []
        var isFirst = true
        var source = RequestSource(request)
        while true {
            var hopLimits = limits
            if let maximum = limits.maximumSeconds {
                hopLimits.maximumSeconds = max(0.001, maximum - (MonotonicClock.now - started))
            }
            if let secured = await session?.secured(request.url) {
                var next = request
                next.url = secured
                try await follow(next, Self.securing(request.url, secured), &redirects, limits, willRedirect)
                request = next
            }
            if isFirst {
                // Credentials are added once, for the origin that the user asked for; after that they belong
                // to the request.
                let time = hopLimits.maximumSeconds
                request = await session?.withCredentials(request, within: time) ?? request
                isFirst = false
                // Reading the file may have taken some of the time.
                hopLimits.maximumSeconds = limits.maximumSeconds.map {
                    max(0.001, $0 - (MonotonicClock.now - started))
                }
            }
            var sent = session?.withCookies(request) ?? request
            sent = source?.adding(to: sent) ?? sent
            var response: WebResponse
            do throws(FetchError) {
                response = try await fetcher.fetch(
                    sent,
                    limits: hopLimits,
                    receiver: receiver.map { Self.passing($0, request, redirects) }
                )
            } catch  where error.code == .totalTimeout {
                // A hop that used up the remaining time has used up the load's time, unless that was its reader.
                if receiver?.isPaced != true || !redirects.isEmpty, let maximum = limits.maximumSeconds,
                    MonotonicClock.now - started >= maximum
                {
                    throw .tookTooLong(maximum)
                }
                throw error
            }
            response.url = Self.keepingFragment(of: request.url, response.url)
            guard request.followsRedirects, let next = try Self.redirect(request, response) else {
                response.redirects = redirects
                return response
            }
            if willRedirect != nil { response.redirects = redirects }
            try await follow(next, response, &redirects, limits, willRedirect)
            // In a cycle of cached redirects, nothing else checks the time.
            if Task.isCancelled { throw .cancelled }
            if let maximum = limits.maximumSeconds, MonotonicClock.now - started >= maximum {
                throw .tookTooLong(maximum)
            }
            request = next
        }
    }

    /// Counts a redirect, and asks whether to follow it.
    private func follow(
        _ next: WebRequest,
        _ response: WebResponse,
        _ redirects: inout [WebResponse.Redirect],
        _ limits: LoadLimits,
        _ willRedirect: WillRedirect?
    ) async throws(FetchError) {
        // 4. and 6.
        guard redirects.count < limits.maximumRedirects else {
            var error = FetchError(
                .tooManyRedirects,
                "more than \(limits.maximumRedirects) redirects",
                limit: Int64(limits.maximumRedirects),
                reached: Int64(redirects.count) +| 1
            )
            error.setsCookies =
                session?.cookieJar == nil && redirects.contains { $0.headerFields[.setCookie] != nil }
            throw error
        }
        redirects.append(
            WebResponse.Redirect(
                url: response.url,
                status: response.status ?? 0,
                headerFields: response.headerFields,
                timing: response.timing,
                source: response.source
            )
        )
        try await willRedirect?(next, response)
    }

    /// The internal redirect to HTTPS that browsers show for an HSTS host.
    private static func securing(_ url: WebURL, _ secured: WebURL) -> WebResponse {
        var response = WebResponse(url: url, status: 307, body: [], source: .strictTransportSecurity)
        response.headerFields[.location] = secured.withoutCredentials.href
        if let name = HTTPField.Name("Non-Authoritative-Reason") { response.headerFields[name] = "HSTS" }
        return response
    }

    /// A receiver that does not get the redirects that are followed, and gets the heads as they are returned.
    private static func passing(
        _ receiver: any BodyReceiver,
        _ request: WebRequest,
        _ redirects: [WebResponse.Redirect]
    ) -> any BodyReceiver {
        FilteredReceiver(receiver) { head in
            let isFollowed =
                request.followsRedirects && redirectStatuses.contains(head.status ?? 0)
                && !head.values(.location).isEmpty
            guard !isFollowed else { return nil }
            var head = head
            head.url = keepingFragment(of: request.url, head.url)
            head.redirects = redirects
            return head
        }
    }

    private static let redirectStatuses: Set<HTTPResponse.Status> = [301, 302, 303, 307, 308]

    /// The request that a response redirects to; nil if it does not redirect.
    package static func redirect(
        _ request: WebRequest,
        _ response: WebResponse
    ) throws(FetchError) -> WebRequest? {
        guard let status = response.status, redirectStatuses.contains(status) else { return nil }
        // "location URL": a redirect without Location is a response like any other.
        let locations = response.headerFields[fields: .location].map(\.urlText)
        guard let location = locations.first else { return nil }
        guard locations.allSatisfy({ $0 == location }) else {
            throw FetchError(.malformedResponse, "the redirect names several locations")
        }
        let url: WebURL
        do throws(WebURLError) {
            url = try WebURL(location, base: request.url)
        } catch {
            throw FetchError(.unsupportedRedirect, "the redirect's location is not a valid URL: \(error)")
        }
        guard url.scheme == "http" || url.scheme == "https" else {
            throw FetchError(.unsupportedRedirect, "a redirect to a \(url.scheme): URL is not followed")
        }
        var next = request
        next.url = keepingFragment(of: request.url, url)
        // 12. After a 303, or after a 301 or 302 to a POST, the body is not sent again.
        let isPost = request.httpMethod == "POST"
        let isSafe = request.httpMethod == "GET" || request.httpMethod == "HEAD"
        if (status == 301 || status == 302) && isPost || status == 303 && !isSafe {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in aboutBody { next.headerFields[name] = nil }
        }
        // 13. Credentials stay with the origin that they were meant for.
        if !request.url.isSameOrigin(as: url) {
            for name in [HTTPField.Name.authorization, .proxyAuthorization, .cookie] {
                next.headerFields[name] = nil
            }
            next.setValue(nil, forHTTPHeaderField: "Host")
            if request.keepsFieldsToOrigin { next.keepForEverybody() }
            // Nor does what netrc has for a host that was asked by TLS go there in the clear.
            if request.url.scheme == "https", url.scheme == "http" { next.mayHaveKeptCredentials = false }
        }
        // "Set request's referrer policy on redirect": the next hop says what this response allows.
        if request.referrer != nil, let policy = ReferrerPolicy(response.headerFields) {
            next.referrerPolicy = policy
        }
        return next
    }

    /// The fields of a request that describe its body.
    private static let aboutBody: [HTTPField.Name] = [
        .contentEncoding, .contentLanguage, .contentLength, .contentLocation, .contentType, .transferEncoding,
    ]

    /// The new URL, with the fragment of the old URL unless it has its own.
    private static func keepingFragment(of old: WebURL, _ new: WebURL) -> WebURL {
        guard new.fragment == nil, let fragment = old.fragment else { return new }
        var url = new
        // The setter strips one "#", which may belong to the fragment, and takes an empty text for no
        // fragment.
        // A fragment that would make the URL too long is left out.
        try? url.setHash("#\(fragment)")
        return url
    }
}
