/// A private cache, section by section and as plainly as RFC 9111 specifies it: fields are a list of names and values,
/// moments are seconds.
///
/// Where the RFC leaves a choice, this cache chooses as the library does; each such place says so.
struct ReferenceCache {
    struct Request {
        var method = "GET"
        var fields = ReferenceFields()
    }

    struct Response {
        var status = 200
        var fields = ReferenceFields()
    }

    struct Stored {
        /// The request that it answered.
        var request: Request
        var response: Response
        var requestTime: Int64
        var responseTime: Int64
    }

    // MARK: - Section 3: storing

    static func mayStore(_ request: Request, _ response: Response, url: String) -> Bool {
        let control = ReferenceDirectives(response.fields["cache-control"])
        // "the request method is understood by the cache": ours keeps what GET gets, and what HEAD gets not at all.
        guard request.method == "GET" || isPostThatAnswersGet(request, response, control, url) else {
            return false
        }
        // "the response status code is final"
        guard response.status >= 200 else { return false }
        // 206 and 304 only where they are understood. A 304 updates; a 416 is about one range; ours keeps neither.
        guard response.status != 304, response.status != 416 else { return false }
        // Section 5.2.1.5: no-store of the request.
        guard !ReferenceDirectives(request.fields["cache-control"]).has("no-store") else { return false }
        // Section 5.2.2.3: must-understand is there for those that do not understand, and no-store beside it for them.
        if control.has("must-understand") {
            guard understood.contains(response.status) else { return false }
        } else if control.has("no-store") {
            return false
        }
        // The last of section 3's conditions; s-maxage is for shared caches.
        return control.has("public") || control.has("private") || control.has("max-age")
            || !response.fields["expires"].isEmpty || isHeuristicallyCacheable(response.status)
    }

    /// RFC 9110, section 9.3.3. (That the status is one of success is ours.)
    private static func isPostThatAnswersGet(
        _ request: Request,
        _ response: Response,
        _ control: ReferenceDirectives,
        _ url: String
    ) -> Bool {
        request.method == "POST" && 200..<300 ~= response.status
            && (control.has("max-age") || !response.fields["expires"].isEmpty)
            && response.fields["content-location"].first == url
    }

    /// RFC 9110, section 15.1.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// The statuses that RFC 9110, 6585, 7725, 8297 and 8470 define.
    private static let understood =
        [200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 305, 307, 308] + Array(400...417)
        + [421, 422, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 511]

    // MARK: - Section 4.1: Vary

    /// Whether the request has the fields that the stored one had, "*" left out.
    static func selects(_ stored: Stored, _ request: Request) -> Bool {
        let lines = stored.response.fields["vary"]
        var names = lines.flatMap { $0.split(separator: ",") }.map {
            $0.lowercased().filter { $0 != " " && $0 != "\t" }
        }
        // Ours, so that nobody is answered with what was for somebody else.
        names.append("authorization")
        return names.allSatisfy { $0 == "*" || stored.request.fields[$0] == request.fields[$0] }
    }

    /// Whether a member of Vary is "*", which always fails to match.
    static func variesByAll(_ stored: Stored) -> Bool {
        stored.response.fields["vary"].contains { $0.split(separator: ",").contains { $0.contains("*") } }
    }

    // MARK: - Section 4.2: freshness

    /// RFC 9110, section 6.6.1: the Date, or when the response was received where there is none that can be read.
    static func dateValue(_ stored: Stored) -> Int64 {
        stored.response.fields["date"].first.flatMap { ReferenceDate.parse($0, now: stored.responseTime) }
            ?? stored.responseTime
    }

