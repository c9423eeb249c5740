extension CacheDecision {
    /// The reason for a decision, as a stable identifier and in words.
    package enum Reason: String, Sendable, CaseIterable {
        case fresh
        case presumedFresh = "presumed-fresh"
        case stale
        case immutable
        case policyAllowsStale = "policy-allows-stale"
        case requestAllowsStale = "request-allows-stale"
        case staleWhileRevalidate = "stale-while-revalidate"
        case staleIfError = "stale-if-error"
        case disconnected
        case policyReloads = "policy-reloads"
        case policyValidates = "policy-validates"
        case requestForbids = "request-forbids"
        case responseDemandsValidation = "response-demands-validation"
        case noValidator = "no-validator"
        case variesOtherwise = "varies-otherwise"
        case partNotStored = "part-not-stored"
        case keptForOfflineUse = "kept-for-offline-use"
        case notStored = "not-stored"
        case notKept = "not-kept"
        case damaged
        case addressRefused = "address-refused"
        case methodNotCached = "method-not-cached"
        case conditionalRequest = "conditional-request"
        case history

        /// Whether stored responses were not considered at all.
        var isBypass: Bool {
            self == .policyReloads || self == .methodNotCached || self == .conditionalRequest
        }

        /// In words, for people.
        var explanation: String {
            switch self {
            case .fresh: "the stored response is fresh"
            case .presumedFresh: "the stored response is presumed fresh: it says not for how long it is"
            case .stale: "the stored response is stale"
            case .immutable: "the stored response is fresh and does not change (immutable)"
            case .policyAllowsStale: "the policy allows stored responses of any age"
            case .requestAllowsStale: "the request's Cache-Control allows stale responses (max-stale)"
            case .staleWhileRevalidate:
                "the stored response is stale, but may be used while it is validated (stale-while-revalidate)"
            case .staleIfError:
                "the server failed, and the stale response may be used instead (stale-if-error)"
            case .disconnected: "the server cannot be reached, so the stored response is used"
            case .policyReloads: "the policy ignores stored responses"
            case .policyValidates: "the policy requires validation by the server"
            case .requestForbids: "the request's Cache-Control ignores stored responses"
            case .responseDemandsValidation:
                "the response's Cache-Control requires validation before each use"
            case .noValidator: "the stored response is stale and has neither ETag nor Last-Modified"
            case .variesOtherwise: "the stored response was for other request fields (Vary, Authorization)"
            case .partNotStored: "the requested part is not stored"
            case .keptForOfflineUse:
                "the stored response was kept for offline use only"
            case .notStored: "nothing is stored for this URL"
            case .notKept: "it was loaded, but may be stored only if it is kept for offline use"
            case .damaged: "the stored entry is damaged"
            case .addressRefused:
                "the stored response came from an address that is not allowed, or from an unknown one"
            case .history: "the version was kept that is asked for by its date, of"
            case .methodNotCached: "only GET and HEAD are answered from the cache"
            case .conditionalRequest:
                "requests for several ranges, or with If-Match or If-Unmodified-Since, are not answered from the cache"
            }
        }
    }
}
