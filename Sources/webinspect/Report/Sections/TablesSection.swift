import WebLoader

extension TableSummary {
    /// An item of the section `tables` of the JSON report, which docs/json-report.md describes to users.
    var json: JSONValue {
        .object(
            [
                .init("caption", JSONValue(caption)), .init("row_count", .integer(Int64(rowCount))),
                .init("column_count", .integer(Int64(columnCount))), .init("depth", .integer(Int64(depth))),
                .init("headers", .array(headers.map(JSONValue.string))),
            ] + JSONValue.members(position)
        )
    }

    /// A line for people, as in "12 x 3  Prices: Name, Weight, Price".
    var text: String {
        let shown = headers.prefix(8).joined(separator: ", ") + (headers.count > 8 ? ", …" : "")
        let parts = [caption, shown.isEmpty ? nil : shown].compactMap { $0 }
        let size = "\(String(repeating: "  ", count: min(depth, 8)))\(rowCount) x \(columnCount)"
        return parts.isEmpty ? size : "\(size)  \(parts.joined(separator: ": "))"
    }
}
