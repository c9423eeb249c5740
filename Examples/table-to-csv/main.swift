import Glibc
import WebLoader

// Writes a table of a page as CSV (RFC 4180): `table-to-csv URL [NUMBER]`, from 1.

/// Returns a field, quoted if necessary.
func field(_ text: String) -> String {
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
}

let arguments = Array(CommandLine.arguments.dropFirst())
let number = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
do {
    let url = try WebURL(arguments.first ?? "https://example.com/")
    let page = try await PageLoader().load(WebRequest(url: url)).parsed()
    let tables = page.tables
    guard tables.indices.contains(number - 1) else {
        print("there are", tables.count, "tables")
        exit(1)
    }
    // A cell that spans several slots is written in each, so that every row has all columns.
    for row in tables[number - 1].texts(fillsSpans: true) {
        print(row.map(field).joined(separator: ","))
    }
} catch {
    print(error)
    exit(1)
}
