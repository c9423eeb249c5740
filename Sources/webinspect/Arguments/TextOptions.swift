/// The options of `text`, besides those of every command that parses a page.
struct TextOptions: Equatable {
    var source = ""
    /// Whether to write CommonMark.
    var isMarkdown = false
    /// Whether to write all of the page, not only the main content.
    var isWhole = false
}
