import WebLoader

/// The output of `webinspect select`.
///
/// docs/json-report.md describes the JSON to users.
struct SelectionReport {
    let page: ParsedPage
    let source: String
    let options: SelectOptions
    let results: [SelectionResult]

    /// The memory that matches may take: the HTML and the paths of nested elements grow with the square of
    /// the page.
    let budget: InspectionBudget

    /// Whether matches were left out for want of memory.
    var isTruncated: Bool { budget.isTruncated }

    /// Evaluates queries on a page.
    init(
        _ page: ParsedPage,
        source: String,
        _ options: SelectOptions,
        _ queries: [SelectQuery]
    ) throws(Failure) {
        let document = try Self.document(of: page, source)
        let budget = InspectionBudget(document)
        var results: [SelectionResult] = []
        for query in queries { results.append(try query.evaluate(document, options, budget)) }
        self.page = page
        self.source = source
        self.options = options
        self.results = results
        self.budget = budget
    }

    /// The tree of a page.
    static func document(of page: ParsedPage, _ source: String) throws(Failure) -> Document {
        guard let document = page.document else {
            throw Failure(
                subject: source,
                "\(page.mediaType.essence) has no document tree to select from",
                code: "select.type",
                status: .content
            )
        }
        return document
    }

    /// The error that ends the command if matches were omitted; `nil` if not, which is only known once they
    /// are written.
    var failure: Failure? {
        guard isTruncated else { return nil }
        return Failure(
            subject: source,
            "the matches take too much memory: some were left out",
            code: ReachedLimit.Code.inspection.rawValue,
            status: .limit,
            isReported: true
        )
    }

    /// A line a match, as text or with `--jsonl` as JSON; those of named selectors begin with the name.
    var lines: [UInt8] {
        var output: [UInt8] = []
        for result in results {
            // Each selector's matches are in document order.
            var paths = NodePath()
            let name = result.query.name
            if options.counts {
                output += "\(name.map { "\($0)\t" } ?? "")\(result.count)\n".utf8
                continue
            }
            for item in result.items {
                let start = output.count
                defer { _ = budget.spend(size: 0, text: output.count - start) }
                guard !budget.isExhausted else { break }
                if options.writesLines {
                    output += Self.json(item, name, &paths).serialized()
                } else {
                    guard let line = item.line(options.form, options, &paths) else { continue }
                    if let name { output += TerminalText.visible("\(name)").utf8 + [0x09] }
                    output += line.utf8
                }
                output.append(0x0A)
            }
        }
        return output
    }

    private static func json(
        _ item: SelectionResult.Item,
        _ name: String?,
        _ paths: inout NodePath
    ) -> JSONValue {
        let json = item.json(&paths)
        guard let name, case .object(let members) = json else { return json }
        return .object([.init("name", .string(name))] + members)
    }

    var json: [UInt8] { document + [0x0A] }

    /// The JSON without a line feed behind it.
    var document: [UInt8] {
        var object = JSONObjectWriter()
        object.add("results", each: results, bytes: json)
        object.add("schema", .integer(PageReport.version))
        object.add("source", .string(Source.redacted(source)))
        object.add("url", .string(page.response.url.description))
        return object.written()
    }

    private func json(_ result: SelectionResult) -> [UInt8] {
        var paths = NodePath()
        var object = JSONObjectWriter()
        if !options.isXPath { object.add("css", .string(result.query.text)) }
        object.add("count", .integer(Int64(result.count)))
        if !options.counts {
            // As far as the budget goes.
            object.add(
                "matches",
                each: result.items,
                bytes: { item in
                    let match = match(item, &paths).serialized()
                    return budget.spend(size: 64, text: match.count) ? match : nil
                }
            )
        }
        if let name = result.query.name { object.add("name", .string(name)) }
        if options.isXPath { object.add("xpath", .string(result.query.text)) }
        return object.written()
    }

    private func match(_ item: SelectionResult.Item, _ paths: inout NodePath) -> JSONValue {
        let json = item.json(&paths)
        guard options.form == .html, case .object(let members) = json,
            let html = item.line(.html, options, &paths)
        else { return json }
        return .object(members + [.init("html", .string(html))])
    }
}
