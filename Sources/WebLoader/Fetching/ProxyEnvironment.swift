import Glibc

extension CurlFetcher.Proxy {
    /// The variables of the environment that say which proxy there is; another place is taken by tests.
    typealias Environment = (_ name: String) -> String?

    /// Whether there is a proxy for URLs of a scheme, though it may be that a host is excepted.
    func isSet(for scheme: String, in environment: Environment = Self.variable) -> Bool {
        switch self {
        case .none: return false
        case .server(let proxy): return !proxy.isEmpty
        case .environment:
            // As libcurl looks for it: HTTP_PROXY could be a field of a request to a CGI script.
            let names = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            return Self.first(names + ["all_proxy", "ALL_PROXY"], in: environment) != nil
        }
    }

    /// Whether a request goes through a proxy: there is one, and `no_proxy` does not except the host.
    func applies(to url: WebURL, in environment: Environment = Self.variable) -> Bool {
        guard isSet(for: url.scheme, in: environment) else { return false }
        // As libcurl has it, the name in capitals counts only where the other is not set.
        guard let list = Self.first(["no_proxy", "NO_PROXY"], in: environment) else { return true }
        // Only alone is it a wildcard.
        if list == "*" { return false }
        let host = Self.name(url.hostname[...])
        return !list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" })
            .contains { Self.excepts($0, host) }
    }

    /// Whether an entry of `no_proxy` is a host, a domain that it lies in, or a range that its address is in.
    private static func excepts(_ entry: Substring, _ host: String) -> Bool {
        if let address = SocketAddress(host) {
            return AddressRange(name(entry))?.contains(address) ?? false
        }
        let domain = name(entry.utf8.first == UInt8(ascii: ".") ? entry.dropFirst() : entry)
        return !domain.isEmpty && Cookie.host(host, matches: domain)
    }

    /// A host in lower case, without brackets and without the root's dot.
    private static func name(_ host: Substring) -> String {
        var host = host
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        }
        if host.utf8.last == UInt8(ascii: ".") { host = host.dropLast() }
        return String(asciiLowercasing: host.utf8)
    }

    /// The first of some variables that is set; one that is empty is not, as libcurl has it.
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
