import CLibXML2

extension TreeNode {
    /// What a comment says; empty for any other node.
    var commentText: String {
        guard isComment, let content = unsafe pointer.pointee.content else { return "" }
        return unsafe String(cString: content)
    }

    /// Bytes of the node's own text children.
    var childTextLength: Int {
        var length = 0
        var child = firstChild
        while let current = child {
            if let bytes = unsafe current.textBytes { length += unsafe Self.length(bytes) }
            child = current.next
        }
        return length
    }
}
