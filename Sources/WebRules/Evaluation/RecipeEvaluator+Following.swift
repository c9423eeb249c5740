extension RecipeEvaluator {
    /// The values of fields on linked pages, which are visited breadth first, none of them twice.
    ///
    /// Reaching the recipe's own `depth` or `pages` is no error; exceeding the budget's ends the run.
    mutating func follow(
        _ selection: RecipeSelection,
        _ follow: RecipeFollow,
        in scope: RuleScope,
        at path: String
    ) throws(RuleFailure) -> JSONValue {
        guard let host else { throw .rule(RuleError(.failed, "no pages can be followed here")) }
        let rule = rule
        let isList = selection.isList || follow.depth > 1
        var seen: Set<String> = [scope.page.source.withoutFragment.href]
        var results: [JSONValue] = []
        var waiting = [(scope: scope, distance: 0)][...]
        while let (from, distance) = waiting.popFirst() {
            let links = Self.texts(try select(selection, in: from).0)
            for link in links {
                guard results.count < follow.pages else { return .array(results) }
                let url = try url(of: link, in: from)
                guard seen.insert(url.withoutFragment.href).inserted else { continue }
                try countPage(depth: from.depth + 1)
                let page: RulePage
                do throws(RuleFailure) {
                    page = try host.page(at: url, from: from.page)
                } catch .rule(let error) where isList {
                    // For a list, one page that fails to load does not discard the others.
                    report(error, ofRule: rule)
                    continue
                }
                let scope = RuleScope(node: page.document.documentNode, page: page, depth: from.depth + 1)
                let place = origins == nil ? "" : isList ? "\(path)[\(results.count)]" : path
                results.append(try object(follow.fields, in: scope, at: place))
                self.rule = rule
                try sink.begin(rule: rule)
                if distance + 1 < follow.depth { waiting.append((scope, distance + 1)) }
            }
        }
        return isList ? .array(results) : results.first ?? .null
    }

    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let items): items.compactMap(\.string)
        case .null, .bool, .integer, .number, .object: []
        }
    }

    private mutating func countPage(depth: Int) throws(RuleFailure) {
        guard followed < budget.pages else {
            throw exceeded(.pages, allowed: budget.pages, used: followed + 1)
        }
        guard depth <= budget.depth else { throw exceeded(.depth, allowed: budget.depth, used: depth) }
        followed += 1
    }

    /// The URL to follow: its scheme must be `http`, `https` or that of the current page, so that no page
    /// from the network can lead to a file.
    private func url(of reference: String, in scope: RuleScope) throws(RuleFailure) -> WebURL {
        guard let url = WebURL(resolving: reference, against: scope.page.baseURL) else {
            throw .rule(RuleError(.failed, "\"\(reference.prefix(100))\" is not a valid URL to follow"))
        }
        guard ["http", "https", scope.page.source.scheme].contains(url.scheme) else {
            throw .rule(
                RuleError(
                    .failed,
                    "a \(scope.page.source.scheme) page may not be followed to \(url.description.prefix(100))"
                )
            )
        }
        guard url.href.utf8.count <= WorkerTranscript.maximumURLLength else {
            let count = url.href.utf8.count
            throw .rule(RuleError(.failed, "a URL of \(count) bytes is too long to follow"))
        }
        return url
    }
}
