import WebLoader

/// The result of `webinspect text` on a page: its text, or with `--comments` its discussion.
struct TextAnswer {
    private enum Kind {
        case text(TextReport)
        case discussion(DiscussionReport)
    }

    private let kind: Kind
    private let isMarkdown: Bool

    init(_ page: ParsedPage, source: String, _ options: TextOptions) throws(Failure) {
        isMarkdown = options.isMarkdown
        kind =
            options.isDiscussion
            ? .discussion(try DiscussionReport(page, source: source))
            : .text(try TextReport(page, source: source, options))
    }

    /// Warns on stderr where the text may be incomplete, and explains it, if asked for.
    func report(_ options: LoadingOptions) {
        guard case .text(let report) = kind else { return }
        if options.explains { report.explanation.forEach(Diagnostics.note) }
        if let warning = report.warning, !options.isSilent {
            Diagnostics.warn("\(warning.message) (\(warning.code.rawValue))")
        }
    }

    /// For people; empty where there is nothing to read.
    var lines: [UInt8] {
        switch kind {
        case .text(let report): report.lines
        case .discussion(let report): report.lines(asMarkdown: isMarkdown)
        }
    }

    var json: JSONValue {
        switch kind {
        case .text(let report): report.json
        case .discussion(let report): report.json
        }
    }
}
