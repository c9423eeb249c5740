import HTTPTypes

/// The rules of RFC 9111 for a private cache, on what may be stored and when it may be used: pure functions
/// of the request, the stored response and the time.
package enum CacheDecision: Equatable {
    /// Answer with the stored response.
    case use(fresh: Bool, Reason)
    /// Revalidate the stored response with the server.
    case validate(Reason)
    /// Ask the server as if nothing were stored.
    case fetch(Reason)
    /// No stored response can be used, and the network may not be used.
    case miss(Reason)

    // MARK: - Using

    /// Decides how to answer a request, given the stored response for its URL.
    ///
    /// [RFC 9111, section 4](https://www.rfc-editor.org/rfc/rfc9111#section-4)
    static func decide(_ request: WebRequest, stored: StoredResponse?, now: Timestamp) -> CacheDecision {
        let policy = request.cachePolicy
        let demands = CacheControl(fieldLines: request.headerFields[values: .cacheControl])
        let decision = decide(request, demands, stored: stored, now: now)
        guard !policy.mayLoad || demands.onlyIfCached else { return decision }
        // The network would be needed, but may not be used.
        switch decision {
        case .use, .miss: return decision
        case .validate(let reason), .fetch(let reason): return .miss(reason)
        }
    }

    private static func decide(
        _ request: WebRequest,
        _ demands: CacheControl,
        stored: StoredResponse?,
        now: Timestamp
    ) -> CacheDecision {
        let policy = request.cachePolicy
        guard request.httpMethod == "GET" || request.httpMethod == "HEAD" else {
            return .fetch(.methodNotCached)
        }
        guard !request.mustBeAnsweredByOrigin else { return .fetch(.conditionalRequest) }
        guard policy.readsCache else { return .fetch(.policyReloads) }
        guard let stored else { return .fetch(.notStored) }
        let takesAnyAge = policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad
        guard takesAnyAge || !stored.isKeptForOfflineUse else { return .fetch(.keptForOfflineUse) }
        guard VaryingFields.match(stored, request) else { return .fetch(.variesOtherwise) }
        guard PartialContent.canAnswer(request, stored) else { return .fetch(.partNotStored) }
        let freshness = Freshness(stored, now: now)
        switch policy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return freshness.isFresh ? .use(fresh: true, .fresh) : .use(fresh: false, .policyAllowsStale)
        case .reloadRevalidatingCacheData:
            // RFC 8246, section 2: a reload does not revalidate a fresh immutable response.
            if freshness.isFresh, freshness.control.immutable { return .use(fresh: true, .immutable) }
            return validate(stored, .policyValidates)
        case .useProtocolCachePolicy:
            return byProtocol(request, demands, stored, freshness)
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            return .fetch(.policyReloads)
        }
    }

    private static func byProtocol(
        _ request: WebRequest,
        _ demands: CacheControl,
        _ stored: StoredResponse,
        _ freshness: Freshness
    ) -> CacheDecision {
        if demands.noStore { return .fetch(.requestForbids) }
        if demands.noCache == .message || demands.directives.isEmpty && request.headerFields.hasPragmaNoCache
        {
            return validate(stored, .requestForbids)
        }
        // `Vary: *` matches no request; the server may still confirm it (304).
        if stored.varyingFields.contains(where: { $0.name == "*" }) {
            return validate(stored, .variesOtherwise)
        }
        if freshness.control.noCache == .message { return validate(stored, .responseDemandsValidation) }
        if let maxAge = demands.maxAge, freshness.age > maxAge, demands.maxStale == nil {
            return validate(stored, .requestForbids)
        }
        if freshness.isFresh {
            let remaining = (freshness.lifetime ?? 0) -| freshness.age
            if let minFresh = demands.minFresh, remaining < minFresh {
                return validate(stored, .requestForbids)
            }
            guard freshness.isPresumed else { return .use(fresh: true, .fresh) }
            return request.acceptsPresumedFreshness
                ? .use(fresh: true, .presumedFresh) : validate(stored, .presumedFresh)
        }
        guard !freshness.forbidsStaleUse else { return validate(stored, .stale) }
        if let maxStale = demands.maxStale, freshness.staleness <= maxStale {
            return .use(fresh: false, .requestAllowsStale)
        }
        // A request that limits the age does not accept a stale response.
        if let grace = freshness.control.staleWhileRevalidate, freshness.staleness <= grace,
            demands.maxAge == nil, demands.minFresh == nil
        {
            return .use(fresh: false, .staleWhileRevalidate)
        }
        return validate(stored, .stale)
    }

    private static func validate(_ stored: StoredResponse, _ reason: Reason) -> CacheDecision {
        stored.hasValidator ? .validate(reason) : .fetch(reason == .stale ? .noValidator : reason)
    }

    // MARK: - When the server fails

    /// How a request to the server failed.
    enum ServerFailure {
        /// The server was not reached, or sent no response.
        case disconnected
        /// An answer of 500, 502, 503 or 504.
        case error
    }

    /// Why the stored response may be used in place of a failure, nil if it may not.
    ///
    /// [RFC 5861, section 4](https://www.rfc-editor.org/rfc/rfc5861#section-4) and
    /// [RFC 9111, section 4.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.2.4)
    static func reasonToUse(
        _ stored: StoredResponse,
        after failure: ServerFailure,
        _ request: WebRequest,
        now: Timestamp
    ) -> Reason? {
        let demands = CacheControl(fieldLines: request.headerFields[values: .cacheControl])
        let freshness = Freshness(stored, now: now)
        guard request.cachePolicy == .useProtocolCachePolicy, !stored.isKeptForOfflineUse,
            !freshness.forbidsStaleUse, demands.noCache == .absent, !demands.noStore,
            !(demands.directives.isEmpty && request.headerFields.hasPragmaNoCache),
            !stored.varyingFields.contains(where: { $0.name == "*" }),
            VaryingFields.match(stored, request), PartialContent.canAnswer(request, stored)
        else { return nil }
        for grace in [demands.staleIfError, freshness.control.staleIfError] {
            if let grace, freshness.staleness <= grace { return .staleIfError }
        }
        switch failure {
        case .error: return nil
        // A request that limits the age accepts nothing older.
        case .disconnected: return demands.maxAge == nil && demands.minFresh == nil ? .disconnected : nil
        }
    }
}

extension WebRequest {
    /// Whether it has conditions that only the origin can judge, or asks for ranges that this cache does not
    /// combine.
    ///
    /// [RFC 9111, section 4.3.2](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.2)
    fileprivate var mustBeAnsweredByOrigin: Bool {
        if headerFields[.ifMatch] != nil || headerFields[.ifUnmodifiedSince] != nil { return true }
        guard httpMethod == "GET", let range = headerFields[.range] else { return false }
        return ByteRange(range) == nil
    }
}
