import Foundation
import TestSupport

/// A code that docs/exit-codes.md names.
struct DocumentedCode {
    let code: String
    let status: Int32
    /// Whether it has a name in Swift: the command takes its status from the code alone.
    let isOfLibrary: Bool
    /// Whether the document says that only the library has it.
    let isLibraryOnly: Bool

    /// All of them, in the document's order; some stand in several tables.
    static func all() throws -> [DocumentedCode] {
        var codes: [DocumentedCode] = []
        var header: [String] = []
        for row in try rows() {
            if row.first == "code" { header = row }
            guard header.first == "code", let first = row.first, first.hasPrefix("`") else { continue }
            // The table without the column says it above: all end with 6.
            let status = header.firstIndex(of: "exit").map { Int32(row[$0]) } ?? 6
            let name = header.firstIndex(of: "Swift").map { row[$0] } ?? "–"
            for code in first.split(separator: ", ") {
                codes.append(
                    DocumentedCode(
                        code: code.trimmingCharacters(in: ["`"]),
                        status: status ?? -1,
                        isOfLibrary: name != "–",
                        isLibraryOnly: row.last?.contains("library only") == true
                    )
                )
            }
        }
        return codes
    }

    /// The exit statuses, by the table of them.
    static func statuses() throws -> Set<Int32> {
        Set(
            try rows().drop { $0.first != "status" }.dropFirst(2).prefix { $0.first != "code" }
                .compactMap { $0.first.flatMap(Int32.init) }
        )
    }

    /// The rows of all tables, by their cells.
    private static func rows() throws -> [[String]] {
        let file = ProjectFolder.root.appending(path: "docs/exit-codes.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("|")
        }
        .map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
