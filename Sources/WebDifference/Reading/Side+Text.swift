internal import WebDocument

/// Blocks of text.
extension Side {
    mutating func add(_ range: Range<Int>, of item: Int32, _ formatting: Formatting) {
        if block.word != nil, let first = range.first, !Self.isSpace(tree.bytes[first]) {
            block.formatting.formUnion(formatting)
        }
        for place in range {
            let byte = tree.bytes[place]
            block.raw.add(byte)
            if Self.isSpace(byte) {
                endWord()
            } else {
                if block.word == nil {
                    if words.count > block.firstWord { text.append(0x20) }
                    if block.firstItem < 0 { block.firstItem = item }
                    block.lastItem = item
                    block.word = text.count
                    block.hash = Mixer()
                    block.formatting = formatting
                }
                text.append(byte)
                block.hash.add(byte)
            }
        }
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte >= 0x09 && byte <= 0x0D && byte != 0x0B
    }

    mutating func endWord() {
        guard let start = block.word else { return }
        words.append(
            Word(text: start..<text.count, hash: block.hash.value, formatting: block.formatting)
        )
        block.word = nil
    }

    /// Adds a unit with the text that was read.
    mutating func flush(_ element: Int32) {
        endWord()
        let range = block.firstWord..<words.count
        if !range.isEmpty {
            var unit = Unit(
                category: .text,
                kind: open.last?.kind ?? .text,
                element: element,
                items: block.firstItem..<block.lastItem &+ 1
            )
            unit.words = range
            unit.inlines = block.firstInline..<inlines.count
            for index in unit.inlines where inlines[index].end < 0 { inlines[index].end = range.upperBound }
            if unit.kind == .heading { unit.level = open.last?.level ?? 0 }
            var hash = Mixer()
            hash.add(UInt64(clamping: unit.level))
            for word in words[range] { hash.add(word.hash) }
            if open.last?.isPreformatted == true { hash.add(block.raw.value) }
            unit.hash = hash.value
            unit.rawHash = block.raw.value
            unit.weight =
                1 + (words[range.upperBound - 1].text.upperBound - words[range.lowerBound].text.lowerBound)
            flow.append(unit)
        }
        block = Block()
        block.firstWord = words.count
        block.firstInline = inlines.count
    }

    /// Reads a page without a tree, one unit per line.
    mutating func readLines(_ source: String) {
        for byte in source.utf8 {
            if byte == 0x0A {
                flush(-1)
            } else if byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0C {
                endWord()
            } else {
                if block.word == nil {
                    if words.count > block.firstWord { text.append(0x20) }
                    block.word = text.count
                    block.hash = Mixer()
                }
                text.append(byte)
                block.hash.add(byte)
            }
        }
        flush(-1)
    }

}
