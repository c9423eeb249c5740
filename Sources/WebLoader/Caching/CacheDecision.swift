import HTTPTypes

/// What may be stored and what may be used of it, as RFC 9111 has it for a private cache: pure functions of the
/// request, the stored response and the time.
///
/// Freshness is what the server states (`max-age`, `Expires`); nothing is presumed fresh without.
enum CacheDecision: Equatable {
    /// What is to be done for a request.
    case use(fresh: Bool, Reason)
    /// Ask the server whether the stored response still holds.
    case validate(Reason)
    /// Ask the server as if nothing were stored.
    case fetch(Reason)
    /// There is nothing, and the network may not be asked.
    case miss(Reason)

    /// Why, as a stable word and in words.
    enum Reason: String, Sendable {
        case fresh
        case stale
        case policyAllowsStale = "policy-allows-stale"
        case policyReloads = "policy-reloads"
        case policyValidates = "policy-validates"
        case requestForbids = "request-forbids"
        case responseDemandsValidation = "response-demands-validation"
        case noValidator = "no-validator"
        case variesOtherwise = "varies-otherwise"
        case notStored = "not-stored"
        case damaged
        case methodNotCached = "method-not-cached"
        case conditionalRequest = "conditional-request"

        /// Whether what is stored was not so much as considered.
        var isBypass: Bool {
            self == .policyReloads || self == .methodNotCached || self == .conditionalRequest
        }

        var explanation: String {
            switch self {
            case .fresh: "the stored response is fresh"
            case .stale: "the stored response is stale"
            case .policyAllowsStale: "the policy takes what is stored whatever its age"
            case .policyReloads: "the policy passes over what is stored"
            case .policyValidates: "the policy asks the server first"
            case .requestForbids: "the request's Cache-Control passes over what is stored"
            case .responseDemandsValidation:
                "the response's Cache-Control asks for validation before each use"
            case .noValidator: "the stored response is stale and has neither ETag nor Last-Modified"
            case .variesOtherwise: "the stored response was for other request fields (Vary)"
            case .notStored: "nothing is stored for this URL"
            case .damaged: "the stored entry is damaged"
            case .methodNotCached: "only GET and HEAD are answered from the cache"
            case .conditionalRequest: "a request with conditions or a range of its own goes to the server"
            }
        }
    }

    // MARK: - Using

