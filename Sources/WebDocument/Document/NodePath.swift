/// Writes CSS selectors and XPath expressions that match exactly one node.
///
/// It remembers how far it has counted the children of the last node's ancestors, and of long lists. So the paths of all
/// nodes take time linear in the page's size and their own length. In document order they take little memory; the
/// children of a long list get an entry each once a node before the last one is asked for.
package struct NodePath {
    /// The children of a node, counted up to one of them.
    private struct Level {
        typealias Numbers = (element: Int, name: Int)

        /// Whether it has so many children that counting them again and again would take long.
        var isLong: Bool { max(count, size) >= 64 }

        let parent: TreeNode

        /// The last child that is counted; nil before the first.
        private var child: TreeNode?

        /// How many children are counted, how many of them are elements, and how many have each node test.
        private var count = 0
        private var elements = 0
        private var names: [String: Int] = [:]

        /// How many of all children have each node test; nil until it is needed.
        private var totals: [String: Int]?

        /// How many children there are, once they are counted all.
        private var size = 0

        /// The numbers of all children; nil as long as they are asked for in their order.
        private var numbers: [TreeNode: Numbers]?

        init(_ parent: TreeNode) {
            self.parent = parent
        }

        /// The number of a child among all elements, and among the nodes with its node test.
        mutating func numbers(_ node: TreeNode) -> Numbers {
            if let numbers { return numbers[node] ?? (1, 1) }
            if node == child { return (elements, names[NodePath.nodeTest(node).key] ?? 1) }
            while let (current, numbers) = next() {
                if current == node { return numbers }
            }
            // It stands before the last one.
            var all = Level(parent)
            var numbers: [TreeNode: Numbers] = [:]
            while let (current, own) = all.next() { numbers[current] = own }
            self.numbers = numbers
            return numbers[node] ?? (1, 1)
        }

        /// Counts the next child.
        private mutating func next() -> (TreeNode, Numbers)? {
            guard let next = child.map(\.next) ?? parent.firstChild else { return nil }
            child = next
            count += 1
            if next.isElement { elements += 1 }
            let name = (names[NodePath.nodeTest(next).key] ?? 0) + 1
            names[NodePath.nodeTest(next).key] = name
            return (next, (elements, name))
        }

        /// Whether no other child has a node test.
        mutating func isOnly(_ key: String) -> Bool {
            if let totals { return totals[key] == 1 }
            var all = Level(parent)
            while all.next() != nil {}
            totals = all.names
            size = all.count
            return all.names[key] == 1
        }
    }

    /// From the outermost node on, those of the last node's ancestors.
    private var levels: [Level] = []

    /// The long ones of other nodes, by parent.
    private var others: [TreeNode: Level] = [:]

    package init() {}

    /// A selector that this element alone matches; nil for a node that is no element or not in the document's
    /// tree.
    package mutating func css(_ node: Node) -> String? {
        guard node.treeNode.isElement, let branch = enter(node.treeNode) else { return nil }
        var steps: [String] = []
        for (index, element) in branch.enumerated() {
            let name = Self.identifier(element.name)
            steps.append(
                element.isRoot ? name : "\(name):nth-child(\(levels[index].numbers(element).element))"
            )
        }
        return steps.joined(separator: " > ")
    }

    /// An XPath expression that selects this node alone; nil for a node that is not in the document's tree.
    package mutating func xpath(_ node: Node) -> String? {
        guard let branch = enter(node.treeNode) else { return nil }
        var steps: [String] = []
        for (index, node) in branch.enumerated() {
            let (test, key) = Self.nodeTest(node)
            steps.append(
                levels[index].isOnly(key) ? test : "\(test)[\(levels[index].numbers(node).name)]"
            )
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
        var parent = top
        for (index, node) in branch.enumerated() {
            if index < levels.count, levels[index].parent != parent {
                for level in levels[index...] where level.isLong { others[level.parent] = level }
                levels.removeSubrange(index...)
            }
            if index == levels.count { levels.append(others.removeValue(forKey: parent) ?? Level(parent)) }
            parent = node
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
