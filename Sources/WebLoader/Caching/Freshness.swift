import HTTPTypes

/// How old a stored response is, and for how long it may be used without asking.
///
/// [RFC 9111, section 4.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2)
struct Freshness {
    /// The response's directives.
    let control: CacheControl

    /// Seconds for which it is fresh, from when it was made; nil where it neither says so nor lets it be presumed.
    let lifetime: Int64?

    /// Seconds since it was made or validated at its origin, by what can be known of that; never negative.
    let age: Int64

    /// Whether it may be used as it is: its age is below its lifetime, and the clock has not gone back since.
    let isFresh: Bool

    private let isOutdated: Bool

    init(_ stored: StoredResponse, now: Timestamp) {
        control = CacheControl(fieldLines: stored.headerFields[values: .cacheControl])
        let responseTime = stored.responseTime.secondsSince1970
        let date = stored.headerFields[values: .date].first.flatMap { HTTPDate($0, now: responseTime) }
        let dateValue = date?.secondsSince1970 ?? responseTime
        lifetime = Self.lifetime(stored, control, dateValue: dateValue)
        isOutdated = stored.isOutdated
        age = Self.age(stored, dateValue: dateValue, now: now)
        // What was received in the future was received by a clock that has been set back: nobody knows how long ago.
        let isFromTheFuture = now.secondsSince1970 < responseTime -| Self.clockTolerance
        isFresh = !isFromTheFuture && !stored.isOutdated && (lifetime ?? 0) > age
    }

    /// Seconds by which the clock may have gone back.
    private static let clockTolerance: Int64 = 5

    /// Seconds since it stopped being fresh, 0 while it is.
    var staleness: Int64 { isFresh ? 0 : max(0, age -| max(0, lifetime ?? 0)) }

    /// Whether the response forbids being used once stale, whatever else allows it.
    ///
    /// `proxy-revalidate` and `s-maxage` say so to shared caches only.
    ///
    /// [RFC 9111, section 4.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.4)
    var forbidsStaleUse: Bool { isOutdated || control.mustRevalidate || control.noCache == .message }

    // MARK: - Lifetime

    /// What it states, or else what may be presumed.
    ///
    /// [RFC 9111, section 4.2.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1)
    private static func lifetime(
        _ stored: StoredResponse,
        _ control: CacheControl,
        dateValue: Int64
    ) -> Int64? {
        if let maxAge = control.maxAge { return maxAge }
        let expires = stored.headerFields[values: .expires]
        guard let first = expires.first else { return presumedLifetime(stored, control, dateValue) }
        // An invalid date, or several, is one in the past.
        guard expires.count == 1, let date = HTTPDate(first, now: stored.responseTime.secondsSince1970)
        else { return 0 }
        return date.secondsSince1970 -| dateValue
    }

    /// A tenth of the time since it was last modified, a week at most, where the status lets that be presumed.
    ///
    /// [RFC 9111, section 4.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.2)
    private static func presumedLifetime(
        _ stored: StoredResponse,
        _ control: CacheControl,
        _ dateValue: Int64
    ) -> Int64? {
        guard control.public || CacheDecision.isHeuristicallyCacheable(stored.status),
            // What an old server means by it in a response is no less than in a request.
            !(control.directives.isEmpty && stored.headerFields.saysPragmaNoCache),
            let field = stored.headerFields[values: .lastModified].first,
            let modified = HTTPDate(field, now: stored.responseTime.secondsSince1970)
        else { return nil }
        return min(max(0, dateValue -| modified.secondsSince1970) / 10, longestPresumedLifetime)
    }

    private static let longestPresumedLifetime: Int64 = 7 *| 86_400

    // MARK: - Age

    /// The larger of what the clocks and the Age field say, and the time since it was received.
    ///
    /// [RFC 9111, section 4.2.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.3)
    private static func age(_ stored: StoredResponse, dateValue: Int64, now: Timestamp) -> Int64 {
        let responseTime = stored.responseTime.secondsSince1970
        let apparentAge = max(0, responseTime -| dateValue)
        let responseDelay = max(0, responseTime -| stored.requestTime.secondsSince1970)
        let residentTime = max(0, now.secondsSince1970 -| responseTime)
        return max(apparentAge, ageValue(stored) +| responseDelay) +| residentTime
    }

    /// The Age field: of a list or of several lines the first one, and 0 where that is no number.
    ///
    /// [RFC 9111, section 5.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.1)
    private static func ageValue(_ stored: StoredResponse) -> Int64 {
        guard let field = stored.headerFields[values: .age].first else { return 0 }
        let first = field.prefix { $0 != "," }
        return CacheControl.deltaSeconds(first.trimmingHTTPWhitespace) ?? 0
    }
}

extension HTTPFields {
    /// Whether there is a `Pragma: no-cache`, which counts where there is no Cache-Control.
    ///
    /// [RFC 9111, section 5.4](https://www.rfc-editor.org/rfc/rfc9111#section-5.4)
    var saysPragmaNoCache: Bool {
        guard let name = HTTPField.Name("Pragma") else { return false }
        return self[values: name].contains { line in
            line.split(separator: ",").contains {
                $0.trimmingHTTPWhitespace.isEqualIgnoringASCIICase(to: "no-cache")
            }
        }
    }
}
