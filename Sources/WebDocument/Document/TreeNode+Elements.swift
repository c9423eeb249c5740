import CLibXML2

/// Navigation between elements.
extension TreeNode {
    /// The parent, if it is an element.
    @inline(__always)
    var parentElement: TreeNode? {
        guard let parent, parent.isElement else { return nil }
        return parent
    }

    @inline(__always)
    var nextElement: TreeNode? {
        var node = next
        while let current = node, !current.isElement { node = current.next }
        return node
    }

    @inline(__always)
    var previousElement: TreeNode? {
        var node = previous
        while let current = node, !current.isElement { node = current.previous }
        return node
    }

    @inline(__always)
    var firstElement: TreeNode? {
        guard let first = firstChild else { return nil }
        return first.isElement ? first : first.nextElement
    }

    @inline(__always)
    var lastElement: TreeNode? {
        guard let last = lastChild else { return nil }
        return last.isElement ? last : last.previousElement
    }

    /// Whether the node is a document.
    @inline(__always)
    var isAnyDocument: Bool {
        let type = unsafe pointer.pointee.type
        return type == XML_HTML_DOCUMENT_NODE || type == XML_DOCUMENT_NODE
    }

    /// Whether the element is the document's root element.
    @inline(__always)
    var isRoot: Bool { parent?.isAnyDocument ?? false }

    var isComment: Bool { unsafe pointer.pointee.type == XML_COMMENT_NODE }

    /// The address, as the identity of the node.
    @inline(__always)
    var address: UInt { unsafe UInt(bitPattern: pointer) }

    /// The first element in document order inside this one, else the next one after it that is inside `root`.
    @inline(__always)
    func elementAfter(in root: TreeNode) -> TreeNode? {
        firstElement ?? elementAfterAll(in: root)
    }

    /// The next element in document order after this one and everything inside it, as long as it is inside
    /// `root`.
    @inline(__always)
    func elementAfterAll(in root: TreeNode) -> TreeNode? {
        var node = self
        while node != root {
            if let next = node.nextElement { return next }
            guard let parent = node.parent else { return nil }
            node = parent
        }
        return nil
    }
}
