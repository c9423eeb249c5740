/// Tokenizes CSS, as far as finding URLs needs it.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct StyleScanner {
    enum Token: Equatable {
        /// White space or comments.
        case whitespace
        /// A string; its value, as that of the next three, is ``StyleScanner/value``.
        case string
        case url
        /// The value is the name in lower case.
        case function
        case atKeyword
        case badString
        case badURL
        case open(UInt8)
        case close(UInt8)
        case semicolon
        case other
    }

    private let input: [UInt8]
    private var position = 0

    /// The value of the last token, for those that have one.
    private(set) var value: [UInt8] = []

    init(_ text: String) {
        input = Array(text.utf8)
    }

    /// Whether the last token has this value.
    func hasValue(_ text: StaticString) -> Bool {
        guard value.count == text.utf8CodeUnitCount else { return false }
        return value.indices.allSatisfy { unsafe value[$0] == text.utf8Start[$0] }
    }

    /// [Consume a token](https://drafts.csswg.org/css-syntax-3/#consume-token).
    mutating func next() -> Token? {
        guard let byte = peek() else { return nil }
        switch byte {
        case _ where byte.isASCIIWhitespace:
            while let byte = peek(), byte.isASCIIWhitespace { position += 1 }
            return .whitespace
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
            skipComment()
            return .whitespace
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            position += 1
            return consumeString(until: byte)
        case UInt8(ascii: "#"):
            position += 1
            if isNameByte(at: 0) || isEscape(at: 0) { consumeName() }
            return .other
        case UInt8(ascii: "@"):
            position += 1
            guard startsIdentifier else { return .other }
            consumeName()
            return .atKeyword
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
            position += 1
            return .open(byte)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            position += 1
            return .close(byte)
        case UInt8(ascii: ";"):
            position += 1
            return .semicolon
        case UInt8(ascii: "-") where matches("-->"):
            position += 3
            return .whitespace
        case UInt8(ascii: "<") where matches("<!--"):
            position += 4
            return .whitespace
        default: break
        }
        if startsNumber {
            consumeNumber()
            if startsIdentifier { consumeName() }
            return .other
        }
        if startsIdentifier { return consumeIdentifierLike() }
        position += 1
        return .other
    }

    // MARK: - Looking ahead

    private func peek(_ offset: Int = 0) -> UInt8? {
        let index = position + offset
        return index < input.count ? input[index] : nil
    }

    private func matches(_ text: StaticString) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy { unsafe peek($0) == text.utf8Start[$0] }
    }

    private func isNameStart(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        // NUL stands for U+FFFD, which a name may have.
        return byte.isASCIIAlpha || byte == UInt8(ascii: "_") || byte >= 0x80 || byte == 0
    }

    private func isNameByte(at offset: Int) -> Bool {
        guard let byte = peek(offset) else { return false }
        return isNameStart(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }

    /// Whether there is a backslash that is an [escape](https://drafts.csswg.org/css-syntax-3/#check-if-two-code-points-are-a-valid-escape).
    private func isEscape(at offset: Int) -> Bool {
        peek(offset) == UInt8(ascii: "\\") && !isNewline(peek(offset + 1))
    }

    private func isNewline(_ byte: UInt8?) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x0C
    }

    /// [Check if three code points would start an ident sequence](https://drafts.csswg.org/css-syntax-3/#would-start-an-identifier).
    private var startsIdentifier: Bool {
        guard peek() == UInt8(ascii: "-") else { return isNameStart(peek()) || isEscape(at: 0) }
        return isNameStart(peek(1)) || peek(1) == UInt8(ascii: "-") || isEscape(at: 1)
    }

    /// [Check if three code points would start a number](https://drafts.csswg.org/css-syntax-3/#starts-with-a-number).
    private var startsNumber: Bool {
        var offset = 0
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
        if peek(offset) == UInt8(ascii: ".") { offset += 1 }
        return peek(offset)?.isASCIIDigit ?? false
    }

    // MARK: - Consuming

    private mutating func skipComment() {
        position += 2
        while position < input.count {
            if matches("*/") {
                position += 2
                return
            }
            position += 1
        }
    }

    private mutating func skipDigits() {
        while peek()?.isASCIIDigit ?? false { position += 1 }
    }

    /// [Consume a number](https://drafts.csswg.org/css-syntax-3/#consume-number).
    private mutating func consumeNumber() {
        if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
        skipDigits()
        if peek() == UInt8(ascii: "."), peek(1)?.isASCIIDigit ?? false {
            position += 1
            skipDigits()
        }
        guard let mark = peek(), mark | 0x20 == UInt8(ascii: "e") else { return }
        let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        guard peek(isSigned ? 2 : 1)?.isASCIIDigit ?? false else { return }
        position += isSigned ? 2 : 1
        skipDigits()
    }

    /// [Consume an ident sequence](https://drafts.csswg.org/css-syntax-3/#consume-name), in lower case.
    private mutating func consumeName() {
        value.removeAll(keepingCapacity: true)
        while true {
            if isNameByte(at: 0) {
                value.append(input[position].asciiLowercased)
                position += 1
            } else if isEscape(at: 0) {
                position += 1
                let start = value.count
                consumeEscape()
                for index in start..<value.count { value[index] = value[index].asciiLowercased }
            } else {
                return
            }
        }
    }

    /// [Consume an ident-like token](https://drafts.csswg.org/css-syntax-3/#consume-ident-like-token).
    private mutating func consumeIdentifierLike() -> Token {
        consumeName()
        guard peek() == UInt8(ascii: "(") else { return .other }
        position += 1
        guard hasValue("url") else { return .function }
        let afterBracket = position
        while peek()?.isASCIIWhitespace ?? false { position += 1 }
        if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
            position = afterBracket
            return .function
        }
        return consumeURL()
    }

    /// [Consume a string token](https://drafts.csswg.org/css-syntax-3/#consume-string-token).
    private mutating func consumeString(until ending: UInt8) -> Token {
        value.removeAll(keepingCapacity: true)
        while let byte = peek() {
            if byte == ending {
                position += 1
                return .string
            }
            if isNewline(byte) { return .badString }
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                append(byte)
                continue
            }
            if isNewline(peek()) {
                position += peek() == 0x0D && peek(1) == 0x0A ? 2 : 1
            } else if peek() != nil {
                consumeEscape()
            }
        }
        return .string
    }

    /// [Consume a url token](https://drafts.csswg.org/css-syntax-3/#consume-url-token), after the white space.
    private mutating func consumeURL() -> Token {
        value.removeAll(keepingCapacity: true)
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: ")"):
                position += 1
                return .url
            case _ where byte.isASCIIWhitespace:
                while peek()?.isASCIIWhitespace ?? false { position += 1 }
                guard let byte = peek() else { return .url }
                guard byte == UInt8(ascii: ")") else { return skipBadURL() }
                position += 1
                return .url
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), 0x01...0x08, 0x0B, 0x0E...0x1F,
                0x7F:
                return skipBadURL()
            case UInt8(ascii: "\\"):
                guard isEscape(at: 0) else { return skipBadURL() }
                position += 1
                consumeEscape()
            default:
                position += 1
                append(byte)
            }
        }
        return .url
    }

    /// [Consume the remnants of a bad url](https://drafts.csswg.org/css-syntax-3/#consume-remnants-of-bad-url).
    private mutating func skipBadURL() -> Token {
        while let byte = peek() {
            position +=
                byte == UInt8(ascii: "\\") && position + 1 < input.count && !isNewline(peek(1)) ? 2 : 1
            if byte == UInt8(ascii: ")") { break }
        }
        return .badURL
    }

    /// [Consume an escaped code point](https://drafts.csswg.org/css-syntax-3/#consume-escaped-code-point), after
    /// the backslash.
    private mutating func consumeEscape() {
        var number: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = peek().flatMap(Self.hexadecimalValue) {
            number = number << 4 | digit
            digits += 1
            position += 1
        }
        if digits == 0 {
            guard let byte = peek() else { return value += "\u{FFFD}".utf8 }
            // If the character takes several bytes, the other bytes follow unchanged.
            position += 1
            return append(byte)
        }
        if peek() == 0x0D, peek(1) == 0x0A {
            position += 2
        } else if peek()?.isASCIIWhitespace ?? false {
            position += 1
        }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        value += String(scalar ?? "\u{FFFD}").utf8
    }

    private mutating func append(_ byte: UInt8) {
        if byte == 0 {
            value += "\u{FFFD}".utf8
        } else {
            value.append(byte)
        }
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
        if byte.isASCIIDigit { return UInt32(byte & 0x0F) }
        let letter = byte | 0x20
        return UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter
            ? UInt32(letter &- UInt8(ascii: "a") &+ 10) : nil
    }
}
