import WebLoader

/// Excerpts of lines of a page's source, around places in it.
///
/// If places are requested in their order, it reads the text only once.
struct SourceExcerpts {
    /// A place in a line, with the text before it and after it.
    struct Excerpt {
        let before: String
        let mark: String
        let after: String
    }

    private let text: [UInt8]
    /// Where the text has been read to: a byte, and the place that it is at.
    private var index = 0
    private var line = 1
    private var column = 1

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// The line at a place, as much of it as fits; nil if there is no such place.
    ///
    /// Lines end as HTML has them: LF, CR and LF, or CR.
    mutating func excerpt(at position: SourcePosition) -> Excerpt? {
        let wanted = position.column ?? 1
        if (position.line, wanted) < (line, column) { (index, line, column) = (0, 1, 1) }
        while (line, column) < (position.line, wanted) {
            guard index < text.count else { return nil }
            advance()
        }
        let end = markEnd()
        return Excerpt(
            before: String(decoding: text[start(before: index, scalars: 60)..<index], as: UTF8.self),
            mark: String(decoding: text[index..<end], as: UTF8.self),
            after: String(decoding: text[end..<self.end(after: end, scalars: 100)], as: UTF8.self)
        )
    }

    private mutating func advance() {
        let byte = text[index]
        index += 1
        if byte == 0x0A || byte == 0x0D {
            if byte == 0x0D, index < text.count, text[index] == 0x0A { index += 1 }
            line += 1
            column = 1
        } else {
            while index < text.count, isContinuation(index) { index += 1 }
            column += 1
        }
    }

    /// The end of the tag that begins at the place, if one does.
    private func markEnd() -> Int {
        guard index < text.count, text[index] == UInt8(ascii: "<") else {
            return end(after: index, scalars: 1)
        }
        let limit = end(after: index, scalars: 120)
        guard let close = text[index..<limit].firstIndex(of: UInt8(ascii: ">")) else { return limit }
        return close + 1
    }

    private func start(before end: Int, scalars: Int) -> Int {
        var start = end
        var left = scalars
        while start > 0, left > 0, !isLineEnd(start - 1) {
            start -= 1
            if !isContinuation(start) { left -= 1 }
        }
        return start
    }

    private func end(after start: Int, scalars: Int) -> Int {
        var end = start
        var left = scalars
        while end < text.count, !isLineEnd(end) {
            if !isContinuation(end) {
                if left == 0 { break }
                left -= 1
            }
            end += 1
        }
        return end
    }

    private func isLineEnd(_ index: Int) -> Bool { text[index] == 0x0A || text[index] == 0x0D }

    private func isContinuation(_ index: Int) -> Bool { text[index] & 0xC0 == 0x80 }
}
