/// What the flags of `text` say besides those of every command that makes a page.
struct TextOptions: Equatable {
    var source = ""
    /// Whether to write CommonMark.
    var isMarkdown = false
    /// Whether to take all of the page.
    var isWhole = false
}
