/// A set of the integers below a bound that counts and finds its members by rank, each in O(log *n*).
///
/// It is a binary indexed tree over the members' counts.
struct CountingTree {
    private var sums: [Int]
    private let bound: Int

    /// An empty set of integers below `count`.
    init(count: Int) {
        bound = count
        sums = [Int](repeating: 0, count: count + 1)
    }

    /// The set of all integers below `count`.
    init(filled count: Int) {
        bound = count
        sums = (0...count).map { $0 & (0 &- $0) }
    }

    /// Adds a member that is not in the set.
    mutating func insert(_ member: Int) {
        add(1, at: member)
    }

    /// The number of members below an integer.
    func count(before integer: Int) -> Int {
        var total = 0
        var index = integer
        while index > 0 {
            total += sums[index]
            index &= index - 1
        }
        return total
    }

    /// Removes and returns the member that has `rank` members below it.
    mutating func removeElement(at rank: Int) -> Int {
        var index = 0
        var remaining = rank
        var step = 1
        while step <= bound / 2 { step *= 2 }
        while step > 0 {
            let next = index + step
            if next <= bound, sums[next] <= remaining {
                index = next
                remaining -= sums[next]
            }
            step /= 2
        }
        add(-1, at: index)
        return index
    }

    private mutating func add(_ amount: Int, at member: Int) {
        var index = member + 1
        while index <= bound {
            sums[index] += amount
            index += index & (0 &- index)
        }
    }
}
