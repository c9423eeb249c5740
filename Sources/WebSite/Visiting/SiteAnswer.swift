package import WebLoader
package import WebStandards

/// What came of one request.
package struct SiteAnswer: Sendable {
    /// The URL that was asked for, without its fragment.
    package let url: WebURL
    /// The response, with as much of its body as was wanted; nil if there is none.
    package let response: WebResponse?
    /// Why there is none, or why its body is not whole.
    package let error: LoadError?
    /// Whether there was more of the body than was wanted.
    package let isCut: Bool
    /// Where it redirects to; nil if it does not, or if that is not to be followed (see `error`).
    package let redirect: WebURL?
    /// The fragment that it redirects to, which then counts in place of the link's own; nil if it names none.
    ///
    /// [RFC 9110, section 10.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2)
    package let redirectFragment: String?
    /// What it says of the host.
    package let signal: HostSignal

    /// Whether it says nothing of what there is at its URL: no answer, a failure of the server's, or a refusal.
    ///
    /// Who is not let in now may be let in again; only 404 and 410 say that there is nothing (RFC 9110, sections 15.5.5 and 15.5.11).
    package var isTransient: Bool {
        if let cause = error?.cause as? FileError, cause.code == .notFound { return false }
        guard error == nil, response != nil else { return true }
        // What has no status is a file, which is there.
        guard let status else { return false }
        // A redirect without a Location, a choice of several, a 304 that nobody asked for.
        if 300..<400 ~= status { return redirect == nil }
        return status >= 400 && status != 404 && status != 410
    }

    /// Why what it redirects to says nothing of what there is at its URL, as a code; nil if it does.
    ///
    /// That is itself, or where somebody is to do something first and is then led back: a login, a question of consent. Its query has the
    /// way back.
    package var detour: String? {
        guard let redirect else { return nil }
        if redirect == url { return "redirect.loop" }
        let leadsBack = redirect.searchParameters.entries.contains { entry in
            guard entry.value.hasPrefix("/") || entry.value.contains("://"),
                let back = try? WebURL(entry.value, base: url)
            else { return false }
            // The scheme may be another one there.
            return back.hostname == url.hostname && back.path == url.path && back.query == url.query
        }
        return leadsBack ? "redirect.detour" : nil
    }

    /// The status; nil without a response, and for what is not of HTTP.
    package var status: Int? { response?.status.map { Int($0.code) } }

    /// Whether the same request may succeed later: connections lost, time-outs, and the statuses that say so.
    package var isWorthRetrying: Bool {
        if let cause = error?.cause as? FetchError { return cause.isTemporary }
        return response?.isTemporaryFailure ?? false
    }

    /// The seconds that the server asks to be left alone for; nil if it does not.
    package var retryAfter: Double? { response?.retryAfter(now: .now) }
}

extension SiteAnswer {
    /// The answer that a copy from before is, which has not changed.
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
