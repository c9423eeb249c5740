internal import WebStandards

/// The pairing of units that have no equal counterpart.
extension Comparison {
    /// Pairs similar units in a gap, in order.
    mutating func similar(
        _ gap: Aligner.Gap,
        _ aligner: inout Aligner,
        _ old: [Unit],
        _ new: [Unit]
    ) -> [(Int, Int)] {
        let left = gap.old.filter { aligner.newOf[$0] < 0 }
        let right = gap.new.filter { aligner.oldOf[$0] < 0 }
        guard !left.isEmpty, !right.isEmpty else { return [] }
        var bags = Bags()
        let words = (
            left.reduce(0) { $0 + weight(old[$1], a) }, right.reduce(0) { $0 + weight(new[$1], b) }
        )
        let cost =
            (left.count *| right.count) +| (words.0 *| right.count) +| (words.1 *| left.count)
        let pairs =
            cost <= min(2_000_000, comparisons)
            ? best(left.count, right.count) { score(old[left[$0]], new[right[$1]], &bags) }
            : nearest(left.count, right.count) { score(old[left[$0]], new[right[$1]], &bags) }
        comparisons -= min(comparisons, cost)
        if pairs == nil { isCoarse = true }
        return (pairs ?? []).map { one, other in
            aligner.match(left[one], right[other])
            return (left[one], right[other])
        }
    }

    /// The cost of comparing a unit, in words: its words, and one for each 16 bytes of a long attribute, such as a
    /// `data:` URL.
    private func weight(_ unit: Unit, _ side: Side) -> Int {
        let ordinary = 256
        let names = [side.known.src, side.known.href, side.known.srcset, side.known.alt, side.known.name]
        let longest =
            unit.words.isEmpty ? names.compactMap { side.attribute(unit.element, $0)?.count }.max() : nil
        return unit.words.count + max(0, (longest ?? 0) - ordinary) / 16
    }

    /// Returns the order-preserving pairs with the greatest sum of scores; `nil` if time runs out.
    func best(_ rows: Int, _ columns: Int, _ score: (Int, Int) -> Double) -> [(Int, Int)]? {
        var sums = Table(columns: columns + 1, rows: rows + 1)
        var scores = Table(columns: columns, rows: rows)
        for row in 0..<rows {
            if isLate { return nil }
            for column in 0..<columns {
                let own = score(row, column)
                scores[row, column] = own
                let both = own > 0 ? sums[row, column] + own : 0
                sums[row + 1, column + 1] = max(both, sums[row, column + 1], sums[row + 1, column])
            }
        }
        var pairs: [(Int, Int)] = []
        var (row, column) = (rows, columns)
        while row > 0, column > 0 {
            let sum = sums[row, column]
            let own = scores[row - 1, column - 1]
            if own > 0, sum == sums[row - 1, column - 1] + own {
                pairs.append((row - 1, column - 1))
                row -= 1
                column -= 1
            } else if sum == sums[row - 1, column] {
                row -= 1
            } else {
                column -= 1
            }
        }
        return pairs.reversed()
    }

    /// Pairs each row with the best of the next few columns, for gaps that are too large for `best`; `nil` if time runs
    /// out.
    private func nearest(_ rows: Int, _ columns: Int, _ score: (Int, Int) -> Double) -> [(Int, Int)]? {
        var pairs: [(Int, Int)] = []
        var next = 0
        for row in 0..<rows where next < columns {
            if isLate { return nil }
            var top = (score: 0.3, column: -1)
            for column in next..<min(columns, next + 16) {
                let own = score(row, column)
                if own > top.score { top = (own, column) }
                if own > 0.8 { break }
            }
            guard top.column >= 0 else { continue }
            pairs.append((row, top.column))
            next = top.column + 1
        }
        return pairs
    }

    // MARK: - Scores

    /// The sorted words of units, computed once for each unit.
    struct Bags {
        private var old: [Int: [UInt64]] = [:]
        private var new: [Int: [UInt64]] = [:]

        /// The share of words that two units have in common; 0 if their lengths alone show that it is less than a
        /// fifth.
        mutating func dice(_ a: Side, _ left: Range<Int>, _ b: Side, _ right: Range<Int>) -> Double {
            guard !left.isEmpty, !right.isEmpty else { return 0 }
            let (least, most) = (min(left.count, right.count), max(left.count, right.count))
            // A unit that is compared with many others must not be traversed for each.
            guard most <= 6 || least > most / 10 else { return 0 }
            let one = old[left.lowerBound] ?? a.words[left].map(\.hash).sorted()
            old[left.lowerBound] = one
            let other = new[right.lowerBound] ?? b.words[right].map(\.hash).sorted()
            new[right.lowerBound] = other
            return Comparison.dice(one, other)
        }
    }

