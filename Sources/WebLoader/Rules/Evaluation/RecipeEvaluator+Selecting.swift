extension RecipeEvaluator {
    /// What a selection takes, and the nodes that it takes it of.
    func select(
        _ selection: RecipeSelection,
        in scope: RuleScope
    ) throws(RuleFailure) -> (JSONValue, [XPathNode]) {
        let found: [XPathNode]
        switch try find(selection, in: scope) {
        case .nodes(let nodes): found = nodes
        case .string(let text): return (Self.scalar(.string(text), selection), [])
        case .number(let number): return (Self.scalar(Self.number(number), selection), [])
        case .boolean(let value): return (Self.scalar(.bool(value), selection), [])
        }
        switch selection.take {
        case .count: return (.integer(Int64(found.count)), found)
        case .exists: return (.bool(!found.isEmpty), found)
        case .text, .raw, .innerHTML, .outerHTML, .attribute, .url, .line: break
        }
        guard selection.isList else {
            guard let first = found.first else { return (.null, []) }
            return (value(selection.take, of: first, in: scope.page), [first])
        }
        var values: [JSONValue] = []
        var origins: [XPathNode] = []
        values.reserveCapacity(found.count)
        for node in found {
            let value = value(selection.take, of: node, in: scope.page)
            // An element without the attribute has no place in a list of its values.
            guard value != .null else { continue }
            values.append(value)
            origins.append(node)
        }
        return (.array(values), origins)
    }

    /// The elements that a query finds, for what is evaluated on each.
    func elements(_ query: RecipeQuery, in scope: RuleScope) throws(RuleFailure) -> [Node] {
        let selection = RecipeSelection(query: query, take: .text, isList: true)
        guard case .nodes(let found) = try find(selection, in: scope) else {
            throw .rule(RuleError(.failed, "expected nodes, found a text, a number or a truth value"))
        }
        var nodes: [Node] = []
        nodes.reserveCapacity(found.count)
        for case .node(let node) in found { nodes.append(node) }
        return nodes
    }

    /// What a query finds; the first match alone where no more is needed.
    private func find(_ selection: RecipeSelection, in scope: RuleScope) throws(RuleFailure) -> XPathValue {
        let found = try found(selection, in: scope)
        if let trace, case .nodes(let nodes) = found { trace.found(nodes.count, by: rule) }
        return found
    }

    private func found(_ selection: RecipeSelection, in scope: RuleScope) throws(RuleFailure) -> XPathValue {
        switch selection.query {
        case .current: return .nodes([.node(scope.node)])
        case .css(let selector):
            let isFirstEnough = !selection.isList && selection.take != .count && trace == nil
            do throws(SelectorError) {
                if isFirstEnough {
                    return .nodes(try scope.node.querySelector(selector).map { [.node($0)] } ?? [])
                }
                return .nodes(try scope.node.querySelectorAll(selector).map { .node($0) })
            } catch {
                throw exceededSteps()
            }
        case .xpath(let expression):
            do throws(XPathError) {
                return try scope.node.evaluate(expression)
            } catch {
                switch error.code {
                case .limit: throw exceededSteps()
                case .invalid: throw .rule(RuleError(.invalid, "XPath: \(error.message)"))
                }
            }
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

    private func value(_ take: RecipeTake, of found: XPathNode, in page: RulePage) -> JSONValue {
        guard case .node(let node) = found else {
            return switch take {
            case .text: .string(found.stringValue.collapsingASCIIWhitespace)
            case .url: Self.absolute(found.stringValue, page)
            case .raw, .innerHTML, .outerHTML, .attribute: .string(found.stringValue)
            case .line, .count, .exists: .null
            }
        }
        return switch take {
        case .text: .string(node.treeNode.collapsedText)
        case .raw: .string(node.textContent)
        case .innerHTML: .string(node.innerHTML)
        case .outerHTML: .string(node.outerHTML)
        case .attribute(let name): JSONValue(node.attribute(name))
        case .url(let name): node.attribute(name).map { Self.absolute($0, page) } ?? .null
        case .line: JSONValue((node.position ?? node.parent?.position)?.line)
        case .count, .exists: .null
        }
    }

    /// The absolute URL of a reference; null for what is none.
    private static func absolute(_ reference: String, _ page: RulePage) -> JSONValue {
        JSONValue(WebURL(resolving: reference, against: page.baseURL)?.href)
    }
}

extension WebURL {
    /// The URL of a reference; nil for what is none.
    init?(resolving reference: String, against base: WebURL) {
        do throws(WebURLError) {
            self = try WebURL(reference, base: base)
        } catch {
            return nil
        }
    }
}

extension TreeNode {
    /// The text inside, without ASCII white space at its ends, and each run of it inside made one space.
    ///
    /// Complexity: O(n), in one pass.
    var collapsedText: String {
        var output: [UInt8] = []
        var hasPendingSpace = false
        func append(_ bytes: UnsafePointer<UInt8>) {
            var index = 0
            while unsafe bytes[index] != 0 {
                let start = index
                while unsafe bytes[index] != 0 && !bytes[index].isASCIIWhitespace { index += 1 }
                if index > start {
                    if hasPendingSpace { output.append(0x20) }
                    hasPendingSpace = false
                    unsafe output.append(
                        contentsOf: UnsafeBufferPointer(start: bytes + start, count: index - start)
                    )
                }
                while unsafe bytes[index].isASCIIWhitespace {
                    hasPendingSpace = !output.isEmpty
                    index += 1
                }
            }
        }
        if let bytes = unsafe textBytes {
            unsafe append(bytes)
        } else {
            var walk = TreeWalk(inside: self)
            while let node = walk.next() {
                if let bytes = unsafe node.textBytes { unsafe append(bytes) }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
