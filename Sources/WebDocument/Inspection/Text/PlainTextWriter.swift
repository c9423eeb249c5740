/// Writes a part of a page as plain text: white space collapsed, blocks on lines of their own, a blank line where a block
/// ends that has one around it, never two.
///
/// The lines are those that a browser shows, before it breaks them to the width of a window; but for the items of a list and
/// the rows of a table, which stay together.
///
/// <https://html.spec.whatwg.org/multipage/dom.html#rendered-text-collection-steps>
struct PlainTextWriter {
    private(set) var bytes: [UInt8] = []

    /// The separator to write before the next text.
    private enum Separator: Int, Comparable {
        case none, space, tab, line, paragraph

        static func < (left: Separator, right: Separator) -> Bool { left.rawValue < right.rawValue }
    }

    private var separator = Separator.none
    /// The tabs to write after a line or a text: one for each cell that has ended in the row, but for those with a tab.
    private var tabs = 0
    private var verbatimDepth = 0
    private var itemDepth = 0
    /// Parentheses that open before the next text.
    private var pendingParentheses = 0
    /// How many quotations are open.
    private var quotationDepth = 0

    /// The elements that are open and the index at which each ends, the innermost one last; `inline` for a reading.
    private var open: [(end: Int, element: ContentElement)] = []

    /// A cell of a table that is open.
    private struct Cell {
        /// Where it begins in the text.
        let start: Int
        /// Whether a line has ended in it.
        var hasLines = false
    }

    private var cells: [Cell] = []

    /// Whether blank lines stand between paragraphs.
    private let separatesParagraphs: Bool

    init(separatesParagraphs: Bool = true) {
        self.separatesParagraphs = separatesParagraphs
    }

    /// Writes an entry and everything inside it, except for what was removed.
    mutating func write(_ tree: ContentTree, _ root: Int, removed: [Bool]) {
        var index = root
        let end = Int(tree.entries[root].end)
        while index < end {
            close(before: index)
            let entry = tree.entries[index]
            if removed[index] {
                index = Int(entry.end)
            } else if entry.element == .other, let next = write(formula: index, tree) {
                index = next
            } else {
                enter(entry, end: Int(entry.end))
                index += 1
            }
        }
        close(before: end)
    }

    private mutating func close(before index: Int) {
        while let last = open.last, last.end <= index {
            open.removeLast()
            leave(last.element)
        }
    }

    private mutating func enter(_ entry: ContentTree.Entry, end: Int) {
        switch entry.element {
        case .text: if let text = unsafe entry.node.textBytes { unsafe write(text: text) }
        case .br: writeBreak()
        case .inline:
            guard entry.isBareReading else { return }
            pendingParentheses += 1
            open.append((end, .inline))
        case .q:
            flushPending()
            quotationDepth += 1
            bytes += QuotationMarks.opening(quotationDepth).utf8
            open.append((end, .q))
        default:
            let traits = entry.traits
            guard traits.contains(.block) else { return }
            feed(around: entry.element)
            switch entry.element {
            case .pre:
                verbatimDepth += 1
                if let cell = cells.indices.last { cells[cell].hasLines = true }
            case .li, .dd: itemDepth += 1
            case .tr: tabs = 0
            case .td, .th: cells.append(Cell(start: bytes.count))
            default: break
            }
            open.append((end, entry.element))
        }
    }

    private mutating func leave(_ element: ContentElement) {
        switch element {
        case .inline: closeParenthesis()
        case .q:
            bytes += QuotationMarks.closing(quotationDepth).utf8
            quotationDepth -= 1
        case .td, .th: leaveCell()
        case .pre:
            verbatimDepth -= 1
            while bytes.last == 0x0A { bytes.removeLast() }
            feed(around: element)
        case .li, .dd:
            itemDepth -= 1
            feed(around: element)
        default: feed(around: element)
        }
    }

    /// Ends the line before or after a block.
    private mutating func feed(around element: ContentElement) {
        guard element != .td, element != .th else { return }
        // The first paragraph of a cell does not take it off its row.
        if isAtCellStart, element == .p || element == .div { return }
        tabs = 0
        let traits = element.traits
        // A list in an item goes on with the lines of that.
        let isNested = itemDepth > 0 && (traits.contains(.list) || element == .dl)
        let isApart = traits.contains(.paragraph) && !isNested && separatesParagraphs
        separator = max(separator, isApart ? .paragraph : .line)
    }

    private var isAtCellStart: Bool { cells.last?.start == bytes.count }

    private mutating func leaveCell() {
        guard let cell = cells.popLast() else { return }
        if cell.hasLines {
            tabs = 0
            separator = max(separator, .line)
            if let outer = cells.indices.last { cells[outer].hasLines = true }
            return
        }
        tabs += 1
        if cell.start < bytes.count {
            // The only paragraph of a cell ends no line.
            separator = .tab
        } else {
            separator = max(separator, .tab)
        }
    }

    // MARK: - Text

    private mutating func writeBreak() {
        if verbatimDepth > 0 {
            flushPending()
            bytes.append(0x0A)
        } else if !isAtCellStart {
            separator = separator >= .line && separatesParagraphs ? .paragraph : max(separator, .line)
        }
    }

    private mutating func write(text bytes: UnsafePointer<UInt8>) {
        var cursor = unsafe bytes
        while case let byte = unsafe cursor[0], byte != 0 {
            if byte.isASCIIWhitespace, verbatimDepth == 0 {
                separator = max(separator, .space)
                unsafe cursor += 1
            } else {
                if separator != .none || pendingParentheses > 0 { flushPending() }
                let length = unsafe TextRun.length(at: cursor, isVerbatim: verbatimDepth > 0)
                unsafe self.bytes.append(contentsOf: UnsafeBufferPointer(start: cursor, count: length))
                unsafe cursor += length
            }
        }
    }

    /// Writes a formula as what it was made of; returns the index after it, nil where there is none.
    private mutating func write(formula index: Int, _ tree: ContentTree) -> Int? {
        if tree.isAnnotation(index) { return Int(tree.entries[index].end) }
        guard let formula = tree.tex(index) else { return nil }
        let isBlock = tree.entries[index].node.attribute("display") == "block"
        if isBlock { separator = max(separator, .line) }
        flushPending()
        bytes += String(decoding: formula, as: UTF8.self).collapsingASCIIWhitespace.utf8
        if isBlock { separator = .line }
        return Int(tree.entries[index].end)
    }

    private mutating func closeParenthesis() {
        if pendingParentheses > 0 {
            pendingParentheses -= 1
        } else {
            bytes.append(UInt8(ascii: ")"))
        }
    }

    /// Writes the pending white space.
    private mutating func flushPending() {
        defer {
            if pendingParentheses > 0 {
                bytes += repeatElement(UInt8(ascii: "("), count: pendingParentheses)
                pendingParentheses = 0
            }
        }
        defer { separator = .none }
        if let last = bytes.last {
            switch separator {
            case .none, .tab: break
            case .space: if last != 0x0A, last != 0x09 { bytes.append(0x20) }
            case .line: endLine()
            case .paragraph:
                endLine()
                if bytes.count > 1, bytes[bytes.count - 2] != 0x0A { bytes.append(0x0A) }
            }
        }
        bytes += repeatElement(0x09, count: tabs)
        tabs = 0
    }

    private mutating func endLine() {
        if let cell = cells.indices.last, cells[cell].start < bytes.count { cells[cell].hasLines = true }
        if bytes.last != 0x0A { bytes.append(0x0A) }
    }
}
