/// How much what is gathered from a page may take, so that a page made for it exhausts neither memory nor time.
///
/// One unit is about a byte of memory, the writing of a report included, or the time that this takes. Honest pages stay
/// far below, while a text under a thousand names is counted a thousand times. Besides, the budget knows when its time
/// is up and whether its task was cancelled, and is used up then: whatever spends of it in its loops ends soon.
///
/// It belongs to one inspection on one thread.
package final class InspectionBudget {
    private var remaining: Int

    /// The remaining units at which it is asked next whether to go on.
    private var nextQuestion: Int

    /// What is left for what may be missing where the rest is there, as the absolute URL of a link.
    private var optional: Int

    private let deadline: Double

    /// Whether it is used up.
    package private(set) var isExhausted = false

    /// Whether something was left out for want of budget.
    package private(set) var isTruncated = false

    /// Why the inspection was to end before its units were used up; nil if it was not.
    private(set) var interruption: ParsingSettings.Interruption?

    /// Units between two questions: a tenth of a millisecond.
    private static let interval = 1 << 16

    /// What a byte of a text takes that is kept and written.
    static let textFactor = 4

    /// What it takes to come by a node.
    static let visit = 4

    /// - Parameters:
    ///   - units: How many there are.
    ///   - seconds: The time for all of it; nil is no limit.
    init(units: Int, seconds: Double? = nil) {
        remaining = units
        optional = units / 2
        // The first one asks, so that a task that is cancelled does nothing.
        nextQuestion = units
        deadline = seconds.map { MonotonicClock.recent + $0 } ?? .infinity
    }

    /// What may be taken besides a document.
    package convenience init(_ document: Document) {
        self.init(units: Self.units(besides: document, pageSize: document.surroundings.size))
    }

    /// A budget that only a cancelled task ends.
    static var unlimited: InspectionBudget { InspectionBudget(units: 1 << 60) }

    /// What there is for a report of a page of so many bytes, with what writing it takes.
    ///
    /// All of a program that reports one page is to fit in 64 MiB and 40 bytes for each of the page's: the more the tree has
    /// taken of that, the less is left, unless it was allowed more than it is by default. The program itself takes 24 MiB of
    /// it, the page twice its size, and a unit more than one byte while arrays grow.
    static func units(besides document: Document?, pageSize size: Int) -> Int {
        let size = min(size, 1 << 40)
        let tree = min(document?.memory ?? 0, LoadLimits().treeMemory(inputSize: size))
        return (40 << 20 + 38 * size - tree) / 8 * 5
    }

    /// What there is for one inspection by a program, which need not write it.
    static func units(ofOneInspection size: Int) -> Int { 64 << 20 + 40 * min(size, 1 << 40) }

    /// The units that are left.
    var rest: Int { max(0, remaining) }

    /// Takes units, and says whether there were as many; once there were not, there are none.
    @inline(__always)
    func spend(_ units: Int) -> Bool {
        remaining -= units
        return remaining > nextQuestion || goesOn
    }

    /// Takes what a thing that is kept takes: its own size, and that of its texts.
    @inline(__always)
    package func keep(_ size: Int, text: Int = 0) -> Bool {
        spend(size +| Self.textFactor *| text)
    }

    /// Takes what may be left out, of which no more than half of all units are made; a refusal leaves the others.
    package func keepOptional(_ size: Int, text: Int = 0) -> Bool {
        let units = size +| Self.textFactor *| text
        guard units <= optional else {
            isTruncated = true
            return false
        }
        optional -= units
        return spend(units)
    }

    private var goesOn: Bool {
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
        // Used up, it is below any question.
        nextQuestion = isExhausted ? .largestBounded : max(-1, remaining - Self.interval)
        return !isExhausted
    }

    /// The text of all text nodes inside an element, in document order, as far as the budget goes.
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
