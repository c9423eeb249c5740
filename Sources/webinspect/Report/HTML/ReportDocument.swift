import WebLoader

/// Everything found on a page as one HTML page, which loads nothing.
///
/// It draws the JSON report, so that new members appear here too; links, images, findings and times have
/// forms of their own.
struct ReportDocument {
    /// An image of the page.
    struct Image {
        let url: String
        let alternative: String?
        /// Its bytes as a `data:` URL; nil where they are not at hand.
        var data: String?
    }

    let page: ParsedPage
    let report: JSONValue
    /// How its scripts were run; nil where they were not.
    let rendering: Rendering?
    /// A picture of the page, as PNG; nil where none was taken.
    let screenshot: [UInt8]?
    let findings: Findings
    let images: [Image]
    /// How many images there are besides.
    let otherImages: Int

    var bytes: [UInt8] {
        let sections = sections
        var html = HTMLBuilder()
        html.beginPage("Report: \(title)")
        writeHeader(sections, &html)
        html.markup("<div class=report><nav aria-label=Sections><ul>")
        for section in sections {
            html.open("li")
            html.open("a", ["href": "#\(section.identifier)"])
            html.element("span", section.title)
            html.text(" ")
            html.element("span", ["class": "number"], section.count.map { "\($0)" } ?? "")
            html.close("a")
            html.close("li")
        }
        html.markup("</ul></nav><main id=main>")
        for section in sections {
            html.open(
                "section",
                ["id": section.identifier, "aria-labelledby": "\(section.identifier)-title"]
            )
            html.open("h2", ["id": "\(section.identifier)-title"])
            html.text(section.title)
            if let count = section.count { html.badge(count) }
            html.close("h2")
            section.write(&html)
            html.close("section")
        }
        html.markup("</main></div>")
        html.endPage()
        return html.bytes
    }

    private var title: String { page.title ?? page.response.url.description }

    // MARK: - Header

    private func writeHeader(_ sections: [Section], _ html: inout HTMLBuilder) {
        html.markup("<header>")
        html.element("h1", ["class": "text"], title)
        html.open("p")
        html.url(page.response.url.description)
        html.close("p")
        html.markup("<p class=badges>")
        for badge in badges {
            html.element("span", ["class": "badge \(badge.style)"], badge.text)
            html.text(" ")
        }
        html.markup("</p><ul class=cards>")
        let shown = findings.findings.prefix(ReportTree.maximumRows)
        for severity in Finding.Severity.allCases.reversed() {
            let count = findings.findings.count { $0.severity == severity }
            let isShown = shown.contains { $0.severity == severity }
            html.card(
                count,
                severity.rawValue + (count == 1 ? "" : "s"),
                style: count > 0 ? severity.rawValue : "muted",
                to: isShown ? "findings-\(severity.rawValue)" : "findings"
            )
        }
        if page.document != nil {
            for name in ["links", "headings", "images", "tables", "forms", "scripts", "styles", "frames"] {
                let count = values(name).count
                let place = sections.contains { $0.identifier == name } ? name : nil
                html.card(count, count == 1 ? String(name.dropLast()) : name, to: place)
            }
        }
        html.markup("</ul></header>")
    }

    private var badges: [(text: String, style: String)] {
        var badges: [(text: String, style: String)] = []
        func add(_ text: String?, _ style: String = "") {
            if let text { badges.append((text, style)) }
        }
        if let status = page.response.status?.code { add("\(status)", status < 400 ? "good" : "error") }
        add(page.mediaType.essence)
        add(TerminalText.bytes(page.response.body.count))
        add(page.encoding?.encoding.name)
        if let document = page.document, document.kind == .html {
            let isQuirks = document.compatibilityMode == .quirks
            add(isQuirks ? "quirks mode" : "standards mode", isQuirks ? "warning" : "")
        }
        add(page.response.timing.total.map(TerminalText.milliseconds))
        if report["truncated"] == true { add("cut by a limit", "warning") }
        return badges
    }

    // MARK: - Sections

