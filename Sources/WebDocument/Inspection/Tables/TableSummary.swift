/// The size and the headers of a table, without its data.
public struct TableSummary: Hashable, Sendable, Codable {
    /// The text of the caption; nil without one.
    public let caption: String?

    /// How many rows there are, as ``Table/rowCount``.
    public let rowCount: Int

    /// How many columns there are.
    public let columnCount: Int

    /// The texts of the cells in the last header row, or reaching into it; empty for a table without header rows.
    public let headers: [String]

    /// How many tables are around this one.
    public let depth: Int

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    init(_ grid: TableGrid, _ budget: InspectionBudget) {
        let texts = TableTexts(budget: budget)
        let caption = grid.caption.map { texts.text(of: $0).collapsingASCIIWhitespace }
        self.caption = caption?.isEmpty == true ? nil : caption
        rowCount = grid.rowCount
        columnCount = grid.columnCount
        let last = grid.headerRowCount - 1
        headers =
            grid.cells.prefix { $0.row <= last }
            .filter { $0.row + $0.rowSpan > last }
            .sorted { $0.column < $1.column }
            .map { texts.text(of: $0.element).collapsingASCIIWhitespace }
        depth = grid.depth
        position = grid.element.sourcePosition
    }
}

extension Document {
    /// Summaries of the tables, in document order, including those inside others.
    ///
    /// Complexity: O(n) in the size of the page and the slots of its tables.
    package var tableSummaries: [TableSummary] { tableSummaries(inspectionBudget) }

    func tableSummaries(_ budget: InspectionBudget) -> [TableSummary] {
        tableGrids(budget).map { TableSummary($0, budget) }
    }

    /// The budget for reading tables.
    var inspectionBudget: InspectionBudget { InspectionBudget(self) }
}
