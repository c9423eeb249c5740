/// Writes a part of a page as plain text: white space collapsed, blocks on lines of their own, paragraphs apart.
///
/// The lines are those that a browser shows, before it breaks them to the width of a window.
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
    private var verbatimDepth = 0

    /// The elements that are open and the index at which each ends, the innermost one last.
    private var open: [(end: Int, element: ContentElement)] = []

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
                continue
            }
            enter(entry, end: Int(entry.end))
            index += 1
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
        case .text: write(text: entry.node)
        case .br:
            flushPending(withoutSpace: true)
            bytes.append(0x0A)
        case .td, .th: open.append((end, entry.element))
        default:
            let traits = entry.element.traits
            guard traits.contains(.block) else { return }
            feed(traits.contains(.paragraph) ? 2 : 1)
            if entry.element == .pre { verbatimDepth += 1 }
            open.append((end, entry.element))
        }
    }

    private mutating func leave(_ element: ContentElement) {
        switch element {
        case .td, .th: separator = max(separator, .tab)
        case .pre:
            verbatimDepth -= 1
            feed(2)
        default: feed(element.traits.contains(.paragraph) ? 2 : 1)
        }
    }

    private mutating func feed(_ count: Int) {
        separator = max(separator, count == 2 && separatesParagraphs ? .paragraph : .line)
    }

    private mutating func write(text node: TreeNode) {
        guard var cursor = unsafe node.textBytes else { return }
        while case let byte = unsafe cursor[0], byte != 0 {
            if byte.isASCIIWhitespace, verbatimDepth == 0 {
                separator = max(separator, .space)
                unsafe cursor += 1
            } else {
                if separator != .none { flushPending() }
                let length = unsafe TextRun.length(at: cursor, isVerbatim: verbatimDepth > 0)
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: cursor, count: length))
                unsafe cursor += length
            }
        }
    }

    /// Writes the pending white space.
    private mutating func flushPending(withoutSpace: Bool = false) {
        defer { separator = .none }
        guard let last = bytes.last else { return }
        switch separator {
        case .none: break
        case .space: if last != 0x0A, last != 0x09, !withoutSpace { bytes.append(0x20) }
        case .tab: if last != 0x0A { bytes.append(0x09) }
        case .line: if last != 0x0A { bytes.append(0x0A) }
        case .paragraph:
            if last != 0x0A { bytes.append(0x0A) }
            if bytes.count > 1, bytes[bytes.count - 2] != 0x0A { bytes.append(0x0A) }
        }
    }
}
