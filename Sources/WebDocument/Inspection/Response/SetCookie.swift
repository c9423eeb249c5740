import HTTPTypes

/// The contents of a Set-Cookie field.
///
/// [RFC 6265bis, section 5.6](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6)
public struct SetCookie: Hashable, Sendable, Codable {
    /// Whether requests that come from other sites include the cookie.
    public enum SameSite: String, Sendable, Codable, CaseIterable {
        /// They include it.
        case none
        /// Only those that go to a new page include it.
        case lax
        /// None includes it.
        case strict
    }

    /// Its name; may be empty.
    public let name: String

    /// Its value.
    public let value: String

    /// The value of Domain, in lower case and without a dot before it; nil for the host alone.
    public private(set) var domain: String?

    /// The value of Path; nil without it.
    public private(set) var path: String?

    /// The value of Expires; nil without it, or where it is not a date.
    public private(set) var expires: Timestamp?

    /// The value of Max-Age, in seconds, which takes precedence over Expires; nil without it.
    public private(set) var maximumAge: Int64?

    /// Whether it is sent over TLS only.
    public private(set) var isSecure = false

    /// Whether scripts do not see it.
    public private(set) var isHTTPOnly = false

    /// The value of SameSite; nil without it, which browsers treat as `lax`.
    public private(set) var sameSite: SameSite?

    /// Whether it is kept separately for each site on which it is set.
    public private(set) var isPartitioned = false

    /// Why a browser refuses it, or keeps it less securely than it could, as stable codes.
    public private(set) var findings: [Finding] = []

    /// A problem with a cookie.
    public enum Finding: String, Sendable, Codable, CaseIterable {
        /// A browser does not keep it.
        case refused
        /// It is sent without TLS, too.
        case notSecure = "not-secure"
        /// Scripts see it.
        case notHTTPOnly = "not-http-only"
        /// It does not set SameSite, which decides for which sites' requests it is sent.
        case noSameSite = "no-same-site"

        /// The problem in words.
        public var explanation: String {
            switch self {
            case .refused: "browsers reject the cookie"
            case .notSecure: "the cookie is also sent without TLS"
            case .notHTTPOnly: "scripts can read the cookie"
            case .noSameSite: "SameSite is not set"
            }
        }
    }

    /// Reads a field that came from `url`.
    init(_ field: String, from url: WebURL, now: Timestamp) {
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let (first, second) = Self.pair(parts.first ?? field.utf8[...])
        // Without "=", all of it is the value.
        name = second == nil ? "" : first
        value = second ?? first
        for part in parts.dropFirst() { read(Self.pair(part)) }
        if Cookie(field, from: url, now: now, isPublicSuffix: PublicSuffix.contains) == nil {
            findings.append(.refused)
        }
        if !isSecure { findings.append(.notSecure) }
        if !isHTTPOnly { findings.append(.notHTTPOnly) }
        if sameSite == nil { findings.append(.noSameSite) }
    }

    private mutating func read(_ pair: (name: String, value: String?)) {
        let value = pair.value ?? ""
        switch String(asciiLowercasing: pair.name.utf8) {
        case "domain":
            let name = value.utf8.first == UInt8(ascii: ".") ? String(value.dropFirst()) : value
            domain = name.isEmpty ? nil : String(asciiLowercasing: name.utf8)
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "expires":
            expires = CookieDate(value).map {
                Timestamp(millisecondsSince1970: $0.secondsSince1970.multipliedReportingOverflow(by: 1000).0)
            }
        case "max-age": maximumAge = Int64(value)
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = SameSite(rawValue: String(asciiLowercasing: value.utf8))
        case "partitioned": isPartitioned = true
        default: break
        }
    }

    /// The texts on both sides of "=", without white space around them.
    private static func pair(_ text: Substring.UTF8View) -> (String, String?) {
        var scanner = FieldScanner(Array(text))
        scanner.trim(while: \.isHTTPTabOrSpace)
        let name = scanner.collect { $0 != UInt8(ascii: "=") }
        let trimmed = scanner.text(scanner.trimmingEnd(of: name, while: \.isHTTPTabOrSpace))
        guard scanner.skip(UInt8(ascii: "=")) else { return (trimmed, nil) }
        scanner.skip(while: \.isHTTPTabOrSpace)
        return (trimmed, scanner.text(scanner.position..<scanner.end))
    }
}

extension WebResponse {
    /// The cookies that the response sets, in their order.
    ///
    /// Complexity: O(n) in the length of the fields.
    public var setCookies: [SetCookie] {
        let fields = values(.setCookie)
        guard !fields.isEmpty else { return [] }
        let now = Timestamp.now
        return fields.map { SetCookie($0, from: url, now: now) }
    }
}
