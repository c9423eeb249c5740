extension CacheDecision {
    /// The reason for a decision, as a stable identifier and in words.
    package enum Reason: String, Sendable, CaseIterable {
        case fresh
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

        /// Whether stored responses were not considered at all.
        var isBypass: Bool {
            self == .policyReloads || self == .methodNotCached || self == .conditionalRequest
        }

        /// In words, for people.
        var explanation: String {
            switch self {
            case .fresh: "the stored response is fresh"
            case .stale: "the stored response is stale"
            case .immutable: "the stored response is fresh and does not change (immutable)"
            case .policyAllowsStale: "the policy takes what is stored whatever its age"
            case .requestAllowsStale: "the request's Cache-Control takes what is stale (max-stale)"
            case .staleWhileRevalidate:
                "the stored response is stale, may still be used, and is validated meanwhile (stale-while-revalidate)"
            case .staleIfError:
                "the server failed, and the stored response may then be used stale (stale-if-error)"
            case .disconnected: "the server cannot be reached, and the stored response is what there is"
            case .policyReloads: "the policy passes over what is stored"
            case .policyValidates: "the policy asks the server first"
            case .requestForbids: "the request's Cache-Control passes over what is stored"
            case .responseDemandsValidation:
                "the response's Cache-Control asks for validation before each use"
            case .noValidator: "the stored response is stale and has neither ETag nor Last-Modified"
            case .variesOtherwise: "the stored response was for other request fields (Vary, Authorization)"
            case .partNotStored: "what is stored does not hold the part that is asked for"
            case .keptForOfflineUse:
                "the stored response was kept with --keep, for --cache-only and --prefer-cache alone"
            case .notStored: "nothing is stored for this URL"
            case .notKept: "it was loaded and may not be stored; --keep keeps it for offline use"
            case .damaged: "the stored entry is damaged"
            case .addressRefused:
                "the stored response came from an address that may not be connected to, or nobody knows from where"
            case .methodNotCached: "only GET and HEAD are answered from the cache"
            case .conditionalRequest:
                "a request for several ranges, or with If-Match or If-Unmodified-Since, goes to the server"
            }
        }
    }
}
