import HTTPTypes

/// What the hops of a load say of the page that it comes from: Referer and Origin.
///
/// It adds to nothing where a request has no referrer, and never to what the caller has set or omits.
struct RequestSource {
    /// The page that the load comes from, by whose origin the requests are known.
    private let initiator: WebURL

    /// What is left of its URL; nil once a hop has gone without, and then for all after it.
    private var referrer: WebURL?

    /// The URL of the last hop.
    private var last: WebURL?

    /// Whether a site that is not the page's own has sent the load on to another.
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
