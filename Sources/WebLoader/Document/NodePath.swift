/// Writes CSS selectors and XPath expressions that match exactly one node.
///
/// It caches the numbers of children, so that the paths of all elements of a page take time linear in their
/// length.
package struct NodePath {
    /// Each child's number among all elements, and among those with its name and kind.
    private var numbers: [TreeNode: (element: Int, name: Int)] = [:]
    /// For each parent, how many children there are of each name.
    private var counts: [TreeNode: [String: Int]] = [:]

    package init() {}

    /// A selector that this element alone matches; nil for a node that is no element or not in the document's
    /// tree.
    package mutating func css(_ node: Node) -> String? {
        let node = node.treeNode
        guard node.isElement, isInTree(node) else { return nil }
        var steps: [String] = []
        var current: TreeNode? = node
        while let element = current {
            let name = Self.identifier(element.name)
            if element.isRoot {
                steps.append(name)
            } else {
                steps.append("\(name):nth-child(\(number(element).element))")
            }
            current = element.parentElement
        }
        return steps.reversed().joined(separator: " > ")
    }

    /// An XPath expression that selects this node alone; nil for a node that is not in the document's tree.
    package mutating func xpath(_ node: Node) -> String? {
        let node = node.treeNode
        guard isInTree(node) else { return nil }
        var steps: [String] = []
        var current = node
        while let parent = current.parent {
            let (test, key) = Self.nodeTest(current)
            let number = number(current).name
            let isOnly = counts[parent]?[key] == 1
            steps.append(isOnly ? test : "\(test)[\(number)]")
            current = parent
        }
        return "/" + steps.reversed().joined(separator: "/")
    }

    private func isInTree(_ node: TreeNode) -> Bool {
        var top = node
        while let parent = top.parent { top = parent }
        return top.isAnyDocument
    }

    private mutating func number(_ node: TreeNode) -> (element: Int, name: Int) {
        if let known = numbers[node] { return known }
        guard let parent = node.parent else { return (1, 1) }
        var count: [String: Int] = [:]
        var elements = 0
        var child = parent.firstChild
        while let current = child {
            if current.isElement { elements += 1 }
            let key = Self.nodeTest(current).key
            let number = (count[key] ?? 0) + 1
            count[key] = number
            numbers[current] = (elements, number)
            child = current.next
        }
        counts[parent] = count
        return numbers[node] ?? (1, 1)
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
