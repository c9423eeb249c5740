/// The setters of the standard's URL API.
///
/// Each takes a value as a script may assign it, and parses it with the standard's state override. Where the standard
/// leaves the URL as it is, it throws, and the URL is as it was: `try?` does what a browser does.
///
/// <https://url.spec.whatwg.org/#api>
extension WebURL {
    /// Replaces the URL by another.
    ///
    /// - Throws: ``WebURLError`` if the string is not an absolute URL; the URL is then unchanged.
    public mutating func setHref(_ href: String) throws(WebURLError) {
        self = try WebURL(href)
    }

    /// Changes the scheme; a ":" and the text after it are ignored.
    ///
    /// A special scheme can only change to a special one, and another scheme only to one that is not special.
    public mutating func setProtocol(_ value: String) throws(WebURLError) {
        let input = Self.cleaned(value)
        var end = 0
        var packed: UInt64 = 0
        while end < input.count, !URLByteSet.endsScheme.contains(input[end]) {
            packed = packed << 8 | UInt64(URLByte.lowercased(input[end]))
            end += 1
        }
        guard end > 0, URLByte.isAlpha(input[0]), end == input.count || input[end] == URLByte.colon else {
            throw WebURLError(.schemeNotAllowed, at: 0)
        }
        let kind = URLSchemeKind(packed: packed, count: end)
        guard kind.isSpecial == isSpecial,
            kind != .file || !includesCredentials && !layout.hasPort,
            layout.scheme != .file || !layout.hostRange.isEmpty
        else { throw WebURLError(.schemeNotAllowed, at: 0) }
        try rebuild { parser, url in
            parser.output.append(input.span.extracting(0..<end))
            parser.output.lowercase(from: 0)
            parser.layout.scheme = kind
            parser.layout.schemeEnd = parser.position
            parser.output.append(URLByte.colon)
            parser.copyHostAndPort(of: url)
            parser.copyPathQueryAndFragment(of: url)
        }
    }

    /// Changes the username, percent-encoding it.
    public mutating func setUsername(_ value: String) throws(WebURLError) {
        try checkMayHaveCredentialsAndPort()
        try setCredentials(username: value, password: nil)
    }

    /// Changes the password, percent-encoding it.
    public mutating func setPassword(_ value: String) throws(WebURLError) {
        try checkMayHaveCredentialsAndPort()
        try setCredentials(username: nil, password: value)
    }

    /// Changes the host, and the port if the value has a valid one.
    public mutating func setHost(_ value: String) throws(WebURLError) {
        try setHost(value, isHostname: false)
    }

    /// Changes the host; the value may have no port.
    public mutating func setHostname(_ value: String) throws(WebURLError) {
        try setHost(value, isHostname: true)
    }

    /// Changes the port to the digits that the value begins with; an empty one removes it.
    public mutating func setPort(_ value: String) throws(WebURLError) {
        try checkMayHaveCredentialsAndPort()
        guard !value.isEmpty else { return try replacePort(nil) }
        let input = Self.cleaned(value)
        guard let port = Self.port(input.span, 0) else {
            let isNumber = input.first.map(URLByte.isDigit) ?? false
            throw WebURLError(isNumber ? .portOutOfRange : .portInvalid, at: 0)
        }
        try replacePort(port)
    }

    /// Changes the port; nil removes it, and so does the default of the scheme.
    ///
    /// - Throws: ``WebURLError`` if the port is not from 0 to 65,535, or if the URL cannot have a port.
    public mutating func setPort(_ port: Int?) throws(WebURLError) {
        try checkMayHaveCredentialsAndPort()
        guard let port else { return try replacePort(nil) }
        guard let port = UInt16(exactly: port) else { throw WebURLError(.portOutOfRange, at: 0) }
        try replacePort(port)
    }

    /// Changes the path, unless it is opaque.
    public mutating func setPathname(_ value: String) throws(WebURLError) {
        guard !hasOpaquePath else { throw WebURLError(.componentNotAllowed, at: 0) }
        let input = Self.cleaned(value)
        try rebuild { parser, url in
            parser.copyScheme(of: url)
            parser.copyAuthority(of: url)
            parser.pathStartStateOverride(input.span)
            parser.copyQueryAndFragment(of: url)
        }
    }

    /// Changes the query, with or without a "?" before it; an empty value removes it.
    public mutating func setSearch(_ value: String) throws(WebURLError) {
        let input = Self.cleaned(value, dropping: URLByte.questionMark)
        try rebuild { parser, url in
            parser.copyThroughPath(of: url)
            if !value.isEmpty {
                parser.output.append(URLByte.questionMark)
                let set = url.isSpecial ? URLByteSet.specialQuery : URLByteSet.query
                parser.appendPercentEncoded(input.span, from: 0, set, until: nil)
            }
            parser.copyFragment(of: url)
        }
    }

