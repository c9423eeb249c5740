/// The text of a page for reading: its main content, or all of it.
public struct ReadableText: Hashable, Sendable, Codable {
    /// The title that the page gives itself, without the site's name where that can be recognized; nil where
    /// there is none.
    public let title: String?

    /// The author, from metadata or from the page; nil where none is named.
    public let byline: String?

    /// The language, a BCP 47 tag as the page declares it; nil where it declares none.
    public let language: String?

    /// The plain text: white space collapsed, one line for each block, a blank line between paragraphs; empty
    /// where there is none.
    public let text: String

    /// The same as CommonMark, with GitHub's tables and footnotes, links and images absolute.
    public let markdown: String

    /// The kind of the page: an article, a discussion, a list; `nil` for ``ParsedPage/wholeText``, for a page without a
    /// tree, and if there is no text.
    public let kind: ContentKind?

    /// The share of the main content's words that is expected to be in the text, from 0 to 1: how sure the reader is
    /// that it left out none of it; nil as for ``kind``, and for pages that are too short to tell.
    public let completeness: Double?

    /// The warning for readers of the text; `nil` if there is none.
    public let warning: TextWarning?

    /// How many words there are: runs of letters and digits; in Chinese and Japanese, characters.
    public let wordCount: Int

    /// A selector of the element that contains the main content, some of which may be beside it; nil for a
    /// page without a tree.
    public let path: String?

    /// Where that element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}

extension ReadableText {
    /// How many words a text has.
    ///
    /// Complexity: O(n).
    package static func wordCount(_ text: [UInt8]) -> Int {
        var count = 0
        var isInWord = false
        var letters = LetterMemory()
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0..<0x80:
                let isWord = UInt8(truncatingIfNeeded: scalar.value).isASCIIAlphanumeric
                if isWord, !isInWord { count += 1 }
                isInWord = isWord
            // Hiragana, katakana, and the ideographs of the first two planes.
            case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
                count += 1
                isInWord = false
            default:
                let kind = letters.kind(of: scalar)
                if kind == .letter, !isInWord { count += 1 }
                isInWord = kind == .letter || kind == .mark && isInWord
            }
        }
        return count
    }
}

/// A cache of the kinds of characters: a text has few different ones, and looking each up anew took 104 of
/// the 292 million instructions of reading a Cyrillic page and writing it as text (`Scripts/instructions`,
/// *decode*).
private struct LetterMemory {
    enum Kind: UInt8 {
        case letter
        /// A character that combines with a letter, and does not end a word.
        case mark
        case other
    }

    /// For the low bits of a character, the one that was looked up last.
    private var known = [(scalar: UInt32, kind: Kind)](repeating: (0, .other), count: 512)

    mutating func kind(of scalar: Unicode.Scalar) -> Kind {
        let index = Int(scalar.value & 511)
        if known[index].scalar == scalar.value { return known[index].kind }
        let properties = scalar.properties
        let kind: Kind =
            if properties.isAlphabetic || properties.numericType != nil {
                .letter
            } else if properties.canonicalCombiningClass != .notReordered {
                .mark
            } else {
                .other
            }
        known[index] = (scalar.value, kind)
        return kind
    }
}
