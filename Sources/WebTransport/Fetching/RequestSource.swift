import HTTPTypes

/// The Referer and Origin fields that name the page from which a load comes, for each hop of the load.
///
/// Nothing is added if a request has no referrer, and fields that the caller has set or omits are never changed.
struct RequestSource {
    /// The page from which the load comes, whose origin the requests name.
    private let initiator: WebURL

    /// The referrer that is left for further hops; `nil` after a hop without one, and then for all later hops.
    private var referrer: WebURL?

    /// The URL of the last hop.
    private var last: WebURL?

    /// Whether an origin other than the page's own has redirected the load to another origin.
    private var isTainted = false

    /// The source of a load; nil if its request names none.
    init?(_ request: WebRequest) {
        guard let referrer = request.referrer else { return nil }
        initiator = referrer
        self.referrer = referrer
    }

    /// A hop's request as it is sent.
    mutating func adding(to request: WebRequest) -> WebRequest {
        let url = request.url
        if let last, !url.isSameOrigin(as: last), !initiator.isSameOrigin(as: last) { isTainted = true }
        last = url
        // As the standard has it, the next hop knows no more of the page than this one.
        let value = referrer.flatMap { request.referrerPolicy.referrer(from: $0, to: url) }
        referrer = value.flatMap { try? WebURL($0) }
        guard url.scheme == "http" || url.scheme == "https" else { return request }
        var request = request
        if let value { Self.set(.referer, value, &request) }
        if request.httpMethod != "GET", request.httpMethod != "HEAD" {
            Self.set(.origin, origin(for: request), &request)
        }
        return request
    }

    /// The value of Origin.
    ///
    /// <https://fetch.spec.whatwg.org/#append-a-request-origin-header>
    private func origin(for request: WebRequest) -> String {
        let isHidden =
            switch request.referrerPolicy {
            case .noReferrer: true
            case .noReferrerWhenDowngrade, .strictOrigin, .strictOriginWhenCrossOrigin:
                initiator.scheme == "https" && request.url.scheme != "https"
            case .sameOrigin: !initiator.isSameOrigin(as: request.url)
            case .origin, .originWhenCrossOrigin, .unsafeURL: false
            }
        return isTainted || isHidden ? "null" : initiator.origin
    }

    private static func set(_ name: HTTPField.Name, _ value: String, _ request: inout WebRequest) {
        guard request.headerFields[name] == nil, !request.omittedFields.contains(name) else { return }
        request.headerFields[name] = value
    }
}
