import WebLoader

/// The effect of a Tab on a line: inserts the unambiguous part, or shows the candidates.
struct LineCompletion: Equatable {
    /// The text to insert at the cursor; empty if there is none.
    let insertion: String
    /// The text that a second Tab shows, with the end of its last line; empty if something is inserted, or
    /// nothing matches.
    let listing: String

    /// Candidates that are shown, at most.
    private static let maximumCount = 200

    /// Completes the last word of a line, which follows its last space.
    ///
    /// - Parameters:
    ///   - line: The line up to the cursor.
    ///   - candidates: The possible words; those that do not begin with the word are ignored.
    ///   - width: The columns of the terminal.
    init(line: String, candidates: [String], width: Int) {
        let space = line.utf8.lastIndex(of: 0x20)
        let word = line.utf8.suffix(from: space.map(line.utf8.index(after:)) ?? line.startIndex)
        // Candidates may come from a page; those that would control the terminal are not words that anybody
        // types.
        let fitting = Set(candidates.filter { $0.utf8.starts(with: word) && !Self.steers($0) }).sorted()
        guard let first = fitting.first, let last = fitting.last else {
            insertion = ""
            listing = ""
            return
        }
        if fitting.count == 1 {
            insertion = Self.rest(of: first, after: word.count) + " "
            listing = ""
            return
        }
        // The common prefix of the first and the last is common to all.
        let common = zip(first.unicodeScalars, last.unicodeScalars).prefix { $0 == $1 }
        var shared = String.UnicodeScalarView()
        shared.append(contentsOf: common.map(\.0))
        insertion = Self.rest(of: String(shared), after: word.count)
        listing = insertion.isEmpty ? Self.list(fitting, width: width) : ""
    }

    private static func steers(_ text: String) -> Bool {
        text.unicodeScalars.contains(where: TerminalText.isControl)
    }

    private static func rest(of text: String, after count: Int) -> String {
        String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    }

    /// The candidates in columns, downwards.
    private static func list(_ all: [String], width: Int) -> String {
        let shown = all.prefix(maximumCount).map { TerminalText.shortened($0, to: max(1, width - 1)) }
        let column = (shown.map(TerminalText.width).max() ?? 0) + 2
        let columnCount = max(1, (width + 1) / column)
        let rowCount = (shown.count + columnCount - 1) / columnCount
        var text = ""
        for row in 0..<rowCount {
            let cells = stride(from: row, to: shown.count, by: rowCount).map { shown[$0] }
            for cell in cells.dropLast() {
                text += cell + String(repeating: " ", count: column - TerminalText.width(cell))
            }
            text += "\(cells.last ?? "")\n"
        }
        if all.count > shown.count { text += "… and \(all.count - shown.count) more\n" }
        return text
    }
}
