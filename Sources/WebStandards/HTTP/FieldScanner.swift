/// A forward-only reader of one HTTP field value, by bytes.
///
/// Everything that delimits a field value is ASCII, so that the scanner walks UTF-8 and only ever cuts it at
/// ASCII bytes. It never reads outside of its bounds: past the end, ``current`` is nil.
package struct FieldScanner {
    package let bytes: [UInt8]

    /// Where the next byte is read; never more than ``end``.
    package private(set) var position: Int

    /// One past the last byte to read.
    package private(set) var end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The byte at the position, or nil past the end.
    package var current: UInt8? { position < end ? bytes[position] : nil }

    package var isAtEnd: Bool { position >= end }

    package mutating func advance() {
        if position < end { position += 1 }
    }

    /// Advances over `byte` if it comes next, and returns whether it did.
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    package mutating func skip(while condition: (UInt8) -> Bool) {
        while position < end, condition(bytes[position]) { position += 1 }
    }

    /// The longest run of bytes from the position that meet `condition`; the position moves after it.
    package mutating func collect(while condition: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        skip(while: condition)
        return start..<position
    }

    /// Removes bytes that meet `condition` from both ends.
    package mutating func trim(while condition: (UInt8) -> Bool) {
        skip(while: condition)
        end = trimmingEnd(of: position..<end, while: condition).upperBound
    }

    /// `range` without the bytes at its end that meet `condition`.
    package func trimmingEnd(of range: Range<Int>, while condition: (UInt8) -> Bool) -> Range<Int> {
        var upper = range.upperBound
        while upper > range.lowerBound, condition(bytes[upper - 1]) { upper -= 1 }
        return range.lowerBound..<upper
    }

    /// Collects an HTTP quoted string; the position is at its opening quotation mark.
    ///
    /// - Returns: the unescaped value, and whether there was a closing quotation mark. Without one, the
    ///   string extends to the end.
    ///
    /// [Fetch: collect an HTTP quoted string](https://fetch.spec.whatwg.org/#collect-an-http-quoted-string)
    mutating func collectQuotedString() -> (value: [UInt8], isTerminated: Bool) {
        var value: [UInt8] = []
        advance()
        while true {
            value += bytes[collect { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }]
            guard let quoteOrBackslash = current else { return (value, false) }
            advance()
            guard quoteOrBackslash == UInt8(ascii: "\\") else { return (value, true) }
            // A backslash that ends the input stands for itself.
            value.append(current ?? UInt8(ascii: "\\"))
            advance()
        }
    }

    /// Moves after the quoted string that begins at the position.
    mutating func skipQuotedString() {
        advance()
        while true {
            skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            guard let quoteOrBackslash = current else { return }
            advance()
            guard quoteOrBackslash == UInt8(ascii: "\\") else { return }
            advance()
        }
    }

    /// Moves to the next comma outside of quoted strings, or to the end.
    package mutating func skipListElement() {
        while true {
            skip { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            guard current == UInt8(ascii: "\"") else { return }
            skipQuotedString()
        }
    }

    /// The bytes of `range` as text.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The bytes of `range` as text, in ASCII lowercase.
    package func lowercasedText(_ range: Range<Int>) -> String {
        String(asciiLowercasing: bytes[range])
    }

    /// Whether `range` is not empty and has only HTTP token bytes.
    func isToken(_ range: Range<Int>) -> Bool {
        !range.isEmpty && bytes[range].allSatisfy(\.isHTTPToken)
    }
}

/// The byte classes of HTTP field values.
extension UInt8 {
    /// An HTTP token code point: `tchar` of RFC 9110.
    @inlinable
    package var isHTTPToken: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"),
            UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether the byte, in well-formed UTF-8, belongs to an HTTP quoted-string token code point.
    ///
    /// Those are tab, U+0020 to U+007E and U+0080 to U+00FF; UTF-8 encodes the latter with the lead bytes
    /// 0xC2 and 0xC3, and everything above with higher ones.
    var isHTTPQuotedStringToken: Bool {
        self == 0x09 || (0x20...0x7E).contains(self) || (0x80...0xC3).contains(self)
    }

    /// A tab or a space.
    @inlinable
    package var isHTTPTabOrSpace: Bool { self == 0x09 || self == 0x20 }

    /// A tab, a line feed, a carriage return or a space.
    var isHTTPWhitespace: Bool { self == 0x09 || self == 0x0A || self == 0x0D || self == 0x20 }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    @inlinable
    package var trimmingHTTPWhitespace: String {
        var bytes = Array(utf8)[...]
        bytes = bytes.drop(while: \.isHTTPTabOrSpace)
        while bytes.last?.isHTTPTabOrSpace == true { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
