extension Cookie {
    /// Which requests that come from other sites have the cookie.
    ///
    /// [RFC 6265bis, section 5.6.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6.7)
    public enum SameSite: String, Sendable, Codable, CaseIterable {
        /// None.
        case strict
        /// Those that only ask for a page: GET and HEAD.
        case lax
        /// All.
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
