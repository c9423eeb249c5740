import WebLoader

/// What `webinspect links` writes.
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
    let cached: [Bool]?

    /// Whether no value of CSV is to be a formula to a spreadsheet.
    var isSafe = false

    /// The links in a format.
    func bytes(_ format: Format) -> [UInt8] {
        switch format {
        case .text: text
        case .json: json
        case .jsonl:
            links.indices.flatMap { links[$0].json(isCached: cached?[$0]).line }
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

    private var json: [UInt8] {
        var object = JSONObjectWriter()
        object.add("base_url", .string(page.baseURL.description))
        object.add("links", each: links.indices) { links[$0].json(isCached: cached?[$0]) }
        object.add("schema", .integer(PageReport.schema))
        object.add("source", .string(source))
        object.add("url", .string(page.response.url.description))
        return object.written(isLine: true)
    }

    private var csv: [UInt8] {
        var names = [
            "url", "kind", "element", "attribute", "field", "rel", "text", "reference", "line", "column",
            "inert",
            "failure",
        ]
        if cached != nil { names.append("cached") }
        var output = DelimitedLine.csv(names, isSafe: isSafe)
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
            output += DelimitedLine.csv(values, isSafe: isSafe)
        }
        return output
    }
}
