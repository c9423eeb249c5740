/// Finds the header cells that apply to a cell.
///
/// The standard's algorithm visits all slots to the left of a cell and above it, for each cell anew. Here a
/// data cell reuses the result of the one beside or above it, so that a table of data takes time linear in
/// its slots; for tables made of header cells the number of steps is bounded by ``maximumSteps``.
///
/// <https://html.spec.whatwg.org/multipage/tables.html#algorithm-for-assigning-header-cells>
struct TableHeaders {
    private let grid: TableGrid
    private let isEmpty: [Bool]
    /// The cell that covers each slot, row by row: its index plus 1, 0 for no cell, -1 for several cells.
    private var slots: [Int32] = []
    /// Whether each row, and each column, has a data cell.
    private var rowHasData: [Bool] = []
    private var columnHasData: [Bool] = []
    /// The cells with an ID, for `headers`.
    private var identified: [String: Int] = [:]
    private var hasHeaders = false
    private var groupHeaders: [(index: Int, isRow: Bool)] = []
    /// For each row the last result to the left, and for each column the last result above.
    private var left: [Memo] = []
    private var above: [Memo] = []
    private var steps = 0
    private let maximumSteps: Int

    /// The header cells that a data cell at a place finds in one direction.
    private struct Memo {
        var place = 0
        var headers: [Int] = []
    }

    /// The maximum of steps for each table, unless a test sets another one.
    static let maximumSteps = 50_000_000

    /// Whether there were so many steps that headers may be missing.
    var isExhausted: Bool { steps > maximumSteps }

    /// - Parameters:
    ///   - grid: The table.
    ///   - isEmpty: For each cell, whether it has no text.
    ///   - maximumSteps: How many steps to take at most.
    init(_ grid: TableGrid, isEmpty: [Bool], maximumSteps: Int = Self.maximumSteps) {
        self.maximumSteps = maximumSteps
        self.grid = grid
        self.isEmpty = isEmpty
        for (index, cell) in grid.cells.enumerated() {
            if cell.isHeader || cell.element.hasAttribute("headers") { hasHeaders = true }
            if let id = cell.element.attribute("id"), identified[id] == nil { identified[id] = index }
        }
        guard hasHeaders else { return }
        rowHasData = [Bool](repeating: false, count: grid.rowCount)
        columnHasData = [Bool](repeating: false, count: grid.columnCount)
        left = [Memo](repeating: Memo(), count: grid.rowCount)
        above = [Memo](repeating: Memo(), count: grid.columnCount)
        slots = [Int32](repeating: 0, count: grid.rowCount *| grid.columnCount)
        for (index, cell) in grid.cells.enumerated() { place(cell, index) }
    }

    private mutating func place(_ cell: TableGrid.Cell, _ index: Int) {
        steps +|= cell.rowSpan *| cell.columnSpan
        guard !isExhausted else { return }
        for row in cell.row..<cell.row + cell.rowSpan {
            if !cell.isHeader { rowHasData[row] = true }
            for column in cell.column..<cell.column + cell.columnSpan {
                if !cell.isHeader { columnHasData[column] = true }
                let slot = row &* grid.columnCount + column
                slots[slot] = slots[slot] == 0 ? Int32(clamping: index + 1) : -1
            }
        }
        if cell.isHeader {
            switch scope(cell) {
            case .rowGroup: groupHeaders.append((index, true))
            case .columnGroup: groupHeaders.append((index, false))
            case .row, .column, .automatic: break
            }
        }
    }

    // MARK: - Scopes

    private enum Scope {
        case row, column, rowGroup, columnGroup, automatic
    }

    private func scope(_ cell: TableGrid.Cell) -> Scope {
        guard let name = cell.element.attribute("scope") else { return .automatic }
        if name.isEqualIgnoringASCIICase(to: "row") { return .row }
        if name.isEqualIgnoringASCIICase(to: "col") { return .column }
        if name.isEqualIgnoringASCIICase(to: "rowgroup") { return .rowGroup }
        if name.isEqualIgnoringASCIICase(to: "colgroup") { return .columnGroup }
        return .automatic
    }

    /// Whether a header cell applies to columns.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#column-header>
    private mutating func isColumnHeader(_ cell: TableGrid.Cell) -> Bool {
        switch scope(cell) {
        case .column: return true
        case .row, .rowGroup, .columnGroup: return false
        case .automatic:
            steps += cell.rowSpan
            return !rowHasData[cell.row..<cell.row + cell.rowSpan].contains(true)
        }
    }

    /// Whether a header cell applies to rows.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#row-header>
    private mutating func isRowHeader(_ cell: TableGrid.Cell) -> Bool {
        switch scope(cell) {
        case .row: return true
        case .column, .rowGroup, .columnGroup: return false
        case .automatic:
            steps += cell.columnSpan
            let isColumn = isColumnHeader(cell)
            return !isColumn && !columnHasData[cell.column..<cell.column + cell.columnSpan].contains(true)
        }
    }

