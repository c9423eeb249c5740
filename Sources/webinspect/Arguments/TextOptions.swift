import ArgumentParser

/// The options of `text`, besides those of every command that parses a page.
struct TextOptions: Equatable {
    /// Whether to write CommonMark.
    var isMarkdown = false
    /// Whether to write all of the page, not only the main content.
    var isWhole = false
    /// Whether `--all` stands on the line, whose meaning `--from` decides.
    var takesAll = false
    /// Whether to write the discussion in place of the text.
    var isDiscussion = false
    /// Whether to say of each block why it is part of the text or is not.
    var explains = false

    /// Throws if the flags cannot be combined.
    func check() throws(Failure) {
        if isDiscussion, isWhole {
            throw Failure(usage: "--comments", "not together with --whole, which contradicts it")
        }
    }
}

/// The flags of `text` alone.
struct TextArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .flag("--markdown", help: "Write CommonMark.") { $0.text.isMarkdown = true },
        .flag("--comments", help: "Write the comments, replies, posts or answers, not the main content.") {
            $0.text.isDiscussion = true
        },
        .flag("--whole", help: "Write all of the page, not only its main content.") {
            $0.text.isWhole = true
        },
        .flag(
            "--all",
            help: "With --from, each page of the archives in place of SOURCE (alone, an old name of --whole)."
        ) {
            $0.text.takesAll = true
        },
    ]
    var given = GivenFlags(flags)
}
