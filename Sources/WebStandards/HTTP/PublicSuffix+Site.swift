extension PublicSuffix {
    /// The part of a host that somebody has registered, as "example.co.uk" of "www.example.co.uk"; nil for an
    /// address, and for a public suffix.
    ///
    /// <https://url.spec.whatwg.org/#host-registrable-domain>
    package static func registrableDomain(of host: String) -> String? {
        guard !host.isEmpty, !WebURL.isAddress(host: host), !contains(host) else { return nil }
        var domain = host[...]
        while let dot = domain.utf8.firstIndex(of: UInt8(ascii: ".")) {
            let parent = domain[domain.utf8.index(after: dot)...]
            // Nothing follows a dot at the end.
            if parent.isEmpty { break }
            if contains(String(parent)) { return String(domain) }
            domain = parent
        }
        return nil
    }
}

extension WebURL {
    /// Whether both URLs have the same scheme, and hosts of the same registrable domain; an opaque origin is of no
    /// site, not even its own.
    ///
    /// <https://html.spec.whatwg.org/multipage/browsers.html#same-site>
    package func isSameSite(as other: WebURL) -> Bool {
        scheme == other.scheme && isSchemelesslySameSite(as: other)
    }

    /// Whether both URLs have hosts of the same registrable domain, by whatever scheme.
    ///
    /// <https://html.spec.whatwg.org/multipage/browsers.html#schemelessly-same-site>
    package func isSchemelesslySameSite(as other: WebURL) -> Bool {
        if isSameOrigin(as: other) { return true }
        guard origin != "null", other.origin != "null" else { return false }
        let (host, otherHost) = (hostname, other.hostname)
        if host == otherHost { return true }
        guard let domain = PublicSuffix.registrableDomain(of: host) else { return false }
        return domain == PublicSuffix.registrableDomain(of: otherHost)
    }
}
