import CLibXML2

/// Changes to nodes while the tree builder builds a tree; afterwards nothing changes it.
extension TreeNode {
    @inline(__always)
    var isDocument: Bool {
        unsafe pointer.pointee.type == XML_HTML_DOCUMENT_NODE
    }

    /// Whether the element is on the parser's stack of open elements; maintained for formatting elements
    /// only.
    ///
    /// The flag is stored in `extra`, which XPath and XSLT use for themselves once the tree is complete.
    @inline(__always)
    var isOpen: Bool {
        get { unsafe pointer.pointee.extra != 0 }
        nonmutating set { unsafe pointer.pointee.extra = newValue ? 1 : 0 }
    }

    /// Appends a node, which must have no parent, as the last child.
    @inline(__always)
    func append(_ child: TreeNode) {
        unsafe child.pointer.pointee.parent = pointer
        let last = unsafe pointer.pointee.last
        unsafe child.pointer.pointee.prev = last
        if let last = unsafe last {
            unsafe last.pointee.next = child.pointer
        } else {
            unsafe pointer.pointee.children = child.pointer
        }
        unsafe pointer.pointee.last = child.pointer
    }

    /// Inserts a node, which must have no parent, before a child.
    func insert(_ child: TreeNode, before sibling: TreeNode) {
        unsafe child.pointer.pointee.parent = pointer
        let previous = unsafe sibling.pointer.pointee.prev
        unsafe child.pointer.pointee.prev = previous
        unsafe child.pointer.pointee.next = sibling.pointer
        unsafe sibling.pointer.pointee.prev = child.pointer
        if let previous = unsafe previous {
            unsafe previous.pointee.next = child.pointer
        } else {
            unsafe pointer.pointee.children = child.pointer
        }
    }

    /// Removes the node from its parent.
    func remove() {
        let previous = unsafe pointer.pointee.prev
        let next = unsafe pointer.pointee.next
        if let previous = unsafe previous {
            unsafe previous.pointee.next = next
        } else {
            unsafe pointer.pointee.parent?.pointee.children = next
        }
        if let next = unsafe next {
            unsafe next.pointee.prev = previous
        } else {
            unsafe pointer.pointee.parent?.pointee.last = previous
        }
        unsafe pointer.pointee.parent = nil
        unsafe pointer.pointee.prev = nil
        unsafe pointer.pointee.next = nil
    }

    /// Moves all children to the end of another node, in time linear in their number.
    func moveChildren(to target: TreeNode) {
        guard let first = unsafe pointer.pointee.children, let last = unsafe pointer.pointee.last else {
            return
        }
        var child: UnsafeMutablePointer<xmlNode>? = unsafe first
        while let current = unsafe child {
            unsafe current.pointee.parent = target.pointer
            unsafe child = current.pointee.next
        }
        let before = unsafe target.pointer.pointee.last
        unsafe first.pointee.prev = before
        if let before = unsafe before {
            unsafe before.pointee.next = first
        } else {
            unsafe target.pointer.pointee.children = first
        }
        unsafe target.pointer.pointee.last = last
        unsafe pointer.pointee.children = nil
        unsafe pointer.pointee.last = nil
    }
}
