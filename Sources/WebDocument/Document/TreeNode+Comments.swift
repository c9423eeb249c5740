import CLibXML2

extension TreeNode {
    /// The text of a comment; empty for any other node.
    var commentText: String {
        guard isComment, let content = unsafe pointer.pointee.content else { return "" }
        return unsafe String(cString: content)
    }

    /// How many bytes the text of the node's own text children has.
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
