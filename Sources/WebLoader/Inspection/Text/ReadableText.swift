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
                let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                // What combines with a letter is no end of a word.
                let isMark = scalar.properties.canonicalCombiningClass != .notReordered
                if isWord, !isInWord { count += 1 }
                isInWord = isWord || isMark && isInWord
            }
        }
        return count
    }
}
