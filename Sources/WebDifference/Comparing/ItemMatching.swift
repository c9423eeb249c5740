/// A matching of the items of two arrays.
///
/// Each step pairs items that the steps before it left unpaired. All steps are symmetric: they pair the same items,
/// whichever array is the older one.
struct ItemMatching {
    private let old: [Int]
    private let new: [Int]
    /// For each item of the newer array, the place of its match in the older one; `nil` if it has no match.
    private var match: [Int?]
    /// Whether each item of the older array is paired.
    private var isTaken: [Bool]

    /// - Parameters:
    ///   - old: The items of the older array, as numbered by the caller.
    ///   - new: The items of the newer array.
    init(_ old: [Int], _ new: [Int]) {
        self.old = old
        self.new = new
        match = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
    }

    /// The pairs in the order of the newer array, followed by the removed items; `nil` for an item that the other array
    /// does not have.
    var pairs: [(old: Int?, new: Int?)] {
        let there: [(old: Int?, new: Int?)] = new.indices.map { (match[$0].map { old[$0] }, new[$0]) }
        return there + left.map { (old[$0], nil) }
    }

    /// Whether the items that are paired so far are in another order.
    var isReordered: Bool {
        let order = match.compactMap { $0 }
        return zip(order, order.dropFirst()).contains { $0 > $1 }
    }

    /// Whether all items of one of the arrays are paired.
    var isOneSided: Bool { isTaken.allSatisfy(\.self) || match.allSatisfy { $0 != nil } }

    private var left: [Int] { old.indices.filter { !isTaken[$0] } }
    private var right: [Int] { new.indices.filter { match[$0] == nil } }

    private mutating func pair(_ one: Int, _ other: Int) {
        match[other] = one
        isTaken[one] = true
    }

    // MARK: - Steps

    /// Pairs equal items at the beginnings of both arrays, then at the ends.
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

    /// Pairs items with equal keys, in order.
    mutating func pair(byKeys oldKey: (Int) -> Int, _ newKey: (Int) -> Int) {
        var places: [Int: [Int]] = [:]
        for one in left.reversed() { places[oldKey(old[one]), default: []].append(one) }
        for other in right {
            if let one = places[newKey(new[other])]?.popLast() { pair(one, other) }
        }
    }

    /// Pairs items that share parts which no other item has, those with the most such parts first.
    ///
    /// - Parameters:
    ///   - oldPrint: Returns the parts of an item of the older array.
    ///   - newPrint: Returns the parts of an item of the newer array.
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
            // With equal counts, the nearest pairs first.
            let (x, y) = (one.key, other.key)
            return ((x[0] - x[1]).magnitude, x[0] + x[1]) < ((y[0] - y[1]).magnitude, y[0] + y[1])
        }
        for (places, _) in best where !isTaken[places[0]] && match[places[1]] == nil {
            pair(places[0], places[1])
        }
    }

    /// For each part, the item that has it; `nil` if several items have it.
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

    /// Pairs items of the same kind that follow the same pair, in order.
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
