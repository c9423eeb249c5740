package import WebLoader
package import WebStandards

/// The result of one request.
package struct SiteAnswer: Sendable {
    /// The URL that was requested, without its fragment.
    package let url: WebURL
    /// The response, with as much of its body as was wanted; `nil` if there was no response.
    package let response: WebResponse?
    /// Why there was no response, or why its body is incomplete.
    package let error: LoadError?
    /// Whether the body was longer than was wanted.
    package let isCut: Bool
    /// The target of a redirect; `nil` if the response is not a redirect, or cannot be followed (see `error`).
    package let redirect: WebURL?
    /// The fragment of the redirect, which replaces the link's own; `nil` if it has none.
    ///
    /// [RFC 9110, section 10.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2)
    package let redirectFragment: String?
    /// The signal of the host.
    package let signal: HostSignal

    /// Whether the answer is inconclusive about the URL: no response, a server error, or a refusal.
    ///
    /// A refusal may be temporary; only 404 and 410 mean that nothing exists (RFC 9110, sections 15.5.5 and 15.5.11).
    package var isTransient: Bool {
        if let cause = error?.cause as? FileError, cause.code == .notFound { return false }
        guard error == nil, response != nil else { return true }
        // A response without a status is a file, which exists.
        guard let status else { return false }
        // A redirect without a Location, one with several choices, or an unexpected 304.
        if 300..<400 ~= status { return redirect == nil }
        return status >= 400 && status != 404 && status != 410
    }

    /// Why the redirect is inconclusive about the URL, as a code; `nil` if it is conclusive.
    ///
    /// A detour redirects to the URL itself, or to a page that requires an action and then links back, such as a login
    /// or a question of consent. Its query contains the URL to return to.
    package var detour: String? {
        guard let redirect else { return nil }
        if redirect == url { return "redirect.loop" }
        let leadsBack = redirect.searchParameters.entries.contains { entry in
            guard entry.value.hasPrefix("/") || entry.value.contains("://"),
                let back = try? WebURL(entry.value, base: url)
            else { return false }
            // The schemes may differ.
            return back.hostname == url.hostname && back.path == url.path && back.query == url.query
        }
        return leadsBack ? "redirect.detour" : nil
    }

    /// The status; `nil` without a response, and for other schemes than http and https.
    package var status: Int? { response?.status.map { Int($0.code) } }

    /// Whether the same request may succeed later: lost connections, time-outs, and temporary statuses.
    package var isWorthRetrying: Bool {
        if let cause = error?.cause as? FetchError { return cause.isTemporary }
        return response?.isTemporaryFailure ?? false
    }

    /// The number of seconds to wait that the server asks for; `nil` if it names none.
    package var retryAfter: Double? { response?.retryAfter(now: .now) }
}

extension SiteAnswer {
    /// Creates the answer for a copy from before that has not changed.
    init(unchanged kept: WebResponse, at url: WebURL, signal: HostSignal = .unasked) {
        self.init(
            url: url,
            response: kept,
            error: nil,
            isCut: false,
            redirect: nil,
            redirectFragment: nil,
            signal: signal
        )
    }
}