    /// Section 4.2.1, for a private cache; nil where section 4.2.2 allows no heuristic either.
    static func freshnessLifetime(_ stored: Stored) -> Int64? {
        let control = ReferenceDirectives(stored.response.fields["cache-control"])
        if let maxAge = control.freshness("max-age") { return maxAge }
        let expires = stored.response.fields["expires"]
        if !expires.isEmpty {
            // Section 5.3: what is invalid is in the past; of several, the response may be considered stale.
            guard expires.count == 1, let date = ReferenceDate.parse(expires[0], now: stored.responseTime)
            else {
                return 0
            }
            return date - dateValue(stored)
        }
        return heuristicLifetime(stored, control)
    }

    /// Section 4.2.2: a tenth of the time since it was modified. (A week at most, and `nil` with Pragma: no-cache, are
    /// ours.)
    private static func heuristicLifetime(_ stored: Stored, _ control: ReferenceDirectives) -> Int64? {
        guard isHeuristicallyCacheable(stored.response.status) || control.has("public"),
            !(control.isEmpty && hasPragmaNoCache(stored.response.fields)),
            let text = stored.response.fields["last-modified"].first,
            let modified = ReferenceDate.parse(text, now: stored.responseTime)
        else { return nil }
        let interval = dateValue(stored) - modified
        return min(max(0, interval) / 10, 7 * 86400)
    }

    /// Section 4.2.3.
    static func currentAge(_ stored: Stored, now: Int64) -> Int64 {
        let apparentAge = max(0, stored.responseTime - dateValue(stored))
        let responseDelay = max(0, stored.responseTime - stored.requestTime)
        let correctedAgeValue = ageValue(stored) + responseDelay
        let correctedInitialAge = max(apparentAge, correctedAgeValue)
        // A clock that was set back makes nothing younger.
        let residentTime = max(0, now - stored.responseTime)
        return correctedInitialAge + residentTime
    }

    /// Section 5.1: of several the first; what is no number is ignored.
    private static func ageValue(_ stored: Stored) -> Int64 {
        let first = stored.response.fields["age"].first?.split(
            separator: ",",
            omittingEmptySubsequences: false
        ).first
        return ReferenceDirectives.seconds(first.map(ReferenceDirectives.trimmed)) ?? 0
    }

    /// Section 4.2: "response_is_fresh = (freshness_lifetime > current_age)". (Of a response that was received in the
    /// future, by more than some seconds, nobody knows how old it is: that it is not fresh is ours.)
    static func isFresh(_ stored: Stored, now: Int64) -> Bool {
        guard let lifetime = freshnessLifetime(stored), now >= stored.responseTime - 5 else { return false }
        return lifetime > currentAge(stored, now: now)
    }

    /// By how much it is stale.
    static func staleness(_ stored: Stored, now: Int64) -> Int64 {
        if isFresh(stored, now: now) { return 0 }
        return max(0, currentAge(stored, now: now) - max(0, freshnessLifetime(stored) ?? 0))
    }

    /// Section 4.2.4: what no one may allow; proxy-revalidate and s-maxage are for shared caches.
    static func forbidsStaleUse(_ stored: Stored) -> Bool {
        let control = ReferenceDirectives(stored.response.fields["cache-control"])
        return control.has("must-revalidate") || control.isUnqualified("no-cache")
    }

    // MARK: - Section 4: constructing responses from caches

    enum Decision: Equatable {
        case useFresh, useStale, validate, fetch, miss
    }

    static func decide(_ request: Request, _ stored: Stored?, now: Int64) -> Decision {
        let decision = reuse(request, stored, now: now)
        // Section 5.2.1.7: only-if-cached.
        let mayAsk = !ReferenceDirectives(request.fields["cache-control"]).has("only-if-cached")
        return mayAsk || decision == .useFresh || decision == .useStale ? decision : .miss
    }

