import Foundation
import Testing

@testable import WebDocument

struct TableTests {
    private static func tables(_ markup: String) throws -> [Table] {
        try #require(try InspectionPages.page("<!DOCTYPE html><body>\(markup)").document).tables
    }

    /// Each cell as "row,column", its spans as "+rows,columns" where it has any, "text" at the end.
    private static func summary(_ table: Table) -> String {
        table.cells.map { cell in
            let spans = cell.rowSpan * cell.columnSpan > 1 ? "+\(cell.rowSpan),\(cell.columnSpan)" : ""
            return "\(cell.row),\(cell.column)\(spans)\(cell.isHeader ? "h" : "")=\(cell.text)"
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("<table><tr><td>a<td>b<tr><td>c</table>", "2x2", "0,0=a 0,1=b 1,0=c"),
        ("<table><tr><td colspan=2>a<td>b</table>", "1x3", "0,0+1,2=a 0,2=b"),
        ("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", "2x2", "0,0+2,1=a 0,1=b 1,1=c"),
        // Rows that no `tr` makes are left out.
        ("<table><tr><td rowspan=9>a</table>", "1x1", "0,0=a"),
        // 0 goes to the end of the group.
        (
            "<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d</table>", "3x2",
            "0,0+2,1=a 0,1=b 1,1=c 2,0=d"
        ),
        ("<table><tbody><tr><td rowspan=3>a<tbody><tr><td>b</table>", "2x1", "0,0=a 1,0=b"),
        (
            "<table><tr><td colspan=0>a<td colspan=x>b<td colspan=' +2x'>c</table>", "1x4",
            "0,0=a 0,1=b 0,2+1,2=c"
        ),
        ("<table><tr><td colspan=9999999999999999999999>a</table>", "1x1000", "0,0+1,1000=a"),
        // Cells that overlap keep their places.
        ("<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c</table>", "2x2", "0,0=a 0,1+2,1=b 1,0+1,2=c"),
        ("<table><tfoot><tr><td>z</tfoot><tr><td>a<thead><tr><th>h</table>", "3x1", "0,0=a 1,0h=h 2,0=z"),
        ("<table><col><col span=2><tr><td>a</table>", "1x3", "0,0=a"),
        ("<table><colgroup span=4></colgroup></table>", "0x4", ""),
        ("<table></table>", "0x0", ""),
        ("<table><tr></tr><tr><td>a</table>", "2x1", "1,0=a"),
        (
            "<table><tr><td> a <b>b</b><br>c <p>d<td><a href=x>link</a> text</table>", "1x2",
            "0,0=a b\nc\nd 0,1=link text"
        ),
        ("<table><tr><td>a<script>x</script><span style=display:none>x</span></table>", "1x1", "0,0=a"),
        // Hidden cells take no place; cells that are hidden from assistive technology only, do.
        (
            "<table><tr><td>a<td style='display: none'>x<td aria-hidden=true>b<tr hidden><td>x<tr><td hidden>x<td>c</table>",
            "2x2", "0,0=a 0,1=b 1,0=c"
        ),
        (
            "<table><thead hidden><tr><th>x</thead><template><tr><td>x</template><tr><td>a</table>", "1x1",
            "0,0=a"
        ),
    ])
    func cellsHaveTheirPlaces(markup: String, size: String, cells: String) throws {
        let table = try #require(try Self.tables(markup).first)
        #expect("\(table.rowCount)x\(table.columnCount)" == size)
        #expect(Self.summary(table) == cells)
        #expect(!table.isTruncated)
    }

    @Test func tablesInsideAreApart() throws {
        let tables = try Self.tables(
            "<table><caption> The  outer </caption><tr><td>a<table><tr><td>b</table>c</table><table><tr><td>d</table>"
        )
        #expect(tables.map(\.depth) == [0, 1, 0])
        #expect(tables.map(Self.summary) == ["0,0=a\nc", "0,0=b", "0,0=d"])
        #expect(tables[0].caption == "The outer")
        #expect(tables[1].caption == nil)
    }

