/// Whether and when a failed request is retried.
///
/// Only idempotent requests are retried: GET, HEAD, PUT, DELETE, OPTIONS and TRACE, after failures of the
/// connection or of name resolution, after time-outs, and if the response is a
/// ``/WebStandards/WebResponse/isTemporaryFailure``.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of retries, as curl's `--retry`; 0, the default, is never.
    public var maximumRetries = 0 { didSet { maximumRetries.boundCount() } }

    /// The time from the first request within which another may be made, as curl's `--retry-max-time`; nil,
    /// the default, is no limit but ``/WebStandards/LoadLimits/maximumTime``.
    ///
    /// A server that asks for a longer wait is not asked again.
    public var maximumTime: Duration?

    /// The time before the first retry, 1 second by default; twice as long before each one after that, up to 600.
    ///
    /// Up to half of it is taken off at random, so that many clients do not retry at once. A server's
    /// Retry-After is obeyed to the second, if it is longer.
    public var initialDelay = Duration.seconds(1)

    /// Creates a policy that never tries again.
    public init() {}

    /// Returns the seconds to wait before the next try; `nil` if there must not be one.
    ///
    /// - Parameters:
    ///   - retries: The number of retries so far.
    ///   - retryAfter: The seconds that the server asks to wait; `nil` if it does not.
    ///   - elapsed: The seconds since the first request.
    ///   - limit: The seconds that the load may take as a whole.
    ///   - random: A random number from 0 to 1.
    /// - Returns: The seconds.
    func delay(retries: Int, retryAfter: Double?, elapsed: Double, limit: Double?, random: Double) -> Double?
    {
        guard retries < maximumRetries else { return nil }
        var delay = initialDelay.inSeconds
        for _ in 0..<min(retries, 64) where delay < 600 { delay *= 2 }
        delay = min(delay, 600) * (1 - random / 2)
        if let retryAfter { delay = max(delay, retryAfter) }
        let end = min(maximumTime?.inSeconds ?? .infinity, limit ?? .infinity)
        return elapsed + delay < end ? max(0, delay) : nil
    }

    /// Whether a request may be made twice.
    static func mayRepeat(_ request: WebRequest) -> Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.httpMethod)
    }
}

extension FetchError {
    /// Whether a retry may succeed.
    package var isTemporary: Bool {
        [.nameResolution, .connection, .connectionLost, .timeout, .connectTimeout].contains(code)
    }
}