    private struct Section {
        let identifier: String
        let title: String
        let count: Int?
        let write: (inout HTMLBuilder) -> Void
    }

    /// The members that are drawn by sections of their own, or in the header.
    private static let drawnElsewhere = [
        "schema", "source", "url", "status", "mime_type", "kind", "bytes", "base_url", "title", "headings",
        "links", "findings", "findings_truncated", "timing", "cache", "encoding", "compat_mode", "counts",
        "parse_errors", "parse_errors_truncated", "truncated", "images", "rendering",
    ]

    private var sections: [Section] {
        var sections: [Section] = []
        func add(
            _ identifier: String,
            _ title: String,
            _ count: Int? = nil,
            write: @escaping (inout HTMLBuilder) -> Void
        ) {
            guard count != 0 || identifier == "findings" else { return }
            sections.append(Section(identifier: identifier, title: title, count: count, write: write))
        }
        add("summary", "Summary", write: writeSummary)
        add("findings", "Findings", findings.findings.count, write: writeFindings)
        add("loading", "Cache and time", write: writeLoading)
        if let rendering { add("rendering", "Scripts run") { writeRendering(rendering, &$0) } }
        add("headings", "Headings", values("headings").count, write: writeHeadings)
        add("links", "Links", values("links").count) {
            ReportTree.table(values("links"), ["kind", "text", "url", "failure", "line"], into: &$0)
        }
        add("images", "Images", max(values("images").count, images.count + otherImages), write: writeImages)
        for member in report.members where !Self.drawnElsewhere.contains(member.name) {
            guard !member.value.isEmpty else { continue }
            let name = ReportTree.name(member.name)
            // Their own warnings would be taken for those among the findings.
            let title = name == "warnings" ? "Put right" : name.prefix(1).uppercased() + name.dropFirst()
            guard case .array(let items) = member.value else {
                add(member.name, title) { ReportTree.write(member.value, into: &$0) }
                continue
            }
            add(member.name, title, items.count) { html in
                // With their fields they are too much for rows.
                if name == "forms" { return ReportTree.list(items, into: &html) }
                ReportTree.write(member.value, into: &html)
            }
        }
        if let root = page.document?.root {
            add("elements", "Elements", page.counts.elements) { ElementTree.write(root, into: &$0) }
        }
        return sections
    }

    /// The items of a list of the report; none where it is not there.
    func values(_ name: String) -> [JSONValue] {
        if case .array(let values)? = report[name] { values } else { [] }
    }

    private func writeSummary(_ html: inout HTMLBuilder) {
        html.open("dl")
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            html.element("dt", name)
            html.open("dd")
            html.element("bdi", value)
            html.close("dd")
        }
        add("Source", report["source"]?.text)
        add("Base URL", page.baseURL == page.response.url ? nil : page.baseURL.description)
        add("Type", "\(page.mediaType) (\(page.kind.rawValue))")
        add("Encoding", page.encoding.map { "\($0.encoding.name), from \($0.source.rawValue)" })
        add("Size", "\(page.response.body.count) bytes")
        for (name, list) in [("Language", "languages"), ("Description", "descriptions")] {
            if case .array(let values)? = report["metadata"]?[list] { add(name, values.first?["text"]?.text) }
        }
        html.close("dl")
    }

    private func writeHeadings(_ html: inout HTMLBuilder) {
        html.markup("<ul>")
        for heading in values("headings").prefix(ReportTree.maximumRows) {
            guard case .integer(let level)? = heading["level"], let text = heading["text"]?.text else {
                continue
            }
            html.open("li", ["style": "margin-inline-start: \(level -| 1)rem"])
            html.element("span", ["class": "muted small"], "h\(level) ")
            html.element("bdi", text)
            html.close("li")
        }
        html.markup("</ul>")
    }
}

extension HTMLBuilder {
    /// A number in a heading.
    mutating func badge(_ count: Int) {
        text(" ")
        element("span", ["class": "badge"], "\(count)")
    }
}

extension JSONValue {
    fileprivate var isEmpty: Bool {
        switch self {
        case .null: true
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .integer, .number, .string: false
        }
    }

    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
