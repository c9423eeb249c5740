/// A token of a text in which dates are looked for, with its place among the text's bytes.
struct WrittenDateToken {
    enum Kind: Equatable {
        /// Digits of any script: their value, and how many they are.
        case number(Int, digits: Int)
        /// Letters.
        case word
        /// White space, as one space; any other character; a letter of Chinese, Japanese or Korean.
        case mark(UInt32)
    }

    let kind: Kind
    var start: Int
    var end: Int

    /// Splits the first bytes of a text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; what is not is skipped.
    ///   - limit: How many bytes are read at most.
    /// - Returns: The tokens, in their order.
    static func tokens(of bytes: [UInt8], limit: Int = 400) -> [WrittenDateToken] {
        var tokens: [WrittenDateToken] = []
        var decoder = Unicode.UTF8.ForwardParser()
        var input = bytes.prefix(limit).makeIterator()
        var start = 0
        while true {
            let scalar: Unicode.Scalar
            switch decoder.parseScalar(from: &input) {
            case .valid(let encoded): scalar = Unicode.UTF8.decode(encoded)
            case .error(let length):
                start += length
                continue
            case .emptyInput: return tokens
            }
            let end = start + UTF8.width(scalar)
            append(scalar.value, start..<end, to: &tokens)
            start = end
        }
    }

    private static func append(_ scalar: UInt32, _ place: Range<Int>, to tokens: inout [WrittenDateToken]) {
        guard let kind = kind(of: scalar) else { return }
        let last = tokens.count - 1
        if last >= 0 {
            switch (tokens[last].kind, kind) {
            case (.number(let value, let digits), .number(let digit, _)):
                // More digits than any date has are no number of one.
                let value = digits < 12 ? value *| 10 +| digit : value
                tokens[last] = WrittenDateToken(
                    kind: .number(value, digits: digits + 1),
                    start: tokens[last].start,
                    end: place.upperBound
                )
                return
            case (.word, .word), (.mark(0x20), .mark(0x20)):
                tokens[last].end = place.upperBound
                return
            default: break
            }
        }
        tokens.append(WrittenDateToken(kind: kind, start: place.lowerBound, end: place.upperBound))
    }

    /// Returns the kind of a character; `nil` for one that does not show.
    private static func kind(of scalar: UInt32) -> Kind? {
        switch scalar {
        case 0x30...0x39: .number(Int(scalar) - 0x30, digits: 1)
        case 0x41...0x5A, 0x61...0x7A: .word
        case 9, 10, 12, 13, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            .mark(0x20)
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: nil
        case 0..<0xC0, 0xD7, 0xF7, 0x2010...0x2BFF, 0x3001...0x303F: .mark(scalar)
        case 0x60C, 0x61B, 0x61F, 0x66A...0x66D, 0x6D4, 0x964, 0x965, 0x5BE, 0x5C3: .mark(scalar)
        case 0x660...0x669: .number(Int(scalar) - 0x660, digits: 1)
        case 0x6F0...0x6F9: .number(Int(scalar) - 0x6F0, digits: 1)
        case 0x966...0x96F: .number(Int(scalar) - 0x966, digits: 1)
        case 0xFF10...0xFF19: .number(Int(scalar) - 0xFF10, digits: 1)
        // The wide forms of ASCII's marks.
        case 0xFF01...0xFF0F, 0xFF1A...0xFF20: .mark(scalar &- 0xFEE0)
        case 0x3040...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x1F000...0x3FFFF:
            .mark(scalar)
        default: .word
        }
    }
}
