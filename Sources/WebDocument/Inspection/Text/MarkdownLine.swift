/// The content of one paragraph, heading or cell: texts and their marks, gathered until all of it can be written.
///
/// Emphasis depends on the characters on both sides of its marks, so that it is decided last. Marks that CommonMark would
/// not take for emphasis are left out, so that what it reads is always the text of the page.
///
/// <https://spec.commonmark.org/0.31.2/#inlines>
struct MarkdownLine {
    /// A mark around a text.
    enum Mark: Equatable {
        case strong
        case emphasis
        case link(String)
    }

    private enum Piece {
        case text(Range<Int>)
        case code(Range<Int>)
        case image(alternative: Range<Int>, url: String)
        case note(String)
        case lineBreak
        case open(Mark)
        case close(Mark)
    }

    private var pieces: [Piece] = []
    /// The texts of the pieces, one after the other.
    private var text: [UInt8] = []
    /// The marks that are open in the page, the innermost one last, and how many of them are open in the pieces.
    private var active: [Mark] = []
    private var openCount = 0
    private var needsSpace = false
    private var needsBreak = false

    /// Whether there is nothing to write.
    var isEmpty: Bool { pieces.isEmpty }

    // MARK: - Gathering

    /// Adds text, its white space collapsed; the bytes end with NUL.
    mutating func append(text bytes: UnsafePointer<UInt8>) {
        var cursor = unsafe bytes
        while unsafe cursor[0] != 0 {
            if unsafe cursor[0].isASCIIWhitespace {
                needsSpace = true
                unsafe cursor += 1
                continue
            }
            let start = flushPending()
            let length = unsafe TextRun.length(at: cursor)
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: cursor, count: length))
            unsafe cursor += length
            extend(from: start)
        }
    }

    mutating func append(code: [UInt8]) {
        guard code.contains(where: { !$0.isASCIIWhitespace }) else {
            if !code.isEmpty { needsSpace = true }
            return
        }
        if code.first?.isASCIIWhitespace == true { needsSpace = true }
        _ = flushPending()
        let start = text.count
        var isAtSpace = true
        for byte in code {
            if !byte.isASCIIWhitespace {
                text.append(byte)
            } else if !isAtSpace {
                text.append(0x20)
            }
            isAtSpace = byte.isASCIIWhitespace
        }
        if isAtSpace {
            text.removeLast()
            needsSpace = true
        }
        pieces.append(.code(start..<text.count))
    }

    mutating func append(image url: String, alternative: String) {
        _ = flushPending()
        let start = text.count
        text += alternative.collapsingASCIIWhitespace.utf8
        pieces.append(.image(alternative: start..<text.count, url: url))
    }

    mutating func append(note label: String) {
        needsSpace = false
        _ = flushPending()
        pieces.append(.note(label))
    }

    mutating func appendBreak() {
        needsBreak = true
        needsSpace = false
    }

    mutating func appendSpace() { needsSpace = true }

    mutating func open(_ mark: Mark) { active.append(mark) }

    mutating func close() {
        guard let mark = active.popLast() else { return }
        if openCount > active.count {
            openCount = active.count
            pieces.append(.close(mark))
        }
    }

    /// Adds the pending white space and marks; returns where the next text begins.
    private mutating func flushPending() -> Int {
        if needsBreak, !pieces.isEmpty {
            pieces.append(.lineBreak)
        } else if needsSpace, !pieces.isEmpty {
            if case .lineBreak? = pieces.last {
            } else {
                let start = text.count
                text.append(0x20)
                extend(from: start)
            }
        }
        needsBreak = false
        needsSpace = false
        while openCount < active.count {
            let mark = active[openCount]
            // A mark that ends where the same begins again is continued.
            if case .close(let last)? = pieces.last, last == mark {
                pieces.removeLast()
            } else {
                pieces.append(.open(mark))
            }
            openCount += 1
        }
        return text.count
    }

    /// Makes the text since `start` a piece, or a part of the last one.
    private mutating func extend(from start: Int) {
        if case .text(let range)? = pieces.last, range.upperBound == start {
            pieces[pieces.count - 1] = .text(range.lowerBound..<text.count)
        } else {
            pieces.append(.text(start..<text.count))
        }
    }

    // MARK: - Writing

    /// The kind of block that a line is in, which decides what has to be escaped.
    enum Place {
        case paragraph
        case heading
        case cell
    }

    /// Returns the line and empties it; open marks continue in the next one.
    mutating func take(_ place: Place) -> [UInt8] {
        dropBlankLines()
        for mark in active[..<openCount].reversed() { pieces.append(.close(mark)) }
        replaceAmbiguousCode(place)
        var writer = MarkdownEscaping(place)
        let isWritten = decideMarks()
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let range): writer.write(text: text[range])
            case .code(let range): writer.append(code: text[range])
            case .image(let range, let url):
                writer.write("![")
                writer.write(text: text[range])
                writer.write("](")
                writer.write(url: url)
                writer.write(")")
            case .note(let label):
                writer.beginLink()
                writer.write("^\(label)]")
            case .lineBreak: writer.writeBreak()
            case .open(.link), .close(.link): write(link: piece, &writer)
            case .open(.strong), .close(.strong): if isWritten[index] != 0 { writer.write("**") }
            case .open(.emphasis), .close(.emphasis):
                if isWritten[index] != 0 { writer.write(isWritten[index] == UInt8(ascii: "_") ? "_" : "*") }
            }
        }
        pieces = []
        text = []
        openCount = 0
        needsSpace = false
        needsBreak = false
        writer.endCode()
        return writer.bytes
    }

    /// Drops lines at the end that have only no-break spaces and the like: readers that trim them would leave
    /// the line break before them without a line after it.
    private mutating func dropBlankLines() {
        while pieces.count > 1, case .text(let range) = pieces[pieces.count - 1],
            case .lineBreak = pieces[pieces.count - 2],
            isBlank(range)
        {
            pieces.removeLast(2)
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        String(decoding: text[range], as: UTF8.self).unicodeScalars.allSatisfy { scalar in
            let kind = Self.kind(scalar)
            return kind == .space || kind == .other
        }
    }

    /// Turns code into text where readers would find other markup, which they look for before code.
    private mutating func replaceAmbiguousCode(_ place: Place) {
        let first = pieces.first {
            if case .open(let mark) = $0 { mark != .strong && mark != .emphasis } else { true }
        }
        let beginsWithBracket =
            switch first {
            case .open, .note: true
            default: false
            }
        for (index, piece) in pieces.enumerated() {
            guard case .code(let range) = piece else { continue }
            // In a cell, readers differ in what a pipe behind a backslash is. At the start of a paragraph, a
            // bracket and a colon end the label of a link reference definition. Either pair may begin in
            // another piece.
            let isAmbiguous =
                place == .cell && containsAdjacent("\\", "|", range)
                || beginsWithBracket && containsAdjacent("]", ":", range)
            if isAmbiguous { pieces[index] = .text(range) }
        }
    }

    /// Whether two characters stand side by side in a text, or may do so with the end of the piece before it.
    private func containsAdjacent(
        _ first: Unicode.Scalar,
        _ second: Unicode.Scalar,
        _ range: Range<Int>
    ) -> Bool {
        let (first, second) = (UInt8(ascii: first), UInt8(ascii: second))
        let text = text[range]
        if text.first == second { return true }
        return zip(text, text.dropFirst()).contains { $0 == first && $1 == second }
    }

    private func write(link piece: Piece, _ writer: inout MarkdownEscaping) {
        switch piece {
        case .open(.link): writer.beginLink()
        case .close(.link(let url)):
            writer.write("](")
            writer.write(url: url)
            writer.write(")")
        default: break
        }
    }

    /// For each piece that is a mark of emphasis, the character to write it with; 0 for one that is left out.
    private func decideMarks() -> [UInt8] {
        var decisions = [UInt8](repeating: 0, count: pieces.count)
        var open: [Int] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .open: open.append(index)
            case .close(let mark):
                guard let start = open.popLast(), mark == .strong || mark == .emphasis else { continue }
                let (before, after) = (character(before: start), character(after: index))
                let (first, last) = (character(after: start), character(before: index))
                guard first.opens(after: before), last.opens(after: after) else { continue }
                let isApart = before.isApart && after.isApart
                let touchesMark =
                    isMark(start - 1) || isMark(start + 1) || isMark(index - 1) || isMark(index + 1)
                if mark == .emphasis, !isApart, touchesMark { continue }
                let character = mark == .emphasis && isApart ? UInt8(ascii: "_") : UInt8(ascii: "*")
                decisions[start] = character
                decisions[index] = character
            default: break
            }
        }
        joinMarks(&decisions)
        return decisions
    }

    /// Leaves out a mark that ends where the same begins again, with nothing but left-out marks between: side by side
    /// they would be read as one of twice the length.
    private func joinMarks(_ decisions: inout [UInt8]) {
        var last: Int?
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .close(.strong), .close(.emphasis):
                if decisions[index] != 0 { last = index }
            case .open(let mark) where mark == .strong || mark == .emphasis:
                guard decisions[index] != 0 else { continue }
                if let end = last, case .close(mark) = pieces[end], decisions[end] == decisions[index] {
                    decisions[end] = 0
                    decisions[index] = 0
                }
                last = nil
            default: last = nil
            }
        }
    }

    /// The class of a character in the rules of emphasis.
    private enum Kind {
        case space
        case punctuation
        case word
        /// A mark that may or may not be written, with a word's character behind it.
        case unknown
        /// A symbol beyond ASCII, which is punctuation since CommonMark 0.31 and was a word's before.
        case symbol
        /// A control character or the like, which readers classify differently.
        case other

        /// Whether it surely ends a word.
        var isApart: Bool { self == .space || self == .punctuation }

        /// The kind of a mark that may or may not be written, with such a character behind it.
        var behindMark: Kind {
            switch self {
            // A mark is punctuation itself.
            case .space, .punctuation, .symbol, .other: self
            case .word, .unknown: .unknown
            }
        }

        /// Whether marks may open before this character, the first one inside them, and after the one
        /// outside; or close at the other end.
        func opens(after outside: Kind) -> Bool {
            switch self {
            case .space, .other: false
            case .word: true
            case .punctuation, .unknown, .symbol: outside == .space || outside == .punctuation
            }
        }
    }

    private func isMark(_ index: Int) -> Bool {
        guard pieces.indices.contains(index) else { return false }
        switch pieces[index] {
        case .open(.strong), .open(.emphasis), .close(.strong), .close(.emphasis): return true
        default: return false
        }
    }

    private func character(before index: Int) -> Kind {
        guard index > 0 else { return .space }
        switch pieces[index - 1] {
        case .text(let range):
            return Self.kind(String(decoding: text[range].suffix(8), as: UTF8.self).unicodeScalars.last)
        case .lineBreak: return .space
        case .code, .image, .note, .open(.link), .close(.link): return .punctuation
        case .open, .close: return character(before: index - 1).behindMark
        }
    }

    private func character(after index: Int) -> Kind {
        guard index + 1 < pieces.count else { return .space }
        switch pieces[index + 1] {
        case .text(let range):
            return Self.kind(String(decoding: text[range].prefix(8), as: UTF8.self).unicodeScalars.first)
        case .lineBreak, .code, .image, .note, .open(.link), .close(.link): return .punctuation
        case .open, .close: return character(after: index + 1).behindMark
        }
    }

    private static func kind(_ scalar: Unicode.Scalar?) -> Kind {
        guard let scalar else { return .space }
        if scalar.isASCII, 0x21..<0x7F ~= scalar.value {
            return UInt8(truncatingIfNeeded: scalar.value).isASCIIAlphanumeric ? .word : .punctuation
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator: return .space
        case .lineSeparator, .paragraphSeparator, .control: return .other
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return .punctuation
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: return .symbol
        default: return .word
        }
    }
}
