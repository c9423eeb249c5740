/// Which items of an array became which of another one.
///
/// Each step pairs those that the ones before it have left. All of them pair the same, whichever array is the older one.
struct ItemMatching {
    private let old: [Int]
    private let new: [Int]
    /// The place of each item of the newer array in the older one; nil where it has none.
    private var match: [Int?]
    /// Whether an item of the older array is paired.
    private var isTaken: [Bool]

    /// - Parameters:
    ///   - old: The items of the older array, as whoever asks numbers them.
    ///   - new: Those of the newer one.
    init(_ old: [Int], _ new: [Int]) {
        self.old = old
        self.new = new
        match = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
    }

    /// The pairs, in the order of the newer array: nil in the place of what only one of both has; then what is gone.
    var pairs: [(old: Int?, new: Int?)] {
        let there: [(old: Int?, new: Int?)] = new.indices.map { (match[$0].map { old[$0] }, new[$0]) }
        return there + left.map { (old[$0], nil) }
    }

    /// Whether what is paired so far has another order.
    var isReordered: Bool {
        let order = match.compactMap { $0 }
        return zip(order, order.dropFirst()).contains { $0 > $1 }
    }

    /// Whether one of both has nothing that is not paired.
    var isOneSided: Bool { isTaken.allSatisfy(\.self) || match.allSatisfy { $0 != nil } }

    private var left: [Int] { old.indices.filter { !isTaken[$0] } }
    private var right: [Int] { new.indices.filter { match[$0] == nil } }

    private mutating func pair(_ one: Int, _ other: Int) {
        match[other] = one
        isTaken[one] = true
    }

    // MARK: - Steps

    /// Pairs what is equal at both beginnings, then at both ends.
    mutating func pairEnds(_ areEqual: (Int, Int) -> Bool) {
        var (first, last) = (0, 0)
        let shorter = min(old.count, new.count)
        while first < shorter, areEqual(old[first], new[first]) {
            pair(first, first)
            first += 1
        }
        while last < shorter - first, areEqual(old[old.count - 1 - last], new[new.count - 1 - last]) {
            pair(old.count - 1 - last, new.count - 1 - last)
            last += 1
        }
    }

    /// Pairs those with equal keys, in their order.
    mutating func pair(byKeys oldKey: (Int) -> Int, _ newKey: (Int) -> Int) {
        var places: [Int: [Int]] = [:]
        for one in left.reversed() { places[oldKey(old[one]), default: []].append(one) }
        for other in right {
            if let one = places[newKey(new[other])]?.popLast() { pair(one, other) }
        }
    }

    /// Pairs those that alone have some part in common, those with most such parts first.
    ///
    /// - Parameters:
    ///   - oldPrint: The parts of an item.
    ///   - newPrint: The same.
    mutating func pair<Part: Hashable>(byPrints oldPrint: (Int) -> [Part], _ newPrint: (Int) -> [Part]) {
        let (owners, newOwners) = (
            Self.owners(left, parts: { oldPrint(old[$0]) }), Self.owners(right, parts: { newPrint(new[$0]) })
        )
        var votes: [[Int]: Int] = [:]
        for (part, owner) in owners {
            if let owner, case .some(let other?) = newOwners[part] { votes[[owner, other], default: 0] += 1 }
        }
        let best = votes.sorted { one, other in
            guard one.value == other.value else { return one.value > other.value }
            // Of as many those that are nearest to one another.
            let (x, y) = (one.key, other.key)
            return ((x[0] - x[1]).magnitude, x[0] + x[1]) < ((y[0] - y[1]).magnitude, y[0] + y[1])
        }
        for (places, _) in best where !isTaken[places[0]] && match[places[1]] == nil {
            pair(places[0], places[1])
        }
    }

    /// Of each part the item that has it; nil where there are several.
    private static func owners<Part: Hashable>(_ items: [Int], parts: (Int) -> [Part]) -> [Part: Int?] {
        var owners: [Part: Int?] = [:]
        for item in items {
            for part in parts(item) {
                if case .some(let owner) = owners[part] {
                    if owner != item { owners[part] = .some(nil) }
                } else {
                    owners[part] = item
                }
            }
        }
        return owners
    }

    /// Pairs those of a kind that stand behind the same pair, in their order.
    mutating func pairInGaps(_ areOfAKind: (Int, Int) -> Bool) {
        var gaps: [Int: [Int]] = [:]
        var before = -1
        for one in old.indices {
            if isTaken[one] { before = one } else { gaps[before, default: []].append(one) }
        }
        for (gap, items) in gaps { gaps[gap] = items.reversed() }
        before = -1
        for other in new.indices {
            if let known = match[other] {
                before = known
            } else if let one = gaps[before]?.last, areOfAKind(old[one], new[other]) {
                gaps[before]?.removeLast()
                pair(one, other)
            }
        }
    }
}
