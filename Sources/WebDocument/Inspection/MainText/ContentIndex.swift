/// Numbers for hashes: the first is 0, the next different one 1, and so on.
struct ContentIndex {
    /// The hashes by their numbers.
    private var hashes: [UInt64] = []

    /// The numbers, each in the first free slot from that of its hash on; -1 in free slots.
    ///
    /// At least half of the slots are free.
    private var slots = [Int32](repeating: -1, count: 64)

    /// Spreads hashes over the places, in a way that no page can foresee.
    private static let spread = UInt64.random(in: .min ... .max) | 1
    private let spread = Self.spread
    private var shift: UInt64 = 58

    /// How many different hashes there are.
    var count: Int { hashes.count }

    /// The number of a hash, nil for one that has none.
    func find(_ hash: UInt64) -> Int? {
        let number = slots[slot(of: hash)]
        return number < 0 ? nil : Int(number)
    }

    /// The number of a hash, which gets one where it has none.
    mutating func number(of hash: UInt64) -> Int {
        let slot = slot(of: hash)
        if slots[slot] >= 0 { return Int(slots[slot]) }
        slots[slot] = Int32(truncatingIfNeeded: hashes.count)
        hashes.append(hash)
        if hashes.count * 2 > slots.count { grow() }
        return hashes.count - 1
    }

    /// Takes all numbers back.
    ///
    /// - Complexity: O(n) in how many there are.
    mutating func removeAll() {
        // From the last on, so that each is still found.
        for hash in hashes.reversed() { slots[slot(of: hash)] = -1 }
        hashes.removeAll(keepingCapacity: true)
    }

    /// The place of a hash, or the free one for it.
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: (hash &* spread) >> shift)
        while case let number = slots[slot], number >= 0, hashes[Int(number)] != hash {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        shift &-= 1
        for (number, hash) in hashes.enumerated() {
            slots[slot(of: hash)] = Int32(truncatingIfNeeded: number)
        }
    }
}
