import Glibc

extension CurlFetcher.Proxy {
    /// Looks up an environment variable; tests pass another source.
    typealias Environment = (_ name: String) -> String?

    /// Whether a proxy is set for URLs of a scheme; single hosts may still be excluded.
    func isSet(for scheme: String, in environment: Environment = Self.variable) -> Bool {
        switch self {
        case .none: return false
        case .server(let proxy): return !proxy.isEmpty
        case .environment:
            // As in libcurl, without HTTP_PROXY: in a CGI script that could be a field of the request.
            let names = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            return Self.first(names + ["all_proxy", "ALL_PROXY"], in: environment) != nil
        }
    }

    /// Whether a request goes through a proxy: there is one, and `no_proxy` does not exclude the host.
    func applies(to url: WebURL, in environment: Environment = Self.variable) -> Bool {
        guard isSet(for: url.scheme, in: environment) else { return false }
        // As in libcurl, the name in capitals is used only if the other is not set.
        guard let list = Self.first(["no_proxy", "NO_PROXY"], in: environment) else { return true }
        // "*" is a wildcard only as the whole value.
        if list == "*" { return false }
        let host = Self.name(url.hostname[...])
        return !list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" })
            .contains { Self.matchesEntry($0, host) }
    }

    /// Whether an entry of `no_proxy` matches a host: the host, a parent domain, or a range of addresses.
    private static func matchesEntry(_ entry: Substring, _ host: String) -> Bool {
        if let address = SocketAddress(host) {
            return AddressRange(name(entry))?.contains(address) ?? false
        }
        let domain = name(entry.utf8.first == UInt8(ascii: ".") ? entry.dropFirst() : entry)
        return !domain.isEmpty && Cookie.host(host, matches: domain)
    }

    /// A host in lower case, without brackets and without a trailing dot.
    private static func name(_ host: Substring) -> String {
        var host = host
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        }
        if host.utf8.last == UInt8(ascii: ".") { host = host.dropLast() }
        return String(asciiLowercasing: host.utf8)
    }

    /// The value of the first variable that is set; an empty one counts as not set, as in libcurl.
    private static func first(_ names: [String], in environment: Environment) -> String? {
        for name in names {
            if let value = environment(name), !value.isEmpty { return value }
        }
        return nil
    }

    /// A variable of this process's environment.
    static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
