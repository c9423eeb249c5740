/// Writes a part of a page as CommonMark, with tables and footnotes as GitHub has them.
///
/// CommonMark reads the result as the text of the page: characters that would be markup are escaped. A
/// paragraph is one line. Of HTML there is what Markdown has no marks for: `sub`, `sup`, and `br` in cells.
/// Quotes and lists inside each other are kept up to ``maximumNesting``: a page nested deeper must not take
/// quadratic space. Time and memory are linear in the page.
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
    private var open: [Block] = []
    /// How many figures are open.
    private var figureDepth = 0
    /// How many boxes are open that are set apart.
    private var admonitionDepth = 0
    /// The levels of the headings that are open, the innermost one last.
    private var headings: [Int] = []
    /// Whether the item that has begun is done, and how much had been written then: the mark of a task stands first.
    private var task: (isDone: Bool, start: Int)?
    /// The first block at or after an index in code, up to which no other needs to be looked for.
    private var nextBlock = 0

    /// An element that begins a line and ends one.
    private struct Block {
        let end: Int
        let element: ContentElement
        var opensContainer = false
        /// Whether its text is that of an item, behind which a list needs no blank line.
        var isItemText = false
        /// Whether it is a note, a warning or the like that is set apart.
        var isAdmonition = false
        /// Whether it is the title of one.
        var isTitle = false
    }

    /// The lists that are open, the innermost one last.
    private var lists: [List] = []

    static let maximumNesting = 12

    /// A list whose items are being written.
    private struct List {
        /// The number of the next item; nil for a list without numbers.
        var number: Int?
        var marker: UInt8
        /// The increment for each item: -1 for a list that counts down.
        var step = 1
        /// The number that Markdown counts the next item as; nil for the first one.
        var expected: Int?
    }

    /// How many marks of each kind are open.
    private var depths = [Int](repeating: 0, count: Inline.allCases.count)
    /// The marks that are open in the line and the index at which each ends, the innermost one last.
    private var marks: [(end: Int, mark: Inline)] = []

    private enum Inline: Int, CaseIterable {
        case strong, emphasis, strikethrough, superscript, `subscript`, link
        /// A pair of parentheses around a reading.
        case reading
        /// A pair of quotation marks.
        case quotation
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

    /// Whether all that is written goes into one line.
    private var isInLine = false

    /// Makes ready for a line that is apart from those around it, but inside their marks.
    mutating func beginLine() {
        marks = []
        isInLine = true
    }

    /// The contents of an entry as one line, which breaks where blocks do; lists in cells are written as HTML.
    mutating func inlineLine(_ index: Int, _ place: MarkdownLine.Place) -> [UInt8] {
        let end = Int(tree.entries[index].end)
        var inner = index + 1
        var blockEnds: [(end: Int, tag: String?)] = []
        while inner < end {
            while let last = marks.last, last.end <= inner { closeMark() }
            while let last = blockEnds.last, last.end <= inner {
                blockEnds.removeLast()
                endBlock(last.tag)
            }
            let entry = tree.entries[inner]
            if removed[inner] {
                inner = Int(entry.end)
            } else if entry.element == .pre {
                appendLines(inner)
                inner = Int(entry.end)
            } else if entry.traits.contains(.block) {
                let tag = place == .cell ? Self.tag(entry) : nil
                if let tag { line.append(tag: "<\(tag)>") } else { line.appendBreak() }
                blockEnds.append((Int(entry.end), tag))
                inner += 1
            } else {
                inner = enter(inner)
            }
        }
        while !marks.isEmpty { closeMark() }
        while let last = blockEnds.popLast() { endBlock(last.tag) }
        return line.take(place)
    }

    private mutating func endBlock(_ tag: String?) {
        if let tag { line.append(tag: "</\(tag)>") } else { line.appendBreak() }
    }

    /// The name of the tag that a list or an item has in a cell; nil for other elements.
    private static func tag(_ entry: ContentTree.Entry) -> String? {
        switch entry.element {
        case .ul: "ul"
        case .ol: "ol"
        case .li: "li"
        default: nil
        }
    }

    /// Adds code line by line.
    private mutating func appendLines(_ index: Int) {
        for code in text(index, keepsBreaks: true).split(separator: 0x0A) {
            line.appendBreak()
            line.append(code: Array(code))
        }
        line.appendBreak()
    }

    private mutating func close(before index: Int) {
        while true {
            let blockEnd = open.last?.end ?? Int.largestBounded
            let markEnd = marks.last?.end ?? Int.largestBounded
            guard min(blockEnd, markEnd) <= index else { return }
            // The block or mark that ends first is closed first; the mark, if both end at the same index.
            if markEnd <= blockEnd { closeMark() } else { closeBlock() }
        }
    }

    // MARK: - Entering

    /// Begins an entry; returns the index to continue at.
    private mutating func enter(_ index: Int) -> Int {
        let entry = tree.entries[index]
        let end = Int(entry.end)
        if notes.isSkipped(index) { return end }
        if let label = notes.label(ofReference: index) {
            line.append(note: label)
            return end
        }
        switch entry.element {
        case .text:
            if let bytes = unsafe entry.node.textBytes {
                unsafe line.append(text: bytes + notes.start(ofText: index))
            }
        case .br: line.appendBreak()
        case .img: appendImage(entry.node)
        case .code, .kbd, .samp, .tt:
            if hasBlock(index) { break }
            line.append(code: text(index))
            return end
        case .b, .strong: open(.strong, until: end)
        case .em, .i: open(.emphasis, until: end)
        case .s, .del: open(.strikethrough, until: end)
        case .sub: open(.subscript, until: end)
        case .sup: open(.superscript, until: end)
        case .q: open(.quotation, until: end)
        case .inline:
            if entry.isBareReading { open(.reading, until: end) }
        case .a:
            if end > index + 1, let url = url(entry.node.attribute("href")) {
                open(.link, until: end, url, title: title(entry.node))
            }
        case .other:
            if tree.isAnnotation(index) { return end }
            guard let formula = tree.tex(index) else { break }
            write(formula: formula, isBlock: entry.node.attribute("display") == "block")
            return end
        case .pre:
            flush()
            blocks.write(code: text(index, keepsBreaks: true), language: CodeLanguage.name(entry.node))
            return end
        case .hr:
            flush()
            blocks.write(Array("___".utf8))
        case .table:
            flush()
            // In a box it may be there for the looks of it.
            if notes.isTable(index) || admonitionDepth > 0 && !hasHeader(index) { break }
            if let table = MarkdownTable(self, index) {
                if let caption = table.caption { blocks.write(caption) }
                blocks.write(lines: table.lines)
                return end
            }
        default:
            if entry.traits.contains(.block) { openBlock(index) }
        }
        return index + 1
    }

    /// Whether there is a block in an element for code, which is then no code of a line.
    ///
    /// Complexity: O(n) for all elements of a page together.
    private mutating func hasBlock(_ index: Int) -> Bool {
        let end = Int(tree.entries[index].end)
        if nextBlock <= index { nextBlock = index + 1 }
        while nextBlock < end, !tree.entries[nextBlock].element.traits.contains(.block) { nextBlock += 1 }
        return nextBlock < end
    }

    /// Whether a table has a cell of a header before it has a table inside of it.
    private func hasHeader(_ table: Int) -> Bool {
        for index in (table + 1)..<max(table + 1, Int(tree.entries[table].end)) {
            switch tree.entries[index].element {
            case .th, .caption: return true
            case .table: return false
            default: continue
            }
        }
        return false
    }

    private mutating func write(formula: [UInt8], isBlock: Bool) {
        if isBlock, !isInLine, headings.isEmpty {
            flush()
            blocks.write(code: formula, language: "math")
        } else {
            line.append(formula: formula)
        }
    }

    private mutating func openBlock(_ index: Int) {
        let entry = tree.entries[index]
        if entry.element == .figcaption, figureDepth > 0, line.hasOnlyImages {
            // In one paragraph with the image above it.
            line.appendBreak()
        } else {
            flush()
        }
        var block = Block(end: Int(entry.end), element: entry.element)
        defer { open.append(block) }
        if admonitionDepth > 0, Admonition.isTitle(entry) {
            block.isTitle = true
            return openMark(.strong)
        }
        if Admonition.kind(entry) != nil {
            block.isAdmonition = true
            admonitionDepth += 1
            task = nil
            block.opensContainer = blocks.open(marker: Array("> ".utf8), continuation: Array("> ".utf8))
            return
        }
        switch entry.element {
        case .blockquote:
            task = nil
            block.opensContainer = blocks.open(marker: Array("> ".utf8), continuation: Array("> ".utf8))
        case .ul, .ol, .dl: beginList(entry)
        case .li:
            // No list goes on with what follows a note.
            let isNote = openNote(index)
            block.isItemText = !isNote
            block.opensContainer = isNote || openItem(entry.node)
            task = blocks.isAtItem ? isTaskDone(index).map { ($0, blocks.bytes.count) } : nil
        case .p, .aside, .section, .td: block.opensContainer = openNote(index)
        case .dt, .summary, .th: openMark(.strong)
        case .dd:
            let isNote = openNote(index)
            block.opensContainer =
                isNote
                || blocks.open(marker: [lists.last?.marker ?? UInt8(ascii: "-"), 0x20], indentation: 2)
            block.isItemText = !isNote
        case .div:
            block.opensContainer = openNote(index)
            block.isItemText = open.last?.isItemText == true
        case .figure: figureDepth += 1
        default:
            if let level = entry.element.headingLevel { headings.append(level) }
        }
    }

    private mutating func closeBlock() {
        guard let block = open.popLast() else { return }
        // An image waits for its caption.
        let waits = figureDepth > 0 && block.element != .figure && !block.opensContainer && line.hasOnlyImages
        if waits { line.appendSpace() } else { flush(block) }
        if block.isTitle { closeMark(.strong) }
        if block.isAdmonition { admonitionDepth -= 1 }
        switch block.element {
        case .dt, .summary, .th: closeMark(.strong)
        case .ul, .ol, .dl:
            if let list = lists.popLast() { blocks.lastList = (list.number != nil, list.marker) }
        case .figure: figureDepth -= 1
        case .li: task = nil
        default: if block.element.headingLevel != nil { headings.removeLast() }
        }
        if block.opensContainer { blocks.close() }
    }

    /// Writes the line as a separate block.
    mutating func flush() { flush(open.last) }

    private mutating func flush(_ block: Block?) {
        guard !line.isEmpty else { return line.drop() }
        if let level = headings.last {
            blocks.write(Array(repeating: UInt8(ascii: "#"), count: level) + [0x20] + line.take(.heading))
            return
        }
        let text = line.take(.paragraph)
        if let task, task.start == blocks.bytes.count, !text.isEmpty {
            blocks.write(
                Array((task.isDone ? "[x] " : "[ ] ").utf8) + text,
                isItemText: block?.isItemText == true
            )
        } else {
            blocks.write(text, isItemText: block?.isItemText == true)
        }
    }

    // MARK: - Notes and tasks

    /// Opens an element as a note, if it is one.
    private mutating func openNote(_ index: Int) -> Bool {
        guard let label = notes.label(ofNote: index) else { return false }
        if tree.entries[index].element == .li, let last = lists.indices.last, let number = lists[last].number
        {
            lists[last].number = number &+ lists[last].step
            // The list ends where a note begins.
            lists[last].expected = nil
        }
        return blocks.open(marker: Array("[^\(label)]: ".utf8), indentation: 4)
    }

    /// Whether the task that an item begins with is done; nil for one that begins with something else.
    private func isTaskDone(_ index: Int) -> Bool? {
        for inner in (index + 1)..<min(Int(tree.entries[index].end), index + 5) {
            let node = tree.entries[inner].node
            switch tree.entries[inner].element {
            case .input: return node.attribute("type") == "checkbox" ? node.hasAttribute("checked") : nil
            case .p, .div, .inline: continue
            default: return nil
            }
        }
        return nil
    }

    // MARK: - Lists

    /// A list right behind another one of its kind gets another marker; otherwise it would continue that one.
    private mutating func beginList(_ entry: ContentTree.Entry) {
        let isOrdered = entry.element == .ol
        let isBehindSame = blocks.lastList.map { $0.isOrdered == isOrdered } ?? false
        let other = isBehindSame ? blocks.lastList?.marker : nil
        let choices: (UInt8, UInt8) = isOrdered ? (0x2E, 0x29) : (0x2D, 0x2A)
        var list = List(marker: other == choices.0 ? choices.1 : choices.0)
        if isOrdered {
            let isReversed = entry.node.hasAttribute("reversed")
            list.step = isReversed ? -1 : 1
            list.number =
                entry.node.attribute("start").flatMap { Int(bounded: $0) }
                ?? (isReversed ? entry.node.itemCount : 1)
        }
        lists.append(list)
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
        lists[last].number = own &+ lists[last].step
        // Markdown counts on from the first item, so that another number begins another list.
        if let expected = lists[last].expected, expected != shown { lists[last].marker ^= 0x2E ^ 0x29 }
        lists[last].expected = shown + 1
        let marker = Array("\(shown)".utf8) + [lists[last].marker, 0x20]
        // A list that begins with another number than 1 cannot interrupt a paragraph.
        return blocks.open(marker: marker, indentation: marker.count, interrupts: shown == 1)
    }

    // MARK: - Marks

    private mutating func open(_ mark: Inline, until end: Int, _ url: String = "", title: String = "") {
        marks.append((end, mark))
        openMark(mark, url, title: title)
    }

    private mutating func closeMark() {
        if let mark = marks.popLast()?.mark { closeMark(mark) }
    }

    /// Of the same marks inside each other, only the outermost counts; each reading does.
    private mutating func openMark(_ mark: Inline, _ url: String = "", title: String = "") {
        if mark == .reading { return line.openParenthesis() }
        depths[mark.rawValue] += 1
        if mark == .quotation { return line.open(quotation: depths[mark.rawValue]) }
        guard depths[mark.rawValue] == 1 else { return }
        switch mark {
        case .strong: line.open(.strong)
        case .emphasis: line.open(.emphasis)
        case .strikethrough: line.open(.strikethrough)
        case .superscript: line.open(.superscript)
        case .subscript: line.open(.subscript)
        case .link: line.open(.link(url, title: title))
        case .reading, .quotation: break
        }
    }

    private mutating func closeMark(_ mark: Inline) {
        if mark == .reading { return line.closeParenthesis() }
        if mark == .quotation { line.close(quotation: depths[mark.rawValue]) }
        depths[mark.rawValue] -= 1
        if depths[mark.rawValue] == 0, mark != .quotation { line.close() }
    }

    private mutating func appendImage(_ node: TreeNode) {
        guard !node.isTrackingImage, let url = imageURL(node) else { return }
        line.append(image: url, alternative: node.attribute("alt") ?? "", title: title(node))
    }
}

extension TreeNode {
    /// How many items a list has.
    fileprivate var itemCount: Int {
        var count = 0
        var child = firstElement
        while let element = child {
            if element.hasName("li") { count += 1 }
            child = element.nextElement
        }
        return count
    }
}

extension ContentElement {
    /// 1 through 6 for a heading, nil for anything else.
    fileprivate var headingLevel: Int? {
        traits.contains(.heading) ? Int(rawValue &- ContentElement.h1.rawValue) + 1 : nil
    }
}
