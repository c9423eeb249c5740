import CLibXML2
import Glibc

/// The lengths of the texts last appended to, so that appending is linear in the appended bytes.
///
/// A text continues after a character reference, a NUL or a stray tag, and two texts may grow in turn where a
/// table moves text out of itself. Two are remembered; any other is measured again.
@safe struct HTMLTextCursors {
    private struct Cursor {
        var node: TreeNode?
        var count = 0
        /// The size of the buffer in bytes, including the final NUL.
        var capacity = 0
    }

    private var first = Cursor()
    private var second = Cursor()

    /// Remembers a new text.
    @inline(__always)
    mutating func begin(_ node: TreeNode, count: Int) {
        second = first
        first = Cursor(node: node, count: count, capacity: max(webl_inside_capacity(count), count + 1))
    }

    /// Appends to a text as much as the limit allows; returns how many bytes that was.
    mutating func append(_ bytes: HTMLBytes, to node: TreeNode, limit: Int) throws(HTMLParserError) -> Int {
        if first.node != node {
            if second.node == node {
                swap(&first, &second)
            } else {
                let length = unsafe Int(xmlStrlen(node.pointer.pointee.content))
                second = first
                first = Cursor(node: node, count: length, capacity: length + 1)
            }
        }
        var added = bytes.count
        if first.count + added > limit {
            added = max(0, limit - first.count)
            while added > 0, added < bytes.count, bytes[added] & 0xC0 == 0x80 { added -= 1 }
        }
        let needed = first.count + added + 1
        if needed > first.capacity { try grow(node, to: needed) }
        guard let content = unsafe node.pointer.pointee.content else { return 0 }
        unsafe memcpy(content + first.count, bytes.base, added)
        first.count += added
        unsafe content[first.count] = 0
        return added
    }

    private mutating func grow(_ node: TreeNode, to needed: Int) throws(HTMLParserError) {
        let capacity = max(needed, first.capacity * 2)
        guard unsafe webl_grow_text(node.pointer, first.count, first.capacity, capacity) != 0 else {
            throw HTMLParserError(code: .outOfMemory)
        }
        first.capacity = capacity
    }
}
