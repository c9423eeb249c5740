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
    /// What it says of the host.
    package let signal: HostSignal

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
