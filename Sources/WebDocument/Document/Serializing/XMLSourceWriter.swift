import CLibXML2

/// Writes a tree of XML such that all its readers see the same in it, and notes where its tags are.
///
/// It declares nothing: a text stands where an entity of one stood, and nothing where one of markup did.
@safe struct XMLSourceWriter {
    /// A tag, or an `xml-stylesheet` instruction up to before its `>`.
    struct Tag {
        enum Kind {
            case start
            case empty
            case end
            case instruction
        }

        let node: TreeNode
        var range: Range<Int>
        var kind: Kind
    }

    private(set) var tags: [Tag] = []

    /// Whether something of the tree is not written.
    private(set) var isTruncated = false

    /// Where markup for the head of a page of XHTML is put: in its `head`, or after the tag of its `html`; nil for other pages.
    private(set) var headPlace: HeadPlace?

    struct HeadPlace {
        let index: Int
        let isInHead: Bool
    }

    private var writer = XMLWriter(.xml)
    private var hasExternalSubset = false
    private var html: HeadPlace?
    private var hasHead = false

    /// The texts of the entities that were met, by address; nil for those of markup.
    private var texts: [UInt: String?] = [:]

    /// Bytes that entities stand for, at most: a short name may stand for a long text any number of times.
    private static let maximumExpansion = 1 << 20

    /// The page, in UTF-8, which it says.
    var bytes: [UInt8] { writer.bytes }

    /// Whether entities stood for parts of it, so that it has another tree.
    var hasEntities: Bool { writer.hasEntities }

    /// Writes a document.
    ///
    /// - Complexity: O(n) in the size of the document, without recursion.
    init(_ document: Document) {
        writer.maximumExpansion = Self.maximumExpansion
        writer.write(raw: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
        var walk = ContentsWalk(inside: document.node)
        while let step = walk.next() {
            switch step {
            case .enter(let node): write(start: node)
            case .leave(let node): write(end: node)
            case .enterContents, .leaveContents: break
            }
        }
        isTruncated = isTruncated || writer.isTruncated
    }

    private mutating func write(start node: TreeNode) {
        let start = bytes.count
        switch unsafe node.pointer.pointee.type {
        case XML_ELEMENT_NODE:
            writer.write(startTag: node, isOutermost: false)
            tags.append(Tag(node: node, range: start..<bytes.count, kind: .start))
            noteHead(node)
        case XML_DTD_NODE:
            hasExternalSubset = writer.write(doctypeWithoutSubset: node)
            writer.write(raw: "\n".utf8)
        case XML_PI_NODE where node.hasName("xml-stylesheet"): write(styleSheet: node)
        case XML_ENTITY_REF_NODE: write(entity: node)
        default: writer.write(start: node, isOutermost: false)
        }
    }

    private mutating func write(end node: TreeNode) {
        let start = bytes.count
        writer.write(end: node)
        // The start tag of an element with nothing in it has become one that ends it.
        if let last = tags.last, last.node == node, last.kind == .start, last.range.upperBound == start,
            bytes[bytes.count - 2] == UInt8(ascii: "/")
        {
            tags[tags.count - 1].range = last.range.lowerBound..<bytes.count
            tags[tags.count - 1].kind = .empty
            if headPlace?.index == start { headPlace = html?.index == start ? nil : html }
        } else {
            tags.append(Tag(node: node, range: start..<bytes.count, kind: .end))
        }
    }

    /// The `head` of a page is the first one in its `html`.
    private mutating func noteHead(_ element: TreeNode) {
        guard element.isHTMLElement else { return }
        if element.hasName("html"), element.parent?.isElement != true {
            html = HeadPlace(index: bytes.count, isInHead: false)
            headPlace = html
        } else if element.hasName("head"), let parent = element.parent, parent.hasName("html"),
            parent.isHTMLElement, parent.parent?.isElement != true, !hasHead
        {
            hasHead = true
            headPlace = HeadPlace(index: bytes.count, isInHead: true)
        }
    }

    /// Writes what is well-formed of an instruction, as far as ``PseudoAttributes`` reads it.
    private mutating func write(styleSheet node: TreeNode) {
        let data = unsafe node.pointer.pointee.content.map { unsafe String(cString: $0) } ?? ""
        let attributes = PseudoAttributes.all(in: data)
        guard !attributes.isEmpty else {
            isTruncated = true
            return
        }
        let start = bytes.count
        writer.write(raw: "<?xml-stylesheet".utf8)
        for (name, value) in attributes {
            writer.write(raw: " \(name)=".utf8)
            writer.write(quoted: value)
        }
        tags.append(Tag(node: node, range: start..<bytes.count + 1, kind: .instruction))
        writer.write(raw: "?>".utf8)
    }

    /// Writes the text that a reference in content stands for, or the reference where its declaration is in another file.
    private mutating func write(entity node: TreeNode) {
        let name = unsafe node.pointer.pointee.name
        guard let entity = unsafe xmlGetDocEntity(node.pointer.pointee.doc, name) else {
            if hasExternalSubset {
                writer.write(start: node, isOutermost: false)
            } else {
                isTruncated = true
            }
            return
        }
        guard !writer.isTruncated, let text = unsafe text(of: entity) else {
            isTruncated = true
            return
        }
        writer.write(expanded: text)
    }

    /// The text of an entity; nil for one of markup.
    private mutating func text(of entity: UnsafeMutablePointer<xmlEntity>) -> String? {
        let address = UInt(bitPattern: entity)
        if let known = texts[address] { return known }
        let text = unsafe entity.pointee.content.map { unsafe String(cString: $0) } ?? ""
        let isText = !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        let isInternal = unsafe entity.pointee.etype == XML_INTERNAL_GENERAL_ENTITY
        let value = isText && isInternal ? text : nil
        texts.updateValue(value, forKey: address)
        return value
    }
}
