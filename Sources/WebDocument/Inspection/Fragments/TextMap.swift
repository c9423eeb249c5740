import WebStandards

/// Where the parts of a folded text are in the text nodes of its page.
struct TextMap: Sendable {
    /// A text node.
    struct TextNode: Sendable {
        let address: UInt
        /// How many bytes of text it has.
        let count: Int
        /// The element or the comment before it that has a place in the source; 0 if there is none.
        let anchor: UInt
    }

    /// A run of the folded text that comes from one node.
    struct Piece: Sendable {
        /// Where it begins in the folded text, and how many bytes it has there.
        let folded: Int
        fileprivate(set) var count: Int
        /// Where it begins in the text of its node.
        let offset: Int
        /// The number of its node.
        let node: Int32
        /// Whether it is one character that has another number of bytes in the node.
        let isCharacter: Bool

        var end: Int { folded + count }
    }

    /// All text nodes, hidden ones too, in document order.
    var nodes: [TextNode] = []
    private(set) var pieces: [Piece] = []

    /// Adds bytes that are as many in the last node.
    @inline(__always)
    mutating func add(folded: Int, count: Int, offset: Int) {
        let node = Int32(clamping: nodes.count - 1)
        if let last = pieces.last, !last.isCharacter, last.node == node,
            folded - last.folded == offset - last.offset
        {
            pieces[pieces.count - 1].count = folded + count - last.folded
            return
        }
        pieces.append(Piece(folded: folded, count: count, offset: offset, node: node, isCharacter: false))
    }

    /// Adds a character of the last node that has another number of bytes there.
    mutating func addCharacter(folded: Int, count: Int, offset: Int) {
        let node = Int32(clamping: nodes.count - 1)
        pieces.append(Piece(folded: folded, count: count, offset: offset, node: node, isCharacter: true))
    }

    /// The number of the piece that has a byte of the folded text, or of the last one before it; 0 if there is none.
    ///
    /// Complexity: O(log n).
    func piece(at folded: Int) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].folded <= folded { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}
