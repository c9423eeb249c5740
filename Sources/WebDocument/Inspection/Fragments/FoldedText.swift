import WebStandards

/// The visible text of a page as a search compares it, and where its parts are on the page.
struct FoldedText: Sendable {
    /// The text in UTF-8, a block a line.
    let bytes: [UInt8]
    let map: TextMap
    private let document: Document
    private let folding: TextFolding

    init(_ document: Document, _ folding: TextFolding, capacity: Int) {
        self.document = document
        self.folding = folding
        var builder = FoldedTextBuilder(folding, keepsPlaces: true, capacity: capacity)
        _ = VisibleText.append(document, to: &builder)
        (bytes, map) = builder.finish()
    }

    /// Where words are, in order.
    ///
    /// Complexity: O(n + m).
    func ranges(of words: String, _ options: FindOptions, maximumCount: Int) -> [Range<Int>] {
        var builder = FoldedTextBuilder(folding)
        builder.append(words: words)
        let needle = builder.finish().text
        guard !needle.isEmpty else { return [] }
        let boundaries = WordBoundaries(text: bytes)
        return OccurrenceSearch(needle).ranges(in: bytes, maximumCount: maximumCount) { range in
            if options.matchesDiacritics, let next = boundaries.scalar(at: range.upperBound),
                TextFolding.isIgnored(next)
            {
                return false
            }
            guard options.matchesWholeWords else { return true }
            return boundaries.isBoundary(range.lowerBound) && boundaries.isBoundary(range.upperBound)
        }
    }

    /// How many characters of what is around a match are kept.
    private static let contextLength = 40

    /// Returns the match of a range that is not empty.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - paths: The writer of selectors.
    ///   - position: Returns the place in the source of an offset in the text of a node, which is given by its number.
    /// - Returns: The match.
    func match(
        _ range: Range<Int>,
        _ paths: inout TextPaths,
        _ position: (_ node: Int, _ offset: TextOffset) -> SourcePosition?
    ) -> TextMatch {
        let first = map.piece(at: range.lowerBound)
        let last = map.piece(at: range.upperBound - 1)
        let start = place(first, offset(of: range.lowerBound, in: first), isEnd: false, &paths, position)
        let end = place(last, endOffset(range.upperBound, in: last), isEnd: true, &paths, position)
        var lower = range.lowerBound
        var length = 0
        while lower > 0, length < Self.contextLength, bytes[lower - 1] != 0x0A {
            lower -= 1
            if bytes[lower] & 0xC0 != 0x80 { length += 1 }
        }
        var upper = range.upperBound
        length = 0
        while upper < bytes.count, bytes[upper] != 0x0A {
            if bytes[upper] & 0xC0 != 0x80 {
                guard length < Self.contextLength else { break }
                length += 1
            }
            upper += 1
        }
        return TextMatch(
            text: written(range),
            before: String(written(lower..<range.lowerBound).suffix(Self.contextLength)),
            after: String(written(range.upperBound..<upper).prefix(Self.contextLength)),
            start: start,
            end: end
        )
    }

    private func place(
        _ piece: Int,
        _ offset: Int,
        isEnd: Bool,
        _ paths: inout TextPaths,
        _ position: (_ node: Int, _ offset: TextOffset) -> SourcePosition?
    ) -> TextMatch.Place {
        let number = Int(map.pieces[piece].node)
        let node = Node(address: map.nodes[number].address, in: document)
        let parent = node.treeNode.parentElement
        return TextMatch.Place(
            node: node,
            path: paths.path(of: parent),
            offset: offset,
            position: position(number, TextOffset(bytes: offset, isEnd: isEnd))
                ?? parent?.sourcePosition
        )
    }

    // MARK: - Places

    /// How many marks after a character belong to it.
    ///
    /// [Stream-Safe Text Format](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)
    private static let maximumMarks = 30

    private func offset(of folded: Int, in number: Int) -> Int {
        let piece = map.pieces[number]
        return piece.isCharacter ? piece.offset : piece.offset + (folded - piece.folded)
    }

    /// Where the character ends that has the byte before a place, with the marks that follow it.
    private func endOffset(_ folded: Int, in number: Int) -> Int {
        let piece = map.pieces[number]
        let text = unsafe utf8(of: piece)
        if !piece.isCharacter, folded < piece.end { return piece.offset + (folded - piece.folded) }
        var end =
            unsafe piece.isCharacter
            ? piece.offset + TextFolding.scalar(in: text, at: piece.offset).width
            : piece.offset + piece.count
        var count = 0
        while count < Self.maximumMarks, end < text.count, unsafe text[end] >= 0x80 {
            let (scalar, width) = unsafe TextFolding.scalar(in: text, at: end)
            guard !scalar.properties.isWhitespace, TextFolding.isIgnored(scalar) else { break }
            end += width
            count += 1
        }
        return end
    }

    /// The text of a range as the page has it, white space collapsed.
    private func written(_ range: Range<Int>) -> String {
        guard !range.isEmpty else { return "" }
        var output: [UInt8] = []
        var number = map.piece(at: range.lowerBound)
        var place = range.lowerBound
        while place < range.upperBound {
            let piece = map.pieces[number]
            let limit = number + 1 < map.pieces.count ? map.pieces[number + 1].folded : bytes.count
            if place < piece.end {
                let end = min(piece.end, range.upperBound)
                let text = unsafe utf8(of: piece)
                for index in offset(of: place, in: number)..<endOffset(end, in: number) {
                    let byte = unsafe text[index]
                    output.append(byte &- 0x09 < 5 ? 0x20 : byte)
                }
                place = end
            }
            // Between two pieces there is white space, or nothing.
            while place < min(limit, range.upperBound) {
                output.append(bytes[place])
                place += 1
            }
            number += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text of a piece's node, which lives as long as the document.
    private func utf8(of piece: TextMap.Piece) -> UnsafeBufferPointer<UInt8> {
        let node = map.nodes[Int(piece.node)]
        guard let bytes = unsafe Node(address: node.address, in: document).treeNode.textBytes else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(start: bytes, count: node.count)
    }
}

/// A place in the text of a node, at one of its characters, or right after it.
struct TextOffset {
    let bytes: Int
    let isEnd: Bool
}
