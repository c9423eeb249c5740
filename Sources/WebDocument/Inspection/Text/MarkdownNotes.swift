/// The footnotes of a page: what raised links in the text lead to, and what links in brackets lead to that leads back.
///
/// Programs write them in many ways; what they have in common is the two links.
struct MarkdownNotes {
    /// The label of each reference by its entry, which is all that is written of it.
    private var references: [Int: String] = [:]
    /// The label of each note by its entry.
    private var notes: [Int: String] = [:]
    /// The entries left out of notes: links back, and the marks that notes begin with.
    private var skipped: Set<Int> = []
    /// How many bytes at the start of a text belong to the mark of a note.
    private var starts: [Int: Int] = [:]
    /// Tables whose cells are notes.
    private var tables: Set<Int> = []

    /// A link that may lead to a note.
    private struct Reference {
        let link: Int
        /// The element around it that has nothing but it and brackets.
        let outer: Int
        let target: String
        /// The letters and digits that it shows.
        let mark: String
        /// Whether it is raised, or says that it is a reference.
        let isSure: Bool
    }

    private let tree: ContentTree
    private let removed: [Bool]

    /// Finds the notes in some entries of a page.
    ///
    /// - Complexity: O(n) in the number of entries.
    init(_ tree: ContentTree, _ removed: [Bool], _ roots: [Int]) {
        self.tree = tree
        self.removed = removed
        let links = links(roots)
        guard !links.isEmpty else { return }
        var targets: Set<String> = []
        for link in links { targets.insert(link.target) }
        let places = places(of: targets, roots)
        var first: [String: Reference] = [:]
        var backTargets: Set<String> = []
        for link in links where places[link.target] != nil {
            if first[link.target] == nil { first[link.target] = link }
            backTargets.formUnion(ids(around: link))
        }
        var labels: [String: String] = [:]
        var taken: Set<String> = []
        for (target, place) in places.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard let reference = first[target], let (note, before) = note(at: place, reference, backTargets)
            else { continue }
            if let label = notes[note] {
                labels[target] = label
                continue
            }
            let label = Self.label(reference.mark, taken, count: taken.count)
            taken.insert(label)
            labels[target] = label
            notes[note] = label
            if let before, isLabel(before, reference.mark, backTargets) { skipped.insert(before) }
            skipMark(note, reference.mark, backTargets)
            tables.formUnion(tablesAround(note))
        }
        for link in links {
            if let label = labels[link.target] { references[link.outer] = label }
        }
    }

    // MARK: - For the writer

    /// The label of a reference; nil for anything else.
    func label(ofReference index: Int) -> String? { references.isEmpty ? nil : references[index] }

    /// The label of a note; nil for anything else.
    func label(ofNote index: Int) -> String? { notes.isEmpty ? nil : notes[index] }

    /// Whether an entry is left out, as a link from a note back to the text.
    func isSkipped(_ index: Int) -> Bool { !skipped.isEmpty && skipped.contains(index) }

    /// Whether a table has notes in its cells, so that it is not written as a table.
    func isTable(_ index: Int) -> Bool { !tables.isEmpty && tables.contains(index) }

    /// How many bytes at the start of a text are not written.
    func start(ofText index: Int) -> Int { starts.isEmpty ? 0 : starts[index] ?? 0 }

    // MARK: - References

    /// The links within the page that may lead to notes; those in code are text.
    private func links(_ roots: [Int]) -> [Reference] {
        var links: [Reference] = []
        for root in roots {
            var index = root
            while index < tree.entries[root].end {
                let entry = tree.entries[index]
                switch entry.element {
                case _ where removed[index], .pre, .code, .kbd, .samp, .tt:
                    index = Int(entry.end)
                    continue
                case .a: if let link = reference(index) { links.append(link) }
                default: break
                }
                index += 1
            }
        }
        return links
    }

    private func reference(_ index: Int) -> Reference? {
        let entry = tree.entries[index]
        guard entry.marks.contains(.fragmentLink), let target = Self.target(entry.node), isShort(index) else {
            return nil
        }
        let outer = outer(index)
        let shown = text(outer).collapsingASCIIWhitespace
        let isRaised = (outer...index).contains { tree.entries[$0].element == .sup } || isAllRaised(index)
        let isSure = isRaised || entry.node.attribute("role") == "doc-noteref"
        guard isSure || shown.hasPrefix("[") && shown.hasSuffix("]") else { return nil }
        return Reference(link: index, outer: outer, target: target, mark: Self.mark(shown), isSure: isSure)
    }

    /// Entries in the largest reference.
    private static let mostEntries = 16

    /// Characters of the longest.
    private static let mostChars = 64

    private func isShort(_ index: Int) -> Bool {
        let range = index..<Int(tree.entries[index].end)
        guard range.count <= Self.mostEntries else { return false }
        return range.reduce(0) { $0 + Int(tree.entries[$1].length) } <= Self.mostChars
    }

    /// Whether all that a link has is raised.
    private func isAllRaised(_ index: Int) -> Bool {
        let next = index + 1
        return next < tree.entries[index].end && tree.entries[next].element == .sup
            && tree.entries[next].end == tree.entries[index].end
    }

    /// The outermost element in the line that has nothing but a link and brackets.
    private func outer(_ index: Int) -> Int {
        var outer = index
        let shown = Self.letters(text(index))
        while outer > 0 {
            let around = Int(tree.entries[outer].parent)
            let element = tree.entries[around].element
            guard element == .sup || element == .inline, isShort(around), Self.letters(text(around)) == shown
            else { break }
            outer = around
        }
        return outer
    }

    /// The IDs that lead to a reference: its own, and those of the elements in its line around it.
    private func ids(around reference: Reference) -> [String] {
        var ids: [String] = []
        var index = reference.link
        for _ in 0..<4 {
            if let id = tree.entries[index].node.attribute("id") { ids.append(id) }
            if tree.entries[index].element == .a, let name = tree.entries[index].node.attribute("name") {
                ids.append(name)
            }
            index = Int(tree.entries[index].parent)
            guard index > 0, tree.entries[index].traits.contains(.inline) else { break }
        }
        return ids
    }

    // MARK: - Notes

    /// The first element that each of some fragments leads to.
    private func places(of targets: Set<String>, _ roots: [Int]) -> [String: Int] {
        var places: [String: Int] = [:]
        for root in roots {
            var index = root
            while index < tree.entries[root].end {
                let entry = tree.entries[index]
                if removed[index] {
                    index = Int(entry.end)
                    continue
                }
                if entry.element != .text {
                    let name = entry.element == .a ? entry.node.attribute("name") : nil
                    for id in [entry.node.attribute("id"), name] {
                        if let id, targets.contains(id), places[id] == nil { places[id] = index }
                    }
                }
                index += 1
            }
        }
        return places
    }

    /// The note that begins at a place; nil where there is none.
    private func note(
        at place: Int,
        _ reference: Reference,
        _ backTargets: Set<String>
    ) -> (note: Int, label: Int?)? {
        guard place > reference.link, let (note, label) = block(at: place), note > reference.link,
            hasText(note)
        else { return nil }
        let entry = tree.entries[note]
        let role = entry.node.attribute("role")
        let isSaid = role == "doc-footnote" || role == "doc-endnote"
        if isSaid || reference.isSure && (entry.element == .li || entry.element == .p) {
            return (note, label)
        }
        // Other elements, and other links, are a note and its reference only where they lead to each other.
        let range = min(place, note)..<min(Int(entry.end), note + Self.mostEntriesOfNote)
        let leadsBack = range.contains { index in
            tree.entries[index].element == .a
                && Self.target(tree.entries[index].node).map(backTargets.contains) == true
        }
        return leadsBack ? (note, label) : nil
    }

    /// Entries of a note in which a link back is looked for.
    private static let mostEntriesOfNote = 1000

    /// The block that is a note where a link leads to a place: it itself, the one that it begins, or the one beside it
    /// for which it has the mark, which comes with it.
    private func block(at place: Int) -> (note: Int, label: Int?)? {
        var index = place
        while index > 0, tree.entries[index].traits.contains(.inline) || tree.entries[index].element == .a {
            let around = Int(tree.entries[index].parent)
            let isFirst =
                index - around <= Self.mostEntries
                && (around + 1..<index).allSatisfy {
                    tree.entries[$0].element != .text || tree.entries[$0].length == 0
                }
            guard isFirst else { return nil }
            index = around
        }
        switch tree.entries[index].element {
        case .li, .p, .aside, .div, .section, .dd: return (index, nil)
        case .dt: return next(index, .dd).map { ($0, index) }
        case .td: return next(index, .td).map { ($0, index) } ?? (index, nil)
        case .tr, .tbody, .table:
            let end = Int(tree.entries[index].end)
            guard let cell = (index..<end).prefix(8).first(where: { tree.entries[$0].element == .td }) else {
                return nil
            }
            return next(cell, .td).map { ($0, cell) }
        default: return nil
        }
    }

    /// The element of a kind right behind another one.
    private func next(_ index: Int, _ element: ContentElement) -> Int? {
        var next = Int(tree.entries[index].end)
        while next < tree.entries[Int(tree.entries[index].parent)].end, tree.entries[next].element == .text {
            next += 1
        }
        guard next < tree.entries[Int(tree.entries[index].parent)].end, tree.entries[next].element == element
        else { return nil }
        return next
    }

    /// The innermost table around a note that is a cell; none for others.
    private func tablesAround(_ note: Int) -> [Int] {
        guard tree.entries[note].element == .td else { return [] }
        var index = note
        while index > 0, tree.entries[index].element != .table { index = Int(tree.entries[index].parent) }
        return index > 0 ? [index] : []
    }

    /// Whether there is something to write, soon.
    private func hasText(_ index: Int) -> Bool {
        var inner = index + 1
        while inner < min(Int(tree.entries[index].end), index + 64) {
            let entry = tree.entries[inner]
            if entry.element == .text { return true }
            inner = entry.element == .a && entry.marks.contains(.fragmentLink) ? Int(entry.end) : inner + 1
        }
        return false
    }

    /// Leaves the mark that a note begins with and its links back out of what is written.
    private mutating func skipMark(_ note: Int, _ mark: String, _ backTargets: Set<String>) {
        var isAtStart = true
        var index = note + 1
        let end = Int(tree.entries[note].end)
        while index < end {
            let entry = tree.entries[index]
            if isBackLink(index, backTargets) || isAtStart && isMark(index, mark) {
                let outer = outer(index)
                skipped.insert(outer)
                index = Int(tree.entries[outer].end)
                continue
            }
            if isAtStart, entry.element == .text, let text = unsafe entry.node.textBytes {
                // The separator between the mark and the note: a full stop, a bracket.
                var length = 0
                if !skipped.isDisjoint(with: note..<index) {
                    while unsafe text[length].isASCIIWhitespace || Self.separators.contains(text[length]) {
                        length += 1
                    }
                    starts[index] = length
                }
                isAtStart = unsafe text[length] == 0 || entry.length == 0
            }
            index += 1
        }
    }

    private static let separators = Array("].:)".utf8)

    /// Whether a term or a cell in front of a note has nothing but its mark.
    private func isLabel(_ index: Int, _ mark: String, _ backTargets: Set<String>) -> Bool {
        guard isShort(index) else { return false }
        if !mark.isEmpty, Self.letters(text(index)) == mark { return true }
        return (index..<Int(tree.entries[index].end)).contains { isBackLink($0, backTargets) }
    }

    /// Whether an element in the line repeats the mark of a note.
    private func isMark(_ index: Int, _ mark: String) -> Bool {
        let element = tree.entries[index].element
        guard !mark.isEmpty, element == .sup || element == .inline || element == .a, isShort(index) else {
            return false
        }
        return Self.letters(text(index)) == mark
    }

    /// Whether a link leads from a note back to the text: to a reference, or by an arrow.
    private func isBackLink(_ index: Int, _ backTargets: Set<String>) -> Bool {
        let entry = tree.entries[index]
        guard entry.element == .a, entry.marks.contains(.fragmentLink), isShort(index) else { return false }
        if let target = Self.target(entry.node), backTargets.contains(target) { return true }
        let shown = text(index).collapsingASCIIWhitespace
        return shown == "↩" || shown == "↩︎" || shown == "↑" || shown == "^"
    }

    // MARK: - Texts

    /// The bytes of some entries, as they stand there.
    private func text(_ index: Int) -> String {
        var bytes: [UInt8] = []
        for inner in index..<Int(tree.entries[index].end) { tree.entries[inner].node.appendText(to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The letters and digits of a text, in lower case.
    private static func letters(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The mark of a reference that shows no more than 16 letters and digits of ASCII, and brackets; empty for others.
    private static func mark(_ shown: String) -> String {
        let mark = shown.utf8.filter {
            !$0.isASCIIWhitespace && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
        }
        guard mark.count <= 16, mark.allSatisfy(\.isASCIIAlphanumeric) else { return "" }
        return String(asciiLowercasing: mark)
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
}
