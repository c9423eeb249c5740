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
        case strikethrough
        case superscript
        case `subscript`
        indirect case link(String, title: String)

        /// Whether it is written as delimiters, which are such only between certain characters.
        var isDelimited: Bool { self == .strong || self == .emphasis || self == .strikethrough }

        /// The tag of one that CommonMark has no mark for.
        var tag: String? {
            switch self {
            case .superscript: "sup"
            case .subscript: "sub"
            default: nil
            }
        }
    }

    /// A part of the line; what few have is indirect, for a page can have a million.
    private enum Piece {
        case text(Range<Int>)
        case code(Range<Int>)
        indirect case image(alternative: Range<Int>, url: String, title: String)
        case note(String)
        /// A tag of HTML, for what a cell cannot have in Markdown.
        case tag(String)
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
    /// Parentheses that open before the next text.
    private var pendingParentheses = 0

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

    mutating func append(image url: String, alternative: String, title: String) {
        _ = flushPending()
        let start = text.count
        text += alternative.collapsingASCIIWhitespace.utf8
        pieces.append(.image(alternative: start..<text.count, url: url, title: title))
    }

    /// Adds a formula, as GitHub reads it.
    ///
    /// <https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions>
    mutating func append(formula: [UInt8]) {
        appendDollar()
        append(code: formula)
        appendDollar()
    }

    private mutating func appendDollar() {
        let start = flushPending()
        text.append(UInt8(ascii: "$"))
        extend(from: start)
    }

    mutating func append(note label: String) {
        needsSpace = false
        _ = flushPending()
        pieces.append(.note(label))
    }

    /// Adds a tag of HTML that begins or ends a block, so that no line has to.
    mutating func append(tag: String) {
        needsSpace = false
        needsBreak = false
        _ = flushPending()
        pieces.append(.tag(tag))
    }

    mutating func appendBreak() {
        needsBreak = true
        needsSpace = false
    }

    mutating func appendSpace() { needsSpace = true }

    /// Begins what a pair of parentheses stands around, if there is any.
    mutating func openParenthesis() { pendingParentheses += 1 }

    mutating func closeParenthesis() {
        guard pendingParentheses == 0 else { return pendingParentheses -= 1 }
        let start = text.count
        text.append(UInt8(ascii: ")"))
        extend(from: start)
    }

    /// Writes the mark that a quotation begins with.
    ///
    /// - Parameter depth: How many quotations are open, with this one.
    mutating func open(quotation depth: Int) {
        let start = flushPending()
        text += QuotationMarks.opening(depth).utf8
        extend(from: start)
    }

    /// Writes the mark that a quotation ends with.
    mutating func close(quotation depth: Int) {
        let start = text.count
        text += QuotationMarks.closing(depth).utf8
        extend(from: start)
    }

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
        if pendingParentheses > 0 {
            let start = text.count
            text += repeatElement(UInt8(ascii: "("), count: pendingParentheses)
            pendingParentheses = 0
            extend(from: start)
        }
        return text.count
    }

    /// Whether there is nothing but images, and not too many for each block around them to look at.
    var hasOnlyImages: Bool {
        pieces.count <= 32
            && pieces.allSatisfy { piece in
                switch piece {
                case .image, .open, .close: true
                case .text(let range): text[range].allSatisfy(\.isASCIIWhitespace)
                default: false
                }
            }
    }

    /// A line of its own inside the same marks.
    func nested() -> MarkdownLine {
        var line = MarkdownLine()
        line.active = active
        return line
    }

    /// Empties a line that has nothing to write.
    mutating func drop() {
        needsSpace = false
        needsBreak = false
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
        narrowMarks()
        var writer = MarkdownEscaping(place)
        let isWritten = decideMarks()
        var links: [Int] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let range): writer.write(text: text[range])
            case .code(let range): writer.append(code: text[range])
            case .image(let range, let url, let title):
                writer.beginImage()
                writer.write(text: text[range])
                writer.endLinkText()
                writer.write("(")
                writer.write(url: url)
                writer.write(title: title)
                writer.write(")")
            case .note(let label):
                writer.beginLink()
                writer.write("^\(label)")
                writer.endLinkText()
            case .tag(let tag): writer.write(tag)
            case .lineBreak: writer.writeBreak()
            case .open(.link):
                links.append(index)
                writer.beginLink()
            case .close(.link(let url, let title)):
                writer.endLinkText()
                writer.write("(")
                writer.write(url: url)
                if let start = links.popLast(), !isText(title, start, index) { writer.write(title: title) }
                writer.write(")")
            case .open(let mark), .close(let mark):
                if let tag = mark.tag {
                    if case .open = piece { writer.write("<\(tag)>") } else { writer.write("</\(tag)>") }
                } else if isWritten[index] != 0 {
                    let character = String(Unicode.Scalar(isWritten[index]))
                    writer.write(mark == .emphasis ? character : character + character)
                }
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

    /// Whether the texts between two pieces are this one, so that it says nothing else.
    private func isText(_ title: String, _ start: Int, _ end: Int) -> Bool {
        var rest = title.utf8[...]
        for piece in pieces[start..<end] {
            switch piece {
            case .text(let range), .code(let range):
                guard rest.starts(with: text[range]) else { return false }
                rest = rest.dropFirst(range.count)
            default: break
            }
        }
        return rest.isEmpty
    }

    /// Moves punctuation at either end of a mark outside where the mark would not be read as such with it:
    /// behind a word `**(a)**` is text, and `(**a**)` is not.
    private mutating func narrowMarks() {
        guard pieces.contains(where: { if case .open(let mark) = $0 { mark.isDelimited } else { false } })
        else { return }
        let all = pieces
        pieces = []
        var index = 0
        while index < all.count {
            guard case .text(let range) = all[index] else {
                pieces.append(all[index])
                index += 1
                continue
            }
            var end = index + 1
            while end < all.count, Self.isMark(all[end], isOpen: false) { end += 1 }
            var start = pieces.count
            while start > 0, Self.isMark(pieces[start - 1], isOpen: true) { start -= 1 }
            var before = 0
            var after = 0
            if start < pieces.count, character(before: start).isWord { before = Self.edge(scalars(range)) }
            if end > index + 1, Self.beginsWithWord(all, end, text) {
                after = Self.edge(scalars(range).reversed())
            }
            if before + after > 0, start < pieces.count, end > index + 1 {
                // Of a pair of brackets both are outside.
                before = Self.edge(scalars(range))
                after = Self.edge(scalars(range).reversed())
            }
            let first = range.lowerBound + before
            let last = range.upperBound - after
            if first >= last {
                pieces += all[index..<end]
            } else {
                if range.lowerBound < first { pieces.insert(.text(range.lowerBound..<first), at: start) }
                pieces.append(.text(first..<last))
                pieces += all[(index + 1)..<end]
                if last < range.upperBound { pieces.append(.text(last..<range.upperBound)) }
            }
            index = end
        }
    }

    private static func isMark(_ piece: Piece, isOpen: Bool) -> Bool {
        switch piece {
        case .open(let mark): isOpen && mark.isDelimited
        case .close(let mark): !isOpen && mark.isDelimited
        default: false
        }
    }

    private static func beginsWithWord(_ pieces: [Piece], _ index: Int, _ text: [UInt8]) -> Bool {
        guard index < pieces.count, case .text(let range) = pieces[index] else { return false }
        return kind(String(decoding: text[range].prefix(8), as: UTF8.self).unicodeScalars.first).isWord
    }

    /// How many bytes at one end of a text are no part of a word.
    private static func edge(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
        scalars.prefix { kind($0) != .word }.reduce(0) { $0 + UTF8.width($1) }
    }

    private func scalars(_ range: Range<Int>) -> String.UnicodeScalarView {
        String(decoding: text[range], as: UTF8.self).unicodeScalars
    }

    /// For each piece that is a mark of emphasis, the character to write it with; 0 for one that is left out.
    private func decideMarks() -> [UInt8] {
        var decisions = [UInt8](repeating: 0, count: pieces.count)
        var open: [Int] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .open: open.append(index)
            case .close(let mark):
                guard let start = open.popLast(), mark.isDelimited else { continue }
                let (before, after) = (character(before: start), character(after: index))
                let (first, last) = (character(after: start), character(before: index))
                guard first.opens(after: before), last.opens(after: after) else { continue }
                let isApart = before.isApart && after.isApart
                let touchesMark =
                    isMark(start - 1) || isMark(start + 1) || isMark(index - 1) || isMark(index + 1)
                if mark == .emphasis, !isApart, touchesMark { continue }
                let character: UInt8 =
                    switch mark {
                    case .strikethrough: UInt8(ascii: "~")
                    case .emphasis where isApart: UInt8(ascii: "_")
                    default: UInt8(ascii: "*")
                    }
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
            case .close(let mark) where mark.isDelimited:
                if decisions[index] != 0 { last = index }
            case .open(let mark) where mark.isDelimited:
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

        /// Whether marks may be beside it on one side only if there is no punctuation on the other.
        var isWord: Bool { self == .word || self == .symbol || self == .other }

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
        return Self.isMark(pieces[index], isOpen: true) || Self.isMark(pieces[index], isOpen: false)
    }

    private func character(before index: Int) -> Kind {
        guard index > 0 else { return .space }
        switch pieces[index - 1] {
        case .text(let range):
            return Self.kind(String(decoding: text[range].suffix(8), as: UTF8.self).unicodeScalars.last)
        case .lineBreak: return .space
        case .code, .image, .note, .tag: return .punctuation
        case .open(let mark), .close(let mark):
            return mark.isDelimited ? character(before: index - 1).behindMark : .punctuation
        }
    }

    private func character(after index: Int) -> Kind {
        guard index + 1 < pieces.count else { return .space }
        switch pieces[index + 1] {
        case .text(let range):
            return Self.kind(String(decoding: text[range].prefix(8), as: UTF8.self).unicodeScalars.first)
        case .lineBreak, .code, .image, .note, .tag: return .punctuation
        case .open(let mark), .close(let mark):
            return mark.isDelimited ? character(after: index + 1).behindMark : .punctuation
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
