/// A token of CSS, as far as selectors distinguish them.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct CSSToken {
    enum Kind: UInt8 {
        case identifier, function, atKeyword, hash, string, badString, url, badURL, delimiter
        case number, percentage, dimension, whitespace, colon, semicolon, comma
        case openSquare, closeSquare, openRound, closeRound, openCurly, closeCurly, cdo, cdc
        /// Follows the last token.
        case end
    }

    var kind: Kind

    /// Where it begins and ends, in bytes.
    var start = 0
    var end = 0

    /// The name or the text, with escapes decoded; for a dimension, its unit.
    var text = ""

    /// The byte of a delimiter, which is ASCII.
    var byte: UInt8 = 0

    /// Whether the text of a hash is a valid identifier.
    var isIdentifier = false

    /// The value of a number that is written as an integer, clamped to 32 bits.
    var integer: Int?

    /// Whether a number is written with a sign.
    var hasSign = false

    /// The index of the token that closes the block that this one opens, or of the end.
    var partner = 0

    /// Whether it is this delimiter.
    func isDelimiter(_ delimiter: UInt8) -> Bool { kind == .delimiter && byte == delimiter }
}
