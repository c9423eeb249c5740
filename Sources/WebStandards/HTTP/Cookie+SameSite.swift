extension Cookie {
    /// The requests from other sites that carry the cookie.
    ///
    /// [RFC 6265bis, section 5.6.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6.7)
    public enum SameSite: String, Sendable, Codable, CaseIterable {
        /// No requests from other sites.
        case strict
        /// Requests that only load a page: GET and HEAD.
        case lax
        /// All requests.
        case none
    }

    /// Whether it goes with a request that comes from another site.
    ///
    /// - Parameter method: The request's method.
    /// - Returns: Whether its attribute allows that.
    package func isSentFromOtherSites(by method: String) -> Bool {
        switch sameSite ?? .lax {
        case .strict: false
        case .lax: method == "GET" || method == "HEAD"
        case .none: true
        }
    }
}

extension WebRequest {
    /// Whether it comes from a page of another site than the one that it goes to; false for what a user asked for.
    ///
    /// [RFC 6265bis, section 5.2](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.2)
    package var isCrossSite: Bool {
        guard let referrer else { return false }
        return !referrer.isSameSite(as: url)
    }
}
