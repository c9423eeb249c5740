/// Sets whose ranges are in order, and what can be made of them.
extension ScalarSet {
    /// The largest scalar.
    private static let last: UInt32 = 0x10FFFF

    /// Everything.
    static let any = ScalarSet(sorting: [0...last])

    /// The set of what is in any of some ranges.
    ///
    /// Complexity: O(n log n) in the ranges.
    init(sorting ranges: [ClosedRange<UInt32>]) {
        isSorted = true
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let before = self.ranges.last, range.lowerBound <= before.upperBound &+ 1 {
                let end = max(before.upperBound, range.upperBound)
                self.ranges[self.ranges.count - 1] = before.lowerBound...end
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// The scalars that are not in this set, whose ranges are in order.
    var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { gaps.append(start...(range.lowerBound &- 1)) }
            start = range.upperBound &+ 1
        }
        if start <= Self.last { gaps.append(start...Self.last) }
        return ScalarSet(ranges: gaps, isSorted: true)
    }

    /// Returns the scalars that are in both sets, whose ranges are in order.
    func intersection(_ other: ScalarSet) -> ScalarSet {
        var common: [ClosedRange<UInt32>] = []
        var (mine, its) = (0, 0)
        while mine < ranges.count, its < other.ranges.count {
            let (left, right) = (ranges[mine], other.ranges[its])
            if left.overlaps(right) { common.append(left.clamped(to: right)) }
            if left.upperBound < right.upperBound { mine += 1 } else { its += 1 }
        }
        return ScalarSet(ranges: common, isSorted: true)
    }

    /// Whether a scalar is in one of the ranges, which are in order.
    func sortedContains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }
}
