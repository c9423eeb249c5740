/// A file of SVG whose elements can be written into a page, under identifiers of their own.
///
/// They are written from the tree, and only what draws is: what is a comment in a file of XML is something else in a
/// page. Its style sheets are for its own elements alone.
package struct SymbolFile: Sendable {
    private let root: Node
    /// The elements that have an identifier.
    private var elements: [String: Node] = [:]
    /// The elements that the page has already.
    private var placed: Set<UInt> = []
    /// Whether the page has the style sheets already.
    private var hasPlacedStyles = false
    private var styles: [SymbolStyle] = []

    /// - Parameter document: The file; nil is returned for one that is not XML, or empty.
    /// - Complexity: O(n) in the size of the file.
    package init?(_ document: Document) {
        guard document.kind == .xml, let root = document.root else { return nil }
        self.root = root
        var walk = TreeWalk(inside: document.node)
        while let element = walk.nextElement() {
            if let id = element.attribute("id"), elements[id] == nil {
                elements[id] = Node(element, in: document)
            }
            if let style = SymbolStyle(element) { styles.append(style) }
        }
    }

    /// Returns an element with everything that it refers to.
    ///
    /// - Parameters:
    ///   - id: Its identifier; empty for all of the file.
    ///   - prefix: The prefix of the identifiers.
    ///   - mark: The attribute of each element whose value is the prefix.
    ///   - isShared: Whether elements that were put into the page before can be referred to.
    ///   - budget: The number of nodes that may be visited and bytes written, which is reduced by those used.
    /// - Returns: The markup, which is empty if the page has it, and the element's identifier; `nil` if there is none,
    ///   or it exceeds the budget.
    package mutating func symbol(
        _ id: String,
        prefix: String,
        mark: String,
        isShared: Bool,
        budget: inout Int
    ) -> (markup: [UInt8], id: String)? {
        guard let first = id.isEmpty ? root : elements[id] else { return nil }
        let writer = SymbolWriter(root: root.treeNode, elements: elements, prefix: prefix, mark: mark)
        let needsStyles = !styles.isEmpty && !(isShared && hasPlacedStyles)
        let drawnWith = needsStyles ? styles.flatMap(\.references).compactMap { elements[$0]?.treeNode } : []
        let found = writer.needed(
            from: [first.treeNode] + drawnWith,
            without: isShared ? placed : [],
            &budget
        )
        var output: [UInt8] = []
        var written: Set<UInt> = []
        if needsStyles { for style in styles { writer.write(style, &output, &budget) } }
        for element in found { writer.write(element, &output, &written, &budget) }
        let isThere = isShared && placed.contains(first.address)
        guard budget >= 0, isThere || !written.isEmpty else { return nil }
        if isShared {
            placed.formUnion(written)
            hasPlacedStyles = true
        }
        return (output, prefix + (first == root ? "" : id))
    }
}
