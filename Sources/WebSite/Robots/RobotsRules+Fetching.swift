extension RobotsRules {
    /// The result of a request for a robots.txt, after the redirects that were followed.
    public enum FetchResult: Sendable {
        /// A response with its status code and its decoded body, of which ``RobotsRules/maximumSize`` bytes and one
        /// more are enough. For a 304, pass the stored response.
        case response(status: Int, body: [UInt8])
        /// More redirects than ``RobotsRules/maximumRedirects``.
        case tooManyRedirects
        /// No response: an unknown host, no connection, a time-out.
        case unreachable
    }

    /// Creates the rules that hold for a site after a request for its file.
    ///
    /// The body is parsed if the status is 2xx. With 4xx (including 401, 403 and 429), a redirect without a target, and
    /// too many redirects, everything is allowed; with 5xx, any other status, and without a response nothing is, so
    /// that a site in trouble gets no requests.
    ///
    /// [RFC 9309, section 2.3.1](https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1)
    public init(_ result: FetchResult) {
        switch result {
        case .response(let status, let body) where 200..<300 ~= status: self.init(parsing: body)
        case .response(let status, _) where 300..<500 ~= status: self.init(scope: .unavailable)
        case .tooManyRedirects: self.init(scope: .unavailable)
        case .response, .unreachable: self.init(scope: .unreachable)
        }
    }

    /// Rules that allow everything, as for a site without a robots.txt.
    public static var allAllowed: RobotsRules { RobotsRules(scope: .unavailable) }

    /// Rules that allow nothing but `/robots.txt`, as for a site that does not answer.
    public static var allDisallowed: RobotsRules { RobotsRules(scope: .unreachable) }
}
