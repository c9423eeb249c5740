/// Plain text as CommonMark that reads as the same.
package enum MarkdownText {
    /// A paragraph of one line.
    package static func line(_ text: String) -> [UInt8] { escaped(text, .paragraph) }

    /// A cell of a table.
    package static func cell(_ text: String) -> [UInt8] { escaped(text, .cell) }

    /// A block of code of all of it.
    package static func code(_ text: String) -> [UInt8] {
        var blocks = MarkdownBlocks()
        blocks.write(code: Array(text.utf8), language: "")
        return blocks.bytes
    }

    private static func escaped(_ text: String, _ place: MarkdownLine.Place) -> [UInt8] {
        var writer = MarkdownEscaping(place)
        writer.write(text: Array(text.utf8)[...])
        return writer.bytes
    }
}
