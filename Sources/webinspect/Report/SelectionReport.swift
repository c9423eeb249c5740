import WebLoader

/// What `webinspect select` writes.
///
/// docs/json-report.md describes the JSON to users.
struct SelectionReport {
    let page: Page
    let source: String
    let options: SelectOptions
    let results: [SelectionResult]

    /// What matches may take: that of elements inside each other, their HTML or their paths, grows with the square of
    /// the page.
    private let budget: InspectionBudget

    init(page: Page, source: String, options: SelectOptions, results: [SelectionResult]) {
        self.page = page
        self.source = source
        self.options = options
        self.results = results
        budget = InspectionBudget(pageSize: page.response.body.count)
    }

    /// Whether matches were left out for want of memory.
    var isTruncated: Bool { budget.isExhausted }

    /// A line a match, as text or with `--jsonl` as JSON; those of named selectors begin with the name.
    var lines: [UInt8] {
        var output: [UInt8] = []
        var paths = NodePath()
        for result in results {
            let name = result.query.name
            if options.counts {
                output += "\(name.map { "\($0)\t" } ?? "")\(result.items.count)\n".utf8
                continue
            }
            for item in result.items {
                let start = output.count
                defer { _ = budget.keep(0, text: output.count - start) }
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

    var json: JSONValue {
        var paths = NodePath()
        return .object([
            .init("schema", .integer(PageReport.schema)), .init("source", .string(Source.redacted(source))),
            .init("url", .string(page.response.url.description)),
            .init("results", .array(results.map { json($0, &paths) })),
        ])
    }

    private func json(_ result: SelectionResult, _ paths: inout NodePath) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(options.isXPath ? "xpath" : "css", .string(result.query.text)),
            .init("count", .integer(Int64(result.items.count))),
        ]
        if let name = result.query.name { members.append(.init("name", .string(name))) }
        if !options.counts {
            members.append(.init("matches", .array(matches(result.items, &paths))))
        }
        return .object(members)
    }

    private func matches(_ items: [SelectionResult.Item], _ paths: inout NodePath) -> [JSONValue] {
        var matches: [JSONValue] = []
        for item in items {
            let match = match(item, &paths)
            // Its members, their names and their texts.
            guard budget.keep(512, text: match.textLength) else { break }
            matches.append(match)
        }
        return matches
    }

    private func match(_ item: SelectionResult.Item, _ paths: inout NodePath) -> JSONValue {
        let json = item.json(&paths)
        guard options.form == .html, case .object(let members) = json,
            let html = item.line(.html, options, &paths)
        else { return json }
        return .object(members + [.init("html", .string(html))])
    }
}

extension JSONValue {
    /// How many bytes its texts have.
    fileprivate var textLength: Int {
        switch self {
        case .null, .bool, .integer, .number: 8
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.textLength }
        case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + 16 + $1.value.textLength }
        }
    }
}
