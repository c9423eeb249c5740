/// The cells of a table that show, and their places in rows and columns: what is hidden takes no place, as in browsers.
///
/// <https://html.spec.whatwg.org/multipage/tables.html#forming-a-table>
struct TableGrid {
    struct Cell {
        let element: TreeNode
        let row: Int
        let column: Int
        var rowSpan: Int
        var columnSpan: Int
        let isHeader: Bool
    }

    let element: TreeNode
    let depth: Int
    private(set) var caption: TreeNode?
    private(set) var columnCount = 0
    private(set) var rowCount = 0
    private(set) var headerRowCount = 0
    private(set) var cells: [Cell] = []
    /// The ranges of rows that are a group, and those of columns.
    private(set) var rowGroups: [Range<Int>] = []
    private(set) var columnGroups: [Range<Int>] = []
    private(set) var isTruncated = false

    /// The maximum of rows times columns: it allows pages of millions of cells, but not the products of great
    /// spans.
    static let maximumSlots = 8_000_000

    private let budget: InspectionBudget

    /// The units that a cell takes, and each of the slots that a cell can cover.
    private static let cellSize = 112
    /// The additional units of a header cell, which other cells refer to.
    private static let headerSize = 64
    private static let slotSize = 24

    /// For each column, the row up to which a cell above covers it.
    private var coveredUntil: [Int] = []
    /// The cells of the current row group that span several rows, which must end with the group at the latest.
    private var openCells: [Int] = []
    private var countsHeaderRows = true

    /// Forms a table.
    ///
    /// Complexity: O(n) in the number of its rows, cells and slots.
    init(_ element: TreeNode, depth: Int, _ budget: InspectionBudget) {
        self.budget = budget
        self.element = element
        self.depth = depth
        var feet: [TreeNode] = []
        var child = element.firstElement
        var hasRows = false
        var ungroupedRowStart: Int?
        while let current = child {
            child = current.nextElement
            guard current.isHTMLElement, !current.isHidden else { continue }
            if current.hasName("tr") {
                ungroupedRowStart = ungroupedRowStart ?? rowCount
                hasRows = true
                addRow(current)
                continue
            }
            let isGroup = current.hasName("thead") || current.hasName("tbody")
            let isFoot = current.hasName("tfoot")
            if isGroup || isFoot {
                // 12., 13. Rows outside all row groups end where a row group begins.
                if ungroupedRowStart != nil { endRows() }
                ungroupedRowStart = nil
                hasRows = true
                if isFoot {
                    feet.append(current)
                } else {
                    addGroup(current, isHead: current.hasName("thead"))
                }
            } else if caption == nil, current.hasName("caption") {
                caption = current
            } else if !hasRows, current.hasName("colgroup") {
                addColumns(current)
            }
        }
        if ungroupedRowStart != nil { endRows() }
        // 19. The feet come last, wherever they are in the markup.
        for foot in feet { addGroup(foot, isHead: false) }
        cells.sort { ($0.row, $0.column) < ($1.row, $1.column) }
    }

    /// Step 8: the columns of a `colgroup`.
    private mutating func addColumns(_ group: TreeNode) {
        let start = columnCount
        var hasColumns = false
        var child = group.firstElement
        while let current = child {
            child = current.nextElement
            guard current.hasName("col"), !current.isHidden else { continue }
            hasColumns = true
            widen(to: columnCount + Self.span(current, "span", 1...1000), rows: 1)
        }
        if !hasColumns { widen(to: columnCount + Self.span(group, "span", 1...1000), rows: 1) }
        if columnCount > start { columnGroups.append(start..<columnCount) }
    }

