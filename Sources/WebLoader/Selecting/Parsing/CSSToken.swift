/// A token of CSS, as far as selectors tell tokens apart.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct CSSToken {
    enum Kind: UInt8 {
        case identifier, function, atKeyword, hash, string, badString, url, badURL, delimiter
        case number, percentage, dimension, whitespace, colon, semicolon, comma
        case openSquare, closeSquare, openRound, closeRound, openCurly, closeCurly, cdo, cdc
        /// After the last one.
        case end
    }

    var kind: Kind

    /// Where it begins and ends, in bytes.
    var start = 0
    var end = 0

    /// The name or the text, escapes undone; of a dimension, its unit.
    var text = ""

    /// Of a delimiter: the byte, which is ASCII.
    var byte: UInt8 = 0

    /// Of a hash: whether it would do as an identifier.
    var isIdentifier = false

    /// Of numbers: the value, if it is written as an integer; clamped to 32 bits.
    var integer: Int?

    /// Of numbers: whether a sign is written.
    var hasSign = false

    /// Of what opens a block: the index of the token that closes it, or of the end.
    var partner = 0

    /// Whether it is this delimiter.
    func isDelimiter(_ delimiter: UInt8) -> Bool { kind == .delimiter && byte == delimiter }
}
