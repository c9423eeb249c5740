/// A set of small positive numbers, those of pages: a bit for each.
struct IDSet: Sendable {
    private var words: [UInt64]

    /// An empty set, with place for numbers up to `largest`.
    init(through largest: Int) {
        words = Array(repeating: 0, count: max(0, min(largest, CatalogueSchema.largestPage)) / 64 + 1)
    }

    /// Whether a number is in it.
    func contains(_ id: Int32) -> Bool {
        let word = Int(id) / 64
        guard id > 0, word < words.count else { return false }
        return words[word] & Self.bit(id) != 0
    }

    /// Adds a number; false if it was there, or there is no place for it.
    @discardableResult
    mutating func insert(_ id: Int32) -> Bool {
        let word = Int(id) / 64
        guard id > 0, word < words.count, words[word] & Self.bit(id) == 0 else { return false }
        words[word] |= Self.bit(id)
        return true
    }

    /// Takes a number out.
    mutating func remove(_ id: Int32) {
        let word = Int(id) / 64
        guard id > 0, word < words.count else { return }
        words[word] &= ~Self.bit(id)
    }

    /// Takes all numbers out, and keeps the place for them.
    mutating func removeAll() { words = Array(repeating: 0, count: words.count) }

    /// How many numbers there are in it.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    private static func bit(_ id: Int32) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: id) }

    /// The places of the set's numbers among them, from the least.
    struct Places: Sendable {
        private let words: [UInt64]
        /// How many numbers there are before those of a word.
        private let before: [Int32]
        /// How many numbers there are.
        let count: Int

        init(_ set: IDSet) {
            words = set.words
            var before: [Int32] = []
            before.reserveCapacity(words.count)
            var count = 0
            for word in words {
                before.append(Int32(truncatingIfNeeded: count))
                count += word.nonzeroBitCount
            }
            self.before = before
            self.count = count
        }

        /// The place of a number; nil if it is not in the set.
        func place(of id: Int32) -> Int? {
            let word = Int(id) / 64
            guard id > 0, word < words.count else { return nil }
            let bit = IDSet.bit(id)
            guard words[word] & bit != 0 else { return nil }
            return Int(before[word]) + (words[word] & (bit &- 1)).nonzeroBitCount
        }
    }
}
