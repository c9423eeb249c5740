import NIOHTTP1
import WebStandards

/// Decides which requests are permitted, by the head of a request alone.
///
/// Every program on the machine can reach the port, and every page that the browser has open can send requests to it:
/// so `Host` is checked first (against an attacker's name that resolves to 127.0.0.1), then the origin of the
/// request, then the token of this run. Nothing of the request's body is read before.
struct RequestGuard: Sendable {
    /// Which of the two ports it guards.
    enum Side: Sendable {
        /// The app, its files and its data.
        case app
        /// Stored pages, and nothing else.
        case views
    }

    let side: Side
    /// The port that it guards.
    let port: Int
    let token: SessionToken

    /// The maximum bytes of a request's body.
    static let maximumBody = 4 << 20
    /// The maximum bytes of a request's target.
    static let maximumTarget = 64 << 10

    /// The only valid `Host`: a name could be anybody's, and "localhost" would be another origin than that of the
    /// views' policy.
    var host: String { "127.0.0.1:\(port)" }
    var origin: String { "http://\(host)" }

    /// Throws unless a request is permitted.
    func check(_ head: HTTPRequestHead) throws(ServeError) {
        guard head.version == .http1_1 else {
            throw ServeError(505, "http.version", "only HTTP/1.1 is spoken here")
        }
        let hosts = head.headers["host"]
        guard hosts.count == 1, hosts[0] == host else {
            throw ServeError(421, "http.host", "the field Host has to be \(host)")
        }
        try checkTarget(head.uri)
        try checkFraming(head.headers)
        switch (head.method, side) {
        case (.GET, _), (.HEAD, _), (.POST, .app): break
        default: throw ServeError(405, "http.method", "this method does nothing here")
        }
        try checkSite(head)
        guard side == .app, head.uri.utf8.starts(with: "/api/".utf8) else {
            guard head.method != .POST else {
                throw ServeError(405, "http.method", "nothing is changed here")
            }
            return
        }
        let given = head.headers["authorization"]
        guard given.count == 1, token.isIn(authorization: given[0]) else {
            throw ServeError(401, "session", "the token of this run is missing or another")
        }
        if head.method == .POST { try checkChange(head.headers) }
    }

    private func checkTarget(_ target: String) throws(ServeError) {
        // Only the form with a path (RFC 9112, 3.2.1): the others are for proxies.
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw ServeError(400, "http.target", "the target has to be a path")
        }
        guard target.utf8.count <= Self.maximumTarget else {
            throw ServeError(414, "limit.target", "the target has more than \(Self.maximumTarget) bytes")
        }
        // No path here has an escape; otherwise the checked path and the answered one could differ.
        guard !target.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).contains(UInt8(ascii: "%")) else {
            throw ServeError(400, "http.target", "no path here has an escape")
        }
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw ServeError(400, "http.target", "the target has a character that is to be percent-encoded")
        }
    }

    /// Requires a body to have a Content-Length and no other framing, so that it is not read differently elsewhere.
    private func checkFraming(_ fields: HTTPHeaders) throws(ServeError) {
        guard fields["transfer-encoding"].isEmpty else {
            throw ServeError(411, "http.length", "a body has to say its length by Content-Length")
        }
        let lengths = fields["content-length"]
        guard let length = lengths.first else { return }
        guard lengths.count == 1, (1...18).contains(length.utf8.count),
            length.utf8.allSatisfy(\.isASCIIDigit),
            let count = Int(inBounds: length)
        else { throw ServeError(400, "http.length", "Content-Length has to be one number") }
        guard count <= Self.maximumBody else {
            throw ServeError(
                413,
                "limit.body",
                "the body has \(count) bytes, \(Self.maximumBody) are allowed"
            )
        }
    }

    /// Rejects requests of other sites and origins ([Fetch Metadata](https://www.w3.org/TR/fetch-metadata/)).
    private func checkSite(_ head: HTTPRequestHead) throws(ServeError) {
        guard let site = head.headers.first(name: "sec-fetch-site"), site != "same-origin", site != "none"
        else {
            return
        }
        let mode = head.headers.first(name: "sec-fetch-mode")
        let destination = head.headers.first(name: "sec-fetch-dest")
        switch side {
        case .app:
            // A link to the app in another page: without the token, the opened page reveals nothing.
            if mode == "navigate", destination == "document", head.method == .GET { return }
        case .views:
            // The app's frame; its policy prevents other pages from framing it.
            if mode == "navigate", destination == "iframe" { return }
        }
        throw ServeError(403, "http.site", "this is not for pages of other origins")
    }

    private func checkChange(_ fields: HTTPHeaders) throws(ServeError) {
        let origins = fields["origin"]
        if origins.isEmpty {
            guard fields.first(name: "sec-fetch-site") == "same-origin" else {
                throw ServeError(403, "http.origin", "the field Origin is missing")
            }
        } else {
            guard origins == [origin] else {
                throw ServeError(403, "http.origin", "only \(origin) may change something")
            }
        }
        let type = fields.first(name: "content-type")?.split(separator: ";").first ?? ""
        guard String(type).trimmingASCIIWhitespace.isEqualIgnoringASCIICase(to: "application/json") else {
            throw ServeError(415, "http.type", "the body has to be application/json")
        }
    }
}
