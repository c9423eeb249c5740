extension RecipeEvaluator {
    /// The value of a selection, and the nodes that it was taken from; no nodes unless provenance is
    /// recorded.
    func select(
        _ selection: RecipeSelection,
        in scope: RuleScope
    ) throws(RuleFailure) -> (JSONValue, [XPathNode]) {
        switch selection.query {
        case .current: return take(selection, of: [scope.node], in: scope.page)
        case .css(let selector):
            if selection.take == .count { return (.integer(Int64(try count(selector, in: scope))), []) }
            let nodes = try elements(selector, isFirstEnough: !selection.isList, in: scope)
            return take(selection, of: nodes, in: scope.page)
        case .xpath(let expression):
            switch try evaluate(expression, in: scope) {
            case .nodes(let nodes): return take(selection, of: nodes, in: scope.page)
            case .string(let text): return (Self.scalar(.string(text), selection), [])
            case .number(let number): return (Self.scalar(Self.number(number), selection), [])
            case .boolean(let value): return (Self.scalar(.bool(value), selection), [])
            }
        }
    }

    /// The nodes that a query finds, for fields or scripts that are evaluated on each.
    func elements(_ query: RecipeQuery, in scope: RuleScope) throws(RuleFailure) -> [Node] {
        switch query {
        case .current: return [scope.node]
        case .css(let selector): return try elements(selector, isFirstEnough: false, in: scope)
        case .xpath(let expression):
            guard case .nodes(let found) = try evaluate(expression, in: scope) else {
                throw .rule(RuleError(.failed, "expected nodes, found a text, a number or a boolean"))
            }
            var nodes: [Node] = []
            nodes.reserveCapacity(found.count)
            for case .node(let node) in found { nodes.append(node) }
            return nodes
        }
    }

    // MARK: - Queries

    private func elements(
        _ selector: Selector,
        isFirstEnough: Bool,
        in scope: RuleScope
    ) throws(RuleFailure) -> [Node] {
        do throws(SelectorError) {
            // A trace reports the number of all matches.
            if isFirstEnough, trace == nil {
                return try scope.node.querySelector(selector).map { [$0] } ?? []
            }
            let nodes = try scope.node.querySelectorAll(selector)
            trace?.found(nodes.count, by: rule)
            return nodes
        } catch {
            throw exceededSteps()
        }
    }

    /// How many elements match, counted without storing them: every element of the page may match.
    private func count(_ selector: Selector, in scope: RuleScope) throws(RuleFailure) -> Int {
        if selector.hasPositions || trace != nil {
            return try elements(selector, isFirstEnough: false, in: scope).count
        }
        var cursor = scope.node.elements(matching: selector)
        var count = 0
        do throws(SelectorError) {
            while try cursor.next() != nil { count += 1 }
        } catch {
            throw exceededSteps()
        }
        return count
    }

    private func evaluate(
        _ expression: XPathExpression,
        in scope: RuleScope
    ) throws(RuleFailure) -> XPathValue {
        do throws(SelectorError) {
            let value = try scope.node.evaluate(expression)
            if let trace, case .nodes(let nodes) = value { trace.found(nodes.count, by: rule) }
            return value
        } catch {
            if error.code == .xpathLimit { throw exceededSteps() }
            throw .rule(RuleError(.invalid, "XPath: \(error.message)"))
        }
    }

    // MARK: - Values

    private static func scalar(_ value: JSONValue, _ selection: RecipeSelection) -> JSONValue {
        switch selection.take {
        case .count: 1
        case .exists: value == .bool(false) ? false : true
        case .text, .raw, .innerHTML, .outerHTML, .attribute, .url, .line:
            selection.isList ? .array([value]) : value
        }
    }

    private static func number(_ number: Double) -> JSONValue {
        if let integer = Int64(exactly: number) { return .integer(integer) }
        return number.isFinite ? .number(number) : .null
    }

    /// The value of a selection on nodes of the tree, and the nodes that it was taken from.
    private func take(
        _ selection: RecipeSelection,
        of nodes: [Node],
        in page: RulePage
    ) -> (JSONValue, [XPathNode]) {
        let (value, indexes) = Self.take(selection, nodes) { Self.value(selection.take, of: $0, in: page) }
        return (value, origins == nil ? [] : indexes.map { .node(nodes[$0]) })
    }

    /// The value of a selection on XPath nodes of any kind, and the nodes that it was taken from.
    private func take(
        _ selection: RecipeSelection,
        of nodes: [XPathNode],
        in page: RulePage
    ) -> (JSONValue, [XPathNode]) {
        let (value, indexes) = Self.take(selection, nodes) { node in
            if case .node(let node) = node { return Self.value(selection.take, of: node, in: page) }
            return Self.value(selection.take, of: node.stringValue, in: page)
        }
        return (value, origins == nil ? [] : indexes.map { nodes[$0] })
    }

    /// The value of the first node, or of all, and the indexes of the nodes that have one.
    private static func take<Found>(
        _ selection: RecipeSelection,
        _ nodes: [Found],
        _ value: (Found) -> JSONValue
    ) -> (JSONValue, [Int]) {
        switch selection.take {
        case .count: return (.integer(Int64(nodes.count)), Array(nodes.indices))
        case .exists: return (.bool(!nodes.isEmpty), nodes.isEmpty ? [] : [0])
        case .text, .raw, .innerHTML, .outerHTML, .attribute, .url, .line: break
        }
        guard selection.isList else { return nodes.first.map { (value($0), [0]) } ?? (.null, []) }
        var values: [JSONValue] = []
        var indexes: [Int] = []
        values.reserveCapacity(nodes.count)
        for (index, node) in nodes.enumerated() {
            let value = value(node)
            // An element without the attribute adds no item to the list.
            guard value != .null else { continue }
            values.append(value)
            indexes.append(index)
        }
        return (.array(values), indexes)
    }

    /// The value taken from the text of an attribute or a namespace.
    private static func value(_ take: RecipeTake, of text: String, in page: RulePage) -> JSONValue {
        switch take {
        case .text: .string(text.collapsingASCIIWhitespace)
        case .url: absolute(text, page)
        case .raw, .innerHTML, .outerHTML, .attribute: .string(text)
        case .line, .count, .exists: .null
        }
    }

    private static func value(_ take: RecipeTake, of node: Node, in page: RulePage) -> JSONValue {
        switch take {
        case .text: .string(node.text)
        case .raw: .string(node.textContent)
        case .innerHTML: .string(node.innerHTML)
        case .outerHTML: .string(node.outerHTML)
        case .attribute(let name): JSONValue(node.attribute(name))
        case .url(let name): node.attribute(name).map { absolute($0, page) } ?? .null
        case .line: JSONValue((node.position ?? node.parent?.position)?.line)
        case .count, .exists: .null
        }
    }

    /// The absolute URL of a reference; null if the reference is not a valid URL.
    private static func absolute(_ reference: String, _ page: RulePage) -> JSONValue {
        JSONValue(WebURL(resolving: reference, against: page.baseURL)?.href)
    }
}

extension WebURL {
    /// Resolves a reference; nil if it is not a valid URL.
    init?(resolving reference: String, against base: WebURL) {
        do throws(WebURLError) {
            self = try WebURL(reference, base: base)
        } catch {
            return nil
        }
    }
}
