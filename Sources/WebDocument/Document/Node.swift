import CLibXML2

/// A node of a document.
///
/// It keeps the document alive.
public struct Node: Hashable, Sendable {
    /// The document that the node belongs to.
    public let document: Document

    /// Where the node is in memory.
    package let address: UInt

    /// Creates a node from an address, which must come from a node of the same document.
    package init(address: UInt, in document: Document) {
        self.document = document
        self.address = address
    }

    init(_ node: TreeNode, in document: Document) {
        self.document = document
        unsafe address = UInt(bitPattern: node.pointer)
    }

    package var treeNode: TreeNode {
        // The address came from a node, which lives as long as the document held here.
        guard let pointer = unsafe UnsafeMutablePointer<xmlNode>(bitPattern: address) else {
            return document.node
        }
        return unsafe TreeNode(pointer)
    }

    /// Whether both are the same node of the same tree.
    public static func == (a: Node, b: Node) -> Bool { a.address == b.address }

    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(address) }

    /// The local name, in lower case for HTML; empty for nodes without a name.
    public var name: String { treeNode.name }

    /// The namespace name; nil for elements of HTML documents that are HTML elements, and for nodes in no
    /// namespace.
    public var namespaceName: String? { treeNode.namespaceName }

    /// Whether the node is an element.
    public var isElement: Bool { treeNode.isElement }

    /// The node that this one is a child of; nil for the document.
    public var parent: Node? { treeNode.parent.map { Node($0, in: document) } }

    /// The child elements, in order.
    ///
    /// Complexity: O(n) in the number of children.
    public var children: [Node] {
        var children: [Node] = []
        var child = treeNode.firstChild
        while let current = child {
            if current.isElement { children.append(Node(current, in: document)) }
            child = current.next
        }
        return children
    }

    /// The value of an attribute in no namespace, nil if the element has none of that name.
    ///
    /// Complexity: O(n) in the number of attributes.
    public func attribute(_ name: String) -> String? {
        treeNode.attribute(named: name)
    }

    /// The text of all text nodes inside, in document order.
    ///
    /// Complexity: O(n) in the number of nodes inside.
    public var textContent: String { treeNode.textContent }

    /// Where the element's tag stands in the source; nil where the parser did not keep it.
    public var position: SourcePosition? { treeNode.sourcePosition }
}
