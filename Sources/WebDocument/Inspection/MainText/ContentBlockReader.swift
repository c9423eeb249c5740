/// Divides the texts of a page into blocks, and counts their characters.
struct ContentBlockReader {
    private let tree: ContentTree
    private let places: [ContentBlocks.Place]
    /// The words of the title.
    private var titleWords = ContentIndex()
    /// One of 64 bits for each of them; a word whose bit is not there is none of them.
    private var titleBits: UInt64 = 0
    private let description: [UInt8]
    private let kinds = ContentBytes.kinds
    private let marks = Self.marks

    private var blocks: [ContentBlocks.Block] = []
    private var block: ContentBlocks.Block?
    /// The block's text so far, white space collapsed.
    private var bytes: [UInt8] = []
    private var words: [UInt64] = []
    /// The elements that are blocks and open, and where they end.
    private var open: [(end: Int, index: Int)] = []

    init(_ tree: ContentTree, _ places: [ContentBlocks.Place], _ facts: ArticleFacts) {
        self.tree = tree
        self.places = places
        description = Array((facts.description ?? "").collapsingASCIIWhitespace.utf8)
        Self.readWords(Array((facts.title ?? "").utf8), into: &words)
        for word in words {
            _ = titleWords.number(of: word)
            titleBits |= Self.bit(word)
        }
    }

    mutating func read() -> [ContentBlocks.Block] {
        var breaks = 0
        for index in tree.entries.indices {
            while let last = open.last, last.end <= index {
                open.removeLast()
                finish()
            }
            let entry = tree.entries[index]
            switch entry.element {
            case .text: if read(text: entry, index) { breaks = 0 }
            case .br:
                breaks += 1
                if breaks > 1 { finish() } else { appendSpace() }
            case .td, .th:
                finish()
                open.append((Int(entry.end), index))
            default:
                guard entry.traits.contains(.block) else { continue }
                finish()
                open.append((Int(entry.end), index))
            }
        }
        finish()
        return blocks
    }

    private mutating func appendSpace() {
        if let last = bytes.last, last != 0x20 { bytes.append(0x20) }
    }

