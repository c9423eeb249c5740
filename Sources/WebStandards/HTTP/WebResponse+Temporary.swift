import HTTPTypes

extension WebResponse {
    /// Whether the status is a temporary failure of the server: 408, 425, 429, 500, 502, 503 or 504.
    ///
    /// Such a response does not tell whether the page exists.
    public var isTemporaryFailure: Bool {
        switch status {
        case 408, 425, 429, 500, 502, 503, 504: true
        default: false
        }
    }

    /// Seconds after which the request may be retried, by the Retry-After field; nil without a valid one.
    ///
    /// The standard has whole seconds; servers also send fractions ("2.5"), which are as clear: they are rounded up.
    ///
    /// - Parameter now: The current time, from which a date is counted.
    /// - Returns: The seconds.
    ///
    /// [RFC 9110, section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)
    package func retryAfter(now: Timestamp) -> Double? {
        guard let value = values(.retryAfter).first else { return nil }
        let digits = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if digits.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }) {
            return Double(value)?.rounded(.up)
        }
        guard let date = HTTPDate(value, now: now.secondsSince1970) else { return nil }
        return max(0, Double(date.secondsSince1970) - Double(now.millisecondsSince1970) / 1000)
    }
}
