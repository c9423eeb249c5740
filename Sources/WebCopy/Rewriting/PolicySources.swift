import WebStandards

/// The sources that one directive of a policy allows.
///
/// [Source lists](https://www.w3.org/TR/CSP3/#framework-directive-source-list)
struct PolicySources: Sendable {
    /// The maximum number of sources that are evaluated; further ones allow nothing.
    static let maximumCount = 1000

    private var hosts: [PolicyHost] = []
    private var schemes: [String] = []
    private var nonces: Set<String> = []
    private var allowsAll = false
    private var allowsSelf = false
    private var allowsInline = false
    private var allowsHashes = false
    private var hasHash = false

    init(_ words: [String]) {
        for word in words {
            let lower = word.asciiLowercase
            switch lower {
            case "*": allowsAll = true
            case "'self'": allowsSelf = true
            case "'unsafe-inline'": allowsInline = true
            case "'unsafe-hashes'": allowsHashes = true
            case _ where lower.hasPrefix("'nonce-"): nonces.insert(String(word.dropFirst(7).dropLast()))
            case _ where lower.hasPrefix("'sha"): hasHash = true
            case _ where lower.hasPrefix("'"): continue
            case _ where lower.hasSuffix(":") && !lower.utf8.contains(UInt8(ascii: "/")):
                schemes.append(String(lower.dropLast()))
            default: hosts.append(PolicyHost(word))
            }
        }
    }

    /// Whether the sources allow a resource.
    func allow(_ url: WebURL, page: WebURL?, nonce: String?) -> Bool {
        let scheme = url.scheme
        if let nonce, nonces.contains(nonce) { return true }
        if allowsAll, ["http", "https", "ws", "wss"].contains(scheme) || scheme == page?.scheme {
            return true
        }
        if allowsSelf, let page, isSame(url, page) { return true }
        if schemes.contains(where: { PolicyHost.allows($0, scheme) }) { return true }
        guard !hosts.isEmpty else { return false }
        let target = PolicyHost.Target(url, page)
        return hosts.contains { $0.matches(target) }
    }

    /// Whether a URL is of the page's origin, or of the same host by HTTPS where the page came by HTTP.
    private func isSame(_ url: WebURL, _ page: WebURL) -> Bool {
        guard !url.hostname.isEmpty, url.hostname == page.hostname else { return false }
        if url.scheme == page.scheme { return url.port == page.port }
        return PolicyHost.allows(page.scheme, url.scheme) && url.port == nil && page.port == nil
    }

    /// Whether the sources allow CSS that is written in the page.
    ///
    /// A hash counts as that of the element: the hashed text is not compared.
    func allowInlineStyle(nonce: String?, isAttribute: Bool) -> Bool {
        if allowsInline, !hasHash, nonces.isEmpty { return true }
        if isAttribute { return hasHash && allowsHashes }
        return hasHash || nonce.map { nonces.contains($0) } ?? false
    }
}

/// A source of a policy that names hosts, as in `https://*.example.com:443/path/`.
struct PolicyHost: Sendable {
    /// The parts of a URL that are matched, computed once.
    struct Target {
        let scheme: String
        let host: String
        let path: String
        let port: String
        let hasPort: Bool
        let pageScheme: String

        init(_ url: WebURL, _ page: WebURL?) {
            scheme = url.scheme
            host = url.hostname
            path = url.path
            port = url.effectivePort.map { "\($0)" } ?? ""
            hasPort = url.port != nil
            pageScheme = page?.scheme ?? ""
        }
    }

    private var scheme: String?
    private let host: String
    private var port: String?
    private let path: String

    init(_ text: String) {
        var rest = text.utf8[...]
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            scheme = String(asciiLowercasing: rest[..<colon])
            rest = rest[colon...].dropFirst(3)
        }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = String(Substring(rest[slash...]))
        var name = rest[..<slash]
        if let colon = name.lastIndex(of: UInt8(ascii: ":")) {
            port = String(Substring(name[colon...].dropFirst()))
            name = name[..<colon]
        }
        host = String(asciiLowercasing: name)
    }

    /// Whether a named scheme allows another: itself, and its secure counterpart.
    static func allows(_ named: String, _ scheme: String) -> Bool {
        named == scheme || named == "http" && scheme == "https"
    }

    func matches(_ target: Target) -> Bool {
        if host != target.host {
            guard host == "*" || host.hasPrefix("*.") && target.host.hasSuffix(host.dropFirst()) else {
                return false
            }
        }
        guard Self.allows(scheme ?? target.pageScheme, target.scheme) else { return false }
        if let port {
            if port != "*", port != target.port, !(port == "80" && target.port == "443") { return false }
        } else if target.hasPort {
            return false
        }
        if path.isEmpty { return true }
        return path.hasSuffix("/") ? target.path.hasPrefix(path) : target.path == path
    }
}
