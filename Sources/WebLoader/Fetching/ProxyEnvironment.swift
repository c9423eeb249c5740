import Glibc

extension CurlFetcher.Proxy {
    /// Whether requests of a scheme may go through a proxy.
    ///
    /// Hosts that `no_proxy` excepts are not considered, unless it excepts all.
    func applies(to scheme: String) -> Bool {
        switch self {
        case .none: return false
        case .server(let proxy): return !proxy.isEmpty
        case .environment:
            // As libcurl looks for it: HTTP_PROXY could be a field of a request to a CGI script.
            let names = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            guard (names + ["all_proxy", "ALL_PROXY"]).contains(where: Self.isSet) else { return false }
            return !["no_proxy", "NO_PROXY"].contains { Self.value($0) == "*" }
        }
    }

    private static func isSet(_ name: String) -> Bool { value(name)?.isEmpty == false }

    private static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
