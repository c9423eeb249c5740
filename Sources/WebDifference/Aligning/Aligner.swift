/// Finds which units of one sequence are which of another.
///
/// Equal units that keep their order are found by those that are there once in both, heaviest first, then the same between
/// them; what was left over, was it there twice, is taken in its order. O(n log n): each round goes over what is left once,
/// and there are few rounds.
struct Aligner {
    /// A part of both sequences in which nothing is matched.
    struct Gap {
        let old: Range<Int>
        let new: Range<Int>
    }

    private(set) var old: [UInt64]
    private(set) var new: [UInt64]
    /// How much is lost if a unit of the old sequence is not matched.
    let weights: [Int]

    /// For each unit of the old sequence the one of the new, -1 for none.
    private(set) var newOf: [Int]
    private(set) var oldOf: [Int]

    /// Rounds that look for what is unique.
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

    /// Goes on in what is left with hashes that are equal more often.
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

    /// Matches what is equal in a gap; gaps that may have more are added.
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
            // Nothing unique: what is there several times is taken in its order.
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

    /// Equal units of a gap, in the order of the old sequence: those that are there once in both, or the first with the
    /// first, the second with the second.
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

    /// Of pairs that are in the order of the old sequence those that are in that of the new one too, and weigh most.
    private func heaviest(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        guard let lowest = pairs.map(\.1).min(), let highest = pairs.map(\.1).max() else { return [] }
        // Best sums by place, as a tree of maxima over prefixes.
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

    /// The parts of both sequences between units that are matched in their order; an empty side included.
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
