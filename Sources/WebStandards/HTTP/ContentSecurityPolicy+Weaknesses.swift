extension ContentSecurityPolicy {
    /// A weakness of a policy: why it restricts less than it seems to.
    public struct Weakness: Hashable, Sendable, Codable {
        /// The kind of weakness, as a stable identifier.
        public enum Code: String, Sendable, Codable, CaseIterable {
            /// Scripts may come from anywhere: neither `script-src` nor `default-src` is set.
            case scriptsUnrestricted = "scripts-unrestricted"
            /// Inline scripts run: 'unsafe-inline' without a nonce or a digest.
            case unsafeInline = "unsafe-inline"
            /// Scripts may evaluate strings as code.
            case unsafeEval = "unsafe-eval"
            /// Scripts may come from any host, or from the page's own text (`data:`).
            case wildcard
            /// Scripts may come without TLS.
            case insecureSource = "insecure-source"
            /// Plug-ins may be loaded from anywhere: neither `object-src` nor `default-src` is set.
            case objectsUnrestricted = "objects-unrestricted"
            /// An injected `base` element redirects relative URLs.
            case baseUnrestricted = "base-unrestricted"
            /// The directive does not exist, and has no effect.
            case unknownDirective = "unknown-directive"
            /// Nothing is blocked, only reported.
            case reportOnly = "report-only"

            /// In words, for people.
            var explanation: String {
                switch self {
                case .scriptsUnrestricted: "scripts may be loaded from anywhere"
                case .unsafeInline: "inline scripts are allowed"
                case .unsafeEval: "scripts may evaluate strings as code"
                case .wildcard: "scripts may be loaded from any host"
                case .insecureSource: "scripts may be loaded without TLS"
                case .objectsUnrestricted: "plug-ins may be loaded from anywhere"
                case .baseUnrestricted: "a base element may redirect relative URLs"
                case .unknownDirective: "the directive is unknown"
                case .reportOnly: "violations are only reported, not blocked"
                }
            }
        }

        /// The kind of weakness.
        public let code: Code

        /// The weak or missing directive; nil if it is the policy as a whole.
        public let directive: String?

        /// The weak value of the directive; nil if it is not a single value.
        public let value: String?

        /// The consequence, for people.
        public var explanation: String { code.explanation }
    }

    /// The weaknesses of the policy; missing directives count only in a policy with a `-src` directive.
    ///
    /// At most 100 unknown directives, and at most 100 weak sources, are listed.
    ///
    /// Complexity: O(n) in the policy's length.
    public var weaknesses: [Weakness] {
        var weaknesses: [Weakness] = []
        if isReportOnly { weaknesses.append(Weakness(code: .reportOnly, directive: nil, value: nil)) }
        let unknown = directives.lazy.filter { !Self.isKnown($0.name) }
        for directive in unknown.prefix(Self.maximumCount) {
            weaknesses.append(Weakness(code: .unknownDirective, directive: directive.name, value: nil))
        }
        guard directives.contains(where: { $0.name.hasSuffix("-src") }) else { return weaknesses }
        let fallback = values(of: "default-src")
        if let scripts = values(of: "script-src") {
            weaknesses += Self.weaknesses(ofScripts: scripts, "script-src")
        } else if let fallback {
            weaknesses += Self.weaknesses(ofScripts: fallback, "default-src")
        } else {
            weaknesses.append(Weakness(code: .scriptsUnrestricted, directive: "script-src", value: nil))
        }
        if fallback == nil, values(of: "object-src") == nil {
            weaknesses.append(Weakness(code: .objectsUnrestricted, directive: "object-src", value: nil))
        }
        if values(of: "base-uri") == nil {
            weaknesses.append(Weakness(code: .baseUnrestricted, directive: "base-uri", value: nil))
        }
        return weaknesses
    }

    /// The maximum number of weaknesses of one kind, so that a hostile policy does not have one every few
    /// bytes.
    private static let maximumCount = 100

    private static func weaknesses(ofScripts values: [String], _ directive: String) -> [Weakness] {
        let isStrict = values.contains { $0.isEqualIgnoringASCIICase(to: "'strict-dynamic'") }
        let hasNonce = values.contains { value in
            let lowered = String(asciiLowercasing: value.utf8.prefix(8))
            return lowered.hasPrefix("'nonce-") || lowered.hasPrefix("'sha256-")
                || lowered.hasPrefix("'sha384-") || lowered.hasPrefix("'sha512-")
        }
        let weaknesses = values.lazy.compactMap { value -> Weakness? in
            guard let code = weakness(ofSource: value) else { return nil }
            switch code {
            // Browsers that know 'strict-dynamic', nonces or hashes ignore these sources.
            case .unsafeInline: if isStrict || hasNonce { return nil }
            case .wildcard, .insecureSource: if isStrict { return nil }
            default: break
            }
            return Weakness(code: code, directive: directive, value: value)
        }
        return Array(weaknesses.prefix(maximumCount))
    }

    private static func weakness(ofSource value: String) -> Weakness.Code? {
        if value.isEqualIgnoringASCIICase(to: "'unsafe-inline'") { return .unsafeInline }
        if value.isEqualIgnoringASCIICase(to: "'unsafe-eval'") { return .unsafeEval }
        for any in ["*", "https:", "data:", "http://*", "https://*"] as [StaticString]
        where value.isEqualIgnoringASCIICase(to: any) {
            return .wildcard
        }
        if value.isEqualIgnoringASCIICase(to: "http:") { return .wildcard }
        return String(asciiLowercasing: value.utf8.prefix(7)) == "http://" ? .insecureSource : nil
    }

    private static func isKnown(_ name: String) -> Bool {
        for known in knownDirectives where name.isEqualIgnoringASCIICase(to: known) { return true }
        return false
    }

    private static let knownDirectives: [StaticString] = [
        "base-uri", "block-all-mixed-content", "child-src", "connect-src", "default-src", "fenced-frame-src",
        "font-src", "form-action", "frame-ancestors", "frame-src", "img-src", "manifest-src", "media-src",
        "navigate-to", "object-src", "plugin-types", "prefetch-src", "referrer", "reflected-xss", "report-to",
        "report-uri", "require-sri-for", "require-trusted-types-for", "sandbox", "script-src",
        "script-src-attr", "script-src-elem", "style-src", "style-src-attr", "style-src-elem",
        "trusted-types", "upgrade-insecure-requests", "webrtc", "worker-src",
    ]
}
