import CLibXML2
import Glibc

/// A node of a libxml2 tree, for reading: a pointer and nothing else, valid as long as its ``Document``.
///
/// Code that walks whole pages works on these; ``Node`` is for callers, and keeps its document alive.
@safe package struct TreeNode: Equatable, Hashable {
    let pointer: UnsafeMutablePointer<xmlNode>

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<xmlNode>) {
        unsafe self.pointer = pointer
    }

    @inline(__always)
    init?(_ pointer: UnsafeMutablePointer<xmlNode>?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    @inline(__always)
    package static func == (left: TreeNode, right: TreeNode) -> Bool {
        unsafe left.pointer == right.pointer
    }

    package func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(pointer)
    }

    @inline(__always)
    var parent: TreeNode? { unsafe TreeNode(pointer.pointee.parent) }

    @inline(__always)
    var firstChild: TreeNode? { unsafe TreeNode(pointer.pointee.children) }

    @inline(__always)
    var lastChild: TreeNode? { unsafe TreeNode(pointer.pointee.last) }

    @inline(__always)
    var next: TreeNode? { unsafe TreeNode(pointer.pointee.next) }

    @inline(__always)
    var previous: TreeNode? { unsafe TreeNode(pointer.pointee.prev) }

    @inline(__always)
    var isElement: Bool { unsafe pointer.pointee.type == XML_ELEMENT_NODE }

    @inline(__always)
    var isText: Bool {
        unsafe pointer.pointee.type == XML_TEXT_NODE || pointer.pointee.type == XML_CDATA_SECTION_NODE
    }

    /// The name without its prefix, as bytes that end with NUL; nil for a node without one.
    @inline(__always)
    var nameBytes: UnsafePointer<UInt8>? { unsafe pointer.pointee.name }

    /// The name without its prefix; empty for a node without one.
    var name: String { unsafe nameBytes.map { unsafe String(cString: $0) } ?? "" }

    /// The namespace name; nil where the node is in none, as HTML elements are in trees of HTML.
    var namespaceName: String? {
        guard unsafe pointer.pointee.type == XML_ELEMENT_NODE, let space = unsafe pointer.pointee.ns,
            let name = unsafe space.pointee.href
        else { return nil }
        return unsafe String(cString: name)
    }

    /// Whether the node is an element of HTML: in no namespace in a tree of HTML, or in XHTML's namespace.
    @inline(__always)
    var isHTMLElement: Bool {
        guard isElement else { return false }
        guard let space = unsafe pointer.pointee.ns, let name = unsafe space.pointee.href else {
            return unsafe pointer.pointee.doc?.pointee.type == XML_HTML_DOCUMENT_NODE
        }
        return unsafe Self.equal(name, "http://www.w3.org/1999/xhtml")
    }

    /// Whether the local name is exactly this one, case included.
    @inline(__always)
    func hasName(_ name: StaticString) -> Bool {
        guard let own = unsafe nameBytes else { return false }
        return unsafe Self.equal(own, name)
    }

    /// Whether the name is this one in lower case.
    func hasName(lowercased name: String) -> Bool {
        guard let own = unsafe nameBytes else { return name.isEmpty }
        var index = 0
        for byte in name.utf8 {
            // It ends at the latest where it has a NUL, which no name has.
            guard byte != 0, unsafe own[index].asciiLowercased == byte else { return false }
            index += 1
        }
        return unsafe own[index] == 0
    }

    /// Whether bytes that end with NUL are this text.
    @inline(__always)
    static func equal(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
        // Most differ in the first byte, which is compared without a call.
        guard unsafe bytes[0] == text.utf8Start[0] else { return false }
        return unsafe strcmp(
            UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        ) == 0
    }

    /// How many bytes there are before the NUL.
    @inline(__always)
    static func length(_ bytes: UnsafePointer<UInt8>) -> Int {
        unsafe strlen(UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))
    }

    /// The value of an attribute in no namespace; nil if the element does not have it.
    package func attribute(_ name: StaticString) -> String? {
        guard let attribute = unsafe attributeNode(name) else { return nil }
        return unsafe Self.value(attribute)
    }

    /// Whether the element has an attribute in no namespace.
    func hasAttribute(_ name: StaticString) -> Bool {
        unsafe attributeNode(name) != nil
    }

    private func attributeNode(_ name: StaticString) -> UnsafeMutablePointer<xmlAttr>? {
        guard isElement else { return nil }
        var attribute = unsafe pointer.pointee.properties
        while let current = unsafe attribute {
            if unsafe current.pointee.ns == nil, let own = unsafe current.pointee.name,
                unsafe Self.equal(own, name)
            {
                return unsafe current
            }
            unsafe attribute = current.pointee.next
        }
        return nil
    }

    /// The value of an attribute in no namespace; nil if the element does not have it.
    func attribute(named name: String) -> String? {
        guard isElement else { return nil }
        var name = name
        return name.withUTF8 { bytes in
            var attribute = unsafe pointer.pointee.properties
            while let current = unsafe attribute {
                if unsafe current.pointee.ns == nil, let own = unsafe current.pointee.name,
                    unsafe strncmp(
                        UnsafeRawPointer(own).assumingMemoryBound(to: CChar.self),
                        UnsafeRawPointer(bytes.baseAddress ?? own).assumingMemoryBound(to: CChar.self),
                        bytes.count
                    ) == 0, unsafe own[bytes.count] == 0
                {
                    return unsafe Self.value(current)
                }
                unsafe attribute = current.pointee.next
            }
            return nil
        }
    }

    static func value(_ attribute: UnsafeMutablePointer<xmlAttr>) -> String {
        guard let first = unsafe attribute.pointee.children else { return "" }
        // The value is a single text, except where the XML parser left entity references.
        if unsafe first.pointee.next == nil, let content = unsafe first.pointee.content {
            return unsafe String(cString: content)
        }
        guard let text = unsafe xmlNodeListGetString(attribute.pointee.doc, first, 1) else { return "" }
        defer { unsafe webl_xmlFree(text) }
        return unsafe String(cString: text)
    }

    /// The text of a text node, as bytes that end with NUL; nil for any other.
    @inline(__always)
    package var textBytes: UnsafePointer<UInt8>? {
        guard isText, let content = unsafe pointer.pointee.content else { return nil }
        return unsafe UnsafePointer(content)
    }

    /// Appends the text of a text node; appends nothing for any other node.
    func appendText(to text: inout [UInt8]) {
        guard let bytes = unsafe textBytes else { return }
        unsafe text.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Self.length(bytes)))
    }

    /// The text of the node's own text children, one after the other.
    var childTextContent: String {
        var text = ""
        var child = firstChild
        while let current = child {
            if let bytes = unsafe current.textBytes { unsafe text += String(cString: bytes) }
            child = current.next
        }
        return text
    }

    /// The text of all text nodes inside the node, in document order.
    ///
    /// Complexity: O(n), without recursion.
    var textContent: String {
        if let bytes = unsafe textBytes { return unsafe String(cString: bytes) }
        var text = ""
        var walk = TreeWalk(inside: self)
        while let node = walk.next() {
            if let bytes = unsafe node.textBytes { unsafe text += String(cString: bytes) }
        }
        return text
    }

    /// Where the element's tag is, packed as ``HTMLSourcePosition``; 0 for one of XML.
    var packedPosition: UInt64 {
        guard unsafe pointer.pointee.doc?.pointee.type == XML_HTML_DOCUMENT_NODE else { return 0 }
        return unsafe UInt64(UInt(bitPattern: pointer.pointee._private))
    }

    /// Where the element's tag, or the comment, stands in the source; nil where the parser did not keep it, and for
    /// other nodes.
    var sourcePosition: SourcePosition? {
        guard isElement || isComment else { return nil }
        if unsafe pointer.pointee.doc?.pointee.type == XML_HTML_DOCUMENT_NODE,
            let position = unsafe HTMLSourcePosition(
                packed: UInt64(UInt(bitPattern: pointer.pointee._private))
            )
        {
            return SourcePosition(line: position.line, column: position.column)
        }
        let line = unsafe xmlGetLineNo(pointer)
        return line > 0 ? SourcePosition(line: line, column: nil) : nil
    }
}

/// A place in the source of a page.
public struct SourcePosition: Hashable, Sendable, Codable {
    /// The line, from 1.
    public let line: Int

    /// The column, in Unicode scalar values, from 1; nil where the parser did not keep it.
    public let column: Int?

    package init(line: Int, column: Int?) {
        self.line = line
        self.column = column
    }
}