    /// Adds the rows of a row group.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#algorithm-for-processing-row-groups>
    private mutating func addGroup(_ group: TreeNode, isHead: Bool) {
        let start = rowCount
        var child = group.firstElement
        while let current = child {
            child = current.nextElement
            if current.hasName("tr"), current.isHTMLElement, !current.isHidden {
                addRow(current, isHead: isHead)
            }
        }
        // A group without rows is skipped, so that it takes no time, however many columns there are.
        guard rowCount > start else { return }
        rowGroups.append(start..<rowCount)
        endRows()
    }

    /// Ends a row group: no cell may extend beyond it.
    private mutating func endRows() {
        for index in openCells {
            cells[index].rowSpan = min(cells[index].rowSpan, rowCount - cells[index].row)
        }
        openCells = []
        for column in coveredUntil.indices { coveredUntil[column] = min(coveredUntil[column], rowCount) }
    }

    /// Adds a row and its cells.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#algorithm-for-processing-rows>
    private mutating func addRow(_ element: TreeNode, isHead: Bool = false) {
        guard (rowCount + 1) *| max(columnCount, 1) <= Self.maximumSlots,
            budget.spend(size: Self.slotSize *| columnCount)
        else {
            isTruncated = true
            return
        }
        let row = rowCount
        rowCount += 1
        var column = 0
        var hasHeader = false
        var hasData = false
        var child = element.firstElement
        while let current = child {
            child = current.nextElement
            let isHeader = current.hasName("th")
            guard isHeader || current.hasName("td"), current.isHTMLElement, !current.isHidden else {
                continue
            }
            if isHeader { hasHeader = true } else { hasData = true }
            while column < columnCount, coveredUntil[column] > row { column += 1 }
            guard budget.spend(size: Self.cellSize + (isHeader ? Self.headerSize : 0)) else {
                isTruncated = true
                break
            }
            let columnSpan = Self.span(current, "colspan", 1...1000)
            guard widen(to: column + columnSpan, rows: rowCount) else { break }
            let named = Self.span(current, "rowspan", 0...65534)
            // 0 reaches to the end of the group.
            let rowSpan = named == 0 ? Int.largestBounded - row : named
            if rowSpan > 1 { openCells.append(cells.count) }
            for covered in column..<column + columnSpan {
                coveredUntil[covered] = max(coveredUntil[covered], row + rowSpan)
            }
            cells.append(
                Cell(
                    element: current,
                    row: row,
                    column: column,
                    rowSpan: rowSpan,
                    columnSpan: columnSpan,
                    isHeader: isHeader
                )
            )
            column += columnSpan
        }
        if countsHeaderRows, isHead || hasHeader && !hasData {
            headerRowCount = rowCount
        } else {
            countsHeaderRows = false
        }
    }

    /// Makes the table so wide; returns false, with nothing changed, where it would have too many slots then.
    @discardableResult
    private mutating func widen(to width: Int, rows: Int) -> Bool {
        guard width > columnCount else { return true }
        guard width *| rows <= Self.maximumSlots,
            budget.spend(size: Self.slotSize *| (width - columnCount) *| max(1, rows))
        else {
            isTruncated = true
            return false
        }
        coveredUntil += [Int](repeating: 0, count: width - columnCount)
        columnCount = width
        return true
    }

    /// Reads a span: 1 where it is not a number or is below the range, at most the upper bound of the range.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#attributes-common-to-td-and-th-elements>
    private static func span(_ element: TreeNode, _ name: StaticString, _ range: ClosedRange<Int>) -> Int {
        guard let text = element.attribute(name), let value = nonNegativeInteger(text) else { return 1 }
        return value < range.lowerBound ? 1 : min(value, range.upperBound)
    }

    /// Reads a number, ignoring what follows its digits; the largest for one too large, nil without digits.
    ///
    /// <https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers>
    private static func nonNegativeInteger(_ text: String) -> Int? {
        var digits = Array(text.utf8)[...]
        while let first = digits.first, first.isASCIIWhitespace { digits.removeFirst() }
        if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        digits = digits.prefix(while: \.isASCIIDigit)
        return Int(bounded: digits)
    }
}
