/// A limit on the memory and time of an inspection, so that a page made to exhaust them cannot do so.
///
/// One unit is about a byte of memory, the writing of a report included, or the time that this takes.
/// Ordinary pages stay far below, while a text under a thousand names is counted a thousand times. The budget
/// is also used up when its deadline has passed or its task was cancelled, so that loops that spend from it
/// end soon.
///
/// It belongs to one inspection on one thread.
package final class InspectionBudget {
    private var remaining: Int

    /// The number of remaining units at which the deadline and cancellation are checked next.
    private var nextCheck: Int

    /// The units left for optional parts, which may be missing where the rest is there, as the absolute URL
    /// of a link.
    private var optional: Int

    private let deadline: Double

    /// Whether it is used up.
    package private(set) var isExhausted = false

    /// Whether something was left out because the budget did not suffice.
    package private(set) var isTruncated = false

    /// Why the inspection had to end before its units were used up; nil if it had not.
    private(set) var interruption: ParsingSettings.Interruption?

    /// Units between two checks: a tenth of a millisecond.
    private static let interval = 1 << 16

    /// The units for each byte of a text that is kept and written.
    static let textFactor = 4

    /// The units for visiting a node.
    static let visit = 4

    /// - Parameters:
    ///   - units: How many there are.
    ///   - seconds: The time for all of it; nil is no limit.
    package init(units: Int, seconds: Double? = nil) {
        remaining = units
        optional = units / 2
        // The first call checks, so that a task that is cancelled does nothing.
        nextCheck = units
        deadline = seconds.map { MonotonicClock.recent + $0 } ?? .infinity
    }

    /// The budget for a report about a document, besides the document itself.
    package convenience init(_ document: Document) {
        self.init(units: Self.units(besides: document, pageSize: document.context.size))
    }

    /// A budget that ends only when its task is cancelled.
    static var unlimited: InspectionBudget { InspectionBudget(units: 1 << 60) }

    /// The units for a report about a page of so many bytes, including the writing of the report.
    ///
    /// A whole program that reports one page is to fit in 64 MiB and 40 bytes for each byte of the page: the
    /// more of that the tree takes, the less is left, but the tree counts at most as much as it is allowed by
    /// default. The program itself takes 24 MiB of it, the page twice its size, and a unit more than one byte
    /// while arrays grow.
    package static func units(besides document: Document?, pageSize size: Int) -> Int {
        let size = min(size, 1 << 40)
        let tree = min(document?.memory ?? 0, LoadLimits().treeMemory(inputSize: size))
        return (40 << 20 + 38 * size - tree) / 8 * 5
    }

    /// The units for one inspection by a program, which need not write its result.
    package static func units(ofOneInspection size: Int) -> Int { 64 << 20 + 40 * min(size, 1 << 40) }

    /// The units that are left.
    var rest: Int { max(0, remaining) }

    /// Takes units, and returns whether there were enough; once there were not, it always returns false.
    @inline(__always)
    package func spend(_ units: Int) -> Bool {
        remaining -= units
        return remaining > nextCheck || checkLimits()
    }

    /// Takes the units for an item that is kept: its own size, and that of its texts.
    @inline(__always)
    package func spend(size: Int, text: Int = 0) -> Bool {
        spend(size +| Self.textFactor *| text)
    }

    /// Takes units for an optional part; all of these get at most half of the units, and a refusal takes none.
    package func spendOptional(size: Int, text: Int = 0) -> Bool {
        let units = size +| Self.textFactor *| text
        guard units <= optional else {
            isTruncated = true
            return false
        }
        optional -= units
        return spend(units)
    }

    private func checkLimits() -> Bool {
        guard !isExhausted else { return false }
        if remaining < 0 {
            isExhausted = true
        } else if Task.isCancelled {
            interruption = .cancelled
            isExhausted = true
        } else if MonotonicClock.recent >= deadline {
            interruption = .time
            isExhausted = true
        }
        if isExhausted { isTruncated = true }
        // Once used up, `remaining` is always below the next check.
        nextCheck = isExhausted ? .largestBounded : max(-1, remaining - Self.interval)
        return !isExhausted
    }

    /// The text of all text nodes inside an element, in document order, as far as the budget suffices.
    func textContent(of element: TreeNode) -> String {
        var text: [UInt8] = []
        var walk = TreeWalk(inside: element)
        while !isExhausted, let node = walk.next() {
            let before = text.count
            node.appendText(to: &text)
            guard spend(Self.visit + text.count - before) else { break }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many nodes are inside an element, as far as there are units for them.
    func nodes(inside element: TreeNode) -> Int {
        guard !isExhausted else { return 1 }
        let limit = 1 + rest / Self.visit
        var count = 1
        var walk = TreeWalk(inside: element)
        while count <= limit, walk.next() != nil { count += 1 }
        return count
    }
}
