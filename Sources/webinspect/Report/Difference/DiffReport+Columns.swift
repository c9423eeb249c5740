import WebDifference
import WebLoader

/// Both pages in two columns.
extension DiffReport {
    /// How many blocks that are the same are shown around what differs.
    private static let context = 1

    mutating func sideBySide(_ terminal: Terminal) -> [UInt8] {
        // Where nobody says how wide lines are, as in a file: what most windows and printers take.
        let width = max(10, ((terminal.width ?? 130) - 3) / 2)
        var lines: [String] = []
        if !difference.isSame {
            let heads = [old, new].map {
                TerminalText.padded(TerminalText.shortenedInTheMiddle($0, to: width), to: width)
            }
            lines.append(terminal.styled("\(heads[0])   \(heads[1])", .note))
            for part in parts() {
                switch part {
                case .same(let count):
                    lines.append(terminal.styled(count == 1 ? "  … 1 block" : "  … \(count) blocks", .dim))
                case .row(let row, let sides, let mark):
                    lines += columns(row, sides, mark, width, terminal)
                }
            }
            for change in others {
                lines.append(terminal.styled("! \(TerminalText.visible(change.summary))", .note))
            }
        }
        lines += hiddenLines(terminal) + findingLines(terminal)
        return lines.isEmpty ? [] : Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// A part of the output: a row, or the number of rows that are the same and omitted.
    enum Part {
        case same(Int)
        case row(PageDifference.Row, Sides, Mark)
    }

    /// The kind of a row's change.
    enum Mark: String {
        case same = " "
        case changed = "|"
        case removed = "<"
        case added = ">"
        case moved = "~"
    }

    /// The rows that differ, each with so many around it; nil for all of them.
    mutating func parts(context: Int? = Self.context) -> [Part] {
        let rows = difference.rows
        var all: [(row: PageDifference.Row, sides: Sides, mark: Mark)] = []
        for row in rows {
            let sides = self.sides(row.old ?? "", row.new ?? "")
            let mark: Mark =
                switch row.operation {
                case .added: .added
                case .removed: .removed
                case .moved: .moved
                case .changed, nil: sides.isSame ? .same : .changed
                }
            all.append((row, sides, mark))
        }
        var isShown = Array(repeating: context == nil, count: all.count)
        for (index, entry) in all.enumerated() where entry.mark != .same {
            guard let context else { break }
            for near in max(0, index - context)..<min(all.count, index + context + 1) { isShown[near] = true }
        }
        var parts: [Part] = []
        var left = 0
        for (index, entry) in all.enumerated() {
            guard isShown[index] else {
                left += 1
                continue
            }
            if left > 0 { parts.append(.same(left)) }
            left = 0
            parts.append(.row(entry.row, entry.sides, entry.mark))
        }
        if left > 0 { parts.append(.same(left)) }
        return parts
    }

    private func columns(
        _ row: PageDifference.Row,
        _ sides: Sides,
        _ mark: Mark,
        _ width: Int,
        _ terminal: Terminal
    ) -> [String] {
        let left = row.old == nil ? [] : ColumnText.lines(sides.old, width)
        let right = row.new == nil ? [] : ColumnText.lines(sides.new, width)
        return (0..<max(left.count, right.count)).map { index in
            func shown(_ lines: [ColumnText.Line], _ style: Terminal.Style) -> String {
                guard index < lines.count else { return String(repeating: " ", count: width) }
                let text = lines[index].parts.map { part in
                    part.isChanged || mark == .added || mark == .removed
                        ? terminal.styled(part.text, style) : part.text
                }
                return text.joined() + String(repeating: " ", count: max(0, width - lines[index].width))
            }
            let line = "\(shown(left, .error)) \(mark.rawValue) \(shown(right, .good))"
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

/// Text with parts that are marked, in lines of so many columns of a terminal.
enum ColumnText {
    struct Line {
        var parts: [(text: String, isChanged: Bool)] = []
        var width = 0

        mutating func add(_ text: String, _ isChanged: Bool, _ width: Int) {
            if let last = parts.last, last.isChanged == isChanged {
                parts[parts.count - 1].text += text
            } else {
                parts.append((text, isChanged))
            }
            self.width += width
        }
    }

    /// Broken between words; within one that is longer than a line.
    static func lines(_ pieces: [(text: String, isChanged: Bool)], _ width: Int) -> [Line] {
        var lines: [Line] = []
        var line = Line()
        for piece in pieces {
            for (number, part) in piece.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                if number > 0 {
                    lines.append(line)
                    line = Line()
                }
                for word in words(part) {
                    let text = TerminalText.visible(String(word))
                    let columns = TerminalText.width(text)
                    if line.width + columns <= width {
                        line.add(text, piece.isChanged, columns)
                        continue
                    }
                    if line.width > 0 {
                        lines.append(line)
                        line = Line()
                    }
                    if word.first == " " { continue }
                    for scalar in text.unicodeScalars {
                        let own = scalar.columns
                        if line.width + own > width {
                            lines.append(line)
                            line = Line()
                        }
                        line.add(String(scalar), piece.isChanged, own)
                    }
                }
            }
        }
        lines.append(line)
        return lines
    }

    /// Words, and the spaces between them one by one.
    private static func words(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let isSpace = text[start].isWhitespace
            let end =
                isSpace
                ? text.index(after: start)
                : text[start...].firstIndex(where: \.isWhitespace) ?? text.endIndex
            words.append(isSpace ? " " : text[start..<end])
            start = end
        }
        return words
    }
}
