public import HTTPTypes
import Synchronization

/// The cookies of a session: kept as servers set them, and sent where they belong.
///
/// One jar may serve any number of loads at once. ``init(file:)`` and ``write(file:)`` read and write the format of
/// Netscape and curl.
///
/// [RFC 6265bis](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
public final class CookieJar: Sendable {
    private let state: Mutex<State>

    private struct State {
        /// By domain; those of one domain in the order of their creation.
        var cookies: [String: [Kept]] = [:]
        var count = 0
        var nextNumber = 0
    }

    private struct Kept {
        var cookie: Cookie
        /// The order of creation: an older cookie has a smaller number.
        let number: Int
    }

    /// The maximum number of cookies, per domain and in all; beyond it, expired cookies are removed first,
    /// then those without the Secure attribute, then the oldest.
    static let maximumPerDomain = 180
    static let maximumCount = 3000

    /// Creates a jar with some cookies.
    ///
    /// - Parameter cookies: The cookies; of several with the same name, domain and path, the last one counts.
    ///   One that no server can set (with a control character or a semicolon in it, or one that violates the
    ///   prefix of its name) is left out.
    public init(_ cookies: [Cookie] = []) {
        var state = State()
        let now = Timestamp.now
        for cookie in cookies where cookie.isWellFormed { Self.keep(cookie, &state, now) }
        self.state = Mutex(state)
    }

    /// Adds cookies; one of the same name, domain and path is replaced, and one that no server can set is left out.
    ///
    /// - Parameter cookies: The cookies.
    package func add(_ cookies: [Cookie]) {
        let now = Timestamp.now
        state.withLock { state in
            for cookie in cookies where cookie.isWellFormed { Self.keep(cookie, &state, now) }
        }
    }

    /// All cookies, by domain; those of one domain in the order of their creation.
    public var cookies: [Cookie] {
        state.withLock { state in
            state.cookies.keys.sorted().flatMap { (state.cookies[$0] ?? []).map(\.cookie) }
        }
    }

    /// Stores the cookies of a response's Set-Cookie fields.
    ///
    /// - Parameters:
    ///   - fields: The response's fields.
    ///   - url: The URL of the response.
    ///   - now: The time of the response.
    public func take(_ fields: HTTPFields, from url: WebURL, now: Timestamp = .now) {
        for field in fields[values: .setCookie] {
            let cookie = Cookie(field, from: url, now: now, isPublicSuffix: PublicSuffix.contains)
            guard let cookie else { continue }
            state.withLock { state in
                guard url.scheme == "https" || !Self.hidesSecure(cookie, state, now) else { return }
                if cookie.hasEnded(by: now) {
                    Self.remove(cookie, &state)
                } else {
                    Self.keep(cookie, &state, now)
                }
            }
        }
    }

    /// The Cookie field for a request that a user asks for, nil if there is nothing to send.
    ///
    /// - Parameters:
    ///   - url: The request's URL.
    ///   - now: When it is sent.
    /// - Returns: The field's value.
    public func field(for url: WebURL, now: Timestamp = .now) -> String? {
        field(for: url) { $0.isSent(to: url, now: now) }
    }

    /// The Cookie field for a request, nil if there is nothing to send.
    ///
    /// A request whose ``/WebStandards/WebRequest/referrer`` is of another site has only what
    /// ``/WebStandards/Cookie/sameSite`` allows there.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: When it is sent.
    /// - Returns: The field's value.
    public func field(for request: WebRequest, now: Timestamp = .now) -> String? {
        guard request.isCrossSite else { return field(for: request.url, now: now) }
        return field(for: request.url) { cookie in
            cookie.isSentFromOtherSites(by: request.httpMethod) && cookie.isSent(to: request.url, now: now)
        }
    }

    /// The Cookie field of the cookies that are sent to a URL.
    private func field(for url: WebURL, where isSent: (Cookie) -> Bool) -> String? {
        let host = url.hostname
        var found: [Kept] = state.withLock { state in
            guard state.count > 0 else { return [] }
            var found: [Kept] = []
            var domain = host[...]
            while true {
                found += (state.cookies[String(domain)] ?? []).filter { isSent($0.cookie) }
                guard let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) else { return found }
                domain = domain[domain.index(after: dot)...]
            }
        }
        guard !found.isEmpty else { return nil }
        // Longer paths first, then older cookies.
        found.sort { ($1.cookie.path.utf8.count, $0.number) < ($0.cookie.path.utf8.count, $1.number) }
        return found.map(\.cookie).map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
            .joined(separator: "; ")
    }

    // MARK: - Keeping

    private static func keep(_ cookie: Cookie, _ state: inout State, _ now: Timestamp) {
        var cookies = state.cookies.removeValue(forKey: cookie.domain) ?? []
        if let index = cookies.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
            cookies[index].cookie = cookie
        } else {
            cookies.append(Kept(cookie: cookie, number: state.nextNumber))
            state.nextNumber += 1
            state.count += 1
            if cookies.count > maximumPerDomain {
                cookies.remove(at: indexToRemove(cookies, now))
                state.count -= 1
            }
        }
        state.cookies[cookie.domain] = cookies
        if state.count > maximumCount,
            let largest = state.cookies.max(by: { $0.value.count < $1.value.count })
        {
            var cookies = largest.value
            cookies.remove(at: indexToRemove(cookies, now))
            state.cookies[largest.key] = cookies.isEmpty ? nil : cookies
            state.count -= 1
        }
    }

    /// The index of the cookie to remove first; a cookie set without TLS does not displace a Secure one.
    private static func indexToRemove(_ cookies: [Kept], _ now: Timestamp) -> Int {
        cookies.firstIndex { $0.cookie.hasEnded(by: now) } ?? cookies.firstIndex { !$0.cookie.isSecure } ?? 0
    }

    private static func remove(_ cookie: Cookie, _ state: inout State) {
        guard let cookies = state.cookies[cookie.domain] else { return }
        let rest = cookies.filter { !$0.cookie.isSame(as: cookie) }
        state.count -= cookies.count - rest.count
        state.cookies[cookie.domain] = rest.isEmpty ? nil : rest
    }

    /// Whether a cookie set without TLS would be sent beside or instead of a Secure cookie of the same name,
    /// on the same domain, a parent domain or a subdomain.
    ///
    /// [RFC 6265bis, section 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7)
    private static func hidesSecure(_ cookie: Cookie, _ state: borrowing State, _ now: Timestamp) -> Bool {
        for (domain, cookies) in state.cookies
        where Cookie.host(cookie.domain, matches: domain) || Cookie.host(domain, matches: cookie.domain) {
            for other in cookies.map(\.cookie)
            where other.isSecure && other.name == cookie.name && !other.hasEnded(by: now)
                && Cookie.path(cookie.path, matches: other.path)
            {
                return true
            }
        }
        return false
    }
}

extension Cookie {
    /// Whether one cookie replaces the other.
    fileprivate func isSame(as other: Cookie) -> Bool {
        name == other.name && path == other.path && domain == other.domain && isHostOnly == other.isHostOnly
    }
}
