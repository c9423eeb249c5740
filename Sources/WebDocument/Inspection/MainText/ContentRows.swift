/// The features of several blocks, side by side, as ``ContentModel`` weighs them.
struct ContentRows {
    typealias Column = SIMD8<Float>

    /// How many blocks there are.
    static let count = Column.scalarCount

    /// The most features.
    static let capacity = 256

    /// The values of each feature.
    private(set) var columns = [Column](repeating: Column(), count: capacity)
    private var block = 0
    /// How many features of the block there are so far.
    private(set) var width = 0

    /// Begins with other blocks.
    mutating func removeAll() {
        for index in columns.indices { columns[index] = Column() }
    }

    /// Begins with the features of a block, or goes on with them.
    ///
    /// - Parameters:
    ///   - block: Its place among the others, below ``count``.
    ///   - width: How many features of it there are.
    mutating func begin(_ block: Int, at width: Int = 0) {
        self.block = block
        self.width = width
    }

    @inline(__always)
    mutating func add(_ value: Float) {
        columns[width][block] = value
        width += 1
    }

    @inline(__always)
    mutating func add(_ value: Int) { add(Float(value)) }

    @inline(__always)
    mutating func add(_ value: Int32) { add(Float(value)) }

    @inline(__always)
    mutating func add(_ value: Bool) { add(value ? 1 : 0) }

    @inline(__always)
    mutating func add(_ part: Int, of whole: Int) { add(Float(part) / Float(max(1, whole))) }

    /// Adds a feature for each of the lowest bits of a number, 1 where it is set.
    @inline(__always)
    mutating func add(bits: UInt32, count: Int) {
        var rest = bits
        while rest != 0 {
            columns[width + rest.trailingZeroBitCount][block] = 1
            rest &= rest &- 1
        }
        width += count
    }

    /// The features of the block that was added last.
    var last: [Float] { columns[..<width].map { $0[block] } }
}
