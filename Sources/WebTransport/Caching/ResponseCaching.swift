import HTTPTypes

/// How HTTP allows a private cache, such as a browser's, to use a response, and why.
///
/// [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111)
public struct ResponseCaching: Hashable, Sendable, Codable {
    /// The source of the freshness lifetime.
    public enum LifetimeSource: String, Sendable, Codable, CaseIterable {
        /// The directive of Cache-Control.
        case maximumAge = "max-age"
        /// The Expires field.
        case expires
        /// Heuristic: a tenth of the time since it was last modified.
        case presumed
    }

    /// Whether it may be stored.
    public let isStorable: Bool

    /// Why it may not be stored, as a stable identifier; nil if it may.
    public let refusal: String?

    /// The freshness lifetime in seconds, from when the origin generated it; 0 or less if it is stale from
    /// the start; nil if it is neither explicit nor heuristic.
    public let freshnessLifetime: Int64?

    /// Where ``freshnessLifetime`` comes from; nil if there is none.
    public let lifetimeSource: LifetimeSource?

    /// The freshness lifetime for shared caches in seconds, by `s-maxage`; nil without the directive.
    public let sharedLifetime: Int64?

    /// Whether only a private cache may store it.
    public let isPrivate: Bool

    /// Whether it must be revalidated before each use (`no-cache`).
    public let asksBeforeUse: Bool

    /// Whether it is never used stale.
    public let mustRevalidate: Bool

    /// Whether it does not change while it is fresh.
    public let isImmutable: Bool

    /// The seconds past its lifetime in which it may be used while it is revalidated; `nil` if it may not.
    public let staleWhileRevalidate: Int64?

    /// The seconds past its lifetime in which it may be used if the server fails; `nil` if it may not.
    public let staleIfError: Int64?

    /// Its validators, of "ETag" and "Last-Modified".
    public let validators: [String]

    /// The request fields that its Vary names, in lower case; "*" for something that is not in the fields.
    public let varyingFields: [String]

    /// How a cache uses it, in one sentence without a full stop.
    public let explanation: String

    init(_ response: WebResponse, status: Int, now: Timestamp) {
        let fields = response.headerFields
        let stored = StoredResponse(
            key: "",
            varyingFields: [],
            requestTime: now,
            responseTime: now,
            status: status,
            headerFields: fields,
            body: .bytes([])
        )
        let freshness = Freshness(stored, now: now)
        let control = freshness.control
        let refusal = CacheDecision.refusalToStore(WebRequest(url: response.url), response)
        self.refusal = refusal?.rawValue
        isStorable = refusal == nil
        freshnessLifetime = freshness.lifetime
        lifetimeSource =
            freshness.lifetime == nil
            ? nil : control.maxAge != nil ? .maximumAge : fields[.expires] != nil ? .expires : .presumed
        sharedLifetime = control.sMaxAge
        isPrivate = control.private == .message
        asksBeforeUse =
            control.noCache == .message || control.directives.isEmpty && fields.hasPragmaNoCache
        mustRevalidate = control.mustRevalidate
        isImmutable = control.immutable
        staleWhileRevalidate = control.staleWhileRevalidate
        staleIfError = control.staleIfError
        validators =
            (fields[.eTag] == nil ? [] : ["ETag"]) + (fields[.lastModified] == nil ? [] : ["Last-Modified"])
        varyingFields = VaryingFields.names(in: fields)
        explanation = Self.explanation(
            refusal,
            freshness.lifetime,
            lifetimeSource,
            asksBeforeUse: asksBeforeUse,
            hasValidator: !validators.isEmpty,
            variesByAll: varyingFields.contains("*")
        )
    }

    private static func explanation(
        _ refusal: CacheDecision.StorageRefusal?,
        _ lifetime: Int64?,
        _ source: LifetimeSource?,
        asksBeforeUse: Bool,
        hasValidator: Bool,
        variesByAll: Bool
    ) -> String {
        if let refusal { return "not stored: \(refusal.explanation)" }
        if variesByAll { return "stored, but not used for other requests: Vary is *" }
        if asksBeforeUse {
            return hasValidator
                ? "stored; validated before each use"
                : "stored, but never used: it needs validation before each use and has no validator"
        }
        guard let lifetime, let source else {
            return hasValidator
                ? "stored; validated before each use, because no lifetime is stated"
                : "stored, but never used: it has neither a lifetime nor a validator"
        }
        guard lifetime > 0 else { return "stored, but never fresh (\(source.rawValue))" }
        return source == .presumed
            ? "fresh for \(lifetime) s, estimated from Last-Modified"
            : "fresh for \(lifetime) s (\(source.rawValue))"
    }
}

extension WebResponse {
    /// How HTTP allows a private cache to use the response; nil if it did not come over HTTP.
    ///
    /// Complexity: O(n) in the length of the fields.
    public var caching: ResponseCaching? {
        status.map { ResponseCaching(self, status: $0.code, now: .now) }
    }
}
