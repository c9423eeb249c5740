/// The parser's part of the setters: copies parts of the URL that is changed, and states with an override.
extension URLParser {
    // MARK: Copies

    mutating func copyScheme(of url: WebURL) {
        output.append(url.href.utf8.span.extracting(0..<Int(url.layout.schemeEnd) + 1))
        layout.scheme = url.layout.scheme
        layout.schemeEnd = url.layout.schemeEnd
    }

    /// Copies "//", credentials and host, or the lack of a host.
    mutating func copyHost(of url: WebURL) {
        let shift = position &- (url.layout.schemeEnd &+ 1)
        layout.usernameEnd = url.layout.usernameEnd &+ shift
        layout.hostStart = url.layout.hostStart &+ shift
        layout.hostEnd = url.layout.hostEnd &+ shift
        if url.layout.hasHost {
            layout.flags.insert(.hasHost)
        }
        output.append(url.href.utf8.span.extracting(Int(url.layout.schemeEnd) + 1..<Int(url.layout.hostEnd)))
    }

    /// Copies the port, unless it is the default of the scheme.
    mutating func copyPort(of url: WebURL) {
        if url.layout.hasPort {
            writePort(url.layout.port)
        }
    }

    mutating func copyAuthority(of url: WebURL) {
        copyHost(of: url)
        copyPort(of: url)
        layout.pathStart = position
    }

    mutating func copyHostAndPort(of url: WebURL) {
        copyHost(of: url)
        copyPort(of: url)
    }

    mutating func copyPathQueryAndFragment(of url: WebURL) {
        layout.pathStart = position
        if url.layout.hasOpaquePath {
            layout.flags.insert(.hasOpaquePath)
        }
        output.append(url.href.utf8.span.extracting(url.layout.pathRange))
        if !url.layout.hasOpaquePath {
            protectPath()
        }
        copyQueryAndFragment(of: url)
    }

    mutating func copyQueryAndFragment(of url: WebURL) {
        layout.queryStart = position
        output.append(
            url.href.utf8.span.extracting(Int(url.layout.queryStart)..<Int(url.layout.fragmentStart))
        )
        copyFragment(of: url)
    }

    mutating func copyFragment(of url: WebURL) {
        layout.fragmentStart = position
        output.append(url.href.utf8.span.extracting(Int(url.layout.fragmentStart)..<url.href.utf8.count))
    }

    mutating func copyThroughPath(of url: WebURL) {
        output.append(url.href.utf8.span.extracting(0..<Int(url.layout.queryStart)))
        layout = url.layout
    }

    mutating func copyWithoutFragment(of url: WebURL) {
        output.append(url.href.utf8.span.extracting(0..<Int(url.layout.fragmentStart)))
        layout = url.layout
    }

    // MARK: States with an override

    /// Path start state with a state override: "?" and "#" are part of the path.
    mutating func pathStartStateOverride(_ input: Span<UInt8>) {
        layout.pathStart = position
        if input.isEmpty, !isSpecial {
            if !layout.hasHost {
                output.append(URLByte.solidus)
            }
            return
        }
        let start = isPathSeparator(input, at: 0) ? 1 : 0
        _ = appendPath(input, start, stateOverride: true)
    }

    /// Host state or hostname state with a state override, and the port state after it.
    mutating func hostStateOverride(
        _ input: Span<UInt8>,
        of url: WebURL,
        isHostname: Bool
    ) throws(WebURLError) {
        var end = 0
        while let byte = input.byte(at: end), !isPathSeparator(byte), byte != URLByte.questionMark,
            byte != URLByte.numberSign
        {
            end += 1
        }
        let hostEnd = self.hostEnd(input, 0..<end)
        if hostEnd < end, hostEnd == 0 || isHostname {
            throw WebURLError(hostEnd == 0 ? .hostMissing : .componentNotAllowed, at: hostEnd)
        }
        if hostEnd == 0, isSpecial || url.includesCredentials || url.layout.hasPort {
            throw WebURLError(.hostMissing, at: 0)
        }
        beginAuthority()
        writeEncodedCredentials(username: Array(url.username.utf8), password: Array(url.password.utf8))
        try parseHost(input, 0..<hostEnd, isOpaque: !isSpecial)
        layout.hostEnd = position
        if hostEnd < end, let port = WebURL.port(input, hostEnd + 1) {
            writePort(port)
        } else {
            copyPort(of: url)
        }
    }

    /// Writes username and password that have been percent-encoded.
    mutating func writeEncodedCredentials(username: [UInt8], password: [UInt8]) {
        output.append(username.span)
        layout.usernameEnd = position
        if !password.isEmpty {
            output.append(URLByte.colon)
            output.append(password.span)
        }
        if !username.isEmpty || !password.isEmpty {
            output.append(URLByte.commercialAt)
        }
        layout.hostStart = position
    }
}

extension WebURL {
    /// This URL with a query that has been percent-encoded.
    func replacingQuery(with query: [UInt8]) throws(WebURLError) -> WebURL {
        try Self.build(capacity: href.utf8.count + query.count + 1) { parser in
            parser.copyThroughPath(of: self)
            parser.output.append(URLByte.questionMark)
            parser.output.append(query.span)
            parser.copyFragment(of: self)
        }
    }
}
