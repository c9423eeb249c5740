import CLibXML2

/// Walks the nodes inside a node, or a document, in document order.
///
/// Template contents and shadow roots are kept outside the tree, so the walk skips them. O(1) a step, without
/// recursion.
package struct TreeWalk {
    private let root: TreeNode
    private var following: TreeNode?

    /// The nodes inside `root`, without itself.
    package init(inside root: TreeNode) {
        self.root = root
        following = root.firstChild
    }

    /// The next node, nil at the end.
    @inline(__always)
    package mutating func next() -> TreeNode? {
        guard let current = following else { return nil }
        following = current.hasWalkableChildren ? current.firstChild : Self.after(current, root)
        if following == nil { following = Self.after(current, root) }
        return current
    }

    /// The next element, nil at the end.
    @inline(__always)
    package mutating func nextElement() -> TreeNode? {
        while let node = next() {
            if node.isElement { return node }
        }
        return nil
    }

    /// The first node after a node and everything inside it.
    private static func after(_ node: TreeNode, _ root: TreeNode) -> TreeNode? {
        var node = node
        while node != root {
            if let next = node.next { return next }
            guard let parent = node.parent else { return nil }
            node = parent
        }
        return nil
    }
}

extension TreeNode {
    /// Whether the nodes that `children` points to are inside the node; those of an entity reference belong
    /// to its declaration.
    @inline(__always)
    fileprivate var hasWalkableChildren: Bool {
        unsafe pointer.pointee.type == XML_ELEMENT_NODE || pointer.pointee.type == XML_DOCUMENT_FRAG_NODE
    }
}
