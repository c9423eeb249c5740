/// A table of a page, its cells put into rows and columns as the standard specifies.
///
/// <https://html.spec.whatwg.org/multipage/tables.html#table-model>
public struct Table: Hashable, Sendable, Codable {
    /// The text of the caption, white space collapsed; nil without one.
    public let caption: String?

    /// How many rows there are, one for each `tr`: the parts of spans beyond them are left out, as in
    /// browsers.
    ///
    /// Those of `tfoot` come last.
    public let rowCount: Int

    /// How many columns there are, from cells and `col`.
    public let columnCount: Int

    /// How many rows at the top are headers: those of `thead`, and those that have only `th` cells.
    public let headerRowCount: Int

    /// The cells, row by row and from the first column to the last.
    public let cells: [Cell]

    /// How many tables are around this one.
    public let depth: Int

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    /// Whether something is left out of a table that was made to exhaust memory: one of more than 8 million slots,
    /// or of spans that cover them many times over.
    public let isTruncated: Bool

    /// A cell, at the first row and column that it covers.
    public struct Cell: Hashable, Sendable, Codable {
        /// The row, from 0.
        public let row: Int

        /// The column, from 0.
        public let column: Int

        /// How many rows it covers, 1 at least.
        public let rowSpan: Int

        /// How many columns it covers, 1 at least.
        public let columnSpan: Int

        /// Whether it is a `th`.
        public let isHeader: Bool

        /// The indexes in ``Table/cells`` of the header cells that apply to it, by `headers`, `scope` and
        /// position.
        ///
        /// <https://html.spec.whatwg.org/multipage/tables.html#header-and-data-cell-semantics>
        public let headers: [Int]

        /// Its text, white space collapsed, a line feed between lines; without that of tables inside it.
        public let text: String
    }

    /// The texts by row and column: that of a cell is in its first slot, every other slot is empty.
    ///
    /// - Parameter fillsSpans: Whether a cell's text stands in every slot that it covers, as long as that takes no more
    ///   than 16 MiB.
    /// - Returns: ``rowCount`` arrays of ``columnCount`` texts.
    /// - Complexity: O(n) in the number of slots, 8 million at most.
    public func texts(fillsSpans: Bool = false) -> [[String]] {
        var rows = [[String]](repeating: [String](repeating: "", count: columnCount), count: rowCount)
        var budget = 16 << 20
        for cell in cells {
            rows[cell.row][cell.column] = cell.text
            guard fillsSpans, cell.rowSpan > 1 || cell.columnSpan > 1 else { continue }
            budget = budget -| cell.rowSpan *| cell.columnSpan *| (cell.text.utf8.count + 16)
            guard budget >= 0 else { continue }
            for row in cell.row..<cell.row + cell.rowSpan {
                for column in cell.column..<cell.column + cell.columnSpan { rows[row][column] = cell.text }
            }
        }
        return rows
    }
}

extension Document {
    /// The tables, in document order, including those inside others.
    ///
    /// - Complexity: O(n) in the size of the page and the slots of its tables; the header cells of each are looked for in
    ///   50,000,000 steps at most.
    package var tables: [Table] { tables(inspectionBudget) }

    func tables(_ budget: InspectionBudget) -> [Table] {
        tableGrids(budget).map { Table($0, budget) }
    }

    /// The tables that `isChosen` accepts by index and element, in document order, with their numbers from 1.
    package func tables(where isChosen: (Int, Node) -> Bool) -> [(number: Int, table: Table)] {
        var chosen: [(Int, Table)] = []
        let budget = inspectionBudget
        for (index, grid) in tableGrids(budget).enumerated()
        where isChosen(index, Node(grid.element, in: self)) {
            chosen.append((index + 1, Table(grid, budget)))
        }
        return chosen
    }

    /// The tables, in the order in which they show, without their texts; those in templates are not part of the page.
    func tableGrids(_ budget: InspectionBudget) -> [TableGrid] {
        var grids: [TableGrid] = []
        var depth = 0
        var walk = RenderedWalk(inside: node)
        while budget.spend(1), let step = walk.next() {
            switch step {
            case .enter(let node):
                guard node.isTable else { continue }
                guard budget.spend(size: 1024) else { return grids }
                grids.append(TableGrid(node, depth: depth, budget))
                depth += 1
            case .leave(let node): if node.isTable { depth -= 1 }
            }
        }
        return grids
    }
}

extension TreeNode {
    /// Whether the node is a `table` of HTML.
    fileprivate var isTable: Bool { isElement && hasName("table") && isHTMLElement }
}

extension Table {
    /// The table with its texts.
    init(_ grid: TableGrid, _ budget: InspectionBudget) {
        let texts = TableTexts(budget: budget)
        let caption = grid.caption.map { texts.text(of: $0) }
        self.caption = caption?.isEmpty == true ? nil : caption
        rowCount = grid.rowCount
        columnCount = grid.columnCount
        headerRowCount = grid.headerRowCount
        depth = grid.depth
        position = grid.element.sourcePosition
        let written = grid.cells.map { texts.text(of: $0.element) }
        var headers = TableHeaders(grid, isEmpty: written.map(\.isEmpty))
        cells = grid.cells.indices.map { index in
            let cell = grid.cells[index]
            return Cell(
                row: cell.row,
                column: cell.column,
                rowSpan: cell.rowSpan,
                columnSpan: cell.columnSpan,
                isHeader: cell.isHeader,
                headers: headers.headers(of: index),
                text: written[index]
            )
        }
        isTruncated = grid.isTruncated || headers.isExhausted || budget.isExhausted
    }
}

/// Extracts the texts of cells.
struct TableTexts {
    let budget: InspectionBudget

    /// The text inside an element, without that of tables in it.
    ///
    /// Complexity: O(n) in the number of nodes inside, except for those of tables.
    func text(of element: TreeNode) -> String {
        guard budget.spend(size: 32) else { return "" }
        let tree = ContentTree(element, stopsAt: .table)
        var writer = PlainTextWriter(separatesParagraphs: false)
        writer.write(tree, 0, removed: [Bool](repeating: false, count: tree.entries.count))
        // A text is written with its row and with its cell.
        guard budget.spend(size: 0, text: 2 * writer.bytes.count) else { return "" }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