    private static func reuse(_ request: Request, _ stored: Stored?, now: Int64) -> Decision {
        let demands = ReferenceDirectives(request.fields["cache-control"])
        // "A cache MUST write through requests with methods that are unsafe".
        guard request.method == "GET" || request.method == "HEAD" else { return .fetch }
        // Section 4.3.2: these two are not for caches; ours has the origin judge them.
        guard request.fields["if-match"].isEmpty, request.fields["if-unmodified-since"].isEmpty else {
            return .fetch
        }
        guard let stored, selects(stored, request) else { return .fetch }
        // Section 5.2.1.5 is about storing; who wants nothing kept gets nothing kept either with ours.
        if demands.has("no-store") { return .fetch }
        let hasValidator =
            !stored.response.fields["etag"].isEmpty || !stored.response.fields["last-modified"].isEmpty
        let validated: Decision = hasValidator ? .validate : .fetch
        // Sections 5.2.1.4 and 5.4.
        if demands.isUnqualified("no-cache") || demands.isEmpty && hasPragmaNoCache(request.fields) {
            return validated
        }
        if variesByAll(stored) { return validated }
        // Section 5.2.2.4.
        if ReferenceDirectives(stored.response.fields["cache-control"]).isUnqualified("no-cache") {
            return validated
        }
        let age = currentAge(stored, now: now)
        // Section 5.2.1.1: max-age, unless max-stale is there too.
        if let maxAge = demands.freshness("max-age"), age > maxAge, maxStale(demands) == nil {
            return validated
        }
        if isFresh(stored, now: now) {
            // Section 5.2.1.3: min-fresh.
            let minFresh = demands.arguments("min-fresh").compactMap { ReferenceDirectives.seconds($0) }.max()
            if let minFresh, (freshnessLifetime(stored) ?? 0) < age + minFresh { return validated }
            return .useFresh
        }
        return isStaleAllowed(stored, demands, now: now) ? .useStale : validated
    }

    /// Section 4.2.4, with max-stale of section 5.2.1.2 and stale-while-revalidate of RFC 5861, section 3.
    private static func isStaleAllowed(_ stored: Stored, _ demands: ReferenceDirectives, now: Int64) -> Bool {
        guard !forbidsStaleUse(stored) else { return false }
        let staleness = staleness(stored, now: now)
        if let maxStale = maxStale(demands), staleness <= maxStale { return true }
        // Who states how old or fresh it may be is not given it stale: ours.
        guard !demands.has("max-age"),
            demands.arguments("min-fresh").allSatisfy({ ReferenceDirectives.seconds($0) == nil })
        else { return false }
        let control = ReferenceDirectives(stored.response.fields["cache-control"])
        return control.permission("stale-while-revalidate").map { staleness <= $0 } ?? false
    }

    /// Section 5.2.1.2: how stale it may be; without a value, however much.
    private static func maxStale(_ demands: ReferenceDirectives) -> Int64? {
        let all = demands.arguments("max-stale").map {
            $0 == nil ? Int64.max : ReferenceDirectives.seconds($0)
        }
        return all.contains { $0 == nil } ? nil : all.compactMap { $0 }.min()
    }

    // MARK: - Section 4.3.3 and RFC 5861, section 4: when the server fails

    /// Whether the stored response may answer in place of an error, or of nothing at all.
    static func mayUse(_ stored: Stored, _ request: Request, afterError: Bool, now: Int64) -> Bool {
        let demands = ReferenceDirectives(request.fields["cache-control"])
        guard !forbidsStaleUse(stored), !demands.has("no-cache"), !demands.has("no-store"),
            !(demands.isEmpty && hasPragmaNoCache(request.fields)), !variesByAll(stored),
            selects(stored, request)
        else { return false }
        let staleness = staleness(stored, now: now)
        let control = ReferenceDirectives(stored.response.fields["cache-control"])
        for allowed in [control.permission("stale-if-error"), demands.permission("stale-if-error")] {
            if let allowed, staleness <= allowed { return true }
        }
        // Section 4.2.4: disconnected. Who states how old it may be takes nothing older: ours.
        let minFresh = demands.arguments("min-fresh").compactMap { ReferenceDirectives.seconds($0) }
        return !afterError && !demands.has("max-age") && minFresh.isEmpty
    }

