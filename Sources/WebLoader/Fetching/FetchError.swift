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
        /// There was no progress for too long.
        case timeout = "network.timeout"
        /// No connection stood in time.
        case connectTimeout = "network.timeout.connect"
        /// The load as a whole took too long.
        case totalTimeout = "network.timeout.total"
        /// TLS could not be set up.
        case tls = "network.tls"
        /// The server's certificate is not to be trusted, for a reason that has no code of its own.
        case certificate = "network.tls.certificate"
        /// The certificate is for other hosts.
        case certificateHost = "network.tls.certificate.host"
        /// The certificate, or one that vouches for it, has expired.
        case certificateExpired = "network.tls.certificate.expired"
        /// The certificate is not valid yet.
        case certificateNotYetValid = "network.tls.certificate.not-yet-valid"
        /// Nobody who is trusted vouches for the certificate.
        case certificateUnknownRoot = "network.tls.certificate.unknown-root"
        /// The address is one that the fetcher is not to connect to.
        case addressRefused = "network.address"
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
        /// There are too many fields.
        case tooManyFields = "limit.fields"
        /// There are too many interim responses.
        case tooManyInterimResponses = "limit.interim"
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

    /// The limit that was hit, in bytes, milliseconds, redirects, fields or responses; nil where it was none.
    public var limit: Int64?

    /// The status of the response that HTTP has a cache generate here, nil where it says nothing of that.
    ///
    /// It is 504: the server could not be reached and what is stored must not be used without asking it, or the
    /// request says `only-if-cached`.
    ///
    /// [RFC 9111, section 5.2.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.2)
    public var generatedStatus: Int?

    /// What was reached when the limit was hit, in the same unit; nil where it was none.
    ///
    /// Of a size, as much as was known then: it may have become more.
    public var reached: Int64?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        curlCode: Int32? = nil,
        limit: Int64? = nil,
        reached: Int64? = nil
    ) {
        self.code = code
        self.message = message
        self.curlCode = curlCode
        self.limit = limit
        self.reached = reached
    }
}

extension FetchError.Code {
    /// Foundation's number for it (`NSURLErrorDomain`), nil where it has none.
    public var nsURLErrorCode: Int? {
        switch self {
        case .cancelled, .refused: -999
        case .invalidRequest: -1000
        case .timeout, .connectTimeout, .totalTimeout: -1001
        case .unsupportedURL, .unsupportedRedirect: -1002
        case .nameResolution: -1003
        case .connection, .addressRefused: -1004
        case .connectionLost: -1005
        case .tooManyRedirects: -1007
        case .cacheMiss: -1008
        case .tooManyInterimResponses: -1011
        case .contentDecoding: -1016
        case .malformedResponse: -1017
        case .bodyTooLarge, .headersTooLarge, .tooManyFields: -1103
        case .tls: -1200
        case .certificateExpired: -1201
        case .certificate, .certificateHost: -1202
        case .certificateUnknownRoot: -1203
        case .certificateNotYetValid: -1204
        case .unavailable: nil
        }
    }
}
