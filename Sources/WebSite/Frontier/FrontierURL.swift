package import WebStandards

/// A URL that is to be queued.
package struct FrontierURL: Equatable, Sendable {
    /// The URL without its fragment, and without a user and a password: these are not kept with the state of a job.
    package let url: String
    /// The name of the host that is to be spared, as "example.com" or "example.com:8080"; empty if there is none.
    package let host: String
    /// What it is the only one by, where that is not the URL: the number of a line, a caller's ID.
    package var identity: String?
    /// How many links away from a seed it is.
    package var depth: Int
    /// Why it is not to be loaded, by a stable code; nil if it is.
    package var skipped: String?

    /// Takes a URL, without its fragment, user and password.
    package init(_ url: WebURL, depth: Int = 0, identity: String? = nil, skipped: String? = nil) {
        let url = url.withoutFragment.withoutCredentials
        self.url = url.href
        host = url.host == nil ? "" : url.hostAndPort
        self.identity = identity
        self.depth = depth
        self.skipped = skipped
    }

    /// Takes a URL that was serialized before, without a fragment, and its host.
    package init(
        serialized url: String,
        host: String,
        depth: Int = 0,
        identity: String? = nil,
        skipped: String? = nil
    ) {
        self.url = url
        self.host = host
        self.identity = identity
        self.depth = depth
        self.skipped = skipped
    }

    // MARK: - In the database

    /// The URL without what its host says already.
    ///
    /// That is ":/path" for http, "/path" for https, and the whole URL where it is of another form. No URL begins with a
    /// colon or a slash.
    var stored: String {
        guard !host.isEmpty else { return url }
        for (scheme, mark) in Self.schemes {
            let start = scheme.utf8.count + host.utf8.count
            guard url.utf8.count > start, url.utf8.starts(with: scheme.utf8) else { continue }
            let rest = url.utf8.dropFirst(scheme.utf8.count)
            guard rest.starts(with: host.utf8) else { continue }
            let path = rest.dropFirst(host.utf8.count)
            guard path.first == UInt8(ascii: "/") else { continue }
            return mark + String(Substring(path))
        }
        return url
    }

    /// The URL of a stored text.
    static func url(_ stored: String, host: String) -> String {
        for (scheme, mark) in schemes where stored.hasPrefix(mark + "/") {
            return scheme + host + stored.dropFirst(mark.count)
        }
        return stored
    }

    private static let schemes = [("https://", ""), ("http://", ":")]

    /// What its key is of: a URL that can be written otherwise has its canonical form for an identity, which another row may have as
    /// its URL.
    var key: String { identity ?? url }
}
