internal import WebDocument

/// The smallest part of a page that is compared as a whole: a block of text, an image, a control, a table.
struct Unit {
    enum Category: UInt8 {
        case text
        /// An element without contents: an image, a control, a frame.
        case element
        /// A table of plain cells.
        case table
        /// A vector image, or formula, with all that is in it.
        case drawing
        /// An element without contents that shows nothing by itself.
        case empty
    }

    let category: Category
    let kind: PageDifference.Kind
    /// The block around a text, the element itself otherwise; -1 where there is none.
    let element: Int32
    /// The tree items that it contains.
    let items: Range<Int32>
    /// The words of a text or table.
    var words: Range<Int> = 0..<0
    /// The inline elements of a text.
    var inlines: Range<Int> = 0..<0
    /// The cells of a table.
    var grid: Int32 = -1
    /// A hash that is equal for units that count as the same.
    var hash: UInt64 = 0
    /// A hash that includes the white space that is not shown.
    var rawHash: UInt64 = 0
    /// The number of its heading's name, plus 1; 0 for other units.
    var level: Int32 = 0
    /// The cost of leaving it unmatched.
    var weight = 1
}

/// A word of a page's text.
struct Word {
    let text: Range<Int>
    let hash: UInt64
    let formatting: Formatting
}

/// An inline element and the words of its block that are in it.
struct Inline {
    let element: Int32
    let first: Int
    /// The index after the last word; -1 while the element is open.
    var end = -1

    /// Its words.
    var words: Range<Int> { first..<max(first, end) }
}

/// A table's cells, row by row.
struct Grid {
    struct Cell {
        let element: Int32
        let words: Range<Int>
        let inlines: Range<Int>
        let hash: UInt64
    }

    var rows: [[Cell]] = []
    var rowElements: [Int32] = []
}

/// Mixes bytes and numbers into 64 bits.
struct Mixer {
    /// A random number for each process, so that nobody can construct a page whose words all collide; no result depends
    /// on it.
    ///
    /// It makes collisions hard to construct, not impossible: code that reports texts as equal compares them.
    private static let seed = UInt64.random(in: .min ... .max)

    private(set) var value = Self.seed

    init() {}

    @inline(__always)
    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { add(byte) }
        value ^= value >> 29
    }
}
