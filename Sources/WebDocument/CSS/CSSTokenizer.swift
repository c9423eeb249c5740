/// Splits CSS into tokens, one at a time, without a copy of the text.
///
/// Each method is one of the standard's algorithms. Newlines and NUL are normalized during tokenization, not
/// before it, so that positions are those in the original text; comments are left out. Complexity: O(n) in the
/// length of the text for all tokens together.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenizer-algorithms>
@safe struct CSSTokenizer {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let count: Int
    private var position = 0

    /// The text of the last token, with escapes decoded: the name of an identifier, a function, an at-keyword or
    /// a hash, a string, a URL, the unit of a dimension; empty for others.
    private(set) var value: [UInt8] = []

    /// Creates a tokenizer of a text in UTF-8, which has to outlive it.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe bytes = text
        count = text.count
    }

    /// Whether the text of the last token is this one, which is in lower case, or another case of its ASCII
    /// letters.
    func hasValue(_ text: StaticString) -> Bool {
        guard value.count == text.utf8CodeUnitCount else { return false }
        return value.indices.allSatisfy { unsafe value[$0].asciiLowercased == text.utf8Start[$0] }
    }

    /// [Consumes a token](https://drafts.csswg.org/css-syntax-3/#consume-token); one of the kind `end` after the
    /// last one.
    mutating func next() -> CSSToken {
        skipComments()
        if !value.isEmpty { value.removeAll(keepingCapacity: true) }
        var token = CSSToken(kind: .end, start: position)
        if !isAtEnd() { consume(&token) }
        token.end = position
        return token
    }

    /// The part of a string, or of a URL token, that is between its quotes or parentheses.
    func contents(of token: Range<Int>) -> Range<Int> {
        guard let first = token.first else { return token }
        var start = token.lowerBound
        var closing = unsafe bytes[first]
        if !Self.isQuote(closing) {
            closing = UInt8(ascii: ")")
            while start < token.upperBound, unsafe bytes[start] != UInt8(ascii: "(") { start += 1 }
        }
        start = min(start + 1, token.upperBound)
        guard token.upperBound > start, unsafe bytes[token.upperBound - 1] == closing else {
            return start..<token.upperBound
        }
        // At the end of the text one that is escaped does not close it.
        var slash = token.upperBound - 1
        while slash > start, unsafe bytes[slash - 1] == UInt8(ascii: "\\") { slash -= 1 }
        let isEscaped = (token.upperBound - 1 - slash) % 2 == 1
        return start..<token.upperBound - (isEscaped ? 0 : 1)
    }

    // MARK: - Bytes

    /// The byte at an offset from the next one; 0 past the end, and for NUL, which counts as U+FFFD.
    private func peek(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < count ? unsafe bytes[index] : 0
    }

    private func isAtEnd(_ offset: Int = 0) -> Bool { position + offset >= count }

    private static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func isNameStart(_ offset: Int) -> Bool {
        let byte = peek(offset)
        return byte.isASCIIAlpha || byte == UInt8(ascii: "_") || byte >= 0x80
            || byte == 0 && !isAtEnd(offset)
    }

    private func isName(_ offset: Int) -> Bool {
        isNameStart(offset) || peek(offset).isASCIIDigit || peek(offset) == UInt8(ascii: "-")
    }

    private func isValidEscape(_ offset: Int) -> Bool {
        peek(offset) == UInt8(ascii: "\\") && !Self.isNewline(peek(offset + 1))
    }

    private func startsIdentifier(_ offset: Int = 0) -> Bool {
        if peek(offset) == UInt8(ascii: "-") {
            return isNameStart(offset + 1) || peek(offset + 1) == UInt8(ascii: "-")
                || isValidEscape(offset + 1)
        }
        return isNameStart(offset) || isValidEscape(offset)
    }

    private func startsNumber() -> Bool {
        let sign = peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") ? 1 : 0
        if peek(sign).isASCIIDigit { return true }
        return peek(sign) == UInt8(ascii: ".") && peek(sign + 1).isASCIIDigit
    }

    // MARK: - Tokens

    private mutating func skipComments() {
        while peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
            position += 2
            while !isAtEnd(), !(peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { position += 1 }
            position = min(position + 2, count)
        }
    }

    private mutating func skipWhitespace() {
        while peek().isASCIIWhitespace { position += 1 }
    }

    private mutating func skipDigits() {
        while peek().isASCIIDigit { position += 1 }
    }

    private mutating func consume(_ token: inout CSSToken) {
        let byte = peek()
        switch byte {
        case _ where byte.isASCIIWhitespace:
            skipWhitespace()
            token.kind = .whitespace
        case _ where Self.isQuote(byte): token.kind = consumeString(until: byte)
        case UInt8(ascii: "#") where isName(1) || isValidEscape(1):
            token.kind = .hash
            token.isIdentifier = startsIdentifier(1)
            position += 1
            consumeName()
        case UInt8(ascii: "@") where startsIdentifier(1):
            token.kind = .atKeyword
            position += 1
            consumeName()
        case _ where startsNumber(): consumeNumeric(&token)
        case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-") && peek(2) == UInt8(ascii: ">"):
            token.kind = .cdc
            position += 3
        case UInt8(ascii: "<")
        where peek(1) == UInt8(ascii: "!") && peek(2) == UInt8(ascii: "-") && peek(3) == UInt8(ascii: "-"):
            token.kind = .cdo
            position += 4
        case _ where startsIdentifier(): token.kind = consumeIdentifierLike()
        default:
            token.kind = Self.punctuation(byte)
            token.byte = byte
            position += 1
        }
    }

    private static func punctuation(_ byte: UInt8) -> CSSToken.Kind {
        switch byte {
        case UInt8(ascii: "("): .openRound
        case UInt8(ascii: ")"): .closeRound
        case UInt8(ascii: "["): .openSquare
        case UInt8(ascii: "]"): .closeSquare
        case UInt8(ascii: "{"): .openCurly
        case UInt8(ascii: "}"): .closeCurly
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: ";"): .semicolon
        default: .delimiter
        }
    }

    private mutating func consumeIdentifierLike() -> CSSToken.Kind {
        consumeName()
        guard peek() == UInt8(ascii: "(") else { return .identifier }
        position += 1
        guard hasValue("url") else { return .function }
        let start = position
        skipWhitespace()
        guard Self.isQuote(peek()) else { return consumeURL() }
        position = start
        return .function
    }

    /// [Consumes a url token](https://drafts.csswg.org/css-syntax-3/#consume-url-token), after the white space.
    private mutating func consumeURL() -> CSSToken.Kind {
        value.removeAll(keepingCapacity: true)
        while !isAtEnd() {
            let byte = peek()
            switch byte {
            case UInt8(ascii: ")"):
                position += 1
                return .url
            case _ where byte.isASCIIWhitespace:
                skipWhitespace()
                guard peek() == UInt8(ascii: ")") || isAtEnd() else { return skipBadURL() }
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), 0x01...0x08, 0x0B, 0x0E...0x1F,
                0x7F:
                return skipBadURL()
            case UInt8(ascii: "\\"):
                guard isValidEscape(0) else { return skipBadURL() }
                consumeEscape()
            default: appendByte()
            }
        }
        return .url
    }

    /// [Consumes the remnants of a bad url](https://drafts.csswg.org/css-syntax-3/#consume-remnants-of-bad-url).
    private mutating func skipBadURL() -> CSSToken.Kind {
        value.removeAll(keepingCapacity: true)
        while !isAtEnd() {
            let isLast = peek() == UInt8(ascii: ")")
            position = min(position + (isValidEscape(0) ? 2 : 1), count)
            if isLast { break }
        }
        return .badURL
    }

    private mutating func consumeString(until quote: UInt8) -> CSSToken.Kind {
        position += 1
        while !isAtEnd() {
            let byte = peek()
            if byte == quote {
                position += 1
                break
            }
            if Self.isNewline(byte) {
                value.removeAll(keepingCapacity: true)
                return .badString
            }
            if byte != UInt8(ascii: "\\") {
                appendByte()
            } else if isAtEnd(1) {
                position += 1
            } else if isValidEscape(0) {
                consumeEscape()
            } else {
                position += peek(1) == 0x0D && peek(2) == 0x0A ? 3 : 2
            }
        }
        return .string
    }

    private mutating func consumeName() {
        while true {
            if isName(0) {
                appendByte()
            } else if isValidEscape(0) {
                consumeEscape()
            } else {
                return
            }
        }
    }

    private mutating func appendByte() {
        let byte = peek()
        position += 1
        if byte == 0 { value += "\u{FFFD}".utf8 } else { value.append(byte) }
    }

    /// Consumes a backslash and an escaped code point.
    private mutating func consumeEscape() {
        position += 1
        var number: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = Self.hexadecimalValue(peek()) {
            number = number << 4 | digit
            digits += 1
            position += 1
        }
        guard digits > 0 else {
            // At the end of the text a backslash stands for U+FFFD. Of a character of several bytes, the other
            // ones follow unchanged.
            if isAtEnd() { value += "\u{FFFD}".utf8 } else { appendByte() }
            return
        }
        if peek() == 0x0D, peek(1) == 0x0A {
            position += 2
        } else if peek().isASCIIWhitespace {
            position += 1
        }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        value += String(scalar ?? "\u{FFFD}").utf8
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte &- 0x30)
        case 0x41...0x46: UInt32(byte &- 0x37)
        case 0x61...0x66: UInt32(byte &- 0x57)
        default: nil
        }
    }

    private mutating func consumeNumeric(_ token: inout CSSToken) {
        consumeNumber(&token)
        if startsIdentifier() {
            token.kind = .dimension
            consumeName()
        } else if peek() == UInt8(ascii: "%") {
            token.kind = .percentage
            position += 1
        }
    }

    private mutating func consumeNumber(_ token: inout CSSToken) {
        token.kind = .number
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative || peek() == UInt8(ascii: "+") {
            token.hasSign = true
            position += 1
        }
        var value = 0
        while peek().isASCIIDigit {
            value.appendDigit(peek())
            position += 1
        }
        value = min(value, Int(Int32.max))
        token.integer = isNegative ? 0 - value : value
        if peek() == UInt8(ascii: "."), peek(1).isASCIIDigit {
            token.integer = nil
            position += 2
            skipDigits()
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
            if peek(1 + sign).isASCIIDigit {
                token.integer = nil
                position += 2 + sign
                skipDigits()
            }
        }
    }
}
