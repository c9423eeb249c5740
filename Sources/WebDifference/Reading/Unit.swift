internal import WebDocument

/// The least that is compared as a whole: a block of text, an image, a control, a table.
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
    /// What is in it, as items of the tree.
    let items: Range<Int32>
    /// The words of a text or table.
    var words: Range<Int> = 0..<0
    /// The inline elements of a text.
    var inlines: Range<Int> = 0..<0
    /// The cells of a table.
    var grid: Int32 = -1
    /// Equal for units that are taken for the same.
    var hash: UInt64 = 0
    /// The same with the white space that is not shown.
    var rawHash: UInt64 = 0
    /// Which heading it is in, by name; 0 for other units.
    var level: Int32 = 0
    /// How much would be lost if it were not found again.
    var weight = 1
}

/// A word of a page's text.
struct Word {
    let text: Range<Int>
    let hash: UInt64
    let formatting: Formatting
}

/// An inline element, and which words of its block are in it.
struct Inline {
    let element: Int32
    let first: Int
    /// -1 as long as it is open.
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
    /// Another one in each process, so that nobody can make a page of words that are all equal; no answer depends on it.
    ///
    /// It makes collisions hard to plan, not impossible: whoever says that two texts are the same compares them.
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
