/// How much room text takes, in columns of a terminal.
extension TerminalText {
    /// The columns that a text takes: two for the wide characters of East Asia and for emoji, none for accents.
    ///
    /// The system's tables say it.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        var width = 0
        var joins = false
        for scalar in text.unicodeScalars {
            // Characters that are joined are drawn as one.
            if !joins { width += scalar.columns }
            joins = scalar == "\u{200D}"
        }
        return width
    }

    /// The text, filled up with spaces to so many columns.
    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// The text in no more than so many columns: an ellipsis for what is cut off its end.
    static func shortened(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        return start(of: text, columns - 1) + "…"
    }

    /// A URL or a path in no more than so many columns: its start and its end say most.
    static func shortenedInTheMiddle(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        let ending = (columns - 1) / 2
        var end = String.UnicodeScalarView()
        var room = ending
        for scalar in text.unicodeScalars.reversed() {
            let width = scalar.columns
            guard width <= room else { break }
            room -= width
            end.insert(scalar, at: end.startIndex)
        }
        return start(of: text, columns - 1 - ending) + "…" + String(end)
    }

    private static func start(of text: String, _ columns: Int) -> String {
        var start = String.UnicodeScalarView()
        var room = columns
        for scalar in text.unicodeScalars {
            let width = scalar.columns
            guard width <= room else { break }
            room -= width
            start.append(scalar)
        }
        return String(start)
    }

    /// Returns a text with a direction mark after it if it has characters written from right to left, so that
    /// the rest of the line stays in its place.
    static func withDirectionMark(_ text: String) -> String {
        text.unicodeScalars.contains(where: isRightToLeft) ? text + "\u{200E}" : text
    }

    /// Hebrew, Arabic and their kin; Unicode has them in blocks of their own.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
