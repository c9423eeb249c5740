import HTTPTypes

/// The security policies in a response's header fields and in the page.
public struct SecurityFields: Hashable, Sendable, Codable {
    /// The policy in Strict-Transport-Security.
    public struct TransportSecurity: Hashable, Sendable, Codable {
        /// Seconds for which the host is to be reached over TLS only; 0 revokes the policy.
        public let maximumAge: Int64
        /// Whether that holds for its subdomains, too.
        public let includesSubdomains: Bool
        /// Whether the host asks to be on the preload lists of browsers.
        public let isPreload: Bool
    }

    /// A feature and who may use it, from Permissions-Policy.
    public struct Permission: Hashable, Sendable, Codable {
        /// The feature, as "geolocation".
        public let feature: String
        /// Who may use it, as written: "()" for nobody, "*" for everybody.
        public let allowlist: String
    }

    /// A protection that is missing or weak.
    public struct Finding: Hashable, Sendable, Codable {
        /// The problem, as a stable code.
        public let code: Code
        /// The problem in words.
        public var explanation: String { code.explanation }
    }

    /// The policies, those of header fields first.
    public let contentSecurityPolicies: [ContentSecurityPolicy]

    /// The policy in Strict-Transport-Security; nil without it, or where it is malformed.
    public let transportSecurity: TransportSecurity?

    /// Whether X-Content-Type-Options says `nosniff`.
    public let isNoSniff: Bool

    /// The value of X-Frame-Options in lower case, which has an effect only without `frame-ancestors`; nil
    /// without it.
    public let frameOptions: String?

    /// The referrer policy that applies, the last one that browsers know; nil without one.
    public let referrerPolicy: String?

    /// The permissions in Permissions-Policy, in its order.
    public let permissions: [Permission]

    /// The value of Cross-Origin-Opener-Policy; nil without it.
    public let openerPolicy: String?

    /// The value of Cross-Origin-Embedder-Policy; nil without it.
    public let embedderPolicy: String?

    /// The value of Cross-Origin-Resource-Policy; nil without it.
    public let resourcePolicy: String?

    /// The protections that are missing or weak, except for weaknesses of the policies themselves.
    public let findings: [Finding]

    init(_ response: WebResponse, metaPolicies: [ContentSecurityPolicy]) {
        func values(_ name: String) -> [String] { HTTPField.Name(name).map { response.values($0) } ?? [] }
        contentSecurityPolicies =
            ContentSecurityPolicy.policies(
                ofFields: values("Content-Security-Policy"),
                isReportOnly: false
            )
            + ContentSecurityPolicy.policies(
                ofFields: values("Content-Security-Policy-Report-Only"),
                isReportOnly: true
            ) + metaPolicies
        transportSecurity = TransportSecurity(response.headerFields)
        isNoSniff = MIMESniffing.isNoSniff(contentTypeOptionsFields: response.values(.xContentTypeOptions))
        frameOptions = values("X-Frame-Options").first.map {
            String(asciiLowercasing: $0.collapsingASCIIWhitespace.utf8)
        }
        referrerPolicy = ReferrerPolicy(response.headerFields)?.rawValue
        permissions = Self.permissions(values("Permissions-Policy"))
        openerPolicy = values("Cross-Origin-Opener-Policy").last
        embedderPolicy = values("Cross-Origin-Embedder-Policy").last
        resourcePolicy = values("Cross-Origin-Resource-Policy").last
        findings = Self.findings(
            response,
            contentSecurityPolicies,
            transportSecurity,
            isNoSniff: isNoSniff,
            frameOptions: frameOptions,
            referrerPolicy: referrerPolicy
        )
    }

    /// The members of a dictionary of [RFC 9651](https://www.rfc-editor.org/rfc/rfc9651#section-3.2), their values as
    /// they are written.
    private static func permissions(_ fields: [String]) -> [Permission] {
        var permissions: [Permission] = []
        for field in fields {
            var scanner = FieldScanner(field)
            while true {
                scanner.skip { $0.isHTTPTabOrSpace || $0 == UInt8(ascii: ",") }
                guard !scanner.isAtEnd else { break }
                let name = scanner.collect { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
                let start = scanner.position
                scanner.skipListElement()
                let value = scanner.text(
                    scanner.trimmingEnd(of: start..<scanner.position, while: \.isHTTPTabOrSpace)
                )
                let feature = scanner.lowercasedText(scanner.trimmingEnd(of: name, while: \.isHTTPTabOrSpace))
                permissions.append(Permission(feature: feature, allowlist: String(value.dropFirst())))
            }
        }
        return permissions
    }
}

extension SecurityFields.TransportSecurity {
    fileprivate init?(_ fields: HTTPFields) {
        guard let policy = StrictTransportSecurity(fields) else { return nil }
        maximumAge = policy.maximumAge
        includesSubdomains = policy.includesSubdomains
        isPreload =
            fields[values: .strictTransportSecurity].first?.utf8.split(separator: UInt8(ascii: ";")).contains
        {
            String(Substring($0)).collapsingASCIIWhitespace.isEqualIgnoringASCIICase(to: "preload")
        } ?? false
    }
}

extension Document {
    /// The policies of `meta` elements, which apply in the head only.
    var metaPolicies: [ContentSecurityPolicy] {
        var head = root?.treeNode.firstElement
        while let element = head, !(element.hasName("head") && element.isHTMLElement) {
            head = element.nextElement
        }
        var policies: [ContentSecurityPolicy] = []
        var child = head?.firstElement
        while let element = child {
            if element.hasName("meta"), element.isHTMLElement,
                element.attribute("http-equiv")?.isEqualIgnoringASCIICase(to: "content-security-policy")
                    ?? false,
                let content = element.attribute("content"),
                let policy = ContentSecurityPolicy(content.utf8, source: .meta, isReportOnly: false)
            {
                policies.append(policy)
            }
            child = element.nextElement
        }
        return policies
    }
}
