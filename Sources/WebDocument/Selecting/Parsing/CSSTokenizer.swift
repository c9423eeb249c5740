/// Splits a selector into tokens by CSS Syntax.
///
/// Each method is one of the standard's algorithms. Newlines and NUL are normalized during tokenization, not
/// before it, so that positions are those in the original text.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenizer-algorithms>
struct CSSTokenizer {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The tokens of a text, followed by one of the kind `end`, with the partner of each opening token.
    static func tokens(_ text: String) -> [CSSToken] {
        var tokenizer = CSSTokenizer(text)
        var tokens: [CSSToken] = []
        var open: [Int] = []
        while let token = tokenizer.next() {
            switch token.kind {
            case .function, .openRound, .openSquare, .openCurly: open.append(tokens.count)
            case .closeRound, .closeSquare, .closeCurly:
                if let last = open.last, closes(token.kind, tokens[last].kind) {
                    tokens[last].partner = tokens.count
                    open.removeLast()
                }
            default: break
            }
            tokens.append(token)
        }
        // A block that is not closed ends with the text.
        for index in open { tokens[index].partner = tokens.count }
        tokens.append(CSSToken(kind: .end, start: tokenizer.bytes.count, end: tokenizer.bytes.count))
        return tokens
    }

    private static func closes(_ end: CSSToken.Kind, _ start: CSSToken.Kind) -> Bool {
        switch start {
        case .openSquare: end == .closeSquare
        case .openCurly: end == .closeCurly
        default: end == .closeRound
        }
    }

    // MARK: - Bytes

    /// The byte at an offset from the next one; 0 past the end, and for NUL, which counts as U+FFFD.
    private func peek(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    private func isAtEnd(_ offset: Int = 0) -> Bool { position + offset >= bytes.count }

    private static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

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

    private mutating func next() -> CSSToken? {
        skipComments()
        guard !isAtEnd() else { return nil }
        let start = position
        var token = consume()
        token.start = start
        token.end = position
        return token
    }

    private mutating func skipComments() {
        while peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
            position += 2
            while !isAtEnd(), !(peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { position += 1 }
            position = min(position + 2, bytes.count)
        }
    }

    private mutating func consume() -> CSSToken {
        let byte = peek()
        switch byte {
        case _ where byte.isASCIIWhitespace:
            while !isAtEnd(), peek().isASCIIWhitespace { position += 1 }
            return CSSToken(kind: .whitespace)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return consumeString()
        case UInt8(ascii: "#") where isName(1) || isValidEscape(1):
            let isIdentifier = startsIdentifier(1)
            position += 1
            var token = CSSToken(kind: .hash, text: consumeName())
            token.isIdentifier = isIdentifier
            return token
        case UInt8(ascii: "@") where startsIdentifier(1):
            position += 1
            return CSSToken(kind: .atKeyword, text: consumeName())
        case _ where startsNumber(): return consumeNumeric()
        case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-") && peek(2) == UInt8(ascii: ">"):
            position += 3
            return CSSToken(kind: .cdc)
        case UInt8(ascii: "<")
        where peek(1) == UInt8(ascii: "!") && peek(2) == UInt8(ascii: "-") && peek(3) == UInt8(ascii: "-"):
            position += 4
            return CSSToken(kind: .cdo)
        case _ where startsIdentifier(): return consumeIdentifierLike()
        default:
            position += 1
            return CSSToken(kind: Self.punctuation(byte), byte: byte)
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

    private mutating func consumeIdentifierLike() -> CSSToken {
        let name = consumeName()
        guard peek() == UInt8(ascii: "(") else {
            return CSSToken(kind: .identifier, text: name)
        }
        position += 1
        if name.isEqualIgnoringASCIICase(to: "url") {
            var offset = 0
            while peek(offset).isASCIIWhitespace { offset += 1 }
            if peek(offset) != UInt8(ascii: "\""), peek(offset) != UInt8(ascii: "'") { return consumeURL() }
        }
        return CSSToken(kind: .function, text: name)
    }

    /// Consumes a URL without quotes, whose text no selector uses: only its end matters.
    private mutating func consumeURL() -> CSSToken {
        while !isAtEnd() {
            if peek() == UInt8(ascii: ")") {
                position += 1
                break
            }
            position = min(position + (isValidEscape(0) ? 2 : 1), bytes.count)
        }
        return CSSToken(kind: .url)
    }

    private mutating func consumeString() -> CSSToken {
        let quote = peek()
        position += 1
        var text: [UInt8] = []
        while !isAtEnd() {
            let byte = peek()
            if byte == quote {
                position += 1
                break
            }
            if Self.isNewline(byte) {
                return CSSToken(kind: .badString)
            }
            if byte == UInt8(ascii: "\\") {
                position += 1
                if isAtEnd() { break }
                if Self.isNewline(peek()) {
                    position += peek() == 0x0D && peek(1) == 0x0A ? 2 : 1
                } else {
                    consumeEscape(into: &text)
                }
            } else {
                appendByte(to: &text)
            }
        }
        return CSSToken(kind: .string, text: String(decoding: text, as: UTF8.self))
    }

    private mutating func consumeName() -> String {
        var text: [UInt8] = []
        while true {
            if isName(0) {
                appendByte(to: &text)
            } else if isValidEscape(0) {
                position += 1
                consumeEscape(into: &text)
            } else {
                return String(decoding: text, as: UTF8.self)
            }
        }
    }

    private mutating func appendByte(to text: inout [UInt8]) {
        let byte = peek()
        position += 1
        if byte == 0 { text += [0xEF, 0xBF, 0xBD] } else { text.append(byte) }
    }

    /// Consumes an escaped code point, after the backslash.
    private mutating func consumeEscape(into text: inout [UInt8]) {
        var value: UInt32 = 0
        var count = 0
        while count < 6, !isAtEnd(), let digit = Self.hexValue(peek()) {
            value = value << 4 | UInt32(digit)
            count += 1
            position += 1
        }
        guard count > 0 else {
            // At the end of the text a backslash stands for U+FFFD.
            guard !isAtEnd() else {
                text += [0xEF, 0xBF, 0xBD]
                return
            }
            appendByte(to: &text)
            return
        }
        if peek() == 0x0D, peek(1) == 0x0A {
            position += 2
        } else if peek().isASCIIWhitespace {
            position += 1
        }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        text += String(Character(scalar ?? "\u{FFFD}")).utf8
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x37
        case 0x61...0x66: byte &- 0x57
        default: nil
        }
    }

    private mutating func consumeNumeric() -> CSSToken {
        var token = consumeNumber()
        if startsIdentifier() {
            token.kind = .dimension
            token.text = consumeName()
        } else if peek() == UInt8(ascii: "%") {
            position += 1
            token.kind = .percentage
        }
        return token
    }

    private mutating func consumeNumber() -> CSSToken {
        var token = CSSToken(kind: .number)
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
            while peek().isASCIIDigit { position += 1 }
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
            if peek(1 + sign).isASCIIDigit {
                token.integer = nil
                position += 2 + sign
                while peek().isASCIIDigit { position += 1 }
            }
        }
        return token
    }
}