    /// The share of elements that two sorted lists have in common (the Sørensen–Dice coefficient).
    static func dice<Value: Comparable>(_ one: [Value], _ other: [Value]) -> Double {
        var (common, left, right) = (0, 0, 0)
        while left < one.count, right < other.count {
            if one[left] == other[right] {
                common += 1
                left += 1
                right += 1
            } else if one[left] < other[right] {
                left += 1
            } else {
                right += 1
            }
        }
        let count = one.count + other.count
        return count == 0 ? 0 : 2 * Double(common) / Double(count)
    }

    /// How likely it is that a unit became another, from 0 (it did not) to about 1.
    private func score(_ left: Unit, _ right: Unit, _ bags: inout Bags) -> Double {
        guard left.category == right.category else { return 0 }
        switch left.category {
        case .text:
            let isPlaced = isSamePlace(left.element, right.element)
            let dice = bags.dice(a, left.words, b, right.words)
            if dice >= 0.4 { return dice + (isPlaced ? 0.1 : 0) }
            guard isPlaced, left.kind == right.kind else { return 0 }
            if max(left.words.count, right.words.count) <= 6 { return 0.15 + dice / 2 }
            return dice >= 0.25 ? dice : 0
        case .table:
            let dice = bags.dice(a, left.words, b, right.words)
            if dice > 0.2 { return dice }
            guard a.grids[Int(left.grid)].rows[0].count == b.grids[Int(right.grid)].rows[0].count else {
                return 0
            }
            return isSamePlace(left.element, right.element) ? 0.1 : 0
        case .drawing:
            return isSamePlace(left.element, right.element) ? 0.3 : 0
        case .element, .empty:
            return elementScore(left.element, right.element)
        }
    }

    /// Whether two elements have the same name, and neither they nor their ancestors are paired with other elements.
    private func isSamePlace(_ x: Int32, _ y: Int32) -> Bool {
        guard x >= 0, y >= 0 else { return x == y }
        guard a.tree.items[Int(x)].name == b.tree.items[Int(y)].name else { return false }
        if newElement[Int(x)] == y { return true }
        if newElement[Int(x)] >= 0 || oldElement[Int(y)] >= 0 { return false }
        var (x, y) = (a.tree.items[Int(x)].parent, b.tree.items[Int(y)].parent)
        var steps = 0
        while x >= 0, y >= 0, steps < 8 {
            if newElement[Int(x)] == y { return true }
            if newElement[Int(x)] >= 0 || oldElement[Int(y)] >= 0 { return false }
            x = a.tree.items[Int(x)].parent
            y = b.tree.items[Int(y)].parent
            steps += 1
        }
        return true
    }

    private func elementScore(_ x: Int32, _ y: Int32) -> Double {
        guard a.tree.items[Int(x)].name == b.tree.items[Int(y)].name else { return 0 }
        func values(_ name: Int32) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
            guard let one = a.attribute(x, name), let other = b.attribute(y, name) else { return nil }
            return (one, other)
        }
        if a.role(x).contains(.control) {
            if let (one, other) = values(a.known.name) {
                if one.elementsEqual(other) { return 0.9 }
                return Volatility.isRandom(one, other, Volatility.Demands()) ? 0.6 : 0
            }
            guard a.attribute(x, a.known.name) == nil, b.attribute(y, a.known.name) == nil else { return 0 }
            let (one, other) = (a.attribute(x, a.known.type) ?? [], b.attribute(y, a.known.type) ?? [])
            return one.elementsEqual(other) ? 0.4 : 0
        }
        var score = isSamePlace(x, y) ? 0.2 : 0
        if let (one, other) = values(a.known.src) ?? values(a.known.href) ?? values(a.known.srcset) {
            score = max(score, Self.likeness(one, other))
        }
        if let (one, other) = values(a.known.alt), one.elementsEqual(other), one.count > 3 { score += 0.4 }
        return score >= 0.2 ? score : 0
    }

    /// The share of two values that is equal at their beginnings and ends.
    static func likeness(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Double {
        let most = max(one.count, other.count)
        guard most > 0 else { return 1 }
        let least = min(one.count, other.count)
        let front = zip(one, other).prefix { $0 == $1 }.count
        let back = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return Double(min(least, front + back)) / Double(most)
    }
}

/// A matrix of numbers, whose size is bounded by the budget of comparisons.
private struct Table {
    private let columns: Int
    private var numbers: [Double]

    init(columns: Int, rows: Int) {
        self.columns = columns
        numbers = Array(repeating: 0, count: columns *| rows)
    }

    subscript(row: Int, column: Int) -> Double {
        get { numbers[row &* columns &+ column] }
        set { numbers[row &* columns &+ column] = newValue }
    }
}
