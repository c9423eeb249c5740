extension MediaType {
    /// Parses a MIME type.
    ///
    /// Parameters that are malformed or given twice are dropped; nil means that type or subtype is missing or
    /// not a token. Only code points up to U+00FF may be in a parameter's value: a field value that was
    /// decoded as UTF-8 may lose a parameter that its bytes would keep, see ``init(bytes:)``.
    ///
    /// - Complexity: O(*n*) in the length of the string.
    ///
    /// [MIME Sniffing: parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type)
    public init?(_ string: String) {
        self.init(scanner: FieldScanner(string))
    }

    /// Parses a MIME type from the bytes of a field value, each of which is the code point of the same number
    /// (isomorphic decoding).
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    ///
    /// [MIME Sniffing: parse a MIME type from
    /// bytes](https://mimesniff.spec.whatwg.org/#parse-a-mime-type-from-bytes)
    public init?(bytes: some Sequence<UInt8>) {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(bytes.underestimatedCount)
        // Isomorphic decoding, straight to UTF-8.
        for byte in bytes {
            if byte < 0x80 {
                utf8.append(byte)
            } else {
                utf8.append(0xC0 | (byte >> 6))
                utf8.append(0x80 | (byte & 0x3F))
            }
        }
        self.init(scanner: FieldScanner(utf8))
    }

    /// Parses the text of `scanner`, which must be well-formed UTF-8.
    private init?(scanner initial: FieldScanner) {
        var scanner = initial
        // 1. Trim whitespace at both ends.
        scanner.trim(while: \.isHTTPWhitespace)
        // 3.-4. The type.
        let type = scanner.collect { $0 != UInt8(ascii: "/") }
        guard scanner.isToken(type) else { return nil }
        // 5.-6. The slash.
        guard scanner.skip(UInt8(ascii: "/")) else { return nil }
        // 7.-9. The subtype.
        let untrimmed = scanner.collect { $0 != UInt8(ascii: ";") }
        let subtype = scanner.trimmingEnd(of: untrimmed, while: \.isHTTPWhitespace)
        guard scanner.isToken(subtype) else { return nil }
        // 10.-12. The record and its parameters.
        self.init(type: scanner.lowercasedText(type), subtype: scanner.lowercasedText(subtype))
        parseParameters(&scanner)
    }

    /// Step 11: parses the parameters; the scanner is at the end or at a semicolon.
    private mutating func parseParameters(_ scanner: inout FieldScanner) {
        var seen: Set<String> = []
        while !scanner.isAtEnd {
            // 11.1.-11.2. The semicolon and whitespace after it.
            scanner.advance()
            scanner.skip(while: \.isHTTPWhitespace)
            // 11.3.-11.4. The name.
            let nameRange = scanner.collect { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
            // 11.5.-11.6. A name without a value is ignored.
            guard scanner.skip(UInt8(ascii: "=")) else { continue }
            if scanner.isAtEnd { break }
            // 11.7.-11.9. The value.
            guard let value = Self.parameterValue(&scanner) else { continue }
            // 11.10. Keep what is well-formed and new.
            guard scanner.isToken(nameRange), value.allSatisfy(\.isHTTPQuotedStringToken) else { continue }
            let name = scanner.lowercasedText(nameRange)
            guard seen.insert(name).inserted else { continue }
            parameters.append(Parameter(name: name, value: String(decoding: value, as: UTF8.self)))
        }
    }

    /// Steps 11.8 and 11.9: a parameter's value, or nil for an empty one without quotes.
    private static func parameterValue(_ scanner: inout FieldScanner) -> [UInt8]? {
        if scanner.current == UInt8(ascii: "\"") {
            let value = scanner.collectQuotedString().value
            // Text after the closing quotation mark is ignored.
            scanner.skip { $0 != UInt8(ascii: ";") }
            return value
        }
        let untrimmed = scanner.collect { $0 != UInt8(ascii: ";") }
        let range = scanner.trimmingEnd(of: untrimmed, while: \.isHTTPWhitespace)
        return range.isEmpty ? nil : Array(scanner.bytes[range])
    }
}
