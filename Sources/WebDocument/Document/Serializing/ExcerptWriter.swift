import CLibXML2

/// Writes a page of which only parts are left: these, the elements around them, the head, and all style sheets, so that
/// what is left looks as it did.
struct ExcerptWriter {
    private let roots: Set<TreeNode>
    private let removed: Set<TreeNode>
    /// The elements around the parts.
    private var around: Set<TreeNode> = []
    private var writer = HTMLWriter(isParsedAgain: true)

    /// The part in which the walk is.
    private var part: TreeNode?
    /// The omitted element in which the walk is.
    private var hidden: TreeNode?
    /// The head or the style sheet in which the walk is.
    private var kept: TreeNode?
    /// The omitted template, or host of a shadow root, in whose contents the walk is: nothing in there applies to the
    /// rest of the page.
    private var closed: TreeNode?

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - roots: The parts.
    ///   - removed: The nodes to omit from them.
    init(_ roots: [TreeNode], without removed: [TreeNode]) {
        self.roots = Set(roots)
        self.removed = Set(removed)
        for root in roots {
            var node = root.parent
            // Parts often share ancestors.
            while let element = node, around.insert(element).inserted { node = element.parent }
        }
    }

    /// Writes a document.
    ///
    /// - Complexity: O(n) in the size of the document, without recursion.
    mutating func write(_ document: TreeNode) -> [UInt8] {
        var walk = ContentsWalk(inside: document)
        while let step = walk.next() {
            switch step {
            case .enter(let node): enter(node)
            case .leave(let node): leave(node)
            case .enterContents(of: let host):
                // Nodes in a shadow root or a template cannot be selected.
                if !isWriting {
                    closed = closed ?? host
                } else if !host.isTemplate {
                    writer.write(raw: "<template shadowrootmode=open>".utf8)
                }
            case .leaveContents(of: let host):
                if !isWriting {
                    if closed == host { closed = nil }
                } else if !host.isTemplate {
                    writer.write(raw: "</template>".utf8)
                }
            }
        }
        return writer.bytes
    }

    private var isWriting: Bool { kept != nil || hidden == nil }

    private mutating func enter(_ node: TreeNode) {
        if kept != nil {
            writer.write(start: node)
        } else if closed == nil, isAlwaysKept(node) {
            writer.write(start: node)
            if node.isElement { kept = node }
        } else if hidden != nil {
            return
        } else if part != nil ? !removed.contains(node) : roots.contains(node) {
            writer.write(start: node)
            if part == nil, node.isElement { part = node }
        } else if part == nil, around.contains(node) {
            writer.write(start: node)
        } else if node.isElement {
            hidden = node
        }
    }

    private mutating func leave(_ node: TreeNode) {
        if hidden == nil || kept != nil { writer.write(end: node) }
        if kept != nil {
            if kept == node { kept = nil }
        } else if hidden != nil {
            if hidden == node { hidden = nil }
        } else if part == node {
            part = nil
        }
    }

    /// Whether a node is written wherever it is: the doctype, the head, style sheets, and `base` elements.
    private func isAlwaysKept(_ node: TreeNode) -> Bool {
        guard node.isElement else { return unsafe node.pointer.pointee.type == XML_DTD_NODE }
        guard node.isHTMLElement else { return false }
        if node.hasName("style") || node.hasName("head") || node.hasName("base") { return true }
        guard node.hasName("link"), let relations = node.attribute("rel") else { return false }
        return relations.asciiWords.contains { $0.isEqualIgnoringASCIICase(to: "stylesheet") }
    }
}

extension Document {
    /// Returns the markup of the page with only some of its elements, the elements around them, its head and its style
    /// sheets, in UTF-8.
    ///
    /// - Parameters:
    ///   - elements: The elements to keep.
    ///   - removed: The nodes to omit from them.
    /// - Returns: The markup.
    /// - Complexity: O(n) in the size of the document, without recursion.
    package func excerpt(_ elements: [Node], without removed: [Node] = []) -> [UInt8] {
        var writer = ExcerptWriter(elements.map(\.treeNode), without: removed.map(\.treeNode))
        return writer.write(node)
    }
}
