import WebStandards

/// The walk over what a reader sees of a page, as far as that is known without style sheets.
///
/// [Non-searchable subtree](https://wicg.github.io/scroll-to-text-fragment/#non-searchable-subtree)
struct VisibleText {
    /// The effect of an element's name on its text.
    private enum Kind: UInt8 {
        case hidden
        case lineBreak
        case block
        case other
    }

    /// The kinds of the names that were met last, by their addresses: a page has few names, and most are stored once.
    private var kinds = [(name: UInt, kind: Kind)](repeating: (0, .other), count: 64)

    /// Appends the text of a document.
    ///
    /// Complexity: O(n) in the size of the page.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - builder: The builder that the text is appended to.
    ///   - maximumSize: The maximum number of bytes.
    /// - Returns: False if there is more text than allowed.
    static func append(
        _ document: Document,
        to builder: inout FoldedTextBuilder,
        maximumSize: Int = .largestBounded
    ) -> Bool {
        var visible = VisibleText()
        return visible.append(document, to: &builder, maximumSize: maximumSize)
    }

    private mutating func append(
        _ document: Document,
        to builder: inout FoldedTextBuilder,
        maximumSize: Int
    ) -> Bool {
        var walk = ContentsWalk(inside: document.node)
        var hidden: TreeNode?
        let keepsPlaces = builder.map != nil
        var anchor: UInt = 0
        var anchorPosition: UInt64 = 0
        while let step = walk.next() {
            switch step {
            case .enter(let node):
                if let text = unsafe node.textBytes {
                    guard keepsPlaces || hidden == nil else { continue }
                    let count = unsafe TreeNode.length(text)
                    if keepsPlaces { builder.enter(node, count: count, after: anchor) }
                    guard hidden == nil else { continue }
                    unsafe builder.append(UnsafeBufferPointer(start: text, count: count))
                    guard builder.count <= maximumSize else { return false }
                    continue
                }
                guard node.isElement || node.isComment else { continue }
                let position = keepsPlaces ? node.packedPosition : 0
                // An element without a tag has the place of the tag that was read last, as that of a script before it.
                if position != 0, position != anchorPosition || !Self.mayHaveNoTag(node) {
                    anchor = node.address
                    anchorPosition = position
                }
                guard hidden == nil, node.isElement else { continue }
                let kind = self.kind(of: node)
                if Self.isHidden(node, kind) {
                    hidden = node
                } else if kind == .lineBreak {
                    builder.addSpace()
                } else if kind == .block {
                    builder.endBlock()
                }
            case .leave(let node):
                if hidden == node {
                    hidden = nil
                } else if hidden == nil, kind(of: node) == .block {
                    builder.endBlock()
                }
            case .enterContents(of: let host):
                if hidden == nil, host.isTemplate { hidden = host }
            case .leaveContents(of: let host):
                if hidden == host, host.isTemplate { hidden = nil }
            }
        }
        return true
    }

    private static func mayHaveNoTag(_ node: TreeNode) -> Bool {
        node.hasName("body") || node.hasName("head") || node.hasName("html") || node.hasName("tbody")
            || node.hasName("tr") || node.hasName("colgroup")
    }

    private static func isHidden(_ element: TreeNode, _ kind: Kind) -> Bool {
        kind == .hidden ? element.isHTMLElement : element.isHidden
    }

    private mutating func kind(of element: TreeNode) -> Kind {
        guard let name = unsafe element.nameBytes else { return .other }
        let address = UInt(bitPattern: name)
        let index = Int((address >> 3) & 63)
        if kinds[index].name == address { return kinds[index].kind }
        let text = element.name
        let kind: Kind =
            if Self.unsearchable.contains(text) {
                .hidden
            } else if text == "br" {
                .lineBreak
            } else {
                Self.blocks.contains(text) ? .block : .other
            }
        kinds[index] = (address, kind)
        return kind
    }

    /// Whether an element ends the words before it and after it.
    static func separatesWords(_ node: TreeNode) -> Bool {
        node.isElement && (node.hasName("br") || blocks.contains(node.name))
    }

    private static let unsearchable: Set<String> = [
        "audio", "head", "iframe", "img", "meter", "noscript", "object", "progress", "script", "select",
        "style",
        "template", "textarea", "title", "video",
    ]

    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog",
        "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4",
        "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol",
        "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td",
        "tfoot", "th", "thead", "tr", "ul", "xmp",
    ]
}
