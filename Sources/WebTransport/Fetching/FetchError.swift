public import HTTPTypes

/// Why a fetch failed.
public struct FetchError: WebError {
    /// The kind of failure, as a stable identifier.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The task was cancelled.
        public static var cancelled: Self { "load.cancelled" }
        /// The load's delegate refused it.
        public static var refused: Self { "load.refused" }
        /// The method or a field cannot be sent.
        public static var invalidRequest: Self { "request.invalid" }
        /// No fetcher knows the scheme.
        public static var unsupportedURL: Self { "url.unsupported" }
        /// The `data:` URL cannot be decoded.
        public static var invalidDataURL: Self { "url.data" }
        /// A redirect's location is not a URL, or has a scheme that is not followed.
        public static var unsupportedRedirect: Self { "network.redirect" }
        /// The name could not be resolved.
        public static var nameResolution: Self { "network.dns" }
        /// No connection could be made.
        public static var connection: Self { "network.connect" }
        /// The connection ended before the response did.
        public static var connectionLost: Self { "network.lost" }
        /// There was no progress for too long.
        public static var timeout: Self { "network.timeout" }
        /// No connection was established in time.
        public static var connectTimeout: Self { "network.timeout.connect" }
        /// The load as a whole took too long.
        public static var totalTimeout: Self { "network.timeout.total" }
        /// TLS could not be set up.
        public static var tls: Self { "network.tls" }
        /// The server's certificate is not trusted, for a reason without a code of its own.
        public static var certificate: Self { "network.tls.certificate" }
        /// The certificate is for other hosts.
        public static var certificateHost: Self { "network.tls.certificate.host" }
        /// The certificate, or another one in its chain, has expired.
        public static var certificateExpired: Self { "network.tls.certificate.expired" }
        /// The certificate is not valid yet.
        public static var certificateNotYetValid: Self { "network.tls.certificate.not-yet-valid" }
        /// The certificate chain does not end in a trusted root.
        public static var certificateUnknownRoot: Self { "network.tls.certificate.unknown-root" }
        /// The fetcher may not connect to the address.
        public static var addressRefused: Self { "network.address" }
        /// The response is not valid HTTP.
        public static var malformedResponse: Self { "network.protocol" }
        /// The body's content coding could not be decoded.
        public static var contentDecoding: Self { "network.decoding" }
        /// There were too many redirects.
        public static var tooManyRedirects: Self { "network.too-many-redirects" }
        /// The body is too large.
        public static var bodyTooLarge: Self { "limit.size" }
        /// The fields are too large.
        public static var headersTooLarge: Self { "limit.headers" }
        /// There are too many fields.
        public static var tooManyFields: Self { "limit.fields" }
        /// There are too many interim responses.
        public static var tooManyInterimResponses: Self { "limit.interim" }
        /// Not in the cache, and the policy forbids the network.
        public static var cacheMiss: Self { "cache.miss" }
        /// libcurl could not be loaded or set up.
        public static var unavailable: Self { "network.unavailable" }
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

    /// Whether redirects that were followed in vain set cookies, which were not sent back.
    package var setsCookies = false

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
        case .invalidRequest, .invalidDataURL: -1000
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
        default: nil
        }
    }
}
