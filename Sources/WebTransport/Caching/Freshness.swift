import HTTPTypes

/// The age and the freshness lifetime of a stored response.
///
/// [RFC 9111, section 4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)
struct Freshness {
    /// The response's directives.
    let control: CacheControl

    /// The freshness lifetime in seconds, explicit or heuristic; nil if there is neither.
    let lifetime: Int64?

    /// The current age: estimated seconds since it was generated or validated at the origin; never negative.
    let age: Int64

    /// Whether it is fresh: its age is below its lifetime, and the clock has not been set back since.
    let isFresh: Bool

    /// Whether its lifetime is heuristic: the response states none.
    let isPresumed: Bool

    private let isOutdated: Bool

    init(_ stored: StoredResponse, now: Timestamp) {
        control = CacheControl(fieldLines: stored.headerFields[values: .cacheControl])
        let responseTime = stored.responseTime.secondsSince1970
        let date = stored.headerFields[values: .date].first.flatMap { HTTPDate($0, now: responseTime) }
        let dateValue = date?.secondsSince1970 ?? responseTime
        lifetime = Self.lifetime(stored, control, dateValue: dateValue)
        isPresumed =
            lifetime != nil && control.maxAge == nil && stored.headerFields[values: .expires].isEmpty
        isOutdated = stored.isOutdated
        age = Self.age(stored, dateValue: dateValue, now: now)
        // A receipt time in the future means that the clock was set back, so the age is not known.
        let isFromTheFuture = now.secondsSince1970 < responseTime -| Self.clockTolerance
        isFresh = !isFromTheFuture && !stored.isOutdated && (lifetime ?? 0) > age
    }

    /// Seconds by which the clock may be set back without effect.
    private static let clockTolerance: Int64 = 5

    /// Seconds since it became stale, 0 while it is fresh.
    var staleness: Int64 { isFresh ? 0 : max(0, age -| max(0, lifetime ?? 0)) }

    /// Whether the response must not be used stale, whatever else allows it.
    ///
    /// `proxy-revalidate` and `s-maxage` forbid it to shared caches only.
    ///
    /// [RFC 9111, section 4.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.4)
    var forbidsStaleUse: Bool { isOutdated || control.mustRevalidate || control.noCache == .message }

    // MARK: - Lifetime

    /// The explicit freshness lifetime, or else the heuristic one.
    ///
    /// [RFC 9111, section 4.2.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1)
    private static func lifetime(
        _ stored: StoredResponse,
        _ control: CacheControl,
        dateValue: Int64
    ) -> Int64? {
        if let maxAge = control.maxAge { return maxAge }
        let expires = stored.headerFields[values: .expires]
        guard let first = expires.first else { return heuristicLifetime(stored, control, dateValue) }
        // An invalid date, or several, counts as expired.
        guard expires.count == 1, let date = HTTPDate(first, now: stored.responseTime.secondsSince1970)
        else { return 0 }
        return date.secondsSince1970 -| dateValue
    }

    /// The heuristic lifetime: a tenth of the time since Last-Modified, at most a week, if the status allows
    /// it.
    ///
    /// [RFC 9111, section 4.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.2)
    private static func heuristicLifetime(
        _ stored: StoredResponse,
        _ control: CacheControl,
        _ dateValue: Int64
    ) -> Int64? {
        guard control.public || CacheDecision.isHeuristicallyCacheable(stored.status),
            // In a response, `Pragma: no-cache` of an old server counts as it does in a request.
            !(control.directives.isEmpty && stored.headerFields.hasPragmaNoCache),
            let field = stored.headerFields[values: .lastModified].first,
            let modified = HTTPDate(field, now: stored.responseTime.secondsSince1970)
        else { return nil }
        return min(max(0, dateValue -| modified.secondsSince1970) / 10, longestPresumedLifetime)
    }

    private static let longestPresumedLifetime: Int64 = 7 *| 86_400

    // MARK: - Age

    /// The current age: the larger of the apparent age and the corrected Age field, plus the resident time.
    ///
    /// [RFC 9111, section 4.2.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.3)
    private static func age(_ stored: StoredResponse, dateValue: Int64, now: Timestamp) -> Int64 {
        let responseTime = stored.responseTime.secondsSince1970
        let apparentAge = max(0, responseTime -| dateValue)
        let responseDelay = max(0, responseTime -| stored.requestTime.secondsSince1970)
        let residentTime = max(0, now.secondsSince1970 -| responseTime)
        return max(apparentAge, ageValue(stored) +| responseDelay) +| residentTime
    }

    /// The Age field: the first value of a list or of several lines; 0 if it is not a number.
    ///
    /// [RFC 9111, section 5.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.1)
    private static func ageValue(_ stored: StoredResponse) -> Int64 {
        guard let field = stored.headerFields[values: .age].first else { return 0 }
        let first = field.prefix { $0 != "," }
        return CacheControl.deltaSeconds(first.trimmingHTTPWhitespace) ?? 0
    }
}

extension HTTPFields {
    /// Whether there is a `Pragma: no-cache`, which counts if there is no Cache-Control.
    ///
    /// [RFC 9111, section 5.4](https://www.rfc-editor.org/rfc/rfc9111#section-5.4)
    var hasPragmaNoCache: Bool {
        guard let name = HTTPField.Name("Pragma") else { return false }
        return self[values: name].contains { line in
            line.split(separator: ",").contains {
                $0.trimmingHTTPWhitespace.isEqualIgnoringASCIICase(to: "no-cache")
            }
        }
    }
}
