import HTTPTypes

extension CacheDecision {
    /// Why a response is not stored, as a stable identifier and in words.
    package enum StorageRefusal: String, Sendable, CaseIterable {
        case requestAsksNot = "not-asked"
        case uncheckedCertificate = "unchecked-certificate"
        case method
        case requestNoStore = "request-no-store"
        case noStore = "no-store"
        case notUnderstood = "must-understand"
        case status
        case noFreshness = "no-freshness"
        case part

        /// In words, for people.
        var explanation: String {
            switch self {
            case .requestAsksNot: "the request forbids it"
            case .uncheckedCertificate: "the server's certificate was not checked"
            case .method:
                "only responses to GET are stored, and to POST with a lifetime and their URL as Content-Location"
            case .requestNoStore: "the request has Cache-Control: no-store"
            case .noStore: "the response has Cache-Control: no-store"
            case .notUnderstood:
                "the response may be stored only if its status is understood (must-understand)"
            case .status: "responses with this status are not stored"
            case .noFreshness:
                "responses with this status are stored only with max-age, Expires, public or private"
            case .part: "the position of the part is unknown"
            }
        }

        /// Whether the response can still be kept for offline use if the user asks for that.
        var allowsOfflineUse: Bool {
            switch self {
            case .requestNoStore, .noStore, .notUnderstood, .noFreshness: true
            case .requestAsksNot, .uncheckedCertificate, .method, .status, .part: false
            }
        }
    }

    /// Why a response may not be stored, nil if it may.
    ///
    /// [RFC 9111, section 3](https://www.rfc-editor.org/rfc/rfc9111#section-3)
    static func refusalToStore(_ request: WebRequest, _ response: WebResponse) -> StorageRefusal? {
        guard request.storesResponse else { return .requestAsksNot }
        // An unverified server's response must not be served later, when certificates are checked.
        guard response.tls?.isVerified != false else { return .uncheckedCertificate }
        let control = CacheControl(fieldLines: response.headerFields[values: .cacheControl])
        let hasLifetime = control.maxAge != nil || response.headerFields[.expires] != nil
        guard request.httpMethod == "GET" || isStorablePost(request, response, hasLifetime) else {
            return .method
        }
        guard let status = response.status?.code, status >= 200, status != 304, status != 416 else {
            return .status
        }
        if status == 206, !isStorablePart(response) { return .part }
        if CacheControl(fieldLines: request.headerFields[values: .cacheControl]).noStore {
            return .requestNoStore
        }
        if control.mustUnderstand {
            // Then no-store is meant for caches that do not know must-understand.
            guard isUnderstood(status) else { return .notUnderstood }
        } else if control.noStore {
            return .noStore
        }
        guard
            hasLifetime || control.public || control.private != .absent
                || isHeuristicallyCacheable(status)
        else { return .noFreshness }
        return nil
    }

    /// Whether a response may also answer identical requests that were made during the fetch (collapsed
    /// requests): it may be stored (not just kept for offline use), and its Vary is not "*".
    ///
    /// A response with `no-cache` may: it comes from the server while they wait.
    ///
    /// [RFC 9111, section 4](https://www.rfc-editor.org/rfc/rfc9111#section-4)
    static func mayAnswerOthers(_ request: WebRequest, _ response: WebResponse) -> Bool {
        refusalToStore(request, response) == nil
            && !VaryingFields.names(in: response.headerFields).contains("*")
    }

    /// Whether a response may be kept for offline use though HTTP forbids storing it: a page or a redirect.
    static func mayKeepForOfflineUse(
        _ request: WebRequest,
        _ response: WebResponse,
        _ refusal: StorageRefusal
    ) -> Bool {
        guard request.keepsForOfflineUse, refusal.allowsOfflineUse, let status = response.status?.code else {
            return false
        }
        // A temporary error must not replace a stored page.
        return 200..<400 ~= status && status != 206
    }

    /// Whether a POST's response may answer a later GET: its Content-Location is the request's URL, and it
    /// has a freshness lifetime.
    ///
    /// [RFC 9110, section 9.3.3](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.3)
    private static func isStorablePost(
        _ request: WebRequest,
        _ response: WebResponse,
        _ hasLifetime: Bool
    ) -> Bool {
        guard request.httpMethod == "POST", hasLifetime,
            response.status.map({ $0.kind == .successful && $0 != 206 }) ?? false,
            let location = response.headerFields[.contentLocation]
        else { return false }
        do throws(WebURLError) {
            let url = try WebURL(location, base: request.url.withoutFragment)
            return url.withoutFragment.href == request.url.withoutFragment.href
        } catch {
            return false
        }
    }

    /// Whether a 206 can be stored: it has one valid Content-Range and no content coding, since positions
    /// count encoded bytes.
    ///
    /// [RFC 9111, section 3.3](https://www.rfc-editor.org/rfc/rfc9111#section-3.3)
    private static func isStorablePart(_ response: WebResponse) -> Bool {
        let fields = response.headerFields[values: .contentRange]
        guard fields.count == 1, response.headerFields[.contentEncoding] == nil,
            let range = ContentRange(fields[0])
        else { return false }
        return response.body.count <= range.positions.count
    }

    /// Whether a status is heuristically cacheable: it allows heuristic freshness.
    ///
    /// [RFC 9110, section 15.1](https://www.rfc-editor.org/rfc/rfc9110#section-15.1)
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether this cache knows the requirements of a final status: those of RFC 9110, 6585, 7725, 8297 and
    /// 8470.
    ///
    /// [RFC 9111, section 5.2.2.3](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.3)
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...305, 307, 308, 400...417, 421, 422, 425, 426, 428, 429, 431, 451, 500...505,
            511:
            true
        default: false
        }
    }

    // MARK: - Fields

    /// The fields of a response that are stored: all except connection-specific (hop-by-hop) ones.
    ///
    /// [RFC 9111, section 3.1](https://www.rfc-editor.org/rfc/rfc9111#section-3.1)
    static func storedFields(_ fields: HTTPFields) -> HTTPFields {
        var dropped = hopByHop
        for line in fields[values: .connection] {
            for name in line.split(separator: ",") {
                dropped.append(String(asciiLowercasing: name.trimmingHTTPWhitespace.utf8))
            }
        }
        guard fields.contains(where: { dropped.contains($0.name.canonicalName) }) else { return fields }
        return HTTPFields(received: fields.lazy.filter { !dropped.contains($0.name.canonicalName) })
    }

    private static let hopByHop = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]
}
