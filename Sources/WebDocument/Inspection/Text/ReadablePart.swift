/// The part of a page for reading, its main content or all of it, before it is written as text.
package struct ReadablePart {
    private let document: Document
    private let tree: ContentTree
    private let found: ContentFinder.Result
    private let metadata: PageMetadata
    private let resolver: ReferenceResolver

    /// The title, without the site's name where that can be recognized; nil where there is none.
    package let title: String?

    /// The author, from metadata or from the page; nil where none is named.
    package let byline: String?

    /// Finds the main content of a document, or takes all of it; nil for a document without an element.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - isWhole: Whether to take all of it.
    ///   - metadata: The metadata of the page.
    ///   - article: What is known of it as an article.
    ///   - resolver: Makes references absolute.
    ///   - budget: The budget to spend from; what exceeds it is left out.
    /// - Complexity: O(n) in the size of the document.
    package init?(
        _ document: Document,
        isWhole: Bool,
        _ metadata: PageMetadata,
        _ article: PageArticle,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) {
        guard let root = document.root?.treeNode else { return nil }
        self.document = document
        self.metadata = metadata
        self.resolver = resolver
        tree = ContentTree(root.body ?? root, budget: budget)
        let facts = ArticleFacts(article)
        title = facts.title
        if isWhole {
            let removed = [Bool](repeating: false, count: tree.entries.count)
            found = ContentFinder.Result(roots: [0], removed: removed)
        } else {
            found = ContentFinder(tree: tree, facts: facts).find()
        }
        byline = facts.byline ?? found.byline ?? article.authors.first?.value
    }

    /// The element with the best score as the content; some elements beside it may be part of it, too.
    package var element: Node { Node(tree.entries[found.top].node, in: document) }

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
        for root in found.roots { writer.write(tree, root, removed: found.removed) }
        return writer.bytes.isEmpty ? [] : writer.bytes + [0x0A]
    }

    /// The part as CommonMark in UTF-8, links absolute, with a line feed at the end; empty where there is
    /// nothing.
    package var markdown: [UInt8] {
        var writer = MarkdownWriter(tree, removed: found.removed, roots: found.roots, resolver: resolver)
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
