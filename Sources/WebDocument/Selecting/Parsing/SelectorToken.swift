/// A token of a selector: one of CSS, with its text and, if it opens a block, where that ends.
struct SelectorToken {
    private let token: CSSToken

    /// The name or the text, with escapes decoded; for a dimension, its unit.
    let text: String

    /// The index of the token that closes the block that this one opens, or of the end.
    private(set) var partner = 0

    private init(_ token: CSSToken, text: String) {
        self.token = token
        self.text = text
    }

    /// Returns the token after the last one, at a position in bytes.
    static func end(at position: Int = 0) -> SelectorToken {
        SelectorToken(CSSToken(kind: .end, start: position, end: position), text: "")
    }

    var kind: CSSToken.Kind { token.kind }
    var start: Int { token.start }
    var end: Int { token.end }
    var byte: UInt8 { token.byte }
    var isIdentifier: Bool { token.isIdentifier }
    var integer: Int? { token.integer }
    var hasSign: Bool { token.hasSign }

    /// Whether it is this delimiter.
    func isDelimiter(_ delimiter: UInt8) -> Bool { kind == .delimiter && byte == delimiter }

    /// The tokens of a selector; the last one is of the kind `end`.
    static func tokens(_ text: String) -> [SelectorToken] {
        var text = text
        return text.withUTF8 { bytes in
            var tokenizer = unsafe CSSTokenizer(bytes)
            var tokens: [SelectorToken] = []
            var open: [Int] = []
            while true {
                let token = tokenizer.next()
                if let last = open.last, tokens[last].kind.closing == token.kind {
                    tokens[last].partner = tokens.count
                    open.removeLast()
                }
                if token.kind.closing != nil { open.append(tokens.count) }
                if token.kind == .end { break }
                tokens.append(SelectorToken(token, text: String(decoding: tokenizer.value, as: UTF8.self)))
            }
            // A block that is not closed ends with the text.
            for index in open { tokens[index].partner = tokens.count }
            tokens.append(.end(at: bytes.count))
            return tokens
        }
    }
}
