import CLibXML2
import Glibc

/// A tree in the format of the html5lib tests, for comparing parsers.
///
/// One line per node, with `| ` and two spaces per level; attributes sorted by name; foreign names after
/// `svg` or `math`; a template's contents under `content`. Shadow roots are not written.
@safe struct HTMLTreeDump {
    private(set) var bytes: [UInt8] = []

    /// How many nodes were written: elements, texts, comments, processing instructions and the DOCTYPE,
    /// including those in templates.
    private(set) var nodes = 0

    /// Writes the children of a node.
    mutating func append(childrenOf root: TreeNode) {
        // The templates whose contents are being written, innermost last.
        var hosts: [TreeNode] = []
        var level = 0
        var next = root.firstChild
        var parent = root
        while true {
            if let node = next {
                append(node, level: level)
                if node.isElement, let contents = node.fragment, isTemplate(node) {
                    line(level + 1, "content")
                    hosts.append(node)
                    parent = contents
                    level += 2
                    next = contents.firstChild
                } else if node.isElement {
                    parent = node
                    level += 1
                    next = node.firstChild
                } else {
                    next = node.next
                }
            } else {
                if parent == root { return }
                if let host = hosts.last, host.fragment == parent {
                    hosts.removeLast()
                    // The template's own children follow its contents; the parser gives it none.
                    level -= 1
                    parent = host
                    next = host.firstChild
                } else {
                    level -= 1
                    next = parent.next
                    guard let above = parent.parent else { return }
                    parent = above
                }
            }
        }
    }

    private func isTemplate(_ node: TreeNode) -> Bool {
        unsafe node.pointer.pointee.ns == nil && strcmp(node.pointer.pointee.name, "template") == 0
    }

    private mutating func append(_ node: TreeNode, level: Int) {
        nodes += 1
        let pointer = unsafe node.pointer
        switch unsafe pointer.pointee.type {
        case XML_ELEMENT_NODE:
            let name = unsafe text(pointer.pointee.name)
            line(level, "<\(unsafe prefix(pointer.pointee.ns))\(name)>")
            appendAttributes(of: node, level: level + 1)
        case XML_TEXT_NODE: line(level, "\"\(unsafe text(UnsafePointer(pointer.pointee.content)))\"")
        case XML_COMMENT_NODE: line(level, "<!-- \(unsafe text(UnsafePointer(pointer.pointee.content))) -->")
        case XML_PI_NODE:
            let data = unsafe text(UnsafePointer(pointer.pointee.content))
            line(level, "<?\(unsafe text(pointer.pointee.name)) \(data)?>")
        case XML_DTD_NODE:
            let dtd = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlDtd.self)
            var shown = "<!DOCTYPE \(unsafe text(dtd.pointee.name))"
            if unsafe dtd.pointee.ExternalID != nil || dtd.pointee.SystemID != nil {
                shown +=
                    " \"\(unsafe text(dtd.pointee.ExternalID))\" \"\(unsafe text(dtd.pointee.SystemID))\""
            }
            line(level, shown + ">")
        default: break
        }
    }

    private mutating func appendAttributes(of node: TreeNode, level: Int) {
        var attributes: [(name: String, value: String)] = []
        var next = unsafe node.pointer.pointee.properties
        while let attribute = unsafe next {
            var name = unsafe text(attribute.pointee.name)
            if let namespace = unsafe attribute.pointee.ns, let prefix = unsafe namespace.pointee.prefix {
                name = "\(unsafe text(prefix)) \(name)"
            }
            let value = unsafe attribute.pointee.children?.pointee.content
            attributes.append((name, unsafe text(UnsafePointer(value))))
            unsafe next = attribute.pointee.next
        }
        attributes.sort { Array($0.name.utf16).lexicographicallyPrecedes(Array($1.name.utf16)) }
        for (name, value) in attributes { line(level, "\(name)=\"\(value)\"") }
    }

    private func prefix(_ namespace: UnsafeMutablePointer<xmlNs>?) -> String {
        guard let namespace = unsafe namespace else { return "" }
        return unsafe text(namespace.pointee.href) == HTMLNamespaces.svg ? "svg " : "math "
    }

    private func text(_ pointer: UnsafePointer<UInt8>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }

    private mutating func line(_ level: Int, _ text: String) {
        bytes += "| ".utf8
        for _ in 0..<(2 * level) { bytes.append(0x20) }
        bytes += text.utf8
        bytes.append(0x0A)
    }
}
