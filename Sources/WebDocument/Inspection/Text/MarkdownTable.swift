/// A table of a page in GitHub's Markdown: rows of one line each, the first one the header.
///
/// <https://github.github.com/gfm/#tables-extension->
struct MarkdownTable {
    /// The lines, the header and the delimiters first.
    private(set) var lines: [ArraySlice<UInt8>] = []

    /// The caption; nil without one.
    private(set) var caption: [UInt8]?

    private static let maximumColumns = 1000

    /// Reads a table; nil for a layout table: one with one column, with a table in a cell, or with lists or the like in
    /// its cells and no headers and no caption.
    init?(_ writer: MarkdownWriter, _ index: Int) {
        let tree = writer.tree
        let table = tree.entries[index]
        if let role = table.node.attribute("role"), role == "presentation" || role == "none" { return nil }
        var rows: [(cells: [Int], isHeader: Bool)] = []
        var headEnd = 0
        var inner = index + 1
        var captionIndex: Int?
        var hasBlocks = false
        var hasHeaders = false
        while inner < table.end {
            let entry = tree.entries[inner]
            if writer.removed[inner] {
                inner = Int(entry.end)
                continue
            }
            switch entry.element {
            case .thead: headEnd = Int(entry.end)
            case .tr: rows.append(([], true))
            case .td, .th:
                guard let last = rows.indices.last else { return nil }
                rows[last].cells.append(inner)
                hasHeaders = hasHeaders || entry.element == .th || inner < headEnd
                rows[last].isHeader = rows[last].isHeader && (entry.element == .th || inner < headEnd)
            case .caption:
                captionIndex = inner
                inner = Int(entry.end)
                continue
            case .table, .form: return nil
            case .ul, .ol, .dl, .pre, .blockquote, .hr, .h1, .h2, .h3, .h4, .h5, .h6, .figure:
                hasBlocks = true
            default: break
            }
            inner += 1
        }
        rows.removeAll { $0.cells.isEmpty }
        guard rows.contains(where: { $0.cells.count > 1 }), !hasBlocks || hasHeaders || captionIndex != nil
        else { return nil }
        var grid = Grid(budget: 4 * Int(table.end) - 4 * index)
        for row in rows { grid.add(row.cells, tree) }
        guard let width = grid.rows.map(\.count).max(), width <= Self.maximumColumns else { return nil }
        let hasHeader = rows[0].isHeader
        if let captionIndex { caption = Self.cell(writer, captionIndex, .paragraph) }
        let delimiters = (0..<width).map { Self.delimiter(grid.rows, column: $0, tree) }
        if !hasHeader {
            lines += [Self.line([[UInt8]](repeating: [], count: width)), Self.line(delimiters)]
        }
        for (number, row) in grid.rows.enumerated() {
            var cells = row.map { $0.map { Self.cell(writer, $0, .cell) } ?? [] }
            if number == 0, hasHeader { cells += [[UInt8]](repeating: [], count: width - cells.count) }
            lines.append(Self.line(cells))
            if number == 0, hasHeader { lines.append(Self.line(delimiters)) }
        }
        if caption?.isEmpty == true { caption = nil }
    }

    /// Returns the delimiter below the header of a column: its alignment, as its first two cells have it.
    private static func delimiter(_ rows: [[Int?]], column: Int, _ tree: ContentTree) -> [UInt8] {
        for row in rows.prefix(2) where column < row.count {
            guard let cell = row[column] else { continue }
            switch tree.entries[cell].node.textAlignment {
            case "left", "start": return Array(":--".utf8)
            case "center": return Array(":-:".utf8)
            case "right", "end": return Array("--:".utf8)
            default: continue
            }
        }
        return Array("---".utf8)
    }

    private static func line(_ cells: [[UInt8]]) -> ArraySlice<UInt8> {
        var line: [UInt8] = []
        for cell in cells { line += [UInt8(ascii: "|"), 0x20] + cell + [0x20] }
        return (line + [UInt8(ascii: "|")])[...]
    }

    private static func cell(_ writer: MarkdownWriter, _ index: Int, _ place: MarkdownLine.Place) -> [UInt8] {
        writer.inlineText(index, place)
    }

    /// The cells by row and column; one that covers several columns or rows is in the first of them.
    private struct Grid {
        var rows: [[Int?]] = []
        /// How many more empty cells there may be: a page with great spans must not take time for their
        /// product.
        var budget: Int
        /// For each column, how many rows below it is still taken.
        private var taken: [Int] = []

        init(budget: Int) { self.budget = budget }

        mutating func add(_ cells: [Int], _ tree: ContentTree) {
            var row: [Int?] = []
            for cell in cells {
                while row.count < taken.count, taken[row.count] > 0, budget > 0 { pad(&row) }
                let node = tree.entries[cell].node
                let start = row.count
                row.append(cell)
                let span = min(Self.span(node.attribute("colspan")), MarkdownTable.maximumColumns)
                for _ in 1..<max(span, 2) where span > 1 && budget > 0 {
                    budget -= 1
                    row.append(nil)
                }
                let rowSpan = Self.span(node.attribute("rowspan"))
                guard rowSpan > 1 else { continue }
                while taken.count < row.count { taken.append(0) }
                for column in start..<row.count { taken[column] = rowSpan }
            }
            while row.count < taken.count, taken[row.count] > 0, budget > 0 { pad(&row) }
            for column in 0..<min(taken.count, row.count) where taken[column] > 0 { taken[column] -= 1 }
            rows.append(row)
        }

        private mutating func pad(_ row: inout [Int?]) {
            budget -= 1
            row.append(nil)
        }

        private static func span(_ text: String?) -> Int {
            guard let text, let value = Int(bounded: text) else { return 1 }
            return max(1, value)
        }
    }
}

extension MarkdownWriter {
    /// The contents of an entry as one line.
    func inlineText(_ index: Int, _ place: MarkdownLine.Place) -> [UInt8] {
        var writer = self
        writer.line = line.nested()
        writer.beginLine()
        return writer.inlineLine(index, place)
    }
}

extension TreeNode {
    /// How the text of a cell is aligned by attributes of its own, in lower case; nil where they do not say.
    fileprivate var textAlignment: String? {
        if let style = attribute("style") {
            for declaration in style.utf8.split(separator: UInt8(ascii: ";")) {
                let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
                guard parts.count == 2, Self.word(parts[0]) == "text-align" else { continue }
                return parts[1].split(separator: UInt8(ascii: "!")).first.map(Self.word)
            }
        }
        return attribute("align").map { Self.word($0.utf8[...]) }
    }

    private static func word(_ text: Substring.UTF8View) -> String {
        String(decoding: text.filter { !$0.isASCIIWhitespace }.map(\.asciiLowercased), as: UTF8.self)
    }
}
