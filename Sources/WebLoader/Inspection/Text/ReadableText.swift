/// What a page says, to be read: its main content, or all of it.
public struct ReadableText: Hashable, Sendable, Codable {
    /// The title that the page gives itself, without the site's name where that can be told; nil where there is none.
    public let title: String?

    /// Who has written it, as metadata or the page say; nil where nothing does.
    public let byline: String?

    /// The language, a BCP 47 tag as the page has it; nil where it is not said.
    public let language: String?

    /// The plain text: white space collapsed, a line a block, a blank line between paragraphs; empty where there is none.
    public let text: String

    /// The same as CommonMark, with GitHub's tables and footnotes, links and images absolute.
    public let markdown: String

    /// How many words there are: runs of letters and digits; of Chinese and Japanese, characters.
    public let wordCount: Int

    /// A selector of the element that the content is in, which may have some of it beside itself; nil for what is no
    /// tree.
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

/// What characters are to words, remembered: a text has few different ones, and looking each up anew took 104 of the 292
/// million instructions of reading a Cyrillic page and writing it as text (`Scripts/instructions`, *decode*).
private struct LetterMemory {
    enum Kind: UInt8 {
        case letter
        /// What combines with a letter, and is no end of a word.
        case mark
        case other
    }

    /// The character that was looked up last of those with the same low bits.
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
