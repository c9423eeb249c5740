import WebLoader

/// The output of `webinspect links`.
struct LinkList {
    enum Format: String, CaseIterable {
        /// One URL a line.
        case text
        /// One document.
        case json
        /// One object a line.
        case jsonl
        /// RFC 4180, with names in the first line.
        case csv
    }

    let page: ParsedPage
    let source: String
    let links: [Link]

    /// For each link, whether its target is in the cache; nil where nobody asked.
    var cached: [Bool]?

    /// Whether no value of CSV is to be a formula to a spreadsheet.
    var isSafe = false

    /// Whether CSV has a column that says the source, before all others.
    var hasSourceColumn = false

    /// Whether CSV begins with the names of the columns.
    var hasHeader = true

    /// Lists the selected links of a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - source: The name of the page.
    ///   - selection: The selection of links.
    ///   - base: The value of `--base-url`, whose host then counts as the page's own.
    init(_ page: ParsedPage, source: String, _ selection: LinkSelection, base: WebURL? = nil) {
        self.page = page
        self.source = source
        links = selection.links(of: page.links, page: base ?? page.response.url)
    }

    /// The links in a format.
    func bytes(_ format: Format) -> [UInt8] {
        switch format {
        case .text: text
        case .json: document(isLine: true)
        case .jsonl: listed.flatMap { $0.document(isLine: true) }
        case .csv: csv
        }
    }

    private var text: [UInt8] {
        var output: [UInt8] = []
        for (index, link) in links.enumerated() {
            guard let url = link.url else { continue }
            output += TerminalText.visible(url.description).utf8
            if let cached { output += cached[index] ? "\tcached".utf8 : "\tabsent".utf8 }
            output.append(0x0A)
        }
        return output
    }

    private var csv: [UInt8] {
        var names = [
            "url", "kind", "element", "attribute", "field", "rel", "text", "reference", "line", "column",
            "inert",
            "failure",
        ]
        if cached != nil { names.append("cached") }
        if hasSourceColumn { names.insert("source", at: 0) }
        var output = hasHeader ? DelimitedLine.csv(names, isSafe: isSafe) : []
        for (index, link) in links.enumerated() {
            let line = link.position.map { String($0.line) }
            let column = link.position?.column.map { String($0) }
            let optional: [String?] = [
                link.url?.description, link.kind.rawValue, link.element, link.attribute, link.field,
                link.rel.joined(separator: " "), link.text, link.reference, line, column,
                link.isInert ? "true" : "false", link.failure?.description,
            ]
            var values = optional.map { $0 ?? "" }
            if let cached { values.append(cached[index] ? "true" : "false") }
            if hasSourceColumn { values.insert(Source.redacted(source), at: 0) }
            output += DelimitedLine.csv(values, isSafe: isSafe)
        }
        return output
    }
}

// MARK: - JSON

extension LinkList: ReportObject {
    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("schema", "The version of the form.") { _ in PageReport.version }
        members.required("source", "SOURCE, as it was given.") { Source.redacted($0.source) }
        members.required("url", "The URL that answered, after redirects.") { $0.page.response.url }
        members.required("base_url", "What references are resolved against.") { $0.page.baseURL }
        members.required("links", "References, in document order.") { $0.listed }
    }

    private var listed: [ListedLink] {
        links.indices.map { ListedLink(link: links[$0], isCached: cached?[$0]) }
    }
}

/// A link, and whether its target is in the cache if anybody asked.
private struct ListedLink: ReportObject {
    let link: Link
    let isCached: Bool?

    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.include { $0.link }
        members.optional("cached", "With --cache-dir: whether its target is in that cache.") { $0.isCached }
    }
}
