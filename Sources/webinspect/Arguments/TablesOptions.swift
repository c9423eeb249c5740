import ArgumentParser
import WebLoader

/// The options of `tables`, besides those of every command that parses a page.
struct TablesOptions: Equatable {
    var format: String?
    /// A number or a selector.
    var table: String?
    /// Whether a cell that covers several slots is written in each of them.
    var fillsSpans = false
    /// Whether no value of CSV or TSV is to be a formula to a spreadsheet.
    var isSafe = false

    /// Which tables they choose; nil for all.
    func selection() throws(Failure) -> TableSelection? {
        guard let table else { return nil }
        return try TableSelection(table)
    }
}

/// The flags of `tables` alone.
struct TablesArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .value(
            "--format",
            help: "The output format: \(TableList.Format.allCases.map(\.rawValue).joined(separator: ", ")).",
            choices: { TableList.Format.allCases.map(\.rawValue) }
        ) { $0.tables.format = $1 },
        .value(
            "--table",
            value: "n|css",
            help: "Only the table with this number, from 1, or those that a selector matches."
        ) { $0.tables.table = $1 },
        .flag("--fill", help: "Write a cell that covers several slots in each of them.") {
            $0.tables.fillsSpans = true
        },
        .flag(
            "--csv-safe",
            help: "In CSV and TSV, put an apostrophe before what a spreadsheet would evaluate as a formula."
        ) { $0.tables.isSafe = true },
    ]
    var given = GivenFlags(flags)
}
