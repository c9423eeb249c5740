public import HTTPTypes

/// How much a request reveals of the page that it comes from.
///
/// [Referrer Policy](https://w3c.github.io/webappsec-referrer-policy/)
public enum ReferrerPolicy: String, Sendable, Codable, CaseIterable {
    /// Nothing.
    case noReferrer = "no-referrer"
    /// The URL, except from a secure page to an insecure URL.
    case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
    /// The URL, within the page's origin only.
    case sameOrigin = "same-origin"
    /// The origin.
    case origin
    /// The origin, except from a secure page to an insecure URL.
    case strictOrigin = "strict-origin"
    /// The URL within the page's origin, and the origin elsewhere.
    case originWhenCrossOrigin = "origin-when-cross-origin"
    /// The URL within the page's origin, and the origin elsewhere, except from a secure page to an insecure URL; the
    /// default of browsers.
    case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
    /// The URL, regardless of the request's target.
    case unsafeURL = "unsafe-url"

    /// Parses the Referrer-Policy fields of a response, in which the last known policy counts; `nil` if there is none.
    ///
    /// [Parse a referrer policy](https://w3c.github.io/webappsec-referrer-policy/#parse-referrer-policy-from-header)
    ///
    /// - Parameter fields: The response's fields.
    public init?(_ fields: HTTPFields) {
        guard let name = HTTPField.Name("Referrer-Policy") else { return nil }
        var policy: Self?
        for field in fields[values: name] {
            for word in field.utf8.split(separator: UInt8(ascii: ",")) {
                policy = Self(attribute: Substring(word).trimmingHTTPWhitespace) ?? policy
            }
        }
        guard let policy else { return nil }
        self = policy
    }

    /// Parses the attribute `referrerpolicy`; `nil` if it names no policy, so that the page's own applies.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#referrer-policy-attribute>
    ///
    /// - Parameter value: The attribute's value.
    public init?(attribute value: String) {
        self.init(rawValue: String(asciiLowercasing: value.utf8))
    }

    /// Parses the attribute `content` of `<meta name=referrer>`; `nil` if it names no policy, and so changes nothing.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#meta-referrer>
    ///
    /// - Parameter value: The attribute's value.
    public init?(metaContent value: String) {
        let value = String(asciiLowercasing: value.utf8)
        switch value {
        case "never": self = .noReferrer
        case "default": self = .strictOriginWhenCrossOrigin
        case "always": self = .unsafeURL
        case "origin-when-crossorigin": self = .originWhenCrossOrigin
        default: self.init(rawValue: value)
        }
    }
}

extension ReferrerPolicy {
    /// The maximum size of a referrer in bytes; of a longer one, only the origin is sent.
    private static let maximumSize = 4096

    /// The value of the Referer field of a request; `nil` if the field is not sent.
    ///
    /// Only `http` and `https` URLs are sent, without credentials and fragment.
    ///
    /// [Determine request's referrer](https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer)
    ///
    /// - Parameters:
    ///   - source: The URL of the page that the request comes from.
    ///   - target: The request's URL.
    /// - Returns: The field's value.
    public func referrer(from source: WebURL, to target: WebURL) -> String? {
        guard source.scheme == "http" || source.scheme == "https" else { return nil }
        let origin = source.origin + "/"
        let stripped = source.withoutFragment.withoutCredentials.href
        let url = stripped.utf8.count > Self.maximumSize ? origin : stripped
        let isSameOrigin = source.isSameOrigin(as: target)
        let isDowngrade = source.isPotentiallyTrustworthy && !target.isPotentiallyTrustworthy
        return switch self {
        case .noReferrer: nil
        case .noReferrerWhenDowngrade: isDowngrade ? nil : url
        case .sameOrigin: isSameOrigin ? url : nil
        case .origin: origin
        case .strictOrigin: isDowngrade ? nil : origin
        case .originWhenCrossOrigin: isSameOrigin ? url : origin
        case .strictOriginWhenCrossOrigin: isSameOrigin ? url : isDowngrade ? nil : origin
        case .unsafeURL: url
        }
    }
}

extension WebURL {
    /// Whether nobody on the way can read or change what the URL stands for: it is there over TLS, or on this
    /// machine.
    ///
    /// <https://w3c.github.io/webappsec-secure-contexts/#is-url-trustworthy>
    fileprivate var isPotentiallyTrustworthy: Bool {
        switch scheme {
        case "https", "wss", "file", "data": return true
        case "about": return path == "blank" || path == "srcdoc"
        case "http", "ws": break
        default: return false
        }
        var name = hostname
        if WebURL.isAddress(host: name) { return name == "[::1]" || name.hasPrefix("127.") }
        if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost")
    }
}
