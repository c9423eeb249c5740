import WebLoader

/// Everything found on a page as one HTML page, which loads nothing.
///
/// It draws the JSON report, so that what is new there is here too; links, images, findings and times have forms of their
/// own.
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
    let findings: Findings
    let images: [Image]
    /// How many images there are besides.
    let otherImages: Int

    /// What has a form of its own, or stands at the top.
    private static let drawnElsewhere = [
        "schema", "source", "url", "status", "mime_type", "kind", "bytes", "base_url", "title", "headings",
        "links",
        "findings", "findings_truncated", "timing", "cache", "encoding", "compat_mode", "counts",
        "parse_errors",
        "parse_errors_truncated", "truncated",
    ]

    var bytes: [UInt8] {
        var html = HTMLBuilder()
        head(&html)
        html.markup("<body><a class=skip href=#main>To the report</a>")
        html.element("h1", page.title ?? page.response.url.description)
        let sections = sections
        html.markup("<nav aria-label=Sections><ul>")
        for section in sections {
            html.open("li")
            html.element("a", ["href": "#\(section.identifier)"], section.title)
            html.close("li")
        }
        html.markup("</ul></nav><main id=main>")
        for section in sections {
            html.open(
                "section",
                ["id": section.identifier, "aria-labelledby": "\(section.identifier)-title"]
            )
            html.element("h2", ["id": "\(section.identifier)-title"], section.title)
            section.write(self, &html)
            html.close("section")
        }
        html.markup("</main><footer><p>")
        html.text("Made by webinspect \(WebLoaderVersion.current).")
        html.markup("</p></footer><script>")
        html.markup(ReportStyle.script)
        html.markup("</script></body></html>\n")
        return html.bytes
    }

    private func head(_ html: inout HTMLBuilder) {
        html.markup("<!doctype html><html lang=en><head><meta charset=utf-8>")
        html.open("meta", ["http-equiv": "Content-Security-Policy", "content": ReportStyle.policy])
        html.markup(
            "<meta name=viewport content=\"width=device-width\"><meta name=referrer content=no-referrer>"
        )
        html.markup("<link rel=icon href=\"data:,\">")
        html.element("title", "Report: \(page.title ?? page.response.url.description)")
        html.markup("<style>")
        html.markup(ReportStyle.css)
        html.markup("</style></head>")
    }

    // MARK: - Sections

    private struct Section {
        let identifier: String
        let title: String
        let write: (ReportDocument, inout HTMLBuilder) -> Void
    }

    private var sections: [Section] {
        var sections = [
            Section(identifier: "summary", title: "Summary") { $0.summary(&$1) },
            Section(identifier: "findings", title: "Findings (\(findings.findings.count))") {
                $0.listFindings(&$1)
            },
            Section(identifier: "loading", title: "Cache and time") { $0.loading(&$1) },
        ]
        if case .array(let headings)? = report["headings"], !headings.isEmpty {
            sections.append(
                Section(identifier: "headings", title: "Headings (\(headings.count))") {
                    $0.headings(headings, &$1)
                }
            )
        }
        if case .array(let links)? = report["links"], !links.isEmpty {
            sections.append(
                Section(identifier: "links", title: "Links (\(links.count))") { _, html in
                    ReportTree.table(links, ["kind", "text", "url", "failure", "line"], into: &html)
                }
            )
        }
        if !images.isEmpty {
            sections.append(
                Section(identifier: "gallery", title: "Images (\(images.count + otherImages))") {
                    $0.gallery(&$1)
                }
            )
        }
        guard case .object(let members) = report else { return sections }
        for member in members where !Self.drawnElsewhere.contains(member.name) && !member.value.isEmpty {
            let name = ReportTree.name(member.name)
            sections.append(
                Section(
                    identifier: "json-\(member.name)",
                    title: name.prefix(1).uppercased() + name.dropFirst()
                ) { _, html in ReportTree.write(member.value, into: &html) }
            )
        }
        return sections
    }

    private func summary(_ html: inout HTMLBuilder) {
        html.open("dl")
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            html.element("dt", name)
            html.open("dd")
            html.element("bdi", value)
            html.close("dd")
        }
        html.element("dt", "URL")
        html.open("dd")
        html.url(page.response.url.description)
        html.close("dd")
        add("Base URL", page.baseURL == page.response.url ? nil : page.baseURL.description)
        add("Status", page.response.status.map { "\($0.code)" })
        add("Type", "\(page.mediaType) (\(page.kind.rawValue))")
        add("Encoding", page.encoding.map { "\($0.encoding.name), from \($0.source.rawValue)" })
        add("Size", TerminalText.bytes(page.response.body.count))
        html.close("dl")
        guard case .object(let counts)? = report["counts"] else { return }
        html.markup("<ul class=cards>")
        for count in counts {
            html.open("li")
            html.text("\(ReportTree.name(count.name)) ")
            html.open("b")
            ReportTree.write(count.value, into: &html)
            html.close("b")
            html.close("li")
        }
        html.close("ul")
    }

    private func headings(_ headings: [JSONValue], _ html: inout HTMLBuilder) {
        html.markup("<ul>")
        for heading in headings.prefix(ReportTree.maximumRows) {
            guard case .integer(let level)? = heading["level"], case .string(let text)? = heading["text"]
            else {
                continue
            }
            html.open("li", ["style": "margin-inline-start: \(level -| 1)rem"])
            html.element("span", ["class": "note"], "h\(level) ")
            html.element("bdi", text)
            html.close("li")
        }
        html.markup("</ul>")
    }

    // MARK: - Findings

    private func listFindings(_ html: inout HTMLBuilder) {
        guard !findings.findings.isEmpty else { return html.element("p", "No findings.") }
        var excerpts = page.source.map { SourceExcerpts($0) }
        html.markup(
            "<div class=scroll><table data-sorts><thead><tr><th scope=col>severity</th><th scope=col>what</th>"
        )
        html.markup("<th scope=col>line</th></tr></thead><tbody>")
        for finding in findings.findings.prefix(ReportTree.maximumRows) {
            html.open("tr")
            html.element("td", ["class": finding.severity.rawValue], finding.severity.rawValue)
            html.open("td")
            html.element("b", finding.code.rawValue)
            html.text(" ")
            html.element("bdi", finding.message)
            html.open("div")
            html.text(finding.advice)
            html.close("div")
            if let position = finding.position, let excerpt = excerpts?.excerpt(at: position) {
                html.open("pre")
                html.text(excerpt.before)
                html.element("mark", excerpt.mark)
                html.text(excerpt.after)
                html.close("pre")
            }
            html.close("td")
            html.element("td", ["class": "number"], finding.position.map { "\($0.line)" } ?? "")
            html.close("tr")
        }
        html.markup("</tbody></table></div>")
        if findings.isTruncated || findings.findings.count > ReportTree.maximumRows {
            html.element("p", "More findings are not shown.")
        }
    }

    // MARK: - Loading

    private func loading(_ html: inout HTMLBuilder) {
        if let verdict = page.response.cacheVerdict {
            html.element("p", "Cache: \(verdict.outcome.rawValue). \(verdict.explanation).")
            if let age = verdict.age, let lifetime = verdict.freshnessLifetime {
                freshness(age, lifetime, &html)
            }
        } else {
            html.element("p", "No cache was used; the page came from the \(page.response.source.rawValue).")
        }
        if let waterfall = Waterfall(page.response) { waterfall.write(into: &html) }
    }

    /// How much of its freshness lifetime a response has used up.
    private func freshness(_ age: Int64, _ lifetime: Int64, _ html: inout HTMLBuilder) {
        let whole = Double(max(age, lifetime, 1))
        let words = "\(age) s old, fresh for \(lifetime) s"
        html.open(
            "svg",
            ["viewBox": "0 0 640 40", "width": "640", "height": "40", "role": "img", "aria-label": words]
        )
        html.element("text", ["x": "0", "y": "12"], words)
        html.element(
            "rect",
            [
                "x": "0", "y": "18", "width": "\(Double(lifetime) / whole * 640)", "height": "16",
                "fill": "#8884",
            ],
            ""
        )
        html.element(
            "rect",
            [
                "class": "bar", "x": "0", "y": "22", "width": "\(Double(max(0, age)) / whole * 640)",
                "height": "8",
            ],
            ""
        )
        html.close("svg")
    }

    // MARK: - Images

    private func gallery(_ html: inout HTMLBuilder) {
        html.markup("<ul class=gallery>")
        for image in images {
            html.open("li")
            if let data = image.data {
                html.open("img", ["src": data, "alt": image.alternative ?? "", "loading": "lazy"])
            }
            html.url(image.url)
            let words =
                image.alternative.map { $0.isEmpty ? "decorative" : "“\($0)”" } ?? "no alternative text"
            html.element("div", ["class": "note"], words)
            if image.data == nil { html.element("div", ["class": "note"], "not in the cache") }
            html.close("li")
        }
        html.markup("</ul>")
        if otherImages > 0 { html.element("p", "\(otherImages) more are not shown.") }
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
}
