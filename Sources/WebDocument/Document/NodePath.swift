/// Writes CSS selectors and XPath expressions that match exactly one node.
///
/// It remembers how far it has counted the children of the last node's ancestors. So the paths of nodes in document
/// order take time linear in the page's size and their own length, and memory in proportion to the tree's depth; for a
/// node before the last one, its siblings are counted again.
package struct NodePath {
    /// The children of a node, counted up to one of them.
    private struct Level {
        let parent: TreeNode

        /// The last child that is counted; nil before the first.
        private var child: TreeNode?

        /// How many of the counted children are elements.
        private(set) var elements = 0

        /// How many of the counted children have each node test.
        private(set) var names: [String: Int] = [:]

        /// How many of all children have each node test; nil until it is needed.
        private var totals: [String: Int]?

        init(_ parent: TreeNode) {
            self.parent = parent
        }

        /// Counts up to a child, itself included.
        mutating func count(to node: TreeNode) {
            guard child != node else { return }
            var next = child.map(\.next) ?? parent.firstChild
            while let current = next {
                if current.isElement { elements += 1 }
                names[NodePath.nodeTest(current).key, default: 0] += 1
                if current == node {
                    child = node
                    return
                }
                next = current.next
            }
            // It stands before those that are counted.
            guard child != nil else { return }
            let totals = totals
            self = Level(parent)
            self.totals = totals
            count(to: node)
        }

        /// Whether no other child has a node test.
        mutating func isOnly(_ key: String) -> Bool {
            if let totals { return totals[key] == 1 }
            var totals: [String: Int] = [:]
            var child = parent.firstChild
            while let current = child {
                totals[NodePath.nodeTest(current).key, default: 0] += 1
                child = current.next
            }
            self.totals = totals
            return totals[key] == 1
        }
    }

    /// From the outermost node on, those of the last node's ancestors.
    private var levels: [Level] = []

    package init() {}

    /// A selector that this element alone matches; nil for a node that is no element or not in the document's
    /// tree.
    package mutating func css(_ node: Node) -> String? {
        guard node.treeNode.isElement, let branch = enter(node.treeNode) else { return nil }
        var steps: [String] = []
        for (index, element) in branch.enumerated() {
            let name = Self.identifier(element.name)
            guard !element.isRoot else {
                steps.append(name)
                continue
            }
            levels[index].count(to: element)
            steps.append("\(name):nth-child(\(levels[index].elements))")
        }
        return steps.joined(separator: " > ")
    }

    /// An XPath expression that selects this node alone; nil for a node that is not in the document's tree.
    package mutating func xpath(_ node: Node) -> String? {
        guard let branch = enter(node.treeNode) else { return nil }
        var steps: [String] = []
        for (index, node) in branch.enumerated() {
            let (test, key) = Self.nodeTest(node)
            levels[index].count(to: node)
            let number = levels[index].names[key] ?? 1
            steps.append(levels[index].isOnly(key) ? test : "\(test)[\(number)]")
        }
        return "/" + steps.joined(separator: "/")
    }

    /// The nodes from the document's child down to a node, with a level for each; nil outside of the document's tree.
    private mutating func enter(_ node: TreeNode) -> [TreeNode]? {
        var branch: [TreeNode] = []
        var top = node
        while let parent = top.parent {
            branch.append(top)
            top = parent
        }
        guard top.isAnyDocument else { return nil }
        branch.reverse()
        for (index, node) in branch.enumerated() {
            guard let parent = node.parent else { return nil }
            if index < levels.count, levels[index].parent != parent { levels.removeSubrange(index...) }
            if index == levels.count { levels.append(Level(parent)) }
        }
        return branch
    }

    /// The XPath node test of a step, and a key that all nodes with the same test share.
    private static func nodeTest(_ node: TreeNode) -> (test: String, key: String) {
        guard node.isElement else {
            if node.isText { return ("text()", "#text") }
            return node.isComment ? ("comment()", "#comment") : ("processing-instruction()", "#instruction")
        }
        let name = node.name
        if let space = node.namespaceName {
            return (
                "*[local-name()=\(literal(name)) and namespace-uri()=\(literal(space))]", "\(space) \(name)"
            )
        }
        return (isName(name) ? name : "*[name()=\(literal(name))]", name)
    }

    /// Whether the name can be written in XPath as it is; to be safe, only ASCII letters, digits, `-` and `_`
    /// are.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isASCIIAlpha || first == UInt8(ascii: "_") else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    /// Writes a string literal of XPath, which has no escapes.
    static func literal(_ text: String) -> String {
        if !text.contains("'") { return "'\(text)'" }
        if !text.contains("\"") { return "\"\(text)\"" }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
        return "concat(\(parts.joined(separator: ", \"'\", ")))"
    }

    /// Writes a name as a CSS identifier.
    ///
    /// <https://drafts.csswg.org/cssom/#serialize-an-identifier>
    static func identifier(_ name: String) -> String {
        var output = ""
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isDigit = scalar.value >= 0x30 && scalar.value <= 0x39
            let isPlain =
                scalar.value >= 0x80 || scalar == "-" || scalar == "_"
                || scalar.isASCII && UInt8(truncatingIfNeeded: scalar.value).isASCIIAlphanumeric
            if scalar.value < 0x20 || scalar.value == 0x7F || isDigit && index == 0
                || isDigit && index == 1 && scalars[0] == "-"
            {
                output += "\\\(String(scalar.value, radix: 16)) "
            } else if !isPlain || scalar == "-" && scalars.count == 1 {
                output += "\\\(scalar)"
            } else {
                output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}

extension Node {
    /// A selector that this element alone matches, as in `html > body:nth-child(2) > p:nth-child(1)`; nil for
    /// a node that is no element, or is in a template.
    ///
    /// Complexity: O(n) in the number of siblings, its own and its ancestors'.
    public var cssPath: String? {
        var path = NodePath()
        return path.css(self)
    }

    /// An XPath expression that selects this node alone, as in `/html/body/p[2]`; nil for a node in a template.
    ///
    /// Complexity: O(n) in the number of siblings, its own and its ancestors'.
    public var xpath: String? {
        var path = NodePath()
        return path.xpath(self)
    }
}
