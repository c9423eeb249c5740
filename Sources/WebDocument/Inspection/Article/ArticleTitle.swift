/// The title of an article in a text that may have the site's name and others around it.
struct ArticleTitle {
    /// The title.
    let text: String

    /// The part of the text that is the site's name; nil where none was recognized.
    let site: String?

    /// The part beside the title that may be the site's name; nil where the text has only the title.
    let rest: String?

    /// Texts that are longer have no site's name in them that anyone would read.
    private static let maximumLength = 2_000

    /// Removes the site's name, judged by the page's other names for its subject and its site, not by lengths.
    ///
    /// - Parameters:
    ///   - whole: The text.
    ///   - site: The possible names of the site.
    ///   - others: The page's other names for its subject, as in its heading.
    /// - Complexity: O(n) in the size of the text.
    init(_ whole: String, _ site: ArticleSite, others: Set<ArticleText>) {
        var title = whole
        var name: String?
        var rest: String?
        if whole.utf8.count <= Self.maximumLength {
            let parts = Self.parts(whole)
            if parts.count > 1 {
                var range = Self.agreed(parts, whole, others, site) ?? parts.indices
                if range == parts.indices {
                    while range.count > 1, site.isName(whole[parts[range.upperBound - 1]]) {
                        range.removeLast()
                    }
                    while range.count > 1, site.isName(whole[parts[range.lowerBound]]) { range.removeFirst() }
                    if range == parts.indices, Self.endsBehindBar(parts, whole) { range.removeLast() }
                }
                if range != parts.indices {
                    title = String(
                        whole[parts[range.lowerBound].lowerBound..<parts[range.upperBound - 1].upperBound]
                    )
                    name = parts.indices.reversed().first {
                        !range.contains($0) && site.isName(whole[parts[$0]])
                    }
                    .map { String(whole[parts[$0]]) }
                    let last = range.upperBound < parts.count ? parts.count - 1 : 0
                    rest = String(whole[parts[last]])
                }
            }
        }
        text = title
        self.site = name
        self.rest = rest
    }

    /// Whether a bar is before the last part, which is the shorter one: hardly any title has a bar of its own.
    private static func endsBehindBar(_ parts: [Range<String.Index>], _ whole: String) -> Bool {
        let (title, last) = (parts[parts.count - 2], parts[parts.count - 1])
        return whole[title.upperBound..<last.lowerBound].contains { "|｜¦»".contains($0) }
            && ArticleText(whole[last]).letters.utf8.count
                < ArticleText(whole[parts[0].lowerBound..<title.upperBound]).letters.utf8.count
    }

    /// The longest run of parts that says the same as another place, without being all of them.
    private static func agreed(
        _ parts: [Range<String.Index>],
        _ whole: String,
        _ others: Set<ArticleText>,
        _ site: ArticleSite
    ) -> Range<Int>? {
        guard !others.isEmpty, parts.count <= 12 else { return nil }
        for length in (1..<parts.count).reversed() {
            for start in 0...parts.count - length {
                let range = parts[start].lowerBound..<parts[start + length - 1].upperBound
                if others.contains(ArticleText(whole[range])), !site.isName(whole[range]) {
                    return start..<start + length
                }
            }
        }
        return nil
    }

    /// The parts of a text between separators.
    private static func parts(_ text: String) -> [Range<String.Index>] {
        var parts: [Range<String.Index>] = []
        var start = text.startIndex
        var index = start
        var previous: Character = " "
        while index < text.endIndex {
            let character = text[index]
            var end = text.index(after: index)
            let next = end < text.endIndex ? text[end] : " "
            if isSeparator(character, after: previous, before: next) {
                // "::" is one.
                while end < text.endIndex, text[end] == character || text[end].isWhitespace {
                    end = text.index(after: end)
                }
                append(text, start..<index, to: &parts)
                start = end
                previous = " "
            } else {
                previous = character
            }
            index = end
        }
        append(text, start..<text.endIndex, to: &parts)
        return parts
    }

    private static func append(
        _ text: String,
        _ range: Range<String.Index>,
        to parts: inout [Range<String.Index>]
    ) {
        var end = range.upperBound
        while end > range.lowerBound, text[text.index(before: end)].isWhitespace {
            end = text.index(before: end)
        }
        if end > range.lowerBound { parts.append(range.lowerBound..<end) }
    }

    /// Whether a character separates parts of a title: some do only with white space around them, or between characters
    /// of languages that have no spaces.
    private static func isSeparator(
        _ character: Character,
        after previous: Character,
        before next: Character
    ) -> Bool {
        switch character {
        case "|", "｜", "¦", "»", "«", "›", "‹", "•", "·", "∙", "⋅", "：": true
        case "-", "–", "—", "－", "―", "/", "\\", ">", "<", "~", "_", "@":
            previous.isWhitespace && next.isWhitespace || isEastern(previous) || isEastern(next)
        case ":": next.isWhitespace || next == ":"
        default: false
        }
    }

    private static func isEastern(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { 0x3000...0x9FFF ~= $0.value || 0xAC00...0xD7A3 ~= $0.value }
            ?? false
    }
}
