import WebLoader

/// What `webinspect text` finds on a page: its text, or with `--comments` its discussion.
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
