/// The setters of the standard's URL API.
///
/// Each takes a value as a script may assign it, parses it with the standard's state override, and leaves the
/// URL unchanged where the standard does.
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
    public mutating func setProtocol(_ value: String) {
        let input = Self.cleaned(value)
        var end = 0
        var packed: UInt64 = 0
        while end < input.count, !URLByteSet.endsScheme.contains(input[end]) {
            packed = packed << 8 | UInt64(URLByte.lowercased(input[end]))
            end += 1
        }
        guard end > 0, URLByte.isAlpha(input[0]), end == input.count || input[end] == URLByte.colon else {
            return
        }
        let kind = URLSchemeKind(packed: packed, count: end)
        guard kind.isSpecial == isSpecial,
            kind != .file || !includesCredentials && !layout.hasPort,
            layout.scheme != .file || !layout.hostRange.isEmpty
        else { return }
        rebuild { parser, url in
            parser.output.append(input.span.extracting(0..<end))
            parser.output.lowercase(from: 0)
            parser.layout.scheme = kind
            parser.layout.schemeEnd = parser.position
            parser.output.append(URLByte.colon)
            parser.copyHostAndPort(of: url)
            parser.copyPathQueryAndFragment(of: url)
        }
    }

    /// Changes the username, percent-encoding it; without effect if the URL can have none.
    public mutating func setUsername(_ value: String) {
        guard canHaveCredentialsAndPort else { return }
        setCredentials(username: value, password: nil)
    }

    /// Changes the password, percent-encoding it; without effect if the URL can have none.
    public mutating func setPassword(_ value: String) {
        guard canHaveCredentialsAndPort else { return }
        setCredentials(username: nil, password: value)
    }

    /// Changes the host, and the port if the value has one.
    public mutating func setHost(_ value: String) {
        setHost(value, isHostname: false)
    }

    /// Changes the host; a value with a port is ignored.
    public mutating func setHostname(_ value: String) {
        setHost(value, isHostname: true)
    }

    /// Changes the port to the digits that the value begins with; an empty one removes it.
    public mutating func setPort(_ value: String) {
        guard canHaveCredentialsAndPort else { return }
        guard !value.isEmpty else { return replacePort(nil) }
        guard let port = Self.port(Self.cleaned(value).span, 0) else { return }
        replacePort(port)
    }

    /// Changes the path; without effect if it is opaque.
    public mutating func setPathname(_ value: String) {
        guard !hasOpaquePath else { return }
        let input = Self.cleaned(value)
        rebuild { parser, url in
            parser.copyScheme(of: url)
            parser.copyAuthority(of: url)
            parser.pathStartStateOverride(input.span)
            parser.copyQueryAndFragment(of: url)
        }
    }

    /// Changes the query, with or without a "?" before it; an empty value removes it.
    public mutating func setSearch(_ value: String) {
        let input = Self.cleaned(value, dropping: URLByte.questionMark)
        rebuild { parser, url in
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
    public mutating func setHash(_ value: String) {
        let input = Self.cleaned(value, dropping: URLByte.numberSign)
        rebuild { parser, url in
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
    /// The negation of the standard's "cannot have a username/password/port".
    private var canHaveCredentialsAndPort: Bool {
        layout.scheme != .file && !layout.hostRange.isEmpty
    }

    /// The value without tabs and newlines, and without one leading byte.
    private static func cleaned(_ value: String, dropping first: UInt8? = nil) -> [UInt8] {
        let span = value.utf8.span
        let start = first != nil && span.byte(at: 0) == first ? 1 : 0
        return withoutTabAndNewline(span, start..<span.count)
    }

    /// Replaces this URL by what the body writes; on failure it stays unchanged.
    private mutating func rebuild(_ body: (inout URLParser, WebURL) throws(WebURLError) -> Void) {
        let old = self
        // By the standard, setters do not report failures.
        let new = try? Self.build(capacity: href.utf8.count + 64) { (parser) throws(WebURLError) in
            try body(&parser, old)
        }
        self = new ?? old
    }

    private mutating func setCredentials(username: String?, password: String?) {
        let username = username.map { Self.percentEncode($0, .userinfo) } ?? Array(self.username.utf8)
        let password = password.map { Self.percentEncode($0, .userinfo) } ?? Array(self.password.utf8)
        rebuild { parser, url in
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
    private mutating func setHost(_ value: String, isHostname: Bool) {
        guard !hasOpaquePath else { return }
        let input = Self.cleaned(value)
        rebuild { (parser, url) throws(WebURLError) in
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

    private mutating func replacePort(_ port: UInt16?) {
        rebuild { parser, url in
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