    /// Adds a text to the block; returns whether there is more than white space in it.
    private mutating func read(text entry: ContentTree.Entry, _ index: Int) -> Bool {
        guard var cursor = unsafe entry.node.textBytes else { return false }
        let place = places[Int(entry.parent)]
        let isFirst = bytes.isEmpty
        var counts = ContentBytes()
        var words = 0
        while unsafe cursor[0] != 0 {
            if unsafe cursor[0].isASCIIWhitespace {
                appendSpace()
                unsafe cursor += 1
                continue
            }
            if bytes.last ?? 0x20 == 0x20 { words += 1 }
            let length = unsafe counts.add(cursor, kinds)
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: cursor, count: length))
            unsafe cursor += length
        }
        let hasText = counts.bytes > 0
        guard hasText || block != nil else { return false }
        var current = block ?? ContentBlocks.Block(entries: index...index, element: open.last?.index ?? 0)
        if isFirst, hasText { current.beginsWithLink = place.isLink }
        current.entries = current.entries.lowerBound...index
        current.words += words + counts.spaces
        current.chars += counts.chars
        current.digits += counts.digits
        current.capitals += counts.capitals
        current.letters += counts.letters
        if place.isLink { current.linked += counts.chars }
        if place.isBold { current.bold += counts.chars }
        if place.isItalic { current.italic += counts.chars }
        current.commas += Int(entry.commas)
        block = current
        return hasText
    }

    /// Ends the block, if there is one.
    private mutating func finish() {
        defer {
            block = nil
            bytes.removeAll(keepingCapacity: true)
        }
        guard var current = block else { return }
        if bytes.last == 0x20 { bytes.removeLast() }
        current.hash = unsafe bytes.withUnsafeBytes { unsafe ContentHash.of($0) }
        current.stops = countStops(isASCII: bytes.count < current.chars + max(1, current.words))
        readEnd(&current)
        let alike = min(bytes.count, description.count, 80)
        current.isDescription = alike >= 16 && bytes[..<alike] == description[..<alike]
        if current.chars < 400 { current.titleLikeness = titleLikeness() }
        current.hasPrice = current.digits > 0 && current.chars < 300 && hasPrice
        blocks.append(current)
    }

    /// For each byte, 1 for a full stop and its like, 2 for what may come after one at the end of a sentence.
    private static let marks: [UInt8] = (UInt8.min ... .max).map { byte in
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): 1
        case 0x20, UInt8(ascii: "\""): 2
        default: 0
        }
    }

    /// How many sentences end: with a full stop and its like before a space, a quotation mark or the end, or with
    /// an ideographic full stop.
    private func countStops(isASCII: Bool) -> Int {
        var stops = 0
        var last: UInt8 = 0
        for byte in bytes {
            let mark = marks[Int(byte)]
            stops &+= Int(last & mark >> 1)
            last = mark
        }
        stops &+= Int(last & 1)
        if isASCII { return stops }
        for place in bytes.indices.dropFirst(2)
        where bytes[place] == 0x82 && bytes[place - 1] == 0x80 && bytes[place - 2] == 0xE3 { stops += 1 }
        return stops
    }

    /// Whether a sign of a currency stands beside a digit, or a space from one.
    private var hasPrice: Bool {
        for (place, byte) in bytes.enumerated() {
            let length: Int
            switch byte {
            case UInt8(ascii: "$"): length = 1
            case 0xC2 where place + 1 < bytes.count && (0xA3...0xA5).contains(bytes[place + 1]): length = 2
            // The block of currencies, as of the euro and the rupee.
            case 0xE2 where place + 2 < bytes.count && bytes[place + 1] == 0x82 && bytes[place + 2] >= 0xA0:
                length = 3
            default: continue
            }
            if isDigit(place - 1, place - 2) || isDigit(place + length, place + length + 1) { return true }
        }
        return false
    }

    /// Whether a digit stands at a place, or at the next one behind a space.
    private func isDigit(_ place: Int, _ next: Int) -> Bool {
        guard bytes.indices.contains(place) else { return false }
        if bytes[place] == 0x20 { return bytes.indices.contains(next) && bytes[next].isASCIIDigit }
        return bytes[place].isASCIIDigit
    }

    /// How far the block's words are those of the title, from 0 to 1.
    private mutating func titleLikeness() -> Float {
        guard titleWords.count > 0 else { return 0 }
        words.removeAll(keepingCapacity: true)
        Self.readWords(bytes, into: &words)
        guard words.contains(where: { isInTitle($0) }) else { return 0 }
        words.sort()
        var different = 0
        var common = 0
        for (place, word) in words.enumerated() where place == 0 || word != words[place - 1] {
            different += 1
            if isInTitle(word) { common += 1 }
        }
        return 2 * Float(common) / Float(different + titleWords.count)
    }

    private func isInTitle(_ word: UInt64) -> Bool {
        titleBits & Self.bit(word) != 0 && titleWords.find(word) != nil
    }

    private static func bit(_ word: UInt64) -> UInt64 { 1 << (word & 63) }

    /// How the block ends, quotation marks and brackets aside.
    private func readEnd(_ current: inout ContentBlocks.Block) {
        guard let last = bytes.last, !last.isASCIIAlphanumeric else { return }
        for scalar in String(decoding: bytes.suffix(16), as: UTF8.self).unicodeScalars.reversed() {
            switch scalar {
            case "\"", "'", "”", "’", "»", "“", ")", "]", "」", "『", "』", "\u{A0}", " ": continue
            case ".", "!", "?", "…", "。", "！", "？", "؟", "।": current.endsSentence = true
            case ":", "：": current.endsWithColon = true
            default: break
            }
            return
        }
    }

    /// For each byte, the letter that it is a part of words as, capitals of ASCII as small letters; 0 for others and
    /// for those that begin characters of both sorts.
    private static let letters: [UInt8] = (UInt8.min ... .max).map { byte in
        if byte == 0xC2 || byte == 0xE2 { return 0 }
        return byte.isASCIIAlphanumeric || byte >= 0x80 ? byte.asciiLowercased : 0
    }

    /// Hashes of the words of a text: runs of letters and digits, capitals of ASCII as small letters.
    private static func readWords(_ bytes: [UInt8], into words: inout [UInt64]) {
        let letters = letters
        var index = 0
        while index < bytes.count {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            let start = index
            while index < bytes.count {
                var letter = letters[Int(bytes[index])]
                if letter == 0 {
                    guard bytes[index] == 0xE2, index + 1 == bytes.count || bytes[index + 1] != 0x80 else {
                        break
                    }
                    letter = 0xE2
                }
                hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
                index += 1
            }
            if index > start { words.append(hash) }
            guard index < bytes.count else { break }
            // Dashes, quotation marks, and spaces have more bytes.
            switch bytes[index] {
            case 0xE2: index += 3
            case 0xC2: index += 2
            default: index += 1
            }
        }
    }
}
