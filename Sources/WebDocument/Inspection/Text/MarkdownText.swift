/// Writes plain text as CommonMark that is read as the same text.
package enum MarkdownText {
    /// A paragraph of one line.
    package static func line(_ text: String) -> [UInt8] { escaped(text, .paragraph) }

    /// A cell of a table.
    package static func cell(_ text: String) -> [UInt8] { escaped(text, .cell) }

    /// A code block of the whole text.
    package static func code(_ text: String) -> [UInt8] {
        var blocks = MarkdownBlocks()
        blocks.write(code: lines(Array(text.utf8)), language: "")
        return blocks.bytes
    }

    private static func escaped(_ text: String, _ place: MarkdownLine.Place) -> [UInt8] {
        var writer = MarkdownEscaping(place)
        writer.write(text: Array(text.collapsingASCIIWhitespace.utf8)[...])
        return writer.bytes
    }

    /// The text with each line ending replaced by a line feed.
    private static func lines(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        return text.indices.compactMap { index in
            guard text[index] == 0x0D else { return text[index] }
            return index + 1 < text.count && text[index + 1] == 0x0A ? nil : 0x0A
        }
    }
}