    // MARK: - Assigning

    /// The indexes of the header cells of a cell, each once.
    mutating func headers(of index: Int) -> [Int] {
        guard hasHeaders, !isExhausted else { return [] }
        let cell = grid.cells[index]
        var found: [Int] = []
        if let named = cell.element.attribute("headers") {
            // 3. The cells that it names.
            for id in named.utf8.split(whereSeparator: \.isASCIIWhitespace) {
                steps += 1
                if let header = identified[String(decoding: Array(id), as: UTF8.self)] {
                    found.append(header)
                }
            }
        } else {
            // 4. The cells to the left of it and above it.
            for row in cell.row..<cell.row + cell.rowSpan {
                found += headers(index, row, cell.column, isUp: false)
            }
            for column in cell.column..<cell.column + cell.columnSpan {
                found += headers(index, cell.row, column, isUp: true)
            }
            for header in groupHeaders where isInGroup(header, cell) { found.append(header.index) }
            steps += groupHeaders.count
        }
        // The results have to be kept, too.
        steps += 16 * found.count
        var kept: [Int] = []
        for header in found.sorted() where header != kept.last && header != index && !isEmpty[header] {
            kept.append(header)
        }
        return kept
    }

    private func isInGroup(_ header: (index: Int, isRow: Bool), _ cell: TableGrid.Cell) -> Bool {
        let head = grid.cells[header.index]
        guard head.column < cell.column + cell.columnSpan, head.row < cell.row + cell.rowSpan else {
            return false
        }
        if header.isRow { return Self.shareGroup(grid.rowGroups, head.row, cell.row) }
        return Self.shareGroup(grid.columnGroups, head.column, cell.column)
    }

    /// Whether two rows or columns are in the same group; the groups are in order.
    private static func shareGroup(_ groups: [Range<Int>], _ first: Int, _ second: Int) -> Bool {
        var low = 0
        var high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].upperBound <= first { low = middle + 1 } else { high = middle }
        }
        return low < groups.count && groups[low].contains(first) && groups[low].contains(second)
    }

    /// The header cells that a cell finds in one direction from one of its slots.
    private mutating func headers(_ index: Int, _ row: Int, _ column: Int, isUp: Bool) -> [Int] {
        guard !grid.cells[index].isHeader else { return scan(index, row, column, isUp: isUp) }
        let place = isUp ? row : column
        let memo = isUp ? above[column] : left[row]
        // Data cells and empty slots in between change nothing.
        var isValid = memo.place <= place
        var between = memo.place
        while isValid, between < place {
            steps += 1
            let slot =
                isUp ? slots[between &* grid.columnCount + column] : slots[row &* grid.columnCount + between]
            if slot > 0, grid.cells[Int(slot) - 1].isHeader { isValid = false }
            between += 1
        }
        let headers = isValid ? memo.headers : scan(index, row, column, isUp: isUp)
        if isUp { above[column] = Memo(place: place, headers: headers) }
        if !isUp { left[row] = Memo(place: place, headers: headers) }
        return headers
    }

    /// The headers in one direction from a slot of a cell.
    ///
    /// <https://html.spec.whatwg.org/multipage/tables.html#internal-algorithm-for-scanning-and-assigning-header-cells>
    private mutating func scan(_ principal: Int, _ row: Int, _ column: Int, isUp: Bool) -> [Int] {
        var found: [Int] = []
        var row = row
        var column = column
        // The extents of header cells that hide cells of the same extent behind them.
        var opaque: [(start: Int, span: Int)] = []
        var block: [(start: Int, span: Int)] = []
        var isInBlock = grid.cells[principal].isHeader
        if isInBlock { block.append(extent(grid.cells[principal], isUp)) }
        var previous: Int32 = -1
        while !isExhausted {
            if isUp { row -= 1 } else { column -= 1 }
            guard row >= 0, column >= 0 else { return found }
            steps += 1
            let slot = slots[row &* grid.columnCount + column]
            guard slot > 0, slot != previous else { continue }
            previous = slot
            let index = Int(slot) - 1
            let cell = grid.cells[index]
            if cell.isHeader {
                isInBlock = true
                let place = extent(cell, isUp)
                block.append(place)
                steps += opaque.count
                let isBehind = opaque.contains { $0 == place }
                let isOfKind = isUp ? isColumnHeader(cell) : isRowHeader(cell)
                if !isBehind, isOfKind { found.append(index) }
            } else if isInBlock {
                isInBlock = false
                opaque += block
                block = []
            }
        }
        return found
    }

    private func extent(_ cell: TableGrid.Cell, _ isUp: Bool) -> (start: Int, span: Int) {
        isUp ? (cell.column, cell.columnSpan) : (cell.row, cell.rowSpan)
    }
}
