import CLibXML2

/// Writes a tree of HTML for people to read: blocks on lines of their own, indented, the rest in running
/// lines.
///
/// White space is kept where it is visible (`pre`, `textarea`) and where text is not markup (`script`, `style`).
struct PrettyHTMLWriter {
    private var writer = HTMLWriter()

    /// For each open block, whether a line was begun inside it.
    private var blocks: [Bool] = []

    /// How many open elements keep their white space.
    private var verbatimDepth = 0

    /// Whether white space here would be the first thing in a line or a block, where it is not visible.
    private var dropsSpace = true

    /// Whether a block has ended, so that the next node begins a line.
    private var isAfterBlock = false

    var bytes: [UInt8] { writer.bytes }

    /// The deepest indentation, in blocks: without it, a page nested a million deep would take quadratic
    /// space.
    private static let maximumIndentation = 32

    mutating func write(_ root: TreeNode, isInner: Bool) {
        root.walkMarkup(isInner: isInner) { step in
            switch step {
            case .enter(let node): enter(node)
            case .leave(let node): leave(node)
            case .enterContents, .leaveContents: break
            }
        }
        writer.write(raw: "\n".utf8)
    }

    private mutating func enter(_ node: TreeNode) {
        if verbatimDepth > 0 {
            if node.keepsWhiteSpace { verbatimDepth += 1 }
            return writer.write(start: node)
        }
        if node.isText { return write(text: node) }
        let isBlock = node.isBlock
        if isBlock || isAfterBlock { beginLine() }
        writer.write(start: node)
        dropsSpace = isBlock
        isAfterBlock = isBlock && !node.isElement
        if isBlock, node.isElement { blocks.append(false) }
        if node.keepsWhiteSpace { verbatimDepth += 1 }
    }

    private mutating func leave(_ node: TreeNode) {
        if verbatimDepth > 0, node.keepsWhiteSpace { verbatimDepth -= 1 }
        guard verbatimDepth == 0, node.isBlock else { return writer.write(end: node) }
        let hasLines = blocks.popLast() ?? false
        if hasLines {
            beginLine(marks: false)
        } else if !node.keepsWhiteSpace {
            writer.trimEnd()
        }
        writer.write(end: node)
        isAfterBlock = true
    }

    private mutating func beginLine(marks: Bool = true) {
        isAfterBlock = false
        if marks, !blocks.isEmpty { blocks[blocks.count - 1] = true }
        if !writer.bytes.isEmpty {
            writer.trimEnd()
            writer.write(raw: "\n".utf8)
        }
        writer.write(
            raw: repeatElement(UInt8(ascii: " "), count: 2 * min(blocks.count, Self.maximumIndentation))
        )
        dropsSpace = true
    }

    /// Writes a text with its white space collapsed, and with none at the start of a line.
    private mutating func write(text node: TreeNode) {
        var text: [UInt8] = []
        node.appendText(to: &text)
        let words = text.split(whereSeparator: \.isASCIIWhitespace)
        guard !words.isEmpty else {
            if !dropsSpace, !isAfterBlock, !text.isEmpty { writeSpace() }
            return
        }
        if isAfterBlock { beginLine() }
        if !dropsSpace, text.first?.isASCIIWhitespace == true { writeSpace() }
        writer.write(escaped: Array(words.joined(separator: [UInt8(ascii: " ")])))
        dropsSpace = false
        if text.last?.isASCIIWhitespace == true { writeSpace() }
    }

    private mutating func writeSpace() {
        if writer.bytes.last != UInt8(ascii: " ") { writer.write(raw: " ".utf8) }
    }
}

extension TreeNode {
    /// Whether white space inside the element is visible, or must not be changed.
    fileprivate var keepsWhiteSpace: Bool { isHTMLElement && Self.verbatimNames.contains(nameWord) }

    /// Whether the node begins a line: elements that browsers lay out as blocks, elements of the head, and
    /// doctypes.
    fileprivate var isBlock: Bool {
        guard isElement else { return unsafe pointer.pointee.type == XML_DTD_NODE }
        return isHTMLElement && Self.blockNames.contains(nameWord)
    }

    private static let verbatimNames = NameWords(
        "pre",
        "textarea",
        "listing",
        "script",
        "style",
        "xmp",
        "plaintext",
        "noembed",
        "noframes",
        "iframe"
    )

    private static let blockNames = NameWords(
        "address",
        "article",
        "aside",
        "base",
        "blockquote",
        "body",
        "caption",
        "center",
        "col",
        "colgroup",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frame",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "link",
        "listing",
        "main",
        "menu",
        "meta",
        "nav",
        "noscript",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "script",
        "search",
        "section",
        "select",
        "source",
        "style",
        "summary",
        "table",
        "tbody",
        "td",
        "template",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "track",
        "ul"
    )
}
