import CLibXML2
import Glibc

/// The nodes of a document by their numbers, and the children of each, for who looks at a tree piece by piece.
///
/// The document is 0, and all others follow in document order, so that they have the same numbers wherever the same
/// bytes are parsed with the same limits. The contents of a template and a shadow root are a node of their own, the
/// first child of their element. It takes 20 bytes a node.
package struct NodeIndex: Sendable {
    /// The kind of a node.
    package enum Kind: String, Sendable {
        case document, element, text, cdata, comment, doctype, instruction, entity
        /// The contents of a template.
        case contents
        case shadowRoot = "shadow root"
    }

    package let document: Document
    private var addresses: [UInt]
    /// The number of the node around each; that of the document is its own.
    private var parents: [Int32] = [0]
    /// All but the document, those with the same parent one after the other.
    private var children: [Int32] = []
    /// Where the children of each node begin, and behind the last one where they end.
    private var starts: [Int32] = []

    /// Numbers the nodes of a document.
    ///
    /// - Complexity: O(n) in their number, without recursion.
    package init(_ document: Document) {
        self.document = document
        addresses = [document.node.address]
        var open: [Int32] = [0]
        var walk = ContentsWalk(inside: document.node)
        while let step = walk.next() {
            switch step {
            case .enter(let node): add(node, to: &open, isOpen: node.isElement)
            case .enterContents(of: let host): add(host.contents ?? host, to: &open, isOpen: true)
            case .leave, .leaveContents: _ = open.popLast()
            }
        }
        group()
    }

    private mutating func add(_ node: TreeNode, to open: inout [Int32], isOpen: Bool) {
        let number = Int32(clamping: addresses.count)
        addresses.append(node.address)
        parents.append(open.last ?? 0)
        if isOpen { open.append(number) }
    }

    /// Puts the children of each node together.
    private mutating func group() {
        starts = [Int32](repeating: 0, count: parents.count + 1)
        for parent in parents.dropFirst() { starts[Int(parent) + 1] &+= 1 }
        for number in parents.indices { starts[number + 1] &+= starts[number] }
        children = [Int32](repeating: 0, count: parents.count - 1)
        var next = starts
        for (number, parent) in parents.enumerated().dropFirst() {
            children[Int(next[Int(parent)])] = Int32(clamping: number)
            next[Int(parent)] &+= 1
        }
    }

    /// How many nodes there are, with the document.
    package var count: Int { addresses.count }

    /// The node of a number below ``count``.
    package subscript(number: Int) -> Node { Node(address: addresses[number], in: document) }

    /// The numbers of the children of a node, in document order.
    package func children(of number: Int) -> ArraySlice<Int32> {
        children[Int(starts[number])..<Int(starts[number + 1])]
    }

    /// The number of the node around another; nil for the document.
    package func parent(of number: Int) -> Int? { number == 0 ? nil : Int(parents[number]) }

    /// The numbers of some nodes; nil for what is no node of the document.
    ///
    /// - Complexity: O(n) in the number of all nodes, as long as they are in document order.
    package func numbers(of nodes: [Node?]) -> [Int?] {
        var last = 0
        return nodes.map { node in
            guard let address = node?.address,
                let found = addresses[last...].firstIndex(of: address)
                    ?? addresses[..<last].firstIndex(of: address)
            else { return nil }
            last = found
            return found
        }
    }

    /// Returns the kind of a node.
    package func kind(of number: Int) -> Kind {
        switch unsafe self[number].treeNode.pointer.pointee.type {
        case XML_ELEMENT_NODE: return .element
        case XML_TEXT_NODE: return .text
        case XML_CDATA_SECTION_NODE: return .cdata
        case XML_COMMENT_NODE: return .comment
        case XML_PI_NODE: return .instruction
        case XML_DTD_NODE, XML_DOCUMENT_TYPE_NODE: return .doctype
        case XML_DOCUMENT_FRAG_NODE:
            return self[Int(parents[number])].treeNode.isTemplate ? .contents : .shadowRoot
        case XML_DOCUMENT_NODE, XML_HTML_DOCUMENT_NODE: return .document
        default: return .entity
        }
    }
}

extension Node {
    /// The element's start tag as browsers write it, or the whole of any other node that is markup; empty for others.
    package var startTag: String {
        var writer = HTMLWriter()
        writer.write(start: treeNode)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The start of the node's own text, or that of a comment or an instruction, or of the texts inside of an element.
    ///
    /// - Parameter count: How many Unicode scalar values are wanted at most.
    /// - Returns: The text.
    /// - Complexity: O(n) in that number, and in the text of a comment or an instruction.
    package func text(scalars count: Int) -> String {
        let own = treeNode
        switch unsafe own.pointer.pointee.type {
        case XML_COMMENT_NODE, XML_PI_NODE:
            return unsafe own.pointer.pointee.content.map { unsafe String(cString: $0) }?
                .prefix(scalars: count) ?? ""
        default: break
        }
        // As many bytes as these may have, so that none of them is cut.
        let size = 4 *| count
        var text: [UInt8] = []
        func add(_ node: TreeNode) {
            guard let start = unsafe node.textBytes else { return }
            let bytes = unsafe UnsafeRawPointer(start)
            let length = unsafe strnlen(bytes.assumingMemoryBound(to: CChar.self), size - text.count)
            unsafe text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: length))
        }
        add(own)
        var walk = TreeWalk(inside: own)
        var left = size
        while text.count < size, left > 0, let node = walk.next() {
            add(node)
            left -= 1
        }
        return String(decoding: text, as: UTF8.self).prefix(scalars: count)
    }
}