    /// A table and for each cell with headers, its text and theirs.
    @Test(arguments: [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", ["1:a", "2:b"]),
        ("<table><tr><th>a<td>1<tr><th>b<td>2</table>", ["1:a", "2:b"]),
        (
            "<table><tr><th><th>x<th>y<tr><th>a<td>1<td>2<tr><th>b<td>3<td>4</table>",
            ["1:x a", "2:y a", "3:x b", "4:y b"]
        ),
        ("<table><tr><th colspan=2>g<tr><th>x<th>y<tr><td>1<td>2</table>", ["x:g", "y:g", "1:g x", "2:g y"]),
        // A header below data hides the one above it.
        ("<table><tr><th>x<tr><td>1<tr><th>y<tr><td>2</table>", ["1:x", "2:y"]),
        ("<table><tr><th id=i>x<th>y<tr><td>1<td headers='i nothing i'>2</table>", ["1:x", "2:x"]),
        ("<table><tr><th scope=row>x<td>1<td>2<tr><td>3<td>4<td>5</table>", ["1:x", "2:x"]),
        ("<table><tbody><tr><th scope=rowgroup>g<tr><td>1<tbody><tr><td>2</table>", ["1:g"]),
        (
            "<table><colgroup span=2><colgroup><tr><th scope=colgroup>g<th>h<tr><td>1<td>2<td>3</table>",
            ["h:g", "1:g", "2:g h"]
        ),
        // An empty cell that is no header makes headers beside it none of columns.
        ("<table><tr><td><th>x<tr><td>1<td>2</table>", []),
        ("<table><tr><th>x<th><tr><td>1<td>2</table>", ["1:x"]),
        ("<table><tr><td>1<td>2</table>", []),
    ])
    func headersAreAssigned(markup: String, expected: [String]) throws {
        let table = try #require(try Self.tables(markup).first)
        let found = table.cells.filter { !$0.headers.isEmpty }.map { cell in
            "\(cell.text):\(cell.headers.map { table.cells[$0].text }.joined(separator: " "))"
        }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("<table><tr><th>a<tr><th>b<tr><td>c<tr><th>d</table>", 2),
        ("<table><thead><tr><td>a</thead><tr><td>b</table>", 1),
        ("<table><tr><th>a<td>b</table>", 0),
        ("<table><tr><td>a<tr><th>b</table>", 0),
    ])
    func headerRowsAreCounted(markup: String, count: Int) throws {
        #expect(try Self.tables(markup).first?.headerRowCount == count)
    }

    @Test func spansAreFilledWhereAsked() throws {
        let table = try #require(
            try Self.tables("<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c</table>").first
        )
        #expect(table.texts() == [["a", "b", ""], ["", "c", ""]])
        #expect(table.texts(fillsSpans: true) == [["a", "b", "b"], ["a", "c", ""]])
    }

    @Test func tablesAreKeptAsJSON() throws {
        let tables = try Self.tables("<table><tr><th>a<th>b<tr><td colspan=2>c</table>")
        let data = try JSONEncoder().encode(tables)
        let decoded = try JSONDecoder().decode([Table].self, from: data)
        #expect(decoded == tables)
    }

    @Test func summariesSayWhatTablesAre() throws {
        let page = try InspectionPages.page(
            "<!DOCTYPE html><table><caption>C</caption><tr><th rowspan=2>a<th colspan=2>g<tr><th>x<th>y<tr><td>1</table>"
        )
        let summary = try #require(page.document?.tableSummaries.first)
        #expect(summary.caption == "C")
        #expect(summary.headers == ["a", "x", "y"])
        #expect(summary.rowCount == 3)
        #expect(summary.columnCount == 3)
        #expect(summary.position == SourcePosition(line: 1, column: 16))
    }

    @Test func stepsAreCounted() throws {
        let markup = "<table><tr><th>x<th>y" + String(repeating: "<tr><th>a<td>1", count: 100)
        let document = try #require(try InspectionPages.page(markup).document)
        let form = try #require(document.tableGrids(.unlimited).first)
        let isEmpty = form.cells.map { _ in false }
        var headers = TableHeaders(form, isEmpty: isEmpty)
        for index in form.cells.indices { _ = headers.headers(of: index) }
        #expect(!headers.isExhausted)
        headers = TableHeaders(form, isEmpty: isEmpty, maximumSteps: 1000)
        for index in form.cells.indices { _ = headers.headers(of: index) }
        #expect(headers.isExhausted)
        #expect(headers.headers(of: 3) == [])
    }

    /// Pages made to take long or much.
    private static let hostile: [HostilePage] = [
        HostilePage(
            "spans",
            "<table>" + String(repeating: "<tr><td colspan=1000 rowspan=65534>a", count: 5000),
            isTruncated: true
        ),
        HostilePage(
            "spans in one row",
            "<table><tr>" + String(repeating: "<td colspan=1000000>a", count: 10_000),
            isTruncated: true
        ),
        HostilePage(
            "layers",
            "<table>" + String(repeating: "<tr><th><th colspan=100 rowspan=65534>a", count: 100)
        ),
        HostilePage("cells", "<table>" + String(repeating: "<tr><td>a<td>b<td>c<td>d<td>e", count: 20_000)),
        HostilePage("row headers", "<table><tr><th><th>a" + String(repeating: "<tr><th>a<td>b", count: 1000)),
        HostilePage(
            "groups",
            "<table><colgroup span=1000>" + String(repeating: "<tbody></tbody>", count: 50_000)
        ),
        HostilePage(
            "columns",
            "<table><colgroup>" + String(repeating: "<col span=1000>", count: 20_000) + "<tr><td>a",
            isTruncated: true
        ),
        HostilePage("nested", String(repeating: "<table><tr><td>a", count: 20_000)),
        HostilePage("one after the other", String(repeating: "<table><tr><td>a</table>", count: 20_000)),
        HostilePage(
            "IDs",
            "<table><tr><th id=a>a<td headers='\(String(repeating: "a ", count: 100_000))'>b"
        ),
    ]

    @Test(.timeLimit(.minutes(20)), arguments: hostile)
    func hostileTablesAreBounded(hostile: HostilePage) throws {
        let tables = try Self.tables(hostile.markup)
        #expect(tables.allSatisfy { $0.rowCount * $0.columnCount <= 8_000_000 })
        #expect(tables.contains(where: \.isTruncated) == hostile.isTruncated)
        #expect(
            tables.allSatisfy { table in
                table.cells.allSatisfy {
                    $0.row + $0.rowSpan <= table.rowCount && $0.column + $0.columnSpan <= table.columnCount
                }
            }
        )
    }
}
