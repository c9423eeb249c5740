/// The part of a page for reading, its main content or all of it, before it is written as text.
package struct ReadablePart {
    private let document: Document
    private let tree: ContentTree
    private let found: ContentFinder.Result
    private let metadata: PageMetadata
    private let resolver: ReferenceResolver

    /// Whether each entry is left out of what is written, besides what is removed.
    private let isControl: [Bool]

    /// The kind of the page; `nil` if all of it is taken, or it has no text.
    package let kind: ContentKind?

    /// The share of the content that is expected to be in the text, from 0 to 1; nil where the model was not asked.
    package let completeness: Double?

    /// The warning for readers of the text; `nil` if there is none.
    package var warning: TextWarning? { completeness.flatMap { TextWarning(completeness: $0, kind) } }

    /// Whether each block is part of the text, and why; empty unless that was asked for.
    package let decisions: [TextDecision]

    /// The author that was found beside the content; nil where none was, or metadata name one.
    package let byline: String?

    /// Finds the main content of a document, or takes all of it; nil for a document without an element.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - isWhole: Whether to take all of it.
    ///   - explains: Whether to say why each block is part of the text or is not.
    ///   - metadata: The metadata of the page.
    ///   - resolver: Makes references absolute.
    ///   - budget: The budget to spend from; what exceeds it is left out.
    /// - Complexity: O(n) in the size of the document.
    package init?(
        _ document: Document,
        isWhole: Bool,
        explains: Bool = false,
        _ metadata: PageMetadata,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) {
        guard let root = document.root?.treeNode else { return nil }
        self.document = document
        self.metadata = metadata
        self.resolver = resolver
        tree = Self.tree(root.body ?? root, budget)
        if isWhole {
            let removed = [Bool](repeating: false, count: tree.entries.count)
            found = ContentFinder.Result(roots: [0], removed: removed)
            kind = nil
            completeness = nil
            decisions = []
        } else {
            var choice = Self.choice(tree, root, metadata, resolver.base)
            found = choice.result()
            kind = choice.kind
            completeness = choice.completeness
            decisions = explains ? choice.decisions(in: document, budget) : []
        }
        byline = found.byline
        isControl = TextControls(tree).isControl
    }

    /// The choice of the blocks of a page, before it is made.
    static func choice(
        _ tree: ContentTree,
        _ root: TreeNode,
        _ metadata: PageMetadata,
        _ url: WebURL?
    ) -> ContentChoice {
        let facts = ArticleFacts(metadata)
        let scored = ContentFinder(tree: tree, facts: facts).find()
        return ContentChoice(tree, facts, PageSigns(tree, root, url), found: scored)
    }

    /// Characters of a page that shows so little that what it hides may be the page.
    private static let little = 250

    /// Reads an element as it shows; or with what it hides, where that is four times as much, and a script would
    /// have to show it.
    static func tree(_ root: TreeNode, _ budget: InspectionBudget? = nil) -> ContentTree {
        let shown = ContentTree(root, budget: budget)
        let length = shown.length
        guard length < little else { return shown }
        let whole = ContentTree(root, showsHidden: true, budget: budget)
        return whole.length / 4 > max(length, little / 4) ? whole : shown
    }

    /// The element with the best score as the content; some elements beside it may be part of it, too.
    package var element: Node { Node(tree.entries[found.top].node, in: document) }

    /// The elements that have the content.
    package var elements: [Node] { found.roots.map { Node(tree.entries[$0].node, in: document) } }

    /// The nodes in these elements that are not part of the content, without the nodes inside them.
    package var removed: [Node] {
        var nodes: [Node] = []
        for root in found.roots {
            var index = root
            while index < Int(tree.entries[root].end) {
                let isRemoved = found.removed[index]
                if isRemoved { nodes.append(Node(tree.entries[index].node, in: document)) }
                index = isRemoved ? Int(tree.entries[index].end) : index + 1
            }
        }
        return nodes
    }

    /// The language that the nearest element around the content declares, or else the page; nil where neither does.
    package var language: String? {
        var node: TreeNode? = tree.entries[found.top].node
        while let element = node {
            if let language = element.attribute("lang"), !language.isEmpty { return language }
            node = element.parentElement
        }
        return metadata.language
    }

    /// The part as plain text in UTF-8, with a line feed at the end; empty where there is none.
    package var text: [UInt8] {
        var writer = PlainTextWriter()
        let removed = zip(found.removed, isControl).map { $0 || $1 }
        for root in found.roots { writer.write(tree, root, removed: removed) }
        return writer.bytes.isEmpty ? [] : writer.bytes + [0x0A]
    }

    /// The part as CommonMark in UTF-8, links absolute, figures with their captions, with a line feed at the end;
    /// empty where there is nothing.
    package var markdown: [UInt8] {
        var removed = found.removed
        for caption in found.captions {
            var index = caption
            while removed[index] {
                removed[index] = false
                index = Int(tree.entries[index].parent)
            }
            for inner in caption..<Int(tree.entries[caption].end) {
                removed[inner] = tree.entries[inner].traits.contains(.foreign)
            }
        }
        for index in isControl.indices where isControl[index] { removed[index] = true }
        var writer = MarkdownWriter(tree, removed: removed, roots: found.roots, resolver: resolver)
        for root in found.roots { writer.write(root) }
        return writer.blocks.bytes
    }
}

extension TreeNode {
    /// The `body` among an `html` element's children.
    var body: TreeNode? {
        var child = firstElement
        while let element = child, !(element.isHTMLElement && element.hasName("body")) {
            child = element.nextElement
        }
        return child
    }
}
