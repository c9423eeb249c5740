/// A cookie in a jar.
///
/// [RFC 6265, section 5.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.3), with later changes of
/// browsers
public struct Cookie: Hashable, Sendable {
    /// Its name; may be empty.
    public var name: String
    /// Its value.
    public var value: String
    /// The domain that it is for, in lower case and without a leading dot.
    public var domain: String
    /// Whether it is for that host only, and not for its subdomains.
    public var isHostOnly: Bool
    /// The path that it is for, including the paths below it.
    public var path: String
    /// Whether it is sent over TLS only.
    public var isSecure: Bool
    /// Whether it is hidden from scripts in a page.
    public var isHTTPOnly: Bool
    /// The requests from other sites that carry it; `nil` if the server does not specify it, which counts as `lax`.
    public var sameSite: SameSite?
    /// The time when it expires; `nil` if it expires at the end of the session.
    public var expires: Timestamp?

    /// Creates a cookie.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value.
    ///   - domain: The host that it is for.
    ///   - path: The path that it is for.
    public init(name: String, value: String, domain: String, path: String = "/") {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        isHostOnly = true
        isSecure = false
        isHTTPOnly = false
    }

    /// Parses a Set-Cookie field from `url`; nil if browsers would reject it.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - url: The URL of the response.
    ///   - now: The time of the response.
    ///   - isPublicSuffix: Whether a domain is a public suffix, as "co.uk".
    package init?(_ field: String, from url: WebURL, now: Timestamp, isPublicSuffix: (String) -> Bool) {
        let bytes = Array(field.utf8)
        // A tab is allowed only as white space around names and values, never in what is stored.
        guard bytes.count <= 16 << 10, !bytes.contains(where: { $0.isControl && $0 != 0x09 }) else {
            return nil
        }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let (first, second) = Self.pair(parts[0])
        // Without "=", all of it is the value.
        let (name, value) = second.map { (first, $0) } ?? ("", first)
        let isFromTLS = url.scheme == "https"
        var attributes = Attributes()
        for part in parts.dropFirst() { attributes.read(Self.pair(part), now) }
        if attributes.isSecure, !isFromTLS { return nil }
        if attributes.sameSite == SameSite.none, !attributes.isSecure { return nil }

        let host = url.hostname
        self.init(name: name, value: value, domain: host)
        if let domain = attributes.domain, domain != host {
            guard Self.host(host, matches: domain), !isPublicSuffix(domain) else { return nil }
            self.domain = domain
            isHostOnly = false
        } else if attributes.domain != nil {
            isHostOnly = isPublicSuffix(host) || WebURL.isAddress(host: host)
        }
        path = attributes.path ?? Self.defaultPath(url.path)
        isSecure = attributes.isSecure
        isHTTPOnly = attributes.isHTTPOnly
        sameSite = attributes.sameSite
        expires = attributes.expires
        // The prefix `__Host-` requires that there is no Domain, and an explicit path of "/".
        guard isWellFormed, !isBoundToHost || attributes.domain == nil && attributes.path == "/" else {
            return nil
        }
    }

    /// The texts on both sides of "=", trimmed; the second is nil if there is no "=".
    private static func pair(_ bytes: ArraySlice<UInt8>) -> (String, String?) {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(bytes), nil) }
        return (trimmed(bytes[..<equals]), trimmed(bytes[(equals + 1)...]))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let first = bytes.first, first.isHTTPTabOrSpace { bytes.removeFirst() }
        while let last = bytes.last, last.isHTTPTabOrSpace { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// "Default-path".
    ///
    /// [RFC 6265, section 5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4)
    static func defaultPath(_ path: String) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a host is a domain or a subdomain of it.
    ///
    /// [RFC 6265, section 5.1.3](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.3)
    package static func host(_ host: String, matches domain: String) -> Bool {
        if host == domain { return true }
        return host.utf8.count > domain.utf8.count && host.hasSuffix(domain)
            && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
            && !WebURL.isAddress(host: host)
    }

    /// Whether a path is another one or below it.
    ///
    /// [RFC 6265, section 5.1.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.4)
    package static func path(_ path: String, matches other: String) -> Bool {
        let (path, other) = (path.utf8, other.utf8)
        guard path.starts(with: other) else { return false }
        return path.count == other.count || other.last == UInt8(ascii: "/")
            || path.dropFirst(other.count).first == UInt8(ascii: "/")
    }

    /// Whether it is not to be sent any more.
    package func hasEnded(by now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether it is sent with requests for a URL.
    ///
    /// [RFC 6265, section 5.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.4)
    package func isSent(to url: WebURL, now: Timestamp) -> Bool {
        let host = url.hostname
        guard isHostOnly ? host == domain : Self.host(host, matches: domain) else { return false }
        guard !isSecure || url.scheme == "https" else { return false }
        guard !hasEnded(by: now) else { return false }
        return Self.path(url.path, matches: path)
    }
}

/// The attributes of a Set-Cookie field.
private struct Attributes {
    var domain: String?
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: Cookie.SameSite?
    private var maximumAge: Timestamp?
    private var date: Timestamp?

    var expires: Timestamp? { maximumAge ?? date }

    /// The maximum lifetime of a cookie in milliseconds: 400 days.
    private static let maximumLifetime: Int64 = 400 *| 86_400_000

    mutating func read(_ pair: (name: String, value: String?), _ now: Timestamp) {
        let value = pair.value ?? ""
        guard value.utf8.count <= 1024 else { return }
        switch String(asciiLowercasing: pair.name.utf8) {
        case "expires":
            guard let date = CookieDate(value) else { return }
            self.date = Self.limited(
                date.secondsSince1970.multipliedReportingOverflow(by: 1000).partialValue,
                now
            )
        case "max-age":
            guard let age = Self.seconds(value) else { return }
            let milliseconds = min(age, Self.maximumLifetime / 1000) *| 1000
            maximumAge =
                age <= 0
                ? Timestamp(millisecondsSince1970: 0)
                : Self.limited(now.millisecondsSince1970 +| milliseconds, now)
        case "domain":
            let name = value.utf8.first == UInt8(ascii: ".") ? value.dropFirst() : value[...]
            // The last Domain counts; an empty one means the host only.
            domain = name.isEmpty ? nil : String(asciiLowercasing: name.utf8)
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: String(asciiLowercasing: value.utf8))
        default: break
        }
    }

    private static func limited(_ milliseconds: Int64, _ now: Timestamp) -> Timestamp {
        Timestamp(millisecondsSince1970: min(milliseconds, now.millisecondsSince1970 +| maximumLifetime))
    }

    /// Parses digits with an optional minus, limited to -2^53 to 2^53.
    private static func seconds(_ value: String) -> Int64? {
        let digits = value.utf8.first == UInt8(ascii: "-") ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(bounded: value).map { Int64($0) }
    }
}
