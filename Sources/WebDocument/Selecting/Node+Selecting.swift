extension Node {
    /// The first element inside that matches a selector, in document order; nil if none does.
    ///
    /// Complexity: O(n) in the number of elements up to it.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func querySelector(_ selector: Selector) throws(SelectorError) -> Node? {
        if selector.hasPositions { return try querySelectorAll(selector).first }
        var cursor = elements(matching: selector)
        return try cursor.next()
    }

    /// The first element inside that matches a selector of standard CSS, in document order; nil if none does.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func querySelector(_ selector: String) throws(SelectorError) -> Node? {
        try querySelector(Selector(selector))
    }

    /// All elements inside that match a selector, in document order.
    ///
    /// O(n) in the number of elements inside, for common selectors; see ``SelectorError/Code/limit`` for
    /// others.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: The elements.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func querySelectorAll(_ selector: Selector) throws(SelectorError) -> [Node] {
        if selector.hasPositions { return try elementsByPosition(selector) }
        var cursor = elements(matching: selector)
        var nodes: [Node] = []
        while let node = try cursor.next() { nodes.append(node) }
        return nodes
    }

    /// All elements inside that match a selector of standard CSS, in document order.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: The elements.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func querySelectorAll(_ selector: String) throws(SelectorError) -> [Node] {
        try querySelectorAll(Selector(selector))
    }

    /// The elements inside that match a selector, one by one.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: A cursor before the first of them.
    public func elements(matching selector: Selector) -> ElementCursor {
        ElementCursor(
            selector,
            inside: treeNode,
            of: document,
            scope: isElement ? treeNode : nil,
            steps: SelectorMatcher.maximumSteps
        )
    }

    /// Whether the element itself matches a selector; false if the node is not an element.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node. `:eq()` is ignored.
    /// - Returns: Whether it matches.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func matches(_ selector: Selector) throws(SelectorError) -> Bool {
        guard isElement else { return false }
        var matcher = SelectorMatcher(selector, document, scope: treeNode)
        let isMatch = matcher.matches(treeNode)
        if matcher.isExhausted { throw ElementCursor.exhausted }
        return isMatch
    }

    /// Whether the element itself matches a selector of standard CSS; false if the node is not an element.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: Whether it matches.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func matches(_ selector: String) throws(SelectorError) -> Bool {
        try matches(Selector(selector))
    }

    /// The nearest element that matches a selector: this one, its parent, and so on; nil if none does.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node. `:eq()` is ignored.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func closest(_ selector: Selector) throws(SelectorError) -> Node? {
        var matcher = SelectorMatcher(selector, document, scope: isElement ? treeNode : nil)
        var current = isElement ? treeNode : treeNode.parentElement
        while let element = current {
            let isMatch = matcher.matches(element)
            if matcher.isExhausted { throw ElementCursor.exhausted }
            if isMatch { return Node(element, in: document) }
            current = element.parentElement
        }
        return nil
    }

    /// The nearest element that matches a selector of standard CSS; nil if none does.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func closest(_ selector: String) throws(SelectorError) -> Node? {
        try closest(Selector(selector))
    }

    /// The texts that a selector extracts from the elements inside that match, in document order: the value
    /// of the attribute for `::attr(name)` if the element has it, each text node for `::text`, else the whole
    /// text content.
    ///
    /// - Parameter selector: The selector; `:scope` in it is this node.
    /// - Returns: The texts.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func values(of selector: Selector) throws(SelectorError) -> [String] {
        var values: [String] = []
        try forEachMatch(selector) { element, extraction in
            values += extraction.values(of: Node(element, in: document))
        }
        return values
    }

    // MARK: - Positions and extractions

    /// The elements of a selector with `:eq()`, for which all matches of its part of the list have to be
    /// found.
    private func elementsByPosition(_ selector: Selector) throws(SelectorError) -> [Node] {
        var nodes: [Node] = []
        try forEachMatch(selector) { element, _ in
            if nodes.last?.treeNode != element { nodes.append(Node(element, in: document)) }
        }
        return nodes
    }

    /// Each element that matches, once for each extraction, in document order.
    package func matches(of selector: Selector) throws(SelectorError) -> [(node: Node, Selector.Extraction)] {
        var matches: [(Node, Selector.Extraction)] = []
        try forEachMatch(selector) { element, extraction in
            matches.append((Node(element, in: document), extraction))
        }
        return matches
    }

    /// Calls `body` with each element that matches, once for each extraction, in document order.
    private func forEachMatch(
        _ selector: Selector,
        _ body: (TreeNode, Selector.Extraction) -> Void
    ) throws(SelectorError) {
        let complexes = selector.program.complexes(of: selector.program.root)
        var cursor = elements(matching: selector)
        if complexes.allSatisfy({ $0.extraction == .element && $0.position == nil }) {
            while let element = try cursor.nextElement() { body(element, .element) }
            return
        }
        /// For each complex selector with a position, the element at that position.
        var chosen: [Int: TreeNode] = [:]
        for index in complexes.indices {
            guard let position = complexes[index].position else { continue }
            cursor.rewind()
            var found: [TreeNode] = []
            while let element = try cursor.nextElement(complex: index) {
                found.append(element)
                if position >= 0, found.count > position { break }
            }
            let place = position >= 0 ? position : found.count + position
            if found.indices.contains(place) { chosen[index] = found[place] }
        }
        cursor.rewind()
        while let element = try cursor.nextElement() {
            var taken: [Selector.Extraction] = []
            for index in complexes.indices {
                let complex = complexes[index]
                guard !taken.contains(complex.extraction) else { continue }
                if complex.position == nil {
                    guard try cursor.matches(element, complex: index) else { continue }
                } else {
                    guard chosen[index] == element else { continue }
                }
                taken.append(complex.extraction)
                body(element, complex.extraction)
            }
        }
    }
}

extension Selector {
    /// Whether it contains `:eq()`.
    package var hasPositions: Bool { program.complexes(of: program.root).contains { $0.position != nil } }
}

extension Selector.Extraction {
    /// The texts that are extracted from an element.
    package func values(of node: Node) -> [String] {
        switch self {
        case .element: return [node.textContent]
        case .attribute(let name): return node.attribute(name).map { [$0] } ?? []
        case .text:
            var values: [String] = []
            var child = node.treeNode.firstChild
            while let current = child {
                if let text = unsafe current.textBytes { unsafe values.append(String(cString: text)) }
                child = current.next
            }
            return values
        }
    }
}
