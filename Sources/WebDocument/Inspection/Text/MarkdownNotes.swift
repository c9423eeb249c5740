/// The footnotes of a page: items of lists that superscript links in the text lead to.
struct MarkdownNotes {
    /// The label of each note, by its ID.
    private let labels: [String: String]

    /// Finds the notes in some entries of a page.
    ///
    /// Complexity: O(n) in the number of entries.
    init(_ tree: ContentTree, _ removed: [Bool], _ roots: [Int]) {
        var references: Set<String> = []
        for root in roots {
            var index = root
            while index < tree.entries[root].end {
                let entry = tree.entries[index]
                if removed[index] {
                    index = Int(entry.end)
                    continue
                }
                if entry.element == .a, entry.marks.contains(.fragmentLink),
                    tree.entries[Int(entry.parent)].element == .sup || Self.isNoteReference(entry.node),
                    let target = Self.target(entry.node)
                {
                    references.insert(target)
                }
                index += 1
            }
        }
        var labels: [String: String] = [:]
        if !references.isEmpty {
            for root in roots {
                for index in root..<Int(tree.entries[root].end) where tree.entries[index].element == .li {
                    guard let id = tree.entries[index].node.attribute("id"), references.contains(id),
                        labels[id] == nil
                    else { continue }
                    labels[id] = "\(labels.count + 1)"
                }
            }
        }
        self.labels = labels
    }

    private static func isNoteReference(_ node: TreeNode) -> Bool { node.attribute("role") == "doc-noteref" }

    private static func target(_ node: TreeNode) -> String? {
        guard let reference = node.attribute("href"), reference.hasPrefix("#") else { return nil }
        return String(reference.dropFirst())
    }

    /// The label of the note that a link leads to; nil where it leads elsewhere, or is not superscript.
    func reference(to node: TreeNode) -> String? {
        guard !labels.isEmpty, Self.isNoteReference(node) || node.parentElement?.hasName("sup") == true else {
            return nil
        }
        return Self.target(node).flatMap { labels[$0] }
    }

    /// The label of the note that the link in a `sup` leads to, if that link is all its contents.
    func label(ofReferenceIn index: Int, _ tree: ContentTree) -> String? {
        guard !labels.isEmpty, index + 1 < tree.entries[index].end else { return nil }
        let link = tree.entries[index + 1]
        return link.element == .a && link.end == tree.entries[index].end ? reference(to: link.node) : nil
    }

    /// The label of a note; nil for any other item.
    func label(ofNote node: TreeNode) -> String? {
        labels.isEmpty ? nil : node.attribute("id").flatMap { labels[$0] }
    }

    /// Whether a link inside a note leads back to the text.
    func isBackLink(_ index: Int, _ tree: ContentTree) -> Bool {
        let entry = tree.entries[index]
        guard !labels.isEmpty, entry.marks.contains(.fragmentLink) else { return false }
        if entry.node.attribute("role") == "doc-backlink" { return true }
        guard Int(entry.end) <= index + 3 else { return false }
        var text: [UInt8] = []
        for inner in index..<Int(entry.end) { tree.entries[inner].node.appendText(to: &text) }
        let shown = String(decoding: text.prefix(16), as: UTF8.self).collapsingASCIIWhitespace
        return shown == "↩" || shown == "↩︎" || shown == "↑" || shown == "^"
    }
}
