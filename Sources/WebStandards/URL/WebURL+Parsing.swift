extension WebURL {
    /// Parses bytes as UTF-8; invalid sequences are decoded to U+FFFD.
    ///
    /// - Throws: ``WebURLError``, whose offset counts the bytes of the decoded input.
    static func parse(utf8 input: Span<UInt8>, base: WebURL? = nil) throws(WebURLError) -> WebURL {
        if isKnownValid(input) {
            return try parse(validUTF8: input, base: base)
        }
        return try parse(validUTF8: repaired(input).utf8.span, base: base)
    }

    /// Parses bytes as UTF-8, percent-encoding the query in another encoding where the standard requires it:
    /// in special URLs except ws and wss.
    ///
    /// <https://url.spec.whatwg.org/#query-state>
    package static func parse(
        utf8 input: Span<UInt8>,
        base: WebURL?,
        queryEncoder: consuming some ScalarEncoder
    ) throws(WebURLError) -> WebURL {
        let url = try parse(utf8: input, base: base)
        switch url.layout.scheme {
        case .http, .https, .ftp, .file:
            guard let query = queryRange(input), isChangedByEncoding(input.extracting(query)) else {
                return url
            }
            let encoded = percentEncodeAfterEncoding(
                withoutTabAndNewline(input, query),
                using: queryEncoder,
                .specialQuery
            )
            return try url.replacingQuery(with: encoded)
        case .ws, .wss, .notSpecial:
            return url
        }
    }

    /// Parses valid UTF-8.
    static func parse(validUTF8 input: Span<UInt8>, base: WebURL?) throws(WebURLError) -> WebURL {
        let range = trimmedRange(input)
        let trimmed = input.extracting(range)
        guard trimmed.count <= maximumInput else {
            throw WebURLError(.tooLong, at: range.lowerBound + maximumInput)
        }
        if !containsTabOrNewline(trimmed) {
            do {
                return try run(trimmed, base: base)
            } catch {
                throw WebURLError(error.code, at: error.offset + range.lowerBound)
            }
        }
        let cleaned = withoutTabAndNewline(input, range)
        do {
            return try run(cleaned.span, base: base)
        } catch {
            throw WebURLError(error.code, at: originalOffset(error.offset, in: input, range))
        }
    }

    private static var maximumInput: Int { 1 << 30 }

    // MARK: Running the parser

    private static func run(_ input: Span<UInt8>, base: WebURL?) throws(WebURLError) -> WebURL {
        guard let base else {
            return try run(input, base: Span(), nil)
        }
        return try run(input, base: base.href.utf8.span, base.layout)
    }

    private static func run(
        _ input: Span<UInt8>,
        base: Span<UInt8>,
        _ baseLayout: URLLayout?
    ) throws(WebURLError) -> WebURL {
        let capacity = base.count + input.count + 32
        return try build(capacity: capacity, baseLayout) { (parser) throws(WebURLError) in
            try parser.schemeStartState(input, base: base)
        }
    }

    /// Runs a body that writes a URL, repeatedly with a larger buffer until it fits.
    static func build(
        capacity: Int,
        _ baseLayout: URLLayout? = nil,
        _ body: (inout URLParser) throws(WebURLError) -> Void
    ) throws(WebURLError) -> WebURL {
        var capacity = capacity
        while true {
            let url: WebURL? = try unsafe withUnsafeTemporaryAllocation(
                of: UInt8.self,
                capacity: capacity
            ) { (buffer) throws(WebURLError) in
                var parser = unsafe URLParser(output: URLWriter(buffer), baseLayout: baseLayout)
                try body(&parser)
                guard !parser.output.overflowed else { return nil }
                guard parser.output.count <= UInt32.max else {
                    throw WebURLError(.tooLong, at: 0)
                }
                return WebURL(href: parser.output.makeString(), layout: parser.layout)
            }
            if let url { return url }
            capacity *= 4
        }
    }

    // MARK: Preparing the input

    /// The range without leading and trailing C0 controls and spaces.
    private static func trimmedRange(_ input: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = input.count
        while start < end, input[start] <= URLByte.space { start &+= 1 }
        while end > start, input[end &- 1] <= URLByte.space { end &-= 1 }
        return start..<end
    }

    /// Looks for ASCII tab and newline, eight bytes at a time.
    static func containsTabOrNewline(_ input: Span<UInt8>) -> Bool {
        let bytes = unsafe input.bytes
        var index = 0
        while index &+ 8 <= input.count {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            // Has the high bit of every byte below 0x0E, and of some bytes after such a byte.
            let below = (word &- 0x0E0E_0E0E_0E0E_0E0E) & ~word & 0x8080_8080_8080_8080
            if below != 0 {
                for offset in 0..<8 where URLByte.isTabOrNewline(input[index + offset]) { return true }
            }
            index &+= 8
        }
        while index < input.count {
            if URLByte.isTabOrNewline(input[index]) { return true }
            index &+= 1
        }
        return false
    }

    static func withoutTabAndNewline(_ input: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(range.count)
        for index in range where !URLByte.isTabOrNewline(input[index]) {
            cleaned.append(input[index])
        }
        return cleaned
    }

    /// The offset in the input of a byte of the input without tabs and newlines.
    private static func originalOffset(_ offset: Int, in input: Span<UInt8>, _ range: Range<Int>) -> Int {
        var remaining = offset
        for index in range where !URLByte.isTabOrNewline(input[index]) {
            if remaining == 0 { return index }
            remaining -= 1
        }
        return range.upperBound
    }

    private static func isKnownValid(_ input: Span<UInt8>) -> Bool {
        do {
            _ = try UTF8Span(validating: input)
            return true
        } catch {
            return false
        }
    }

    private static func repaired(_ input: Span<UInt8>) -> String {
        unsafe input.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
