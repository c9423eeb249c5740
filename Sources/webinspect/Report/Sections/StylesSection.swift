import WebLoader

extension PageStylesheet {
    /// Returns a text as in "2 external, 1 inline (1.2 KB)"; `nil` if there are no style sheets.
    static func text(_ styles: [PageStylesheet]) -> String? {
        let inline = styles.compactMap(\.inlineSize)
        return Wording.list([
            Wording.count(styles.count - inline.count, "external", "external"),
            Wording.count(inline.count, "inline", "inline").map {
                "\($0) (\(TerminalText.bytes(inline.reduce(0, +))))"
            },
        ])
    }
}
