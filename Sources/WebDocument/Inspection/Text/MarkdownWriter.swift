/// Writes a part of a page as CommonMark, with tables and footnotes as GitHub has them.
///
/// CommonMark reads the result as the text of the page: characters that would be markup are escaped. A
/// paragraph is one line. Quotes and lists inside each other are kept up to ``maximumNesting``: a page nested
/// deeper must not take quadratic space. Time and memory are linear in the page.
///
/// <https://spec.commonmark.org/0.31.2/>
struct MarkdownWriter {
    let tree: ContentTree
    let removed: [Bool]
    let resolver: ReferenceResolver
    let notes: MarkdownNotes

    var blocks = MarkdownBlocks()
    var line = MarkdownLine()

    /// The elements that are open and the index at which each ends, the innermost one last.
    private var open: [(end: Int, element: ContentElement, opensContainer: Bool)] = []
    /// The lists that are open, the innermost one last.
    private var lists: [List] = []

    static let maximumNesting = 12

    /// A list whose items are being written.
    private struct List {
        var number: Int?
        let marker: UInt8
    }

    /// How many marks of each kind are open.
    private var depths = [0, 0, 0]
    /// The marks that are open in the line and the index at which each ends, the innermost one last.
    private var marks: [(end: Int, mark: Inline)] = []

    private enum Inline: Int {
        case strong, emphasis, link
    }

    init(_ tree: ContentTree, removed: [Bool], roots: [Int], resolver: ReferenceResolver) {
        self.tree = tree
        self.removed = removed
        self.resolver = resolver
        notes = MarkdownNotes(tree, removed, roots)
    }

    /// Writes an entry and everything inside it, except for what was removed.
    mutating func write(_ root: Int) {
        var index = root
        let end = Int(tree.entries[root].end)
        while index < end {
            close(before: index)
            if removed[index] {
                index = Int(tree.entries[index].end)
            } else {
                index = enter(index)
            }
        }
        close(before: end)
        flush()
    }

    /// The contents of an entry as one line, blocks separated by spaces.
    mutating func inlineLine(_ index: Int, _ place: MarkdownLine.Place) -> [UInt8] {
        let end = Int(tree.entries[index].end)
        var inner = index + 1
        while inner < end {
            while let last = marks.last, last.end <= inner { closeMark() }
            let entry = tree.entries[inner]
            if removed[inner] {
                inner = Int(entry.end)
            } else if entry.element.traits.contains(.block) {
                line.appendSpace()
                inner += 1
            } else {
                inner = enter(inner)
            }
        }
        while !marks.isEmpty { closeMark() }
        return line.take(place)
    }

    private mutating func close(before index: Int) {
        while true {
            let blockEnd = open.last?.end ?? Int.largestBounded
            let markEnd = marks.last?.end ?? Int.largestBounded
            guard min(blockEnd, markEnd) <= index else { return }
            // What ends first is closed first; where both end at the same index, that is the mark.
            if markEnd <= blockEnd { closeMark() } else { closeBlock() }
        }
    }

    // MARK: - Entering

    /// Begins an entry; returns the index to continue at.
    private mutating func enter(_ index: Int) -> Int {
        let entry = tree.entries[index]
        let end = Int(entry.end)
        switch entry.element {
        case .text: if let bytes = unsafe entry.node.textBytes { unsafe line.append(text: bytes) }
        case .br: line.appendBreak()
        case .img: appendImage(entry.node)
        case .code, .kbd, .samp, .tt:
            line.append(code: text(index))
            return end
        case .b, .strong: if end > index + 1 { open(.strong, until: end) }
        case .em, .i: if end > index + 1 { open(.emphasis, until: end) }
        case .a:
            if let label = notes.reference(to: entry.node) {
                line.append(note: label)
                return end
            }
            if notes.isBackLink(index, tree) { return end }
            if end > index + 1, let url = url(entry.node.attribute("href")) { open(.link, until: end, url) }
        case .sup:
            if let label = notes.label(ofReferenceIn: index, tree) {
                line.append(note: label)
                return end
            }
        case .pre:
            flush()
            blocks.write(code: text(index, keepsBreaks: true), language: language(index))
            return end
        case .hr:
            flush()
            blocks.write(Array("___".utf8))
        case .table:
            flush()
            if let table = MarkdownTable(self, index) {
                if let caption = table.caption { blocks.write(caption) }
                blocks.write(lines: table.lines)
                return end
            }
        default:
            if entry.element.traits.contains(.block) { openBlock(index) }
        }
        return index + 1
    }

