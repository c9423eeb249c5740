public import HTTPTypes

/// Why a fetch failed.
public struct FetchError: Error, Equatable, Sendable {
    /// The kind of failure, as a stable identifier.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The task was cancelled.
        case cancelled = "load.cancelled"
        /// The load's delegate refused it.
        case refused = "load.refused"
        /// The method or a field cannot be sent.
        case invalidRequest = "request.invalid"
        /// No fetcher knows the scheme.
        case unsupportedURL = "url.unsupported"
        /// A redirect's location is not a URL, or has a scheme that is not followed.
        case unsupportedRedirect = "network.redirect"
        /// The name could not be resolved.
        case nameResolution = "network.dns"
        /// No connection could be made.
        case connection = "network.connect"
        /// The connection ended before the response did.
        case connectionLost = "network.lost"
        /// There was no progress for too long.
        case timeout = "network.timeout"
        /// No connection was established in time.
        case connectTimeout = "network.timeout.connect"
        /// The load as a whole took too long.
        case totalTimeout = "network.timeout.total"
        /// TLS could not be set up.
        case tls = "network.tls"
        /// The server's certificate is not trusted, for a reason without a code of its own.
        case certificate = "network.tls.certificate"
        /// The certificate is for other hosts.
        case certificateHost = "network.tls.certificate.host"
        /// The certificate, or another one in its chain, has expired.
        case certificateExpired = "network.tls.certificate.expired"
        /// The certificate is not valid yet.
        case certificateNotYetValid = "network.tls.certificate.not-yet-valid"
        /// The certificate chain does not end in a trusted root.
        case certificateUnknownRoot = "network.tls.certificate.unknown-root"
        /// The fetcher may not connect to the address.
        case addressRefused = "network.address"
        /// The response is not valid HTTP.
        case malformedResponse = "network.protocol"
        /// The body's content coding could not be decoded.
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

    /// The kind of failure.
    public let code: Code

    /// A description of the failure for people.
    public let message: String

    /// libcurl's error code, nil if the error is not libcurl's.
    public var curlCode: Int32?

    /// The limit that was hit, in bytes, milliseconds, redirects, fields or responses; nil if no limit was
    /// hit.
    public var limit: Int64?

    /// The status that HTTP requires a cache to generate for this failure, nil if there is none.
    ///
    /// It is 504: the server could not be reached and what is stored must not be used without asking it, or the
    /// request says `only-if-cached`.
    ///
    /// [RFC 9111, section 5.2.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.2)
    public var generatedStatus: HTTPResponse.Status?

    /// The value that was reached when the limit was hit, in the same unit; nil if no limit was hit.
    ///
    /// For a size, the value known at that time: the full size may be larger.
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
