extension Node {
    /// The element that this one is a child of; nil for the outermost one.
    public var parentElement: Node? { treeNode.parentElement.map { Node($0, in: document) } }

    /// The first child that is an element; nil if there is none.
    public var firstElementChild: Node? { treeNode.firstElement.map { Node($0, in: document) } }

    /// The last child that is an element; nil if there is none.
    public var lastElementChild: Node? { treeNode.lastElement.map { Node($0, in: document) } }

    /// The next sibling that is an element; nil for the last one.
    public var nextElementSibling: Node? { treeNode.nextElement.map { Node($0, in: document) } }

    /// The previous sibling that is an element; nil for the first one.
    public var previousElementSibling: Node? { treeNode.previousElement.map { Node($0, in: document) } }

    /// The elements around the node, the nearest one first, found lazily.
    public var ancestors: some Sequence<Node> {
        sequence(state: treeNode) { [document] (node: inout TreeNode) -> Node? in
            guard let parent = node.parentElement else { return nil }
            node = parent
            return Node(parent, in: document)
        }
    }

    /// The elements inside the node, in document order, found lazily.
    public var descendants: some Sequence<Node> {
        let root = treeNode
        return sequence(state: root) { [document] (node: inout TreeNode) -> Node? in
            guard let next = node.elementAfter(in: root) else { return nil }
            node = next
            return Node(next, in: document)
        }
    }

    /// The element's ID; nil without one.
    public var id: String? { attribute("id") }

    /// The element's classes, in their order; empty without any.
    public var classList: [String] {
        attribute("class")?.utf8.split(whereSeparator: \.isASCIIWhitespace).map { String($0) ?? "" } ?? []
    }

    /// An attribute of an element.
    public struct Attribute: Hashable, Sendable {
        /// The name without its prefix.
        public let name: String

        /// The namespace name; nil for most attributes.
        public let namespaceName: String?

        /// The value.
        public let value: String
    }

    /// The element's attributes, in their order; empty for other nodes.
    public var attributes: [Attribute] {
        var attributes: [Attribute] = []
        var attribute = treeNode.firstAttribute
        while let current = attribute {
            attributes.append(Attribute(current))
            attribute = current.next
        }
        return attributes
    }
}

extension Node.Attribute {
    init(_ attribute: TreeAttribute) {
        name = attribute.name
        namespaceName = attribute.namespaceName
        value = attribute.value
    }
}
