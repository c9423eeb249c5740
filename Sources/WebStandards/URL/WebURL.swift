/// A URL as the URL standard defines it: the result of parsing a string as browsers do.
///
/// A `WebURL` is always valid. It stores the URL's serialisation and the positions of its components, so that
/// a URL is one allocation, comparing URLs compares strings, and parsing a serialisation gives the same URL.
///
/// ``description`` and ``debugDescription`` leave out username and password; ``href`` has them.
///
/// <https://url.spec.whatwg.org/#url-representation>
public struct WebURL: Sendable {
    /// The URL's serialisation, all of it ASCII, credentials included.
    ///
    /// <https://url.spec.whatwg.org/#url-serializing>
    public let href: String

    let layout: URLLayout

    init(href: String, layout: URLLayout) {
        self.href = href
        self.layout = layout
    }

    /// Parses a string as a browser does, against a base URL if it may be relative.
    ///
    /// - Complexity: O(*n*) in the length of input and base.
    /// - Throws: ``WebURLError`` if the string is not a URL.
    ///
    /// <https://url.spec.whatwg.org/#concept-basic-url-parser>
    public init(_ input: String, base: WebURL? = nil) throws(WebURLError) {
        self = try Self.parse(validUTF8: input.utf8.span, base: base)
    }

    /// Parses a reference with this URL as its base.
    ///
    /// - Throws: ``WebURLError`` if the reference is not a URL.
    public func resolving(_ reference: String) throws(WebURLError) -> WebURL {
        try Self.parse(validUTF8: reference.utf8.span, base: self)
    }
}

// MARK: - Components

extension WebURL {
    /// The scheme, in lower case and without ":".
    public var scheme: String { string(0..<Int(layout.schemeEnd)) }

    /// Whether the scheme is one of http, https, ws, wss, ftp and file.
    ///
    /// <https://url.spec.whatwg.org/#is-special>
    public var isSpecial: Bool { layout.scheme.isSpecial }

    /// The username, percent-encoded; empty if there is none.
    public var username: String {
        layout.hasHost ? string(Int(layout.schemeEnd) + 3..<Int(layout.usernameEnd)) : ""
    }

    /// The password, percent-encoded; empty if there is none.
    public var password: String { string(passwordRange) }

    /// Whether the username or the password is not empty.
    public var includesCredentials: Bool { layout.includesCredentials }

    /// The host, without the port, IPv6 addresses in brackets; nil if the URL has none, as in "data:,x".
    public var host: String? { layout.hasHost ? string(layout.hostRange) : nil }

    /// The host, without the port; empty if the URL has none.
    public var hostname: String { string(layout.hostRange) }

    /// The port, 0 through 65,535; nil for the scheme's default.
    public var port: Int? { layout.hasPort ? Int(layout.port) : nil }

    /// The port, or the scheme's default; nil if it has none.
    public var effectivePort: Int? { port ?? layout.scheme.defaultPort.map { Int($0) } }

    /// The path, percent-encoded; it begins with "/" unless it is empty or opaque.
    public var path: String { string(layout.pathRange) }

    /// The path, under its name in the standard's API.
    public var pathname: String { path }

    /// Whether the path is opaque, as in "mailto:a@b.example": then only a fragment can be relative to it.
    ///
    /// <https://url.spec.whatwg.org/#url-opaque-path>
    public var hasOpaquePath: Bool { layout.hasOpaquePath }

    /// The query, percent-encoded and without "?"; nil if there is none, which is not the same as an empty one.
    public var query: String? {
        layout.queryStart < layout.fragmentStart
            ? string(Int(layout.queryStart) + 1..<Int(layout.fragmentStart)) : nil
    }

    /// The fragment, percent-encoded and without "#"; nil if there is none, which is not the same as an empty one.
    public var fragment: String? {
        let end = href.utf8.count
        return Int(layout.fragmentStart) < end ? string(Int(layout.fragmentStart) + 1..<end) : nil
    }

    /// This URL without its fragment.
    public var withoutFragment: WebURL {
        guard Int(layout.fragmentStart) < href.utf8.count else { return self }
        return WebURL(href: string(0..<Int(layout.fragmentStart)), layout: layout)
    }

    /// This URL without its username and password.
    public var withoutCredentials: WebURL {
        guard layout.includesCredentials else { return self }
        let start = Int(layout.schemeEnd) + 3
        let removed = layout.hostStart &- UInt32(truncatingIfNeeded: start)
        var layout = layout
        layout.usernameEnd = layout.hostStart &- removed
        layout.hostStart &-= removed
        layout.hostEnd &-= removed
        layout.pathStart &-= removed
        layout.queryStart &-= removed
        layout.fragmentStart &-= removed
        let rest = string(Int(self.layout.hostStart)..<href.utf8.count)
        return WebURL(href: string(0..<start) + rest, layout: layout)
    }
}

extension WebURL {
    /// The range of the password, without its ":".
    var passwordRange: Range<Int> {
        let start = Int(layout.usernameEnd) + 1
        let end = Int(layout.hostStart) - 1
        return start < end ? start..<end : 0..<0
    }

    /// The part of the serialisation in a range of bytes.
    func string(_ range: Range<Int>) -> String {
        let utf8 = href.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(href[start..<utf8.index(start, offsetBy: range.count)])
    }
}
