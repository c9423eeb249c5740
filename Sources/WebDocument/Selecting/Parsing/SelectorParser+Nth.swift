/// The An+B notation.
///
/// <https://drafts.csswg.org/css-syntax-3/#anb-microsyntax>
extension SelectorParser {
    /// Parses An+B, with the white space before and after it.
    mutating func parseNth() throws(SelectorError) -> (step: Int32, offset: Int32) {
        skipWhitespace()
        let token = self.token
        let result: (step: Int, offset: Int)
        switch token.kind {
        case .number:
            guard let value = token.integer else { throw expected("an integer or An+B") }
            index += 1
            result = (0, value)
        case .dimension:
            guard let value = token.integer else { throw expected("an integer or An+B") }
            index += 1
            result = (value, try offset(after: token.text, at: token))
        case .identifier:
            index += 1
            if token.text.isEqualIgnoringASCIICase(to: "even") {
                result = (2, 0)
            } else if token.text.isEqualIgnoringASCIICase(to: "odd") {
                result = (2, 1)
            } else if token.text.utf8.first == UInt8(ascii: "-") {
                result = (-1, try offset(after: String(token.text.dropFirst()), at: token))
            } else {
                result = (1, try offset(after: token.text, at: token))
            }
        case .delimiter where token.byte == UInt8(ascii: "+"):
            // "+n": no white space is allowed in between.
            index += 1
            let name = self.token
            guard name.kind == .identifier else { throw expected("\"n\" right after \"+\"") }
            index += 1
            result = (1, try offset(after: name.text, at: name))
        default: throw expected("\"even\", \"odd\", an integer or An+B")
        }
        skipWhitespace()
        return (Int32(clamping: result.step), Int32(clamping: result.offset))
    }

    /// Parses B, a part of which may be in the same token as the "n": nothing in "n", "-" in "n-", "-2" in
    /// "n-2".
    private mutating func offset(after unit: String, at token: SelectorToken) throws(SelectorError) -> Int {
        let bytes = Array(unit.utf8)
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "n") else {
            throw error("expected \"even\", \"odd\", an integer or An+B", at: token)
        }
        if bytes.count == 1 { return try signedOffset() }
        guard bytes[1] == UInt8(ascii: "-") else {
            throw error("expected \"+\" or \"-\" after \"n\"", at: token)
        }
        if bytes.count == 2 { return 0 - (try unsignedInteger()) }
        var value = 0
        for byte in bytes[2...] {
            guard byte.isASCIIDigit else { throw error("expected digits after \"n-\"", at: token) }
            value.appendDigit(byte)
        }
        return 0 - min(value, Int(Int32.max))
    }

    /// Parses B if it is in tokens of its own: a signed integer, or a sign and an integer; 0 if there is
    /// none.
    private mutating func signedOffset() throws(SelectorError) -> Int {
        skipWhitespace()
        let token = self.token
        switch token.kind {
        case .number where token.hasSign:
            guard let value = token.integer else { throw expected("an integer") }
            index += 1
            return value
        case .delimiter where token.byte == UInt8(ascii: "+"):
            index += 1
            return try unsignedInteger()
        case .delimiter where token.byte == UInt8(ascii: "-"):
            index += 1
            return 0 - (try unsignedInteger())
        default: return 0
        }
    }

    private mutating func unsignedInteger() throws(SelectorError) -> Int {
        skipWhitespace()
        guard token.kind == .number, !token.hasSign, let value = token.integer else {
            throw expected("an integer without a sign")
        }
        index += 1
        return value
    }
}
