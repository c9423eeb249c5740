/// Where in the source an element or a comment began.
///
/// libxml2 keeps lines in 16 bits and no columns, so the parser stores both in `_private` of every element
/// and comment it makes, 36 bits of line above 28 bits of column; 0 means unknown. Greater values are
/// clamped.
struct HTMLSourcePosition: Equatable, Sendable {
    /// The line of the tag's `<`, from 1.
    let line: Int

    /// The column of the tag's `<`, in Unicode scalar values, from 1.
    let column: Int

    /// The word that `_private` holds.
    var packed: UInt64 {
        Self.pack(line: UInt64(clamping: line), column: UInt64(clamping: column))
    }

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Reads the word that `_private` holds, nil where it is 0.
    init?(packed: UInt64) {
        guard packed != 0 else { return nil }
        line = Int(bounded: packed >> 28)
        column = Int(bounded: packed & 0xFFF_FFFF)
    }

    @inline(__always)
    static func pack(line: UInt64, column: UInt64) -> UInt64 {
        min(line, 0xF_FFFF_FFFF) << 28 | min(column, 0xFFF_FFFF)
    }
}
