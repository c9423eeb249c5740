import WebLoader

/// The output of `webinspect text --comments`.
///
/// docs/json-report.md describes the JSON to users.
struct DiscussionReport {
    private let page: ParsedPage
    private let source: String
    private let posts: [DiscussionPost]

    init(_ page: ParsedPage, source: String) throws(Failure) {
        guard page.document != nil || page.text != nil else {
            throw Failure(
                subject: source,
                "\(page.mediaType.essence) has no text",
                code: "parse.kind",
                status: .content
            )
        }
        self.page = page
        self.source = source
        posts = page.discussion.posts
    }

    /// The posts, each with a line that says who and when, replies further inside; empty where there are none.
    ///
    /// Plain, two spaces stand before each line for each post that it replies to; in Markdown, a quotation mark does.
    /// Depths beyond ``maximumDepth`` are written as that, so that the lines do not grow without end.
    func lines(asMarkdown isMarkdown: Bool) -> [UInt8] {
        var output: [UInt8] = []
        var lastDepth = 0
        for (index, post) in posts.enumerated() {
            let depth = min(post.depth, Self.maximumDepth)
            let mark = [UInt8](String(repeating: isMarkdown ? "> " : "  ", count: depth).utf8)
            // A quotation goes on behind a line that is quoted as deeply as both posts.
            if index > 0 {
                Self.append(
                    EmptyCollection(),
                    behind: mark.prefix(isMarkdown ? 2 * lastDepth : 0),
                    to: &output
                )
            }
            let name = post.author.map { isMarkdown ? "**\(Self.escaped($0))**" : $0 }
            let byline = [name, post.date.map { isMarkdown ? Self.escaped($0.text) : $0.text }].compactMap {
                $0
            }
            if !byline.isEmpty {
                Self.append(byline.joined(separator: ", ").utf8, behind: mark[...], to: &output)
                if isMarkdown { Self.append(EmptyCollection(), behind: mark[...], to: &output) }
            }
            var text = [UInt8]((isMarkdown ? post.markdown : post.text).utf8)
            while text.last == 0x0A { text.removeLast() }
            for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
                Self.append(line, behind: mark[...], to: &output)
            }
            lastDepth = depth
        }
        return TerminalText.visible(lines: output)
    }

    private static var maximumDepth: Int { 12 }

    /// Appends a line behind a mark, no spaces at the end of an empty one.
    private static func append(
        _ line: some Collection<UInt8>,
        behind mark: ArraySlice<UInt8>,
        to output: inout [UInt8]
    ) {
        output += mark
        output += line
        if line.isEmpty { while output.last == 0x20 { output.removeLast() } }
        output.append(0x0A)
    }

    /// A text whose characters are no markup in a line of Markdown.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character.isASCII, character.isPunctuation || character.isSymbol { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    var json: JSONValue {
        .object([
            .init("schema", .integer(PageReport.version)),
            .init("source", .string(Source.redacted(source))),
            .init("url", .string(page.response.url.description)),
            .init("discussion", .array(posts.map(Self.json))),
        ])
    }

    private static func json(_ post: DiscussionPost) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("author", JSONValue(post.author)),
            .init("author_url", JSONValue(post.authorURL?.href)),
            .init("date", JSONValue(post.date?.date)),
            .init("date_text", JSONValue(post.date?.text)),
            .init("depth", .integer(Int64(post.depth))),
            .init("parent", post.parent.map { .integer(Int64($0)) } ?? .null),
            .init("id", JSONValue(post.id)),
            .init("text", .string(post.text)),
            .init("markdown", .string(post.markdown)),
        ]
        if let path = post.path { members.append(.init("path", .string(path))) }
        members += JSONValue.members(post.position)
        return .object(members)
    }
}
