import WebStandards

/// Puts the text of a page together as a search compares it, white space collapsed, a block a line.
struct FoldedTextBuilder {
    /// The text so far; ASCII letters keep their case until the end.
    private var text: [UInt8] = []

    /// The gap before the next character: nothing, a space, a line feed.
    private var gap: UInt8 = 0

    private let folding: TextFolding
    private var memory: FoldingMemory

    /// Where the parts of the text are on the page; nil where nobody wants to know.
    private(set) var map: TextMap?

    init(_ folding: TextFolding = TextFolding(), keepsPlaces: Bool = false, capacity: Int = 0) {
        self.folding = folding
        memory = FoldingMemory(folding)
        if keepsPlaces { map = TextMap() }
        text.reserveCapacity(capacity)
    }

    var count: Int { text.count }

    /// Notes a text node of so many bytes that follows the element or comment of an address, before its text is
    /// appended.
    mutating func enter(_ node: TreeNode, count: Int, after anchor: UInt) {
        map?.nodes.append(TextMap.TextNode(address: node.address, count: count, anchor: anchor))
    }

    mutating func append(words: String) {
        var words = words
        words.withUTF8 { unsafe append($0) }
    }

    /// Appends the text of a node.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if byte < 0x80 {
                if Self.isWhitespace(byte) {
                    if gap == 0 { gap = 0x20 }
                    index += 1
                    continue
                }
                let end = unsafe Self.endOfRun(in: bytes, from: index)
                appendGap()
                let start = text.count
                unsafe text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[index..<end]))
                map?.add(folded: start, count: end - index, offset: index)
                index = end
                continue
            }
            let (scalar, width) = unsafe TextFolding.scalar(in: bytes, at: index)
            if scalar.properties.isWhitespace {
                if gap == 0 { gap = 0x20 }
            } else {
                appendGap()
                let start = text.count
                memory.append(scalar, to: &text)
                let count = text.count - start
                if count == width {
                    map?.add(folded: start, count: count, offset: index)
                } else if count > 0 {
                    map?.addCharacter(folded: start, count: count, offset: index)
                }
            }
            index += width
        }
    }

    mutating func addSpace() { if gap == 0 { gap = 0x20 } }

    mutating func endBlock() { gap = 0x0A }

    private mutating func appendGap() {
        if gap != 0, !text.isEmpty { text.append(gap) }
        gap = 0
    }

    /// The text, with where its parts are.
    consuming func finish() -> (text: [UInt8], map: TextMap) {
        if !folding.isCaseSensitive {
            unsafe text.withUnsafeMutableBufferPointer { bytes in
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    unsafe bytes[index] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
                }
            }
        }
        return (text, map ?? TextMap())
    }

    @inline(__always)
    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }

    /// Where a run of ASCII ends that has no white space but single spaces between other characters.
    private static func endOfRun(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if byte &- 0x21 < 0x5F {
                index += 1
            } else if byte == 0x20 {
                guard index + 1 < bytes.count, unsafe bytes[index + 1] &- 0x21 < 0x5F else { return index }
                index += 2
            } else {
                guard byte < 0x80, !isWhitespace(byte) else { return index }
                index += 1
            }
        }
        return index
    }
}
