/// How much what is gathered from a page may take, so that a page made for it exhausts neither memory nor time.
///
/// One unit is a byte kept or a node visited. Honest pages stay far below: a page may be read through 16 times and
/// more, while items that all refer to the same part of it would have it read once for each.
struct InspectionBudget {
    private var remaining: Int

    /// Whether something was left out for want of budget.
    private(set) var isExhausted = false

    /// - Parameter size: How many bytes the page has.
    init(pageSize size: Int) {
        remaining = 8 << 20 + 16 * min(size, 1 << 40)
    }

    /// Takes units, and says whether there were as many; once there were not, there are none.
    mutating func spend(_ units: Int) -> Bool {
        guard !isExhausted, units <= remaining else {
            isExhausted = true
            return false
        }
        remaining -= units
        return true
    }

    /// The text of all text nodes inside an element, in document order, as far as the budget goes.
    mutating func textContent(of element: TreeNode) -> String {
        var text: [UInt8] = []
        var walk = TreeWalk(inside: element)
        while let node = walk.next() {
            let before = text.count
            node.appendText(to: &text)
            guard spend(1 + text.count - before) else { break }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
