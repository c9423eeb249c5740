import WebLoader

/// The output of `webinspect text`.
///
/// docs/json-report.md describes the JSON to users.
struct TextReport {
    private let page: ParsedPage
    private let source: String
    private let options: TextOptions
    /// The readable part; `nil` for a page without a tree, which only has its text.
    private let part: ReadablePart?
    private let plainText: String

    init(_ page: ParsedPage, source: String, _ options: TextOptions) throws(Failure) {
        self.page = page
        self.source = source
        self.options = options
        part = page.readablePart(isWhole: options.isWhole, explains: options.explains)
        guard let text = part == nil ? page.text : "" else {
            throw Failure(
                subject: source,
                "\(page.mediaType.essence) has no text",
                code: "parse.kind",
                status: .content
            )
        }
        plainText = text
    }

    private var text: [UInt8] { part?.text ?? Array(plainText.utf8) }

    private var markdown: [UInt8] { part?.markdown ?? MarkdownText.code(plainText) }

    /// The text or the Markdown, as asked for, fit for a terminal; empty where there is nothing to read.
    var lines: [UInt8] {
        TerminalText.visible(lines: options.isMarkdown ? markdown : text)
    }

    /// The warning about the text; `nil` if there is none.
    var warning: TextWarning? { part?.warning }

    /// Why each block is part of the text or is not, a line each, for people.
    var explanation: [String] {
        guard let part else { return [] }
        var first: [String] = []
        if let kind = part.kind { first.append("kind: \(kind.text)") }
        if let share = part.completeness {
            first.append("content: \(Self.percent(share)) expected to be in the text")
        }
        return first
            + part.decisions.map { decision in
                let likelihood = decision.likelihood.map { ", \(Self.percent($0))" } ?? ""
                let place =
                    decision.position.map { " at \($0.line)\($0.column.map { ":\($0)" } ?? "")" } ?? ""
                return "\(decision.isKept ? "in" : "out"), \(decision.reason.rawValue)\(likelihood): "
                    + "\(decision.element)\(place): \(decision.text)"
            }
    }

    static func percent(_ share: Double) -> String { "\(Int(bounded: (share * 100).rounded())) %" }

    var json: JSONValue {
        let text = text
        let article = page.article
        var members: [JSONValue.Member] = [
            .init("schema", .integer(PageReport.version)),
            .init("source", .string(Source.redacted(source))),
            .init("url", .string(page.response.url.description)),
            .init("title", JSONValue(article.title?.value)),
            .init("byline", JSONValue(article.byline(shown: part?.byline))),
            .init("language", JSONValue(part?.language)), .init("article", Self.value(article)),
            .init("text", .string(String(decoding: text, as: UTF8.self))),
            .init("markdown", .string(String(decoding: markdown, as: UTF8.self))),
            .init("word_count", .integer(Int64(ReadableText.wordCount(text)))),
        ]
        if let part {
            members.append(.init("kind", JSONValue(part.kind?.name.rawValue)))
            members.append(.init("kind_confidence", Self.share(part.kind?.confidence)))
            members.append(.init("completeness", Self.share(part.completeness)))
        }
        members.append(.init("warnings", .array(warning.map { [Self.value($0)] } ?? [])))
        if options.explains {
            members.append(.init("blocks", .array((part?.decisions ?? []).map { Self.value($0) })))
        }
        if let element = part?.element {
            members += [.init("element", .string(element.name)), .init("path", JSONValue(element.cssPath))]
            members += JSONValue.members(element.position)
        }
        return .object(members)
    }

    /// A share, in hundredths.
    private static func share(_ share: Double?) -> JSONValue {
        share.map { .number(($0 * 100).rounded() / 100) } ?? .null
    }

    private static func value(_ warning: TextWarning) -> JSONValue {
        .object([
            .init("code", .string(warning.code.rawValue)), .init("message", .string(warning.message)),
            .init("share", share(warning.share)),
        ])
    }

    private static func value(_ decision: TextDecision) -> JSONValue {
        .object(
            [
                .init("kept", .bool(decision.isKept)), .init("reason", .string(decision.reason.rawValue)),
                .init("likelihood", share(decision.likelihood)), .init("element", .string(decision.element)),
                .init("text", .string(decision.text)),
            ] + JSONValue.members(decision.position)
        )
    }

    private static func value(_ article: PageArticle) -> JSONValue {
        .object([
            .init("title", Self.value(article.title)),
            .init("authors", .array(article.authors.map { Self.value($0) })),
            .init("published", Self.value(article.published)),
            .init("modified", Self.value(article.modified)),
            .init("language", Self.value(article.language)), .init("site", Self.value(article.site)),
        ])
    }

    /// A fact with its source and how sure it is; null where it is not known.
    private static func value(_ fact: ArticleFact?) -> JSONValue {
        guard let fact else { return .null }
        return .object(
            [
                .init("value", .string(fact.value)), .init("source", .string(fact.source.kind.rawValue)),
                .init("name", .string(fact.source.name)),
                .init("confidence", .string(fact.confidence.rawValue)),
            ] + JSONValue.members(fact.source.position)
        )
    }
}
