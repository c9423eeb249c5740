/// The states from the slashes before an authority to the port.
extension URLParser {
    mutating func specialAuthorityIgnoreSlashesState(_ input: Span<UInt8>, _ start: Int) throws(WebURLError) {
        var pointer = start
        while isPathSeparator(input, at: pointer) {
            pointer += 1
        }
        try authorityState(input, pointer)
    }

    /// Continues after the first "/" that follows a scheme that is not special.
    mutating func pathOrAuthorityState(_ input: Span<UInt8>, _ pointer: Int) throws(WebURLError) {
        if input.byte(at: pointer) == URLByte.solidus {
            return try authorityState(input, pointer + 1)
        }
        layout.usernameEnd = position
        layout.hostStart = position
        layout.hostEnd = position
        layout.pathStart = position
        pathState(input, pointer)
    }

    /// Writes "//"; credentials, host and port are empty.
    mutating func beginAuthority() {
        layout.flags.insert(.hasHost)
        output.append(URLByte.solidus)
        output.append(URLByte.solidus)
        layout.usernameEnd = position
        layout.hostStart = position
        layout.hostEnd = position
        layout.pathStart = position
    }

    mutating func authorityState(_ input: Span<UInt8>, _ start: Int) throws(WebURLError) {
        beginAuthority()
        var end = start
        var lastAt: Int?
        while end < input.count {
            let byte = input[end]
            if URLByteSet.delimitsAuthority.contains(byte) {
                if byte == URLByte.commercialAt {
                    lastAt = end
                } else if byte < 0x80, byte != URLByte.reverseSolidus || isSpecial {
                    break
                }
            }
            end &+= 1
        }
        guard let lastAt else {
            return try hostState(input, start..<end)
        }
        guard lastAt + 1 < end else {
            throw WebURLError(.hostMissing, at: end)
        }
        writeCredentials(input, start..<lastAt)
        try hostState(input, lastAt + 1..<end)
    }

    /// Writes the text before the last "@" as credentials: everything after its first ":" is the password.
    private mutating func writeCredentials(_ input: Span<UInt8>, _ range: Range<Int>) {
        let credentials = input.extracting(range)
        var colon = 0
        while colon < credentials.count, credentials[colon] != URLByte.colon {
            colon += 1
        }
        appendPercentEncoded(credentials.extracting(0..<colon), from: 0, .userinfo, until: nil)
        layout.usernameEnd = position
        if colon + 1 < credentials.count {
            output.append(URLByte.colon)
            appendPercentEncoded(credentials, from: colon + 1, .userinfo, until: nil)
        }
        if colon > 0 || colon + 1 < credentials.count {
            output.append(URLByte.commercialAt)
        }
        layout.hostStart = position
    }

    /// Parses the host and port in the range.
    private mutating func hostState(_ input: Span<UInt8>, _ range: Range<Int>) throws(WebURLError) {
        let hostEnd = self.hostEnd(input, range)
        if hostEnd == range.lowerBound, isSpecial || hostEnd < range.upperBound {
            throw WebURLError(.hostMissing, at: hostEnd)
        }
        try parseHost(input, range.lowerBound..<hostEnd, isOpaque: !isSpecial)
        layout.hostEnd = position
        if hostEnd < range.upperBound {
            try portState(input, hostEnd + 1..<range.upperBound)
        }
        pathStartState(input, range.upperBound)
    }

    /// The index of the ":" before the port, or the end of the range.
    func hostEnd(_ input: Span<UInt8>, _ range: Range<Int>) -> Int {
        var insideBrackets = false
        var pointer = range.lowerBound
        while pointer < range.upperBound {
            switch input[pointer] {
            case URLByte.colon where !insideBrackets: return pointer
            case URLByte.leftBracket: insideBrackets = true
            case URLByte.rightBracket: insideBrackets = false
            default: break
            }
            pointer &+= 1
        }
        return pointer
    }

    private mutating func portState(_ input: Span<UInt8>, _ range: Range<Int>) throws(WebURLError) {
        var port: UInt32 = 0
        for pointer in range {
            let digit = input[pointer] &- URLByte.zero
            guard digit < 10 else {
                throw WebURLError(.portInvalid, at: pointer)
            }
            port = min(port &* 10 &+ UInt32(digit), 65_536)
        }
        guard let port = UInt16(exactly: port) else {
            throw WebURLError(.portOutOfRange, at: range.lowerBound)
        }
        if !range.isEmpty {
            writePort(port)
        }
    }

    /// Writes a port, unless it is the scheme's default.
    mutating func writePort(_ port: UInt16) {
        guard port != layout.scheme.defaultPort else { return }
        layout.port = port
        layout.flags.insert(.hasPort)
        output.append(URLByte.colon)
        output.appendDecimal(port)
    }
}