    private mutating func openBlock(_ index: Int) {
        flush()
        let entry = tree.entries[index]
        var opensContainer = false
        switch entry.element {
        case .blockquote:
            opensContainer = blocks.open(marker: Array("> ".utf8), continuation: Array("> ".utf8))
        case .ul, .ol: beginList(entry)
        case .li:
            if let label = notes.label(ofNote: entry.node) {
                opensContainer = blocks.open(marker: Array("[^\(label)]: ".utf8), indentation: 4)
            } else {
                opensContainer = openItem(entry.node)
            }
        case .dt, .summary, .th: openMark(.strong, "")
        case .dd: opensContainer = blocks.open(marker: Array("- ".utf8), indentation: 2)
        default: break
        }
        open.append((Int(entry.end), entry.element, opensContainer))
    }

    private mutating func closeBlock() {
        flush()
        guard let block = open.popLast() else { return }
        switch block.element {
        case .dt, .summary, .th: closeMark(.strong)
        case .ul, .ol: if let list = lists.popLast() { blocks.lastList = (list.number != nil, list.marker) }
        default: break
        }
        if block.opensContainer { blocks.close() }
    }

    /// Writes the line as a separate block.
    mutating func flush() {
        guard !line.isEmpty else { return _ = line.take(.paragraph) }
        if let level = open.last(where: { $0.element.headingLevel != nil })?.element.headingLevel {
            blocks.write(Array(repeating: UInt8(ascii: "#"), count: level) + [0x20] + line.take(.heading))
        } else {
            blocks.write(line.take(.paragraph), isItemText: open.last?.element == .li)
        }
    }

    // MARK: - Lists

    /// A list right behind another one of its kind gets another marker; otherwise it would continue that one.
    private mutating func beginList(_ entry: ContentTree.Entry) {
        let isOrdered = entry.element == .ol
        let isBehindSame = blocks.lastList.map { $0.isOrdered == isOrdered } ?? false
        let other = isBehindSame ? blocks.lastList?.marker : nil
        let number = isOrdered ? entry.node.attribute("start").flatMap { Int(bounded: $0) } ?? 1 : nil
        let choices: (UInt8, UInt8) = isOrdered ? (0x2E, 0x29) : (0x2D, 0x2A)
        lists.append(List(number: number, marker: other == choices.0 ? choices.1 : choices.0))
        blocks.lastList = nil
    }

    private mutating func openItem(_ node: TreeNode) -> Bool {
        guard let last = lists.indices.last, let number = lists[last].number else {
            let marker = lists.last?.marker ?? UInt8(ascii: "-")
            return blocks.open(marker: [marker, 0x20], indentation: 2)
        }
        let own = node.attribute("value").flatMap { Int(bounded: $0) } ?? number
        // A list's number has at most nine digits, and is not negative.
        let shown = own >= 0 && own <= 999_999_999 ? own : 0
        lists[last].number = shown + 1
        let marker = Array("\(shown)".utf8) + [lists[last].marker, 0x20]
        // A list that begins with another number than 1 cannot interrupt a paragraph.
        return blocks.open(marker: marker, indentation: marker.count, interrupts: shown == 1)
    }

    // MARK: - Marks

    private mutating func open(_ mark: Inline, until end: Int, _ url: String = "") {
        marks.append((end, mark))
        openMark(mark, url)
    }

    private mutating func closeMark() {
        if let mark = marks.popLast()?.mark { closeMark(mark) }
    }

    /// Of the same marks inside each other, only the outermost counts.
    private mutating func openMark(_ mark: Inline, _ url: String) {
        depths[mark.rawValue] += 1
        guard depths[mark.rawValue] == 1 else { return }
        switch mark {
        case .strong: line.open(.strong)
        case .emphasis: line.open(.emphasis)
        case .link: line.open(.link(url))
        }
    }

    private mutating func closeMark(_ mark: Inline) {
        depths[mark.rawValue] -= 1
        if depths[mark.rawValue] == 0 { line.close() }
    }

    private mutating func appendImage(_ node: TreeNode) {
        guard let url = imageURL(node) else { return }
        line.append(image: url, alternative: node.attribute("alt") ?? "")
    }
}

extension ContentElement {
    /// 1 through 6 for a heading, nil for anything else.
    fileprivate var headingLevel: Int? {
        traits.contains(.heading) ? Int(rawValue &- ContentElement.h1.rawValue) + 1 : nil
    }
}
