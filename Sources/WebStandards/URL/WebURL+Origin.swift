extension WebURL {
    /// The serialisation of the URL's origin: scheme, host and port, or "null" if the origin is opaque.
    ///
    /// The origin of a file URL is opaque; that of a blob URL is the origin of the http or https URL in its path.
    ///
    /// <https://url.spec.whatwg.org/#origin>
    public var origin: String {
        switch layout.scheme {
        case .http, .https, .ws, .wss, .ftp:
            string(0..<Int(layout.schemeEnd) + 3) + hostAndPort
        case .file:
            "null"
        case .notSpecial:
            blobOrigin ?? "null"
        }
    }

    /// Whether both URLs have the same origin; an opaque origin equals no origin, not even itself.
    ///
    /// <https://html.spec.whatwg.org/multipage/browsers.html#same-origin>
    public func isSameOrigin(as other: WebURL) -> Bool {
        let origin = self.origin
        return origin != "null" && origin == other.origin
    }

    /// The origin of the URL in a blob URL's path, or nil.
    private var blobOrigin: String? {
        // A path that is not a URL has no origin.
        guard scheme == "blob", let inner = try? WebURL(path) else { return nil }
        switch inner.layout.scheme {
        case .http, .https: return inner.origin
        case .file, .ws, .wss, .ftp, .notSpecial: return nil
        }
    }
}
