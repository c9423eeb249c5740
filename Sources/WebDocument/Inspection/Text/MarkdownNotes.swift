/// The footnotes of a page: items and paragraphs that superscript links in the text lead to.
struct MarkdownNotes {
    /// The label of each note by its ID, and by the index of its entry.
    private var labelsByID: [String: String] = [:]
    private var labels: [Int: String] = [:]

    /// Finds the notes in some entries of a page.
    ///
    /// Complexity: O(n) in the number of entries.
    init(_ tree: ContentTree, _ removed: [Bool], _ roots: [Int]) {
        let references = Self.references(tree, removed, roots)
        guard !references.isEmpty else { return }
        var taken: Set<String> = []
        for root in roots {
            var index = root
            while index < tree.entries[root].end {
                let entry = tree.entries[index]
                if removed[index] {
                    index = Int(entry.end)
                    continue
                }
                // Of two with the same ID, a link leads to the first.
                if Self.canBeNote(entry), let id = entry.node.attribute("id"), let reference = references[id],
                    reference.index < index, labelsByID[id] == nil, Self.hasText(index, tree)
                {
                    let label = Self.label(reference.mark, taken, count: labels.count)
                    taken.insert(label)
                    labelsByID[id] = label
                    labels[index] = label
                }
                index += 1
            }
        }
    }

    /// Where the first reference to each ID is, and what it shows; those in code are text.
    private static func references(
        _ tree: ContentTree,
        _ removed: [Bool],
        _ roots: [Int]
    ) -> [String: (index: Int, mark: String)] {
        var references: [String: (index: Int, mark: String)] = [:]
        for root in roots {
            var index = root
            while index < tree.entries[root].end {
                let entry = tree.entries[index]
                switch entry.element {
                case _ where removed[index], .pre, .code, .kbd, .samp, .tt:
                    index = Int(entry.end)
                    continue
                case .a where isReference(index, tree):
                    if let target = target(entry.node), references[target] == nil {
                        references[target] = (index, mark(index, tree))
                    }
                default: break
                }
                index += 1
            }
        }
        return references
    }

    /// Whether a link is one within the page that is raised, by itself or by what is around it or in it, or whose role says so.
    private static func isReference(_ index: Int, _ tree: ContentTree) -> Bool {
        let entry = tree.entries[index]
        guard entry.marks.contains(.fragmentLink) else { return false }
        let isRaised =
            entry.node.parentElement?.hasName("sup") == true
            || index + 1 < entry.end && tree.entries[index + 1].element == .sup
                && tree.entries[index + 1].end == entry.end
        return isRaised || entry.node.attribute("role") == "doc-noteref"
    }

    /// Whether an element may be a note: an item or a paragraph, or what has that role.
    private static func canBeNote(_ entry: ContentTree.Entry) -> Bool {
        switch entry.element {
        case .li, .p: return true
        case .aside, .div, .section:
            let role = entry.node.attribute("role")
            return role == "doc-footnote" || role == "doc-endnote"
        default: return false
        }
    }

    /// Whether there is something to write, soon.
    private static func hasText(_ index: Int, _ tree: ContentTree) -> Bool {
        var inner = index + 1
        while inner < min(Int(tree.entries[index].end), index + 64) {
            let entry = tree.entries[inner]
            if entry.element == .text { return true }
            inner = entry.element == .a && entry.marks.contains(.fragmentLink) ? Int(entry.end) : inner + 1
        }
        return false
    }

    /// The letters and digits that a reference shows, 16 at most.
    private static func mark(_ index: Int, _ tree: ContentTree) -> String {
        var text: [UInt8] = []
        for inner in index..<min(Int(tree.entries[index].end), index + 16) {
            tree.entries[inner].node.appendText(to: &text)
        }
        let shown = text.filter {
            !$0.isASCIIWhitespace && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
        }
        guard shown.count <= 16, shown.allSatisfy(\.isASCIIAlphanumeric) else { return "" }
        return String(decoding: shown.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The mark, or else the next number that is not taken.
    private static func label(_ mark: String, _ taken: Set<String>, count: Int) -> String {
        if !mark.isEmpty, !taken.contains(mark) { return mark }
        let number = "\(count + 1)"
        return taken.contains(number) ? "\(number)-\(number)" : number
    }

    private static func target(_ node: TreeNode) -> String? {
        guard let reference = node.attribute("href"), reference.hasPrefix("#") else { return nil }
        return String(reference.dropFirst())
    }

    /// The label of the note that a link leads to; nil where it leads elsewhere, or is not superscript.
    func label(ofReference index: Int, _ tree: ContentTree) -> String? {
        guard !labels.isEmpty, Self.isReference(index, tree) else { return nil }
        return Self.target(tree.entries[index].node).flatMap { labelsByID[$0] }
    }

    /// The label of the note that the link in a `sup` leads to, if that link is all its contents.
    func label(ofReferenceIn index: Int, _ tree: ContentTree) -> String? {
        guard !labels.isEmpty, index + 1 < tree.entries[index].end else { return nil }
        let link = tree.entries[index + 1]
        return link.element == .a && link.end == tree.entries[index].end
            ? label(ofReference: index + 1, tree) : nil
    }

    /// The label of a note; nil for anything else.
    func label(ofNote index: Int) -> String? { labels.isEmpty ? nil : labels[index] }

    /// Whether a link inside a note leads back to the text.
    func isBackLink(_ index: Int, _ tree: ContentTree) -> Bool {
        let entry = tree.entries[index]
        guard !labels.isEmpty, entry.marks.contains(.fragmentLink) else { return false }
        guard Int(entry.end) <= index + 3 else { return false }
        var text: [UInt8] = []
        for inner in index..<Int(entry.end) { tree.entries[inner].node.appendText(to: &text) }
        let shown = String(decoding: text.prefix(16), as: UTF8.self).collapsingASCIIWhitespace
        return shown == "↩" || shown == "↩︎" || shown == "↑" || shown == "^"
    }
}
