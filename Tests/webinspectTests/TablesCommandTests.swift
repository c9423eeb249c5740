import Foundation
import TestSupport
import Testing

/// `webinspect tables`, the real binary.
@Suite(.timeLimit(.minutes(20)))
struct TablesCommandTests {
    private static let page = Data(
        """
        <!DOCTYPE html><table id=prices><caption>Prices</caption><tr><th>Name<th>Price
        <tr><td><a href=/a>Apple</a>, red<td rowspan=2>1<br>or "2"<tr><td>Pear|Quince</table>
        <table><tr><td>a<td>b</table>
        """.utf8
    )

    private func tables(_ arguments: String..., input: Data = page) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["tables", "-"] + arguments, input: input)
    }

    @Test func everyFormatIsWritten() async throws {
        #expect(
            try await tables("--format", "csv").text == #"""
                Name,Price
                "Apple, red","1
                or ""2"""
                Pear|Quince,

                a,b

                """#
        )
        #expect(
            try await tables("--format", "tsv", "--table", "1").text
                == "Name\tPrice\nApple, red\t1 or \"2\"\nPear|Quince\t\n"
        )
        #expect(
            try await tables("--format", "md").text == """
                Prices

                | Name | Price |
                | --- | --- |
                | Apple, red | 1 or "2" |
                | Pear\\|Quince |  |

                |  |  |
                | --- | --- |
                | a | b |

                """
        )
        #expect(
            try await tables().text == """
                Table 1  3 x 2  line 1  Prices
                  Name         Price
                  -----------  --------
                  Apple, red   1 or "2"
                  Pear|Quince

                Table 2  1 x 2  line 3
                  a  b

                """
        )
    }

    @Test func jsonHasRowsAndCells() async throws {
        let json = try await tables("--json", "--table", "#prices").json()
        let table = try #require((json["tables"] as? [[String: Any]])?.first)
        #expect(table["number"] as? Int == 1)
        #expect(table["caption"] as? String == "Prices")
        #expect(table["header"] as? [[String]] == [["Name", "Price"]])
        #expect(table["rows"] as? [[String]] == [["Apple, red", "1\nor \"2\""], ["Pear|Quince", ""]])
        let cells = try #require(table["cells"] as? [[String: Any]])
        #expect(cells.count == 5)
        #expect(cells[3]["row_span"] as? Int == 2)
        #expect(cells[3]["headers"] as? [Int] == [1])
        #expect(cells[0]["header"] as? Bool == true)
    }

    @Test func tablesAreChosen() async throws {
        #expect(try await tables("--table", "2", "--format", "csv").text == "a,b\n")
        #expect(try await tables("--table", "table:not([id])", "--format", "csv").text == "a,b\n")
        #expect(
            try await tables("--table", "1", "--format", "tsv", "--fill").text.hasSuffix(
                "Pear|Quince\t1 or \"2\"\n"
            )
        )
    }

    @Test func nothingFoundIsOne() async throws {
        #expect(try await tables("--table", "3").status == 1)
        #expect(try await tables("--table", "p").status == 1)
        let json = try await tables("--json", input: Data("<p>a".utf8))
        #expect(json.status == 1)
        #expect(try json.json()["tables"] as? [String] == [])
    }

    @Test(arguments: [
        ["--table", "0"], ["--table", "a["], ["--format", "xml"], ["--format", "csv", "--json"],
    ])
    func mistakesAreUsage(arguments: [String]) async throws {
        #expect(try await Command.run("webinspect", ["tables", "-"] + arguments).status == 2)
    }

    @Test func whatIsTooLargeIsSaid() async throws {
        let row = "<tr><td colspan=1000 rowspan=65534>a"
        let outcome = try await tables(
            "--format",
            "csv",
            input: Data(("<table>" + String(repeating: row, count: 5000)).utf8)
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("table 1 is too large"))
    }

    @Test func theReportOfAPageSummarisesThem() async throws {
        let json = try await Command.run("webinspect", ["-", "--json"], input: Self.page).json()
        let summaries = try #require(json["tables"] as? [[String: Any]])
        #expect(summaries.count == 2)
        #expect(summaries[0]["caption"] as? String == "Prices")
        #expect(summaries[0]["headers"] as? [String] == ["Name", "Price"])
        #expect(summaries[0]["row_count"] as? Int == 3)
        #expect(summaries[0]["column_count"] as? Int == 2)
        let text = try await Command.run("webinspect", ["-"], input: Self.page).text
        #expect(text.contains("Tables\n  3 x 2  Prices: Name, Price\n  1 x 2\n"))
    }
}
