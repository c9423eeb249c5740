/// Why a response could not be had.
public struct FetchError: Error, Equatable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The task was cancelled.
        case cancelled = "load.cancelled"
        /// The load's delegate refused it.
        case refused = "load.refused"
        /// The method or a field cannot be sent.
        case invalidRequest = "request.invalid"
        /// No fetcher knows the scheme.
        case unsupportedURL = "url.unsupported"
        /// A redirect led to what is no URL, or to a scheme that it may not lead to.
        case unsupportedRedirect = "network.redirect"
        /// The name could not be resolved.
        case nameResolution = "network.dns"
        /// No connection could be made.
        case connection = "network.connect"
        /// The connection ended before the response did.
        case connectionLost = "network.lost"
        /// There was no progress for too long, or the load as a whole took too long.
        case timeout = "network.timeout"
        /// TLS could not be set up.
        case tls = "network.tls"
        /// The server's certificate is not to be trusted.
        case certificate = "network.tls.certificate"
        /// What came back is not HTTP as it should be.
        case malformedResponse = "network.protocol"
        /// The body's content coding could not be undone.
        case contentDecoding = "network.decoding"
        /// There were too many redirects.
        case tooManyRedirects = "network.too-many-redirects"
        /// The body is too large.
        case bodyTooLarge = "limit.size"
        /// The fields are too large.
        case headersTooLarge = "limit.headers"
        /// Not in the cache, and the policy forbids the network.
        case cacheMiss = "cache.miss"
        /// libcurl could not be loaded or set up.
        case unavailable = "network.unavailable"
    }

    /// What happened.
    public let code: Code

    /// What happened, in words and figures, for people.
    public let message: String

    /// libcurl's number for it, nil where it was not libcurl that failed.
    public var curlCode: Int32?

    /// The limit that was hit, in bytes, milliseconds or redirects; nil where it was none.
    public var limit: Int64?

    /// The status of the response that HTTP has a cache generate here, nil where it says nothing of that.
    ///
    /// It is 504: the server could not be reached and what is stored must not be used without asking it, or the
    /// request says `only-if-cached`.
    ///
    /// [RFC 9111, section 5.2.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.2)
    public var generatedStatus: Int?

    /// Creates an error.
    public init(_ code: Code, _ message: String, curlCode: Int32? = nil, limit: Int64? = nil) {
        self.code = code
        self.message = message
        self.curlCode = curlCode
        self.limit = limit
    }
}

extension FetchError.Code {
    /// Foundation's number for it (`NSURLErrorDomain`), nil where it has none.
    public var nsURLErrorCode: Int? {
        switch self {
        case .cancelled, .refused: -999
        case .invalidRequest: -1000
        case .timeout: -1001
        case .unsupportedURL, .unsupportedRedirect: -1002
        case .nameResolution: -1003
        case .connection: -1004
        case .connectionLost: -1005
        case .tooManyRedirects: -1007
        case .cacheMiss: -1008
        case .contentDecoding: -1016
        case .malformedResponse: -1017
        case .bodyTooLarge, .headersTooLarge: -1103
        case .tls: -1200
        case .certificate: -1202
        case .unavailable: nil
        }
    }
}
