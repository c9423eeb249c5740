import CLibXML2
import Glibc
import WebStandards

/// Writes a tree by the standard's fragment serialisation algorithm.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-serialisation-algorithm>
@safe struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    /// The value to write in place of an attribute's own; nil for its own.
    typealias Replacement = (TreeAttribute) -> String?

    private let replacement: Replacement?

    /// Whether it is to be parsed again as the same tree: what XML has as text, in comments and in instructions may be markup of HTML.
    private let isParsedAgain: Bool

    init(replacement: Replacement? = nil, isParsedAgain: Bool = false) {
        self.replacement = replacement
        self.isParsedAgain = isParsedAgain
    }

    /// Writes the contents of a node, and the node itself unless `isInner`.
    mutating func write(_ root: TreeNode, isInner: Bool) {
        guard !(isInner && root.isVoidElement) else { return }
        root.walkMarkup(isInner: isInner) { step in
            switch step {
            case .enter(let node): write(start: node)
            case .leave(let node): write(end: node)
            case .enterContents, .leaveContents: break
            }
        }
    }

    /// Writes the start tag of an element, or the whole of any other node.
    mutating func write(start node: TreeNode) {
        switch unsafe node.pointer.pointee.type {
        case XML_ELEMENT_NODE:
            bytes.append(UInt8(ascii: "<"))
            unsafe bytes.append(nulTerminated: node.nameBytes)
            writeAttributes(of: node)
            bytes.append(UInt8(ascii: ">"))
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
            guard let text = unsafe node.textBytes else { return }
            if let parent = node.parent, parent.holdsRawText {
                let start = bytes.count
                unsafe bytes.append(nulTerminated: text)
                if isParsedAgain { keepOpen(Array("</\(parent.name)".utf8), from: start) }
            } else {
                unsafe bytes.append(escaping: text, .htmlText)
            }
        case XML_COMMENT_NODE where isParsedAgain && Self.mayEnd(node),
            XML_PI_NODE where isParsedAgain && Self.mayEnd(node):
            // Nothing of what is shown is lost.
            break
        case XML_COMMENT_NODE:
            bytes += "<!--".utf8
            unsafe bytes.append(nulTerminated: node.pointer.pointee.content)
            bytes += "-->".utf8
        case XML_PI_NODE:
            bytes += "<?".utf8
            unsafe bytes.append(nulTerminated: node.nameBytes)
            bytes.append(UInt8(ascii: " "))
            unsafe bytes.append(nulTerminated: node.pointer.pointee.content)
            bytes += "?>".utf8
        case XML_DTD_NODE:
            bytes += "<!DOCTYPE ".utf8
            unsafe bytes.append(nulTerminated: node.nameBytes)
            bytes.append(UInt8(ascii: ">"))
        default:
            break
        }
    }

    /// Keeps a raw text from ending its element: in a string of CSS or a script `<\/` is the same.
    private mutating func keepOpen(_ end: [UInt8], from start: Int) {
        guard bytes[start...].contains(UInt8(ascii: "<")) else { return }
        let text = Array(bytes[start...])
        bytes.removeSubrange(start...)
        for (index, byte) in text.enumerated() {
            bytes.append(byte)
            guard byte == UInt8(ascii: "<") else { continue }
            let rest = text[index...]
            let ends = rest.prefix(end.count).elementsEqual(end) { $0.asciiLowercased == $1 }
            // In a script a comment may have another one begin, which takes the end.
            if ends || rest.starts(with: "<!--".utf8) { bytes.append(UInt8(ascii: "\\")) }
        }
    }

    /// Whether a comment or an instruction may end before it ends.
    private static func mayEnd(_ node: TreeNode) -> Bool {
        guard let text = unsafe node.pointer.pointee.content else { return false }
        return unsafe strchr(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self), 0x3E) != nil
    }

    mutating func write(end element: TreeNode) {
        guard !element.isVoidElement else { return }
        bytes += "</".utf8
        unsafe bytes.append(nulTerminated: element.nameBytes)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Writes the attributes: "an attribute's serialized name", and the value.
    private mutating func writeAttributes(of element: TreeNode) {
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            bytes.append(UInt8(ascii: " "))
            // Each namespace that the parser gives attributes has the prefix to write.
            if let prefix = unsafe current.pointee.ns?.pointee.prefix,
                unsafe !TreeNode.equal(current.pointee.name, "xmlns")
            {
                unsafe bytes.append(nulTerminated: prefix)
                bytes.append(UInt8(ascii: ":"))
            }
            unsafe bytes.append(nulTerminated: current.pointee.name)
            bytes += "=\"".utf8
            if let replacement, let value = unsafe TreeAttribute(current).flatMap(replacement) {
                write(escaped: value.utf8, .htmlAttribute)
            } else if let value = unsafe current.pointee.children?.pointee.content {
                unsafe bytes.append(escaping: value, .htmlAttribute)
            }
            bytes.append(UInt8(ascii: "\""))
            unsafe attribute = current.pointee.next
        }
    }

    /// Writes text, with character references where it needs them; it must not contain NUL.
    mutating func write(escaped text: some Collection<UInt8>, _ escaping: MarkupEscaping = .htmlText) {
        let terminated = text + [0]
        unsafe terminated.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe bytes.append(escaping: start, escaping) }
        }
    }

    /// Writes bytes without escaping them.
    mutating func write(raw more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Removes the spaces at the end.
    mutating func trimEnd() {
        while let last = bytes.last, last == UInt8(ascii: " ") { bytes.removeLast() }
    }
}

extension TreeNode {
    /// Whether the element "serializes as void": it has no end tag.
    var isVoidElement: Bool { isHTMLElement && Self.voidNames.contains(nameWord) }

    /// Whether the element's text is written without escaping.
    ///
    /// `noscript` is not among them, since its text is parsed where scripts do not run.
    var holdsRawText: Bool { isHTMLElement && Self.rawTextNames.contains(nameWord) }

    private static let voidNames = NameWords(
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr"
    )

    private static let rawTextNames = NameWords(
        "style",
        "script",
        "xmp",
        "iframe",
        "noembed",
        "noframes",
        "plaintext"
    )
}
