/// The basic URL parser.
///
/// One method per state, with the standard's names; a state processes all of its bytes and then calls the
/// next state. The input is UTF-8, trimmed and free of ASCII tab and newline, and the record is written as
/// its serialisation during parsing. Offsets of errors are offsets in that input.
///
/// <https://url.spec.whatwg.org/#concept-basic-url-parser>
struct URLParser {
    var output: URLWriter
    var layout = URLLayout()

    /// The layout of the base URL, whose serialisation the states get as their `base`; nil if there is none.
    ///
    /// The base is passed in these two parts because neither is reference-counted.
    let baseLayout: URLLayout?

    init(output: URLWriter, baseLayout: URLLayout? = nil) {
        self.output = output
        self.baseLayout = baseLayout
    }

    var isSpecial: Bool { layout.scheme.isSpecial }
    var isFile: Bool { layout.scheme == .file }

    /// The end of the output, as the layout stores it.
    ///
    /// Outputs of more than 4 GiB are refused afterwards.
    var position: UInt32 { UInt32(truncatingIfNeeded: output.count) }

    /// Whether the byte separates segments of the path: "/", or in a special URL also "\".
    @inline(__always)
    func isPathSeparator(_ byte: UInt8) -> Bool {
        byte == URLByte.solidus || (byte == URLByte.reverseSolidus && isSpecial)
    }

    @inline(__always)
    func isPathSeparator(_ input: Span<UInt8>, at pointer: Int) -> Bool {
        pointer < input.count && isPathSeparator(input[pointer])
    }

    // MARK: Scheme

    mutating func schemeStartState(_ input: Span<UInt8>, base: Span<UInt8>) throws(WebURLError) {
        guard let first = input.byte(at: 0), URLByte.isAlpha(first) else {
            return try noSchemeState(input, base: base)
        }
        try schemeState(input, base: base)
    }

    private mutating func schemeState(_ input: Span<UInt8>, base: Span<UInt8>) throws(WebURLError) {
        var pointer = 0
        var packed: UInt64 = 0
        while pointer < input.count, !URLByteSet.endsScheme.contains(input[pointer]) {
            packed = packed &<< 8 | UInt64(URLByte.lowercased(input[pointer]))
            pointer += 1
        }
        guard input.byte(at: pointer) == URLByte.colon else {
            return try noSchemeState(input, base: base)
        }
        layout.scheme = URLSchemeKind(packed: packed, count: pointer)
        layout.schemeEnd = UInt32(truncatingIfNeeded: pointer)
        // With the base's own special scheme the reference may be relative, and the base is copied instead.
        if isSpecial, !isFile, let baseLayout, baseLayout.scheme == layout.scheme {
            return try specialRelativeOrAuthorityState(input, pointer + 1, base: base, baseLayout)
        }
        output.append(input.extracting(0..<pointer + 1))
        output.lowercase(from: 0)
        pointer += 1
        switch layout.scheme {
        case .file:
            try fileState(input, pointer, base: base)
        case .http, .https, .ws, .wss, .ftp:
            // Special authority slashes state: a wrong number of slashes is only a validation error.
            try specialAuthorityIgnoreSlashesState(input, pointer)
        case .notSpecial:
            if input.byte(at: pointer) == URLByte.solidus {
                try pathOrAuthorityState(input, pointer + 1)
            } else {
                opaquePathState(input, pointer)
            }
        }
    }

    private mutating func noSchemeState(_ input: Span<UInt8>, base: Span<UInt8>) throws(WebURLError) {
        guard let baseLayout else {
            throw WebURLError(.missingSchemeNonRelativeURL, at: 0)
        }
        layout.scheme = baseLayout.scheme
        if baseLayout.hasOpaquePath {
            guard input.byte(at: 0) == URLByte.numberSign else {
                throw WebURLError(.missingSchemeNonRelativeURL, at: 0)
            }
            copyBaseWithoutFragment(base, baseLayout)
            fragmentState(input, 1)
        } else if baseLayout.scheme == .file {
            try fileState(input, 0, base: base)
        } else {
            try relativeState(input, 0, base: base, baseLayout)
        }
    }

    // MARK: Opaque path, query, fragment

    private mutating func opaquePathState(_ input: Span<UInt8>, _ start: Int) {
        layout.flags.insert(.hasOpaquePath)
        layout.usernameEnd = position
        layout.hostStart = position
        layout.hostEnd = position
        layout.pathStart = position
        var pointer = start
        while pointer < input.count {
            let byte = input[pointer]
            if byte == URLByte.questionMark || byte == URLByte.numberSign { break }
            let next = input.byte(at: pointer + 1)
            if byte == URLByte.space, next == URLByte.questionMark || next == URLByte.numberSign {
                // A space at the end of the path is encoded; others are kept.
                output.appendPercentEncoded(byte)
            } else if URLByteSet.c0Control.contains(byte) {
                output.appendPercentEncoded(byte)
            } else {
                output.append(byte)
            }
            pointer += 1
        }
        endPath(input, pointer)
    }

    /// Continues after the path with the query state or the fragment state, if any.
    mutating func endPath(_ input: Span<UInt8>, _ pointer: Int) {
        layout.queryStart = position
        layout.fragmentStart = position
        guard let byte = input.byte(at: pointer) else { return }
        if byte == URLByte.questionMark {
            queryState(input, pointer + 1)
        } else {
            fragmentState(input, pointer + 1)
        }
    }

    /// Parses the query, in UTF-8; ``WebURL/parse(utf8:base:queryEncoder:)`` replaces it for other encodings.
    mutating func queryState(_ input: Span<UInt8>, _ start: Int) {
        layout.queryStart = position
        output.append(URLByte.questionMark)
        let set = isSpecial ? URLByteSet.specialQuery : URLByteSet.query
        let pointer = appendPercentEncoded(input, from: start, set, until: URLByte.numberSign)
        layout.fragmentStart = position
        if pointer < input.count {
            fragmentState(input, pointer + 1)
        }
    }

    mutating func fragmentState(_ input: Span<UInt8>, _ start: Int) {
        layout.fragmentStart = position
        output.append(URLByte.numberSign)
        appendPercentEncoded(input, from: start, .fragment, until: nil)
    }

    /// UTF-8 percent-encodes the input from an index until a byte or the end; returns where it stopped.
    @discardableResult
    mutating func appendPercentEncoded(
        _ input: Span<UInt8>,
        from start: Int,
        _ set: URLByteSet,
        until end: UInt8?
    ) -> Int {
        var pointer = start
        while true {
            let runStart = pointer
            while pointer < input.count, !set.contains(input[pointer]) {
                pointer &+= 1
            }
            output.append(input.extracting(runStart..<pointer))
            guard pointer < input.count, input[pointer] != end else { return pointer }
            output.appendPercentEncoded(input[pointer])
            pointer &+= 1
        }
    }
}
