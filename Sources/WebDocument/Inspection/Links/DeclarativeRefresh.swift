/// The target of a `meta` element with `http-equiv=refresh`, or of a Refresh field.
enum DeclarativeRefresh {
    /// The URL as written; nil where the input names none (the page reloads itself) or is malformed.
    ///
    /// Complexity: O(n) in the length of the input.
    ///
    /// [Shared declarative refresh
    /// steps](https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps)
    static func reference(in input: String) -> String? {
        var scanner = FieldScanner(input)
        // 3. White space.
        scanner.skip(while: \.isASCIIWhitespace)
        // 4., 5. The time; ".5" is not a valid time but is accepted.
        let time = scanner.collect(while: \.isASCIIDigit)
        guard !time.isEmpty || scanner.current == UInt8(ascii: ".") else { return nil }
        // 6. More digits, and periods, which are ignored.
        scanner.skip { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        // 8. The separator.
        guard let separator = scanner.current, isSeparator(separator) || separator.isASCIIWhitespace else {
            return nil
        }
        scanner.skip(while: \.isASCIIWhitespace)
        if let byte = scanner.current, isSeparator(byte) { scanner.advance() }
        scanner.skip(while: \.isASCIIWhitespace)
        // 9.
        guard !scanner.isAtEnd else { return nil }
        return url(&scanner)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    /// Steps 9.1 to 9.10: the URL, with or without "url=" before it and quotes around it.
    private static func url(_ scanner: inout FieldScanner) -> String {
        // 9.1. Where "url=" turns out to be something else, it is part of the URL.
        let whole = scanner.text(scanner.position..<scanner.end)
        // 9.2. to 9.6.
        if let byte = scanner.current, byte | 0x20 == UInt8(ascii: "u") {
            scanner.advance()
            for letter in "rl".utf8 {
                guard let byte = scanner.current, byte | 0x20 == letter else { return whole }
                scanner.advance()
            }
            scanner.skip(while: \.isASCIIWhitespace)
            guard scanner.skip(UInt8(ascii: "=")) else { return whole }
            scanner.skip(while: \.isASCIIWhitespace)
        }
        // 9.7. Skip quotes.
        guard let quote = scanner.current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            return scanner.text(scanner.position..<scanner.end)
        }
        scanner.advance()
        // 9.8. to 9.10.
        return scanner.text(scanner.collect { $0 != quote })
    }
}
