extension SecurityFields {
    /// A protection that is missing or weak.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The page came without TLS.
        case noTLS = "no-tls"
        /// There is no Strict-Transport-Security.
        case noTransportSecurity = "no-hsts"
        /// Strict-Transport-Security is valid for less than half a year.
        case shortTransportSecurity = "short-hsts"
        /// There is no Content-Security-Policy that is enforced.
        case noContentSecurityPolicy = "no-csp"
        /// Browsers may interpret the response as another type than it declares.
        case sniffing
        /// Any site may show the page in a frame.
        case framing
        /// X-Frame-Options has a value that browsers do not know.
        case unknownFrameOptions = "unknown-frame-options"
        /// Other sites receive the whole URL.
        case leakingReferrer = "leaking-referrer"

        /// The finding in words.
        var explanation: String {
            switch self {
            case .noTLS: "the response was sent without TLS"
            case .noTransportSecurity: "no Strict-Transport-Security"
            case .shortTransportSecurity: "Strict-Transport-Security lasts less than half a year"
            case .noContentSecurityPolicy: "no Content-Security-Policy"
            case .sniffing: "no X-Content-Type-Options: nosniff"
            case .framing: "any site may embed the page in a frame"
            case .unknownFrameOptions: "X-Frame-Options has a value that browsers do not support"
            case .leakingReferrer: "Referrer-Policy sends the full URL to other sites"
            }
        }
    }

    static func findings(
        _ response: WebResponse,
        _ policies: [ContentSecurityPolicy],
        _ transportSecurity: TransportSecurity?,
        isNoSniff: Bool,
        frameOptions: String?,
        referrerPolicy: String?
    ) -> [Finding] {
        // Only responses over HTTP have these fields.
        guard response.status != nil else { return [] }
        var codes: [Code] = []
        if response.url.scheme != "https" {
            codes.append(.noTLS)
        } else if let transportSecurity {
            if transportSecurity.maximumAge < 180 &* 86_400 { codes.append(.shortTransportSecurity) }
        } else {
            codes.append(.noTransportSecurity)
        }
        let enforced = policies.filter { !$0.isReportOnly }
        if enforced.isEmpty { codes.append(.noContentSecurityPolicy) }
        if !isNoSniff { codes.append(.sniffing) }
        let restrictsFrames = enforced.contains {
            $0.source == .field && $0.values(of: "frame-ancestors") != nil
        }
        if !restrictsFrames {
            switch frameOptions {
            case "deny", "sameorigin": break
            case nil: codes.append(.framing)
            default: codes.append(.unknownFrameOptions)
            }
        }
        if referrerPolicy == "unsafe-url" || referrerPolicy == "no-referrer-when-downgrade" {
            codes.append(.leakingReferrer)
        }
        return codes.map { Finding(code: $0) }
    }
}
