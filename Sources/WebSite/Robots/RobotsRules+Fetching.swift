extension RobotsRules {
    /// How asking for a robots.txt ended, after the redirects that were followed.
    public enum FetchResult: Sendable {
        /// A response with its status code and its decoded body, of which ``RobotsRules/maximumSize`` bytes and one more
        /// are enough. In place of a 304 it is the stored response.
        case response(status: Int, body: [UInt8])
        /// More redirects than ``RobotsRules/maximumRedirects``.
        case tooManyRedirects
        /// No response: no such host, no connection, a time-out.
        case unreachable
    }

    /// What holds for a site whose file was asked for.
    ///
    /// A body counts with a status of 2xx. With 4xx (401, 403 and 429 too), with a redirect that leads nowhere and with too
    /// many of them, all is allowed; with 5xx, any other status, and without a response nothing is, so that a site in
    /// trouble is left alone.
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

    /// Rules that allow everything, as for a site without a file.
    public static var allAllowed: RobotsRules { RobotsRules(scope: .unavailable) }

    /// Rules that allow nothing but `/robots.txt`, as for a site that does not answer.
    public static var allDisallowed: RobotsRules { RobotsRules(scope: .unreachable) }
}
