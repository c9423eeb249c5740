import WebStandards

/// The text of a page that a reader sees, as a search for words has it: without case and accents, a block of the page a
/// line, and any white space inside one a space.
package struct SearchableText: Equatable, Sendable {
    /// The text in UTF-8.
    package let bytes: [UInt8]

    /// Takes a text that was kept.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text of one line, as words that are looked for.
    init(words: String) {
        var builder = FoldedTextBuilder()
        builder.append(words: words)
        bytes = builder.finish().text
    }

    /// Gathers the visible text of a page; nil for one without a tree, and for one that has more text than allowed.
    ///
    /// Text that style sheets hide counts as visible, since they are not applied.
    ///
    /// Complexity: O(n) in the size of the page.
    package init?(_ page: ParsedPage, maximumSize: Int = .largestBounded) {
        guard let document = page.document else { return nil }
        var builder = FoldedTextBuilder()
        guard VisibleText.append(document, to: &builder, maximumSize: maximumSize) else { return nil }
        bytes = builder.finish().text
    }
}
