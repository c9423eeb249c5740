import WebLoader

/// The output of `webinspect tables`.
struct TableList {
    enum Format: String, CaseIterable {
        /// For people: columns under each other.
        case text
        /// RFC 4180.
        case csv
        /// Tab-separated values.
        case tsv
        /// One document.
        case json
        /// As GitHub's Markdown has tables.
        case md

        /// Whether it is rows of values.
        var hasRows: Bool { self == .csv || self == .tsv }
    }

    let page: ParsedPage
    let source: String
    /// The tables, each with its number among all of the page's.
    let tables: [(number: Int, table: Table)]
    /// Whether a cell that covers several slots is written in each of them.
    let fillsSpans: Bool
    /// Whether no value of CSV or TSV is to be a formula to a spreadsheet.
    var isSafe = false
    /// Whether rows of CSV and TSV begin with the source.
    var hasSourceColumn = false

    /// Takes the tables of a page that are chosen.
    init(
        _ page: ParsedPage,
        source: String,
        _ options: TablesOptions,
        _ selection: TableSelection?
    ) throws(Failure) {
        self.page = page
        self.source = source
        tables = try selection?.tables(of: page.document) ?? TableSelection.all(of: page.document)
        fillsSpans = options.fillsSpans
        isSafe = options.isSafe
    }

    /// The tables in a format, a blank line between two.
    func bytes(_ format: Format, _ terminal: Terminal = .none) -> [UInt8] {
        if format == .json { return document + [0x0A] }
        var output: [UInt8] = []
        for (index, entry) in tables.enumerated() {
            if index > 0 { output.append(0x0A) }
            var rows = entry.table.texts(fillsSpans: fillsSpans)
            if hasSourceColumn, format.hasRows { rows = rows.map { [Source.redacted(source)] + $0 } }
            switch format {
            case .csv: for row in rows { output += DelimitedLine.csv(row, isSafe: isSafe) }
            case .tsv: for row in rows { output += DelimitedLine.tsv(row, isSafe: isSafe) }
            case .md: output += Self.markdown(entry.table, rows)
            case .text, .json: output += Self.text(entry.number, entry.table, rows, terminal)
            }
        }
        return output
    }

    // MARK: - For people

    /// Characters of a cell that columns are made wide for; longer ones push the rest of their line.
    private static let maximumWidth = 40
    /// Slots of a table whose columns are put under each other.
    private static let maximumAlignedSlots = 200_000

    private static func text(
        _ number: Int,
        _ table: Table,
        _ rows: [[String]],
        _ terminal: Terminal
    ) -> [UInt8] {
        let caption = table.caption.map { "  \($0)" } ?? ""
        let place = table.position.map { "  line \($0.line)" } ?? ""
        let head = "Table \(number)  \(table.rowCount) x \(table.columnCount)\(place)\(caption)"
        var lines = [terminal.styled(TerminalText.visible(head), .strong)]
        var widths = [Int](repeating: 0, count: table.columnCount)
        let isAligned = rows.count *| table.columnCount <= maximumAlignedSlots
        let rows = rows.map { row in row.map { text in TerminalText.visible(oneLine(text)) } }
        for row in isAligned ? rows : [] {
            for (column, text) in row.enumerated() {
                widths[column] = max(widths[column], min(TerminalText.width(text), maximumWidth))
            }
        }
        if let width = terminal.width, isAligned { fit(&widths, into: width - 2) }
        for (number, row) in rows.enumerated() {
            if number == table.headerRowCount, number > 0, isAligned {
                lines.append("  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
            }
            lines.append("  " + line(row, widths, cuts: terminal.width != nil && isAligned))
        }
        return Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    /// Makes the widest columns narrower until all fit, though none narrower than can be read.
    private static func fit(_ widths: inout [Int], into room: Int) {
        var excess = widths.reduce(2 * (widths.count - 1), +) - room
        while excess > 0, let widest = widths.max(), widest > 4 {
            for column in widths.indices where widths[column] == widest && excess > 0 {
                widths[column] -= 1
                excess -= 1
            }
        }
    }

    private static func line(_ row: [String], _ widths: [Int], cuts: Bool) -> String {
        var line = ""
        for (column, text) in row.enumerated() {
            let text = cuts ? TerminalText.shortened(text, to: max(1, widths[column])) : text
            let isLast = column + 1 == row.count
            line +=
                isLast
                ? text : TerminalText.padded(TerminalText.withDirectionMark(text), to: widths[column]) + "  "
        }
        while line.utf8.last == 0x20 { line.removeLast() }
        return line
    }

    private static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(0x0A) || text.utf8.contains(0x09) else { return text }
        return String(decoding: text.utf8.map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    }

    // MARK: - Markdown

    /// The first row is the header, or an empty one where the table has none.
    private static func markdown(_ table: Table, _ rows: [[String]]) -> [UInt8] {
        var output: [UInt8] = []
        if let caption = table.caption { output += MarkdownText.line(caption) + [0x0A, 0x0A] }
        let empty = [String](repeating: "", count: table.columnCount)
        let hasHeader = table.headerRowCount > 0
        output += line(hasHeader ? rows.first ?? empty : empty)
        output += Array("|\(String(repeating: " --- |", count: table.columnCount))\n".utf8)
        for row in rows.dropFirst(hasHeader ? 1 : 0) { output += line(row) }
        return output
    }

    private static func line(_ row: [String]) -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "|")]
        for text in row { output += [0x20] + MarkdownText.cell(oneLine(text)) + Array(" |".utf8) }
        return output + [0x0A]
    }

    // MARK: - JSON

    /// The tables as JSON, without a line feed behind it.
    var document: [UInt8] {
        var object = JSONObjectWriter()
        object.add("schema", .integer(PageReport.version))
        object.add("source", .string(Source.redacted(source)))
        object.add("tables", each: tables, bytes: { json($0.number, $0.table) })
        object.add("url", .string(page.response.url.description))
        return object.written()
    }

    private func json(_ number: Int, _ table: Table) -> [UInt8] {
        let rows = table.texts(fillsSpans: fillsSpans)
        let row = { (texts: [String]) in JSONValue.array(texts.map(JSONValue.string)) }
        var object = JSONObjectWriter()
        object.add("caption", JSONValue(table.caption))
        object.add("cells", each: table.cells, Self.json)
        if let column = table.position?.column { object.add("column", .integer(Int64(column))) }
        object.add("column_count", .integer(Int64(table.columnCount)))
        object.add("depth", .integer(Int64(table.depth)))
        object.add("header", each: rows.prefix(table.headerRowCount), row)
        if let line = table.position?.line { object.add("line", .integer(Int64(line))) }
        object.add("number", .integer(Int64(number)))
        object.add("row_count", .integer(Int64(table.rowCount)))
        object.add("rows", each: rows.dropFirst(table.headerRowCount), row)
        if table.isTruncated { object.add("truncated", .bool(true)) }
        return object.written()
    }

    private static func json(_ cell: Table.Cell) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("row", .integer(Int64(cell.row))), .init("column", .integer(Int64(cell.column))),
            .init("text", .string(cell.text)),
        ]
        if cell.rowSpan > 1 { members.append(.init("row_span", .integer(Int64(cell.rowSpan)))) }
        if cell.columnSpan > 1 { members.append(.init("column_span", .integer(Int64(cell.columnSpan)))) }
        if cell.isHeader { members.append(.init("header", .bool(true))) }
        if !cell.headers.isEmpty {
            members.append(.init("headers", .array(cell.headers.map { .integer(Int64($0)) })))
        }
        return .object(members)
    }
}
