import WebLoader

extension Reader {
    /// The maximum number of Unicode scalar values of a match's text.
    private static let maximumLength = 500

    /// The maximum total size of the matches' paths in bytes: each path may be as long as the page.
    private static let maximumSize = 4 << 20

    /// Returns the matches of a selector or an expression, or the value of the expression.
    ///
    /// There may be fewer matches than were requested, but at least one if any exists.
    func select(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let xpath = request.optionalString("xpath")
        let text = if let xpath { xpath } else { try request.string("selector") }
        let page = try await page(request).parsed
        let document = try SelectionReport.document(of: page, try request.url())
        let start = MonotonicClock.now
        let result = try Self.selection(text, isXPath: xpath != nil, document)
        let time = Duration(boundedSeconds: MonotonicClock.now - start)
        let milliseconds = JSONValue.Member("time_ms", .number(JSONValue.milliseconds(time)))
        if result.count == 1, case .scalar(let value, let text)? = result.items.first {
            return .json(.object([.init("value", Self.told(value, text)), milliseconds]))
        }
        let from = request.integer("from", default: 0, in: 0...Int.largestBounded)
        let count = request.integer("count", default: 100, in: 0...1000)
        let items = result.items.dropFirst(from).prefix(count)
        let numbers = page.nodes?.numbers(of: items.map(\.node)) ?? []
        var paths = NodePath()
        var matches: [JSONValue] = []
        var size = 0
        for (item, number) in zip(items, numbers) where size < Self.maximumSize {
            let path = Self.path(of: item, isXPath: xpath != nil, &paths)
            matches.append(Self.described(item, number, path))
            size +|= path?.utf8.count ?? 0
        }
        return .json(
            .object([
                .init("total", JSONValue(result.count)), .init("matches", .array(matches)), milliseconds,
            ])
        )
    }

    /// Returns the matches of a selector or an expression in a document, as in `webinspect select`.
    static func selection(
        _ text: String,
        isXPath: Bool,
        _ document: Document
    ) throws(Failure) -> SelectionResult {
        var options = SelectOptions()
        options.isXPath = isXPath
        options.queries = [SelectOptions.Query(text: text)]
        // A stored match is small, and its description is cut.
        let budget = InspectionBudget(units: .largestBounded)
        var result = SelectionResult(SelectOptions.Query(text: text))
        for query in try SelectQuery.prepare(options) {
            result = try query.evaluate(document, options, budget)
        }
        return result
    }

    /// Returns a value for an answer: texts are cut, and numbers that JSON cannot represent become texts.
    private static func told(_ value: JSONValue, _ text: String) -> JSONValue {
        switch value {
        case .bool: value
        case .number(let number) where number.isFinite: value
        default: .string(text.prefix(scalars: 100_000))
        }
    }

    /// Returns a selector or an expression that matches only this item; `nil` if there is none.
    private static func path(
        of item: SelectionResult.Item,
        isXPath: Bool,
        _ paths: inout NodePath
    ) -> String? {
        guard item.node != nil else { return nil }
        var options = SelectOptions()
        options.isXPath = isXPath
        return item.line(.path, options, &paths)
    }

    private static func described(
        _ item: SelectionResult.Item,
        _ number: Int?,
        _ path: String?
    ) -> JSONValue {
        let text: String
        switch item {
        case .node(let node): text = node.text(scalars: maximumLength)
        case .value(let value, _): text = value
        case .attribute(let attribute, _): text = attribute.value
        case .scalar(_, let value): text = value
        }
        let node = item.node
        // The position of a text is that of its element.
        let position = node.flatMap { $0.position ?? $0.parent?.position }
        return [
            "node": JSONValue(number), "line": JSONValue(position?.line),
            "column": JSONValue(position?.column), "path": JSONValue(path),
            "text": .string(text.prefix(scalars: maximumLength).collapsingASCIIWhitespace),
            "html": JSONValue(node?.startTag.prefix(scalars: maximumLength)),
        ]
    }
}

extension SelectionResult.Item {
    /// The node that it is, or that it was taken from; `nil` if it has no place on the page.
    var node: Node? {
        switch self {
        case .node(let node), .value(_, let node), .attribute(_, let node): node
        case .scalar: nil
        }
    }
}
