/// Parses JSON by recursive descent, one method per rule of the grammar.
package struct JSONParser<Builder: JSONBuilder> {
    let input: [UInt8]
    private let builder: Builder
    var position = 0
    private var depth = 0

    /// Whether common errors of pages are corrected (``JSONRepair``).
    let isTolerant: Bool

    /// The corrections so far, each kind once.
    var repairs: [JSONRepair] = []

    private static var maximumDepth: Int { 512 }

    package init(input: [UInt8], builder: Builder, isTolerant: Bool = false) {
        self.input = input
        self.builder = builder
        self.isTolerant = isTolerant
    }

    package mutating func document() throws(JSONValue.ParsingError) -> Builder.Value {
        skipWhitespace()
        let value = try value()
        skipWhitespace()
        guard position == input.count else { throw error("unexpected text after the value") }
        return value
    }

    func error(_ message: String) -> JSONValue.ParsingError {
        let before = input[..<min(position, input.count)]
        let line = before.lazy.filter { $0 == 0x0A }.count + 1
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONValue.ParsingError(message: message, line: line, column: before.count - lineStart + 1)
    }

    var current: UInt8? { position < input.count ? input[position] : nil }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        repeat {
            while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                position += 1
            }
        } while isTolerant && skipNonJSON()
    }

    // MARK: - Values

    mutating func value() throws(JSONValue.ParsingError) -> Builder.Value {
        let start = position
        switch current {
        case UInt8(ascii: "{"):
            return try nested { (parser) throws(JSONValue.ParsingError) in try parser.object(from: start) }
        case UInt8(ascii: "["):
            return try nested { (parser) throws(JSONValue.ParsingError) in try parser.array(from: start) }
        default: return builder.scalar(try scalar(), at: start)
        }
    }

    private mutating func scalar() throws(JSONValue.ParsingError) -> JSONValue {
        switch current {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"): return try number()
        case let digit? where digit.isASCIIDigit: return try number()
        case nil: throw error("expected a value, found the end")
        default: throw error("expected a value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONValue.ParsingError) -> Builder.Value
    ) throws(JSONValue.ParsingError) -> Builder.Value {
        guard depth < Self.maximumDepth else {
            throw error("nested more than \(Self.maximumDepth) levels deep")
        }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipWhitespace()
        return try body(&self)
    }

    private mutating func object(from start: Int) throws(JSONValue.ParsingError) -> Builder.Value {
        var members: [(name: String, offset: Int, value: Builder.Value)] = []
        if skip(UInt8(ascii: "}")) { return builder.object(members, at: start) }
        while true {
            guard current == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
            let offset = position
            let name = try string()
            skipWhitespace()
            guard skip(UInt8(ascii: ":")) else { throw error("expected a colon") }
            skipWhitespace()
            members.append((name, offset, try value()))
            skipWhitespace()
            if skip(UInt8(ascii: "}")) { return builder.object(members, at: start) }
            guard skip(UInt8(ascii: ",")) else { throw error("expected a comma or the end of the object") }
            skipWhitespace()
            if isTolerant, skipAfterComma(UInt8(ascii: "}")) { return builder.object(members, at: start) }
        }
    }

    private mutating func array(from start: Int) throws(JSONValue.ParsingError) -> Builder.Value {
        var values: [Builder.Value] = []
        if skip(UInt8(ascii: "]")) { return builder.array(values, at: start) }
        while true {
            values.append(try value())
            skipWhitespace()
            if skip(UInt8(ascii: "]")) { return builder.array(values, at: start) }
            guard skip(UInt8(ascii: ",")) else { throw error("expected a comma or the end of the array") }
            skipWhitespace()
            if isTolerant, skipAfterComma(UInt8(ascii: "]")) { return builder.array(values, at: start) }
        }
    }

    private mutating func literal(
        _ text: StaticString,
        _ value: JSONValue
    ) throws(JSONValue.ParsingError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard skip(unsafe text.utf8Start[index]) else { throw error("expected \(text)") }
        }
        return value
    }

    // MARK: - Numbers

    private mutating func skipDigits() throws(JSONValue.ParsingError) {
        guard current?.isASCIIDigit ?? false else { throw error("expected a digit") }
        while current?.isASCIIDigit ?? false { position += 1 }
    }

    private mutating func number() throws(JSONValue.ParsingError) -> JSONValue {
        let start = position
        var isWhole = true
        _ = skip(UInt8(ascii: "-"))
        // No digit follows a leading zero.
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try skipDigits()
        }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        let text = String(decoding: input[start..<position], as: UTF8.self)
        // Only a floating-point zero has a sign.
        if isWhole, text != "-0", let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text) else { throw error("the number cannot be read") }
        return .number(number)
    }

    // MARK: - Strings

    private mutating func string() throws(JSONValue.ParsingError) -> String {
        position += 1
        var output: [UInt8] = []
        var start = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                let text =
                    output.isEmpty
                    ? String(validating: input[start..<position], as: UTF8.self)
                    : String(validating: output + input[start..<position], as: UTF8.self)
                guard let text else { throw error("the string before this is not valid UTF-8") }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                output += input[start..<position]
                position += 1
                try escape(into: &output)
                start = position
            case 0..<0x20:
                guard isTolerant else { throw error("unescaped control character in a string") }
                note(.controlCharacter)
                position += 1
            default: position += 1
            }
        }
        throw error("unterminated string")
    }

    private mutating func escape(into output: inout [UInt8]) throws(JSONValue.ParsingError) {
        guard let byte = current else { throw error("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape()
            output += String(scalar).utf8
        default:
            guard isTolerant, byte >= 0x20 else {
                position -= 1
                throw error("invalid escape")
            }
            note(.unknownEscape)
            output.append(byte)
        }
    }

    /// Parses the digits after `\u`, and the second half of a surrogate pair.
    private mutating func unicodeEscape() throws(JSONValue.ParsingError) -> Unicode.Scalar {
        let unit = try hexadecimalDigits()
        guard UTF16.isLeadSurrogate(unit), current == UInt8(ascii: "\\"), position + 1 < input.count,
            input[position + 1] == UInt8(ascii: "u")
        else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let second = position
        position += 2
        let trail = try hexadecimalDigits()
        guard UTF16.isTrailSurrogate(trail) else {
            position = second
            return "\u{FFFD}"
        }
        let value = 0x10000 &+ (UInt32(unit) &- 0xD800) << 10 &+ (UInt32(trail) &- 0xDC00)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private mutating func hexadecimalDigits() throws(JSONValue.ParsingError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(truncatingIfNeeded: digit)
            position += 1
        }
        return value
    }
}