    /// Changes the fragment, with or without a "#" before it; an empty value removes it.
    public mutating func setHash(_ value: String) throws(WebURLError) {
        let input = Self.cleaned(value, dropping: URLByte.numberSign)
        try rebuild { parser, url in
            parser.copyWithoutFragment(of: url)
            if !value.isEmpty {
                parser.fragmentState(input.span, 0)
            }
        }
    }
}

// MARK: - Getters of the API that differ from the components

extension WebURL {
    /// The scheme and ":".
    public var `protocol`: String { string(0..<Int(layout.schemeEnd) + 1) }

    /// The host and, unless it is the default, ":" and the port: the value of an HTTP Host field.
    public var hostAndPort: String {
        layout.hasHost ? string(Int(layout.hostStart)..<Int(layout.pathStart)) : ""
    }

    /// "?" and the query; empty if the query is empty or missing.
    public var search: String {
        let range = Int(layout.queryStart)..<Int(layout.fragmentStart)
        return range.count > 1 ? string(range) : ""
    }

    /// "#" and the fragment; empty if the fragment is empty or missing.
    public var hash: String {
        let range = Int(layout.fragmentStart)..<href.utf8.count
        return range.count > 1 ? string(range) : ""
    }
}

// MARK: - Steps

extension WebURL {
    /// Throws where the standard says that a URL "cannot have a username/password/port".
    private func checkMayHaveCredentialsAndPort() throws(WebURLError) {
        guard layout.scheme != .file, !layout.hostRange.isEmpty else {
            throw WebURLError(.componentNotAllowed, at: 0)
        }
    }

    /// The value without tabs and newlines, and without one leading byte.
    private static func cleaned(_ value: String, dropping first: UInt8? = nil) -> [UInt8] {
        let span = value.utf8.span
        let start = first != nil && span.byte(at: 0) == first ? 1 : 0
        return withoutTabAndNewline(span, start..<span.count)
    }

    /// Replaces this URL by what the body writes; on failure it stays unchanged.
    private mutating func rebuild(
        _ body: (inout URLParser, WebURL) throws(WebURLError) -> Void
    ) throws(WebURLError) {
        let old = self
        self = try Self.build(capacity: href.utf8.count + 64) { (parser) throws(WebURLError) in
            try body(&parser, old)
        }
    }

    private mutating func setCredentials(username: String?, password: String?) throws(WebURLError) {
        let username = username.map { Self.percentEncode($0, .userinfo) } ?? Array(self.username.utf8)
        let password = password.map { Self.percentEncode($0, .userinfo) } ?? Array(self.password.utf8)
        try rebuild { parser, url in
            parser.copyScheme(of: url)
            parser.beginAuthority()
            parser.writeEncodedCredentials(username: username, password: password)
            parser.output.append(url.href.utf8.span.extracting(url.layout.hostRange))
            parser.layout.hostEnd = parser.position
            parser.copyPort(of: url)
            parser.copyPathQueryAndFragment(of: url)
        }
    }

    private static func percentEncode(_ value: String, _ set: URLByteSet) -> [UInt8] {
        var output: [UInt8] = []
        appendPercentEncoded(value.utf8, set, to: &output)
        return output
    }

    /// Host state and hostname state with a state override.
    private mutating func setHost(_ value: String, isHostname: Bool) throws(WebURLError) {
        guard !hasOpaquePath else { throw WebURLError(.componentNotAllowed, at: 0) }
        let input = Self.cleaned(value)
        try rebuild { (parser, url) throws(WebURLError) in
            parser.copyScheme(of: url)
            if url.layout.scheme == .file {
                parser.beginAuthority()
                try parser.parseFileHost(input.span, 0..<parser.fileHostEnd(input.span, 0))
            } else {
                try parser.hostStateOverride(input.span, of: url, isHostname: isHostname)
            }
            parser.copyPathQueryAndFragment(of: url)
        }
    }

    private mutating func replacePort(_ port: UInt16?) throws(WebURLError) {
        try rebuild { parser, url in
            parser.copyScheme(of: url)
            parser.copyHost(of: url)
            if let port { parser.writePort(port) }
            parser.copyPathQueryAndFragment(of: url)
        }
    }

    /// Port state with a state override: the digits at the start, or nil on failure.
    static func port(_ input: Span<UInt8>, _ start: Int) -> UInt16? {
        var number: UInt32 = 0
        var pointer = start
        while let byte = input.byte(at: pointer), URLByte.isDigit(byte) {
            number = min(number &* 10 &+ UInt32(byte &- URLByte.zero), 65_536)
            pointer += 1
        }
        return pointer > start ? UInt16(exactly: number) : nil
    }
}
