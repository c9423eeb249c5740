/// A token of CSS, without its text, which ``CSSTokenizer`` has.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct CSSToken: Equatable {
    enum Kind: UInt8 {
        case identifier, function, atKeyword, hash, string, badString, url, badURL, delimiter
        case number, percentage, dimension, whitespace, colon, semicolon, comma
        case openSquare, closeSquare, openRound, closeRound, openCurly, closeCurly, cdo, cdc
        /// Follows the last token.
        case end

        /// The kind of token that ends the block that this one begins; nil if it begins none.
        var closing: Kind? {
            switch self {
            case .function, .openRound: .closeRound
            case .openSquare: .closeSquare
            case .openCurly: .closeCurly
            default: nil
            }
        }
    }

    var kind: Kind

    /// Where it begins and ends, in bytes.
    var start = 0
    var end = 0

    /// The byte of a delimiter or a bracket, of a colon, semicolon or comma; what is not ASCII is part of a name.
    var byte: UInt8 = 0

    /// Whether the text of a hash is a valid identifier.
    var isIdentifier = false

    /// The value of a number that is written as an integer, clamped to 32 bits.
    var integer: Int?

    /// Whether a number is written with a sign.
    var hasSign = false
}
