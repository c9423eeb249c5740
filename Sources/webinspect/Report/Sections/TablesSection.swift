import WebLoader

extension TableSummary {
    /// A line for people, as in "12 x 3  Prices: Name, Weight, Price".
    var text: String {
        let shown = headers.prefix(8).joined(separator: ", ") + (headers.count > 8 ? ", …" : "")
        let parts = [caption, shown.isEmpty ? nil : shown].compactMap { $0 }
        let size = "\(String(repeating: "  ", count: min(depth, 8)))\(rowCount) x \(columnCount)"
        return parts.isEmpty ? size : "\(size)  \(parts.joined(separator: ": "))"
    }
}
