import WebLoader

/// What `webinspect SOURCE` says of a page.
///
/// docs/json-report.md describes the JSON to users.
struct PageReport {
    /// The version of the JSON's form; it grows when a name changes its meaning or goes.
    static let schema: Int64 = 1

    private let page: ParsedPage
    private let source: String
    private let links: [Link]
    private let headings: [Heading]
    private let tables: [TableSummary]
    private let counts: PageCounts?
    private let mode: Document.CompatibilityMode?
    private let metadata: PageMetadata
    private let structuredData: StructuredData
    private let reportsErrors: Bool
    private let findings: FindingsReport?
    private let parts: PageParts

    init(
        _ page: ParsedPage,
        source: String,
        links: [Link],
        parts: PageParts,
        reportsErrors: Bool = false,
        findings: FindingsReport? = nil
    ) {
        self.parts = parts
        self.findings = findings
        self.reportsErrors = reportsErrors
        self.page = page
        self.source = source
        self.links = links
        headings = parts.headings
        tables = page.tableSummaries
        counts = parts.counts
        // Before the metadata, which it then gathers with it.
        structuredData = page.structuredData
        metadata = page.metadata
        mode = page.document?.kind == .html ? page.document?.compatibilityMode : nil
    }

    // MARK: - JSON

    var json: JSONValue {
        let response = ResponseReport(page.response)
        var members: [JSONValue.Member] = [
            .init("schema", .integer(Self.schema)),
            .init("source", .string(Source.redacted(source))),
            .init("url", .string(page.response.url.description)),
            .init("status", JSONValue(page.response.status?.code)),
            .init("mime_type", .string(page.mediaType.description)),
            .init("kind", .string(page.kind.rawValue)),
            .init("bytes", .integer(Int64(page.response.body.count))),
            .init("base_url", .string(page.baseURL.description)),
            .init("title", JSONValue(page.title)),
            .init("headings", .array(headings.map(Self.json))),
            .init("links", .array(links.map { $0.json() })),
            .init("metadata", metadata.json),
            .init("structured_data", structuredData.json),
            .init("tables", .array(tables.map(\.json))),
            .init("warnings", .array(page.warnings.map(JSONValue.string))),
            .init("limits", .array((page.limits + page.inspectionLimits).map(Self.json))),
            .init("truncated", .bool(page.isTruncated || !page.inspectionLimits.isEmpty)),
            .init("redirects", response.redirects),
            .init("timing", response.timing),
        ]
        if let encoding = page.encoding {
            members.append(
                .init(
                    "encoding",
                    ["name": .string(encoding.encoding.name), "source": .string(encoding.source.rawValue)]
                )
            )
        }
        if reportsErrors {
            let errors = page.parseErrors
            members.append(.init("parse_errors", .array(errors.errors.map(Self.json))))
            if errors.isTruncated { members.append(.init("parse_errors_truncated", .bool(true))) }
        }
        if let findings {
            members.append(.init("findings", findings.json))
            if findings.findings.isTruncated { members.append(.init("findings_truncated", true)) }
        }
        if let mode { members.append(.init("compat_mode", .string(mode.rawValue))) }
        if let counts { members.append(.init("counts", Self.json(counts))) }
        if let cache = response.cache { members.append(.init("cache", cache)) }
        members += parts.members
        return .object(members)
    }

    private static func json(_ heading: Heading) -> JSONValue {
        .object(
            [.init("level", .integer(Int64(heading.level))), .init("text", .string(heading.text))]
                + JSONValue.members(heading.position)
        )
    }

    private static func json(_ limit: ReachedLimit) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(limit.code.rawValue)), .init("limit", .integer(Int64(limit.limit))),
            .init("message", .string(limit.message)),
        ]
        if let count = limit.count { members.append(.init("count", .integer(Int64(count)))) }
        return .object(members)
    }

    private static func json(_ error: ParseError) -> JSONValue {
        .object(
            [.init("name", .string(error.name))]
                + JSONValue.members(error.position)
        )
    }

    private static func json(_ counts: PageCounts) -> JSONValue {
        .object(Self.named(counts).map { .init($0.name, .integer(Int64($0.count))) })
    }

    private static func named(_ counts: PageCounts) -> [(name: String, count: Int)] {
        [
            ("elements", counts.elements), ("images", counts.images), ("forms", counts.forms),
            ("tables", counts.tables), ("scripts", counts.scripts), ("styles", counts.styles),
            ("frames", counts.frames),
        ]
    }

    // MARK: - Text

    /// The report for people.
    func text(for terminal: Terminal) -> String {
        var lines: [ReportLine] = []
        if let title = page.title { lines.append(.field("Title     \(title)")) }
        lines.append(.field("URL       \(page.response.url)"))
        for redirect in page.response.redirects {
            lines.append(.field("          \(redirect.status.code) from \(redirect.url)"))
        }
        lines.append(.field("Response  \(response)"))
        if let verdict = page.response.cacheVerdict {
            let age = verdict.age.map { ", \($0) s old" } ?? (verdict.isStored ? "; it is now stored" : "")
            lines.append(.field("Cache     \(verdict.outcome.rawValue): \(verdict.explanation)\(age)"))
        }
        if page.baseURL != page.response.url { lines.append(.field("Base      \(page.baseURL)")) }
        lines += (metadata.text + structuredData.text).map(ReportLine.field)
        if let counts {
            let parts = (Self.named(counts) + [("links", links.count)]).filter { $0.count > 0 }
            lines.append(.field("Counts    \(parts.map(Self.counted).joined(separator: ", "))"))
        }
        lines += parts.lines.map(ReportLine.field)
        let outline = headings.map {
            "\(String(repeating: "  ", count: $0.level - 1))h\($0.level) \($0.text)"
        }
        lines += section("Headings", outline.map(ReportLine.item))
        lines += section("Tables", tables.map { .item($0.text) })
        let width = links.map { $0.kind.rawValue.utf8.count }.max() ?? 0
        lines += section("Links", links.map { .link($0, kindWidth: width) })
        if reportsErrors {
            var errors = page.parseErrors.errors.map { error in
                "\(error.line)\(error.column.map { ":\($0)" } ?? "")  \(error.name)"
            }
            if page.parseErrors.isTruncated { errors.append("and more that are not listed") }
            lines += section("Parse errors", errors.map(ReportLine.item))
        }
        if let findings { lines += section("Findings", findings.lines) }
        return lines.map { $0.text(for: terminal) + "\n" }.joined()
    }

    private func section(_ name: String, _ items: [ReportLine]) -> [ReportLine] {
        items.isEmpty ? [] : [.blank, .heading(name)] + items
    }

    /// As in "1 image" and "2 images".
    private static func counted(_ name: String, _ count: Int) -> String {
        "\(count) \(count == 1 ? String(name.dropLast()) : name)"
    }

    /// As in "200, text/html, UTF-8 (meta), 91.2 KB, 12.3 ms".
    private var response: String {
        var parts: [String] = []
        if let status = page.response.status?.code { parts.append("\(status)") }
        parts.append(page.mediaType.essence)
        if let encoding = page.encoding {
            parts.append("\(encoding.encoding.name) (\(encoding.source.rawValue))")
        }
        parts.append(TerminalText.bytes(page.response.body.count))
        if let total = page.response.timing.total { parts.append(TerminalText.milliseconds(total)) }
        return parts.joined(separator: ", ")
    }
}
