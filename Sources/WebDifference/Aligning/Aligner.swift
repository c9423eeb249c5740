/// Matches the equal units of two sequences.
///
/// Each round matches the units that occur exactly once in both sequences and keep their order (the heaviest selection
/// of them), and the next round does the same in the gaps between them; repeated units are then matched in order. The
/// complexity is O(n log n): each round passes over the unmatched units once, and there are few rounds.
struct Aligner {
    /// A part of both sequences in which no unit is matched.
    struct Gap {
        let old: Range<Int>
        let new: Range<Int>
    }

    private(set) var old: [UInt64]
    private(set) var new: [UInt64]
    /// The cost of leaving each unit of the old sequence unmatched.
    let weights: [Int]

    /// For each unit of the old sequence, the index of its match in the new one; -1 if it has no match.
    private(set) var newOf: [Int]
    private(set) var oldOf: [Int]

    /// The maximum number of rounds that match unique units.
    private static let rounds = 6

    init(old: [UInt64], new: [UInt64], weights: [Int]) {
        self.old = old
        self.new = new
        self.weights = weights
        newOf = Array(repeating: -1, count: old.count)
        oldOf = Array(repeating: -1, count: new.count)
    }

    mutating func match(_ left: Int, _ right: Int) {
        newOf[left] = right
        oldOf[right] = left
    }

    /// Matches equal units in their order.
    mutating func run() { run([Gap(old: 0..<old.count, new: 0..<new.count)]) }

    /// Continues in the remaining gaps with hashes that are equal for more units.
    mutating func `continue`(old: [UInt64], new: [UInt64]) {
        let left = gaps()
        self.old = old
        self.new = new
        run(left.filter { !$0.old.isEmpty && !$0.new.isEmpty })
    }

    private mutating func run(_ first: [Gap]) {
        var gaps = first
        for round in 0...Self.rounds where !gaps.isEmpty {
            var next: [Gap] = []
            for gap in gaps { fill(gap, byRank: round == Self.rounds, &next) }
            gaps = next
        }
    }

    /// Matches equal units in a gap; appends the gaps that may have more to `next`.
    private mutating func fill(_ gap: Gap, byRank: Bool, _ next: inout [Gap]) {
        var (old, new) = (gap.old, gap.new)
        while let left = old.first, let right = new.first, self.old[left] == self.new[right] {
            match(left, right)
            old.removeFirst()
            new.removeFirst()
        }
        while let left = old.last, let right = new.last, self.old[left] == self.new[right] {
            match(left, right)
            old.removeLast()
            new.removeLast()
        }
        guard !old.isEmpty, !new.isEmpty else { return }
        let pairs = pairs(old, new, byRank: byRank)
        guard !pairs.isEmpty else {
            // No unit is unique: match repeated units in order.
            if !byRank { fillByRank(Gap(old: old, new: new)) }
            return
        }
        let kept = heaviest(pairs)
        for (left, right) in kept { match(left, right) }
        guard !byRank else { return }
        var (start, other) = (old.lowerBound, new.lowerBound)
        for (left, right) in kept + [(old.upperBound, new.upperBound)] {
            if start < left, other < right { next.append(Gap(old: start..<left, new: other..<right)) }
            (start, other) = (left + 1, right + 1)
        }
    }

    private mutating func fillByRank(_ gap: Gap) {
        for (left, right) in heaviest(pairs(gap.old, gap.new, byRank: true)) { match(left, right) }
    }

    /// Returns pairs of equal units of a gap, in the order of the old sequence: the units that occur once in both or,
    /// by rank, the first occurrence with the first, the second with the second.
    private func pairs(_ old: Range<Int>, _ new: Range<Int>, byRank: Bool) -> [(Int, Int)] {
        if byRank {
            var places: [UInt64: [Int]] = [:]
            for index in new.reversed() { places[self.new[index], default: []].append(index) }
            return old.compactMap { index in places[self.old[index]]?.popLast().map { (index, $0) } }
        }
        var counts: [UInt64: (old: Int, new: Int, place: Int)] = [:]
        for index in new { counts[self.new[index], default: (0, 0, 0)].new += 1 }
        for index in new where counts[self.new[index]]?.new == 1 { counts[self.new[index]]?.place = index }
        for index in old where counts[self.old[index]] != nil { counts[self.old[index]]?.old += 1 }
        return old.compactMap { index in
            guard let found = counts[self.old[index]], found.old == 1, found.new == 1 else { return nil }
            return (index, found.place)
        }
    }

    /// Returns the heaviest selection of pairs that is in the order of both sequences; `pairs` is in the order of the
    /// old one.
    private func heaviest(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        guard let lowest = pairs.map(\.1).min(), let highest = pairs.map(\.1).max() else { return [] }
        // A Fenwick tree of the best sums: maxima over prefixes of the places.
        let size = highest - lowest + 2
        var best = Array(repeating: (sum: 0, pair: -1), count: size + 1)
        var before = Array(repeating: -1, count: pairs.count)
        var last = (sum: 0, pair: -1)
        for (number, pair) in pairs.enumerated() {
            var place = pair.1 - lowest
            var top = (sum: 0, pair: -1)
            while place > 0 {
                if best[place].sum > top.sum { top = best[place] }
                place &= place - 1
            }
            before[number] = top.pair
            let sum = top.sum + weights[pair.0]
            if sum > last.sum { last = (sum, number) }
            place = pair.1 - lowest + 1
            while place <= size {
                if sum > best[place].sum { best[place] = (sum, number) }
                place += place & (0 &- place)
            }
        }
        var kept: [(Int, Int)] = []
        var number = last.pair
        while number >= 0 {
            kept.append(pairs[number])
            number = before[number]
        }
        return kept.reversed()
    }

    /// Returns the gaps between units that are matched in order; one side of a gap may be empty.
    func gaps() -> [Gap] {
        var gaps: [Gap] = []
        var (start, other) = (0, 0)
        for left in 0...old.count {
            let right = left == old.count ? new.count : newOf[left]
            guard right >= other else { continue }
            if start < left || other < right { gaps.append(Gap(old: start..<left, new: other..<right)) }
            (start, other) = (left + 1, right + 1)
        }
        return gaps
    }
}
