/// Whether and when a request that came to nothing is made again.
///
/// Only what may be repeated is: GET, HEAD, PUT, DELETE, OPTIONS and TRACE, after failures of the connection or of name
/// resolution, after time-outs, and where the response ``WebResponse/isTemporaryFailure``.
public struct RetryPolicy: Hashable, Sendable {
    /// How many times it is made again, as curl's `--retry`; 0, as unless said otherwise, is never.
    public var maximumRetries = 0 { didSet { maximumRetries.boundCount() } }

    /// Seconds from the first request within which another may be made, as curl's `--retry-max-time`; nil, as unless
    /// said otherwise, is no limit but ``LoadLimits/maximumTime``.
    ///
    /// A server that asks for a longer wait is not asked again.
    public var maximumTime: Double?

    /// Seconds before the first retry, 1; twice as long before each one after that, up to 600.
    ///
    /// Up to half of it is taken off at random, so that many do not come back at once. A server's Retry-After is obeyed
    /// to the second, if it is longer.
    public var initialDelay = 1.0

    /// Creates a policy that never tries again.
    public init() {}

    /// Seconds to wait before the next try; nil if there is to be none.
    ///
    /// - Parameters:
    ///   - retries: How often it was tried again so far.
    ///   - retryAfter: What the server asks for.
    ///   - elapsed: Seconds since the first request.
    ///   - limit: Seconds that the load may take as a whole.
    ///   - random: From 0 to 1.
    /// - Returns: The seconds.
    func delay(retries: Int, retryAfter: Double?, elapsed: Double, limit: Double?, random: Double) -> Double?
    {
        guard retries < maximumRetries else { return nil }
        var delay = initialDelay
        for _ in 0..<min(retries, 64) where delay < 600 { delay *= 2 }
        delay = min(delay, 600) * (1 - random / 2)
        if let retryAfter { delay = max(delay, retryAfter) }
        let end = min(maximumTime ?? .infinity, limit ?? .infinity)
        return elapsed + delay < end ? max(0, delay) : nil
    }

    /// Whether a request may be made twice.
    static func mayRepeat(_ request: WebRequest) -> Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.httpMethod)
    }
}

extension FetchError {
    /// Whether it may go better the next time.
    var isTemporary: Bool {
        switch code {
        case .nameResolution, .connection, .connectionLost, .timeout, .connectTimeout: true
        case .cancelled, .refused, .invalidRequest, .unsupportedURL, .unsupportedRedirect, .totalTimeout,
            .tls,
            .certificate, .certificateHost, .certificateExpired, .certificateNotYetValid,
            .certificateUnknownRoot,
            .addressRefused, .malformedResponse, .contentDecoding, .tooManyRedirects, .bodyTooLarge,
            .headersTooLarge,
            .tooManyFields, .tooManyInterimResponses, .cacheMiss, .unavailable:
            false
        }
    }
}