    /// Section 5.4; what it means in a response nobody has said, ours takes it for the same.
    private static func hasPragmaNoCache(_ fields: ReferenceFields) -> Bool {
        fields["pragma"].contains {
            $0.lowercased().split(separator: ",").contains { ReferenceDirectives.trimmed($0) == "no-cache" }
        }
    }

    // MARK: - Section 4.3.4: freshening

    /// Whether a 304 is about the stored response.
    static func isSelected(_ stored: Stored, by notModified: ReferenceFields) -> Bool {
        let old = stored.response.fields["etag"].first
        // No validator: "that stored response is identified for update", by which ours goes whatever it has itself.
        guard let new = notModified["etag"].first else { return true }
        // "None of the initial set contains at least one of the same strong validators". That a weak tag corresponds to
        // the strong one of the same text, in whichever of the two, is ours; and so is a weak tag where there was none.
        guard let old else { return new.hasPrefix("W/") }
        return opaque(old) == opaque(new)
    }

    // MARK: - Section 3.2: updating

    /// The fields of a stored response after a 304.
    static func updatedFields(
        _ stored: Stored,
        by fields: ReferenceFields,
        receivedAt responseTime: Int64
    ) -> ReferenceFields {
        var newer = fields
        // RFC 9110, section 6.6.1: who receives a message without Date appends one.
        if newer["date"].isEmpty { newer.append("date", ReferenceDate.format(responseTime)) }
        let connection = newer["connection"].flatMap {
            $0.lowercased().split(separator: ",").map(ReferenceDirectives.trimmed)
        }
        let excluded =
            connection + [
                // Section 3.1.
                "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
                "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
                // Section 3.2, and what it lets those leave out that keep the content decoded.
                "content-length", "content-encoding", "content-range", "trailer",
            ]
        newer.removeAll { excluded.contains($0) }
        var updated = stored.response.fields
        // An Age of before says nothing of now: ours.
        updated.removeAll { $0 == "age" || !newer[$0].isEmpty }
        return updated + newer
    }

    // MARK: - Section 4.4: invalidation

    /// Whether what is stored for the URL of a request goes.
    static func invalidates(_ request: Request, _ status: Int) -> Bool {
        !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method) && 200..<400 ~= status
    }

    // MARK: - RFC 9110, section 13.2, as section 4.3.2 has it for caches

    /// Whether the caller's condition says that it has what is stored.
    static func isNotModified(_ request: Request, _ stored: Stored) -> Bool {
        guard stored.response.status == 200 else { return false }
        let tags = request.fields["if-none-match"]
        if !tags.isEmpty {
            if tags == ["*"] { return true }
            guard let tag = stored.response.fields["etag"].first.map(opaque) else { return false }
            return tags.joined(separator: ",").split(separator: ",").contains {
                opaque(ReferenceDirectives.trimmed($0)) == tag
            }
        }
        guard let text = request.fields["if-modified-since"].first,
            let since = ReferenceDate.parse(text, now: stored.responseTime)
        else { return false }
        let modified = stored.response.fields["last-modified"].first ?? stored.response.fields["date"].first
        guard let modified else { return stored.responseTime <= since }
        return ReferenceDate.parse(modified, now: stored.responseTime).map { $0 <= since } ?? false
    }

    /// RFC 9110, section 8.8.3.2: for a weak comparison, the tag without its "W/".
    private static func opaque(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}

/// Fields in their order; names in any case.
struct ReferenceFields {
    private(set) var lines: [(name: String, value: String)] = []

    subscript(name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }

    mutating func append(_ name: String, _ value: String) {
        lines.append((name.lowercased(), ReferenceDirectives.trimmed(Substring(value))))
    }

    mutating func removeAll(_ isOut: (String) -> Bool) { lines.removeAll { isOut($0.name) } }

    static func + (a: ReferenceFields, b: ReferenceFields) -> ReferenceFields {
        var sum = a
        sum.lines += b.lines
        return sum
    }
}
