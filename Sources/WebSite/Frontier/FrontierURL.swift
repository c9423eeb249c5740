package import WebStandards

/// A URL to be queued.
package struct FrontierURL: Equatable, Sendable {
    /// The URL without fragment, user and password, which are not stored with a job.
    package let url: String
    /// The name of the host for politeness, such as "example.com" or "example.com:8080"; empty if the URL has none.
    package let host: String
    /// The identity that distinguishes the row, if it is not the URL: the number of a line, a caller's ID.
    package var identity: String?
    /// The number of links from a seed to the URL.
    package var depth: Int
    /// Why the URL is not loaded, as a stable code; `nil` if it is.
    package var skipped: String?

    /// Creates an entry from a URL, without its fragment, user and password.
    package init(_ url: WebURL, depth: Int = 0, identity: String? = nil, skipped: String? = nil) {
        let url = url.withoutFragment.withoutCredentials
        self.url = url.href
        host = url.host == nil ? "" : url.hostAndPort
        self.identity = identity
        self.depth = depth
        self.skipped = skipped
    }

    /// Creates an entry from a serialized URL without a fragment, and its host.
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

    /// The URL without the part that its host implies.
    ///
    /// The text is ":/path" for http, "/path" for https, and the whole URL in all other cases. No URL begins with a
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

    /// Returns the URL of a stored text.
    static func url(_ stored: String, host: String) -> String {
        for (scheme, mark) in schemes where stored.hasPrefix(mark + "/") {
            return scheme + host + stored.dropFirst(mark.count)
        }
        return stored
    }

    private static let schemes = [("https://", ""), ("http://", ":")]

    /// The text that is hashed to find the row: the identity, which may be a canonical form that another row has as its
    /// URL, or else the URL.
    var key: String { identity ?? url }
}