    /// What to do for a request, given what is stored for its URL.
    ///
    /// [RFC 9111, section 4](https://www.rfc-editor.org/rfc/rfc9111#section-4)
    static func decide(_ request: WebRequest, stored: StoredResponse?, now: Timestamp) -> CacheDecision {
        let policy = request.cachePolicy
        guard request.httpMethod == "GET" || request.httpMethod == "HEAD" else {
            return policy.mayLoad ? .fetch(.methodNotCached) : .miss(.methodNotCached)
        }
        guard !request.isConditional else {
            return policy.mayLoad ? .fetch(.conditionalRequest) : .miss(.conditionalRequest)
        }
        guard policy.readsCache else { return .fetch(.policyReloads) }
        guard let stored else { return policy.mayLoad ? .fetch(.notStored) : .miss(.notStored) }
        guard matches(stored, request) else {
            return policy.mayLoad ? .fetch(.variesOtherwise) : .miss(.variesOtherwise)
        }
        switch policy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            let isFresh = isFresh(stored, now: now)
            return .use(fresh: isFresh, isFresh ? .fresh : .policyAllowsStale)
        case .reloadRevalidatingCacheData:
            return hasValidator(stored) ? .validate(.policyValidates) : .fetch(.noValidator)
        case .useProtocolCachePolicy:
            return byProtocol(request, stored, now: now)
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            return .fetch(.policyReloads)
        }
    }

    private static func byProtocol(
        _ request: WebRequest,
        _ stored: StoredResponse,
        now: Timestamp
    ) -> CacheDecision {
        let demands = CacheControl(fieldLines: request.headerFields[values: .cacheControl])
        if demands.noStore { return .fetch(.requestForbids) }
        if case .message = demands.noCache { return validate(stored, .requestForbids) }
        // `Vary: *` matches no request; the server may still say that it holds.
        if stored.varyingFields.contains(where: { $0.name == "*" }) {
            return validate(stored, .variesOtherwise)
        }
        let control = CacheControl(fieldLines: stored.headerFields[values: .cacheControl])
        if case .message = control.noCache { return validate(stored, .responseDemandsValidation) }
        return isFresh(stored, now: now) ? .use(fresh: true, .fresh) : validate(stored, .stale)
    }

    private static func validate(_ stored: StoredResponse, _ reason: Reason) -> CacheDecision {
        hasValidator(stored) ? .validate(reason) : .fetch(.noValidator)
    }

    /// Whether the request has the fields that the stored response varies by.
    ///
    /// [RFC 9111, section 4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)
    private static func matches(_ stored: StoredResponse, _ request: WebRequest) -> Bool {
        let now = varyingFields(request, stored.headerFields)
        guard now.count == stored.varyingFields.count else { return false }
        return zip(now, stored.varyingFields).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    }

    /// The request's fields that a response's Vary names, "*" among them.
    ///
    /// Nil stands for what the loader sends by itself, which is always the same; empty for what it was told to omit.
    static func varyingFields(_ request: WebRequest, _ fields: HTTPFields) -> [(name: String, value: String?)]
    {
        var names: Set<String> = []
        for line in fields[values: .vary] {
            for name in line.split(separator: ",") {
                let trimmed = name.trimmingHTTPWhitespace
                if !trimmed.isEmpty { names.insert(trimmed.lowercased()) }
            }
        }
        return names.sorted().map { name in
            guard let field = HTTPField.Name(name) else { return (name, nil) }
            return (name, request.headerFields[field] ?? (request.omittedFields.contains(field) ? "" : nil))
        }
    }

    // MARK: - Age and freshness

    /// Seconds for which a response is fresh from when it was made, nil where it does not say.
    ///
    /// [RFC 9111, section 4.2.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1)
    static func freshnessLifetime(_ stored: StoredResponse) -> Int64? {
        let control = CacheControl(fieldLines: stored.headerFields[values: .cacheControl])
        if let maxAge = control.maxAge { return maxAge }
        let now = stored.responseTime.secondsSince1970
        let expires = stored.headerFields[values: .expires]
        guard let first = expires.first else { return nil }
        // An invalid date, or several, is one in the past.
        guard expires.count == 1, let date = HTTPDate(first, now: now) else { return 0 }
        return date.secondsSince1970 - dateValue(stored)
    }

    /// Seconds since the response was made or validated at its origin.
    ///
    /// [RFC 9111, section 4.2.3](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.3)
    static func currentAge(_ stored: StoredResponse, now: Timestamp) -> Int64 {
        let responseTime = stored.responseTime.secondsSince1970
        let apparentAge = max(0, responseTime - dateValue(stored))
        let ageValue = stored.headerFields[values: .age].first.flatMap { CacheControl.deltaSeconds($0) } ?? 0
        let responseDelay = max(0, responseTime - stored.requestTime.secondsSince1970)
        let residentTime = max(0, now.secondsSince1970 - responseTime)
        return max(apparentAge, ageValue + responseDelay) + residentTime
    }

    private static func dateValue(_ stored: StoredResponse) -> Int64 {
        let responseTime = stored.responseTime.secondsSince1970
        let date = stored.headerFields[values: .date].first.flatMap { HTTPDate($0, now: responseTime) }
        return date?.secondsSince1970 ?? responseTime
    }

    private static func isFresh(_ stored: StoredResponse, now: Timestamp) -> Bool {
        guard let lifetime = freshnessLifetime(stored) else { return false }
        return lifetime > currentAge(stored, now: now)
    }

    // MARK: - Storing

    /// Why a response may not be stored, nil if it may.
    ///
    /// [RFC 9111, section 3](https://www.rfc-editor.org/rfc/rfc9111#section-3)
    static func reasonNotToStore(_ request: WebRequest, _ response: WebResponse) -> String? {
        guard request.storesResponse else { return "the request asks not to" }
        guard request.httpMethod == "GET" else { return "only responses to GET are kept" }
        guard !request.isConditional else { return "the request had conditions or a range of its own" }
        guard let status = response.status, status >= 200, status != 206, status != 304 else {
            return "the status is not one that is kept"
        }
        if CacheControl(fieldLines: request.headerFields[values: .cacheControl]).noStore {
            return "the request's Cache-Control says no-store"
        }
        let control = CacheControl(fieldLines: response.headerFields[values: .cacheControl])
        if control.noStore { return "the response's Cache-Control says no-store" }
        let isExplicit =
            control.maxAge != nil || control.public || control.private != .absent
            || response.headerFields[.expires] != nil
        guard isExplicit || heuristicallyCacheable.contains(status) else {
            return "status \(status) is kept only with max-age, Expires or public"
        }
        return nil
    }

    /// [RFC 9110, section 15.1](https://www.rfc-editor.org/rfc/rfc9110#section-15.1).
    private static let heuristicallyCacheable: Set<Int> = [
        200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501,
    ]

    // MARK: - Validating

    private static func hasValidator(_ stored: StoredResponse) -> Bool {
        stored.headerFields[.eTag] != nil || stored.headerFields[.lastModified] != nil
    }

    /// The request that asks whether a stored response still holds.
    ///
    /// [RFC 9111, section 4.3.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.1)
    static func validation(of stored: StoredResponse, _ request: WebRequest) -> WebRequest {
        var request = request
        if let tag = stored.headerFields[.eTag] { request.headerFields[.ifNoneMatch] = tag }
        if let date = stored.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
        return request
    }

    /// A stored response with the fields of the 304 that says it still holds.
    ///
    /// [RFC 9111, section 3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2)
    static func updated(
        _ stored: StoredResponse,
        by notModified: WebResponse,
        requestTime: Timestamp,
        responseTime: Timestamp
    ) -> StoredResponse {
        var updated = stored
        updated.requestTime = requestTime
        updated.responseTime = responseTime
        // An age that an intermediary counted before says nothing about now.
        updated.headerFields[.age] = nil
        for name in Set(notModified.headerFields.map(\.name)) where !aboutTheMessage.contains(name) {
            updated.headerFields[fields: name] = notModified.headerFields[fields: name]
        }
        return updated
    }

    /// Fields about how the 304 itself was sent.
    private static let aboutTheMessage: Set<HTTPField.Name> = [
        .connection, .contentEncoding, .contentLength, .contentRange, .transferEncoding, .trailer, .upgrade,
    ]
}

extension WebRequest {
    /// Whether it asks for a part, or for an answer only under conditions.
    fileprivate var isConditional: Bool {
        [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range]
            .contains { headerFields[$0] != nil }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    var trimmingHTTPWhitespace: String {
        var bytes = Array(utf8)[...]
        bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
