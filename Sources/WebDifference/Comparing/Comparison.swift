internal import WebDocument
internal import WebStandards

/// The comparison of two pages.
struct Comparison {
    let a: Side
    let b: Side
    let names: [String]
    let options: PageDifference.Options
    let deadline: Double

    var found: [FoundChange] = []
    /// The differences that are not changes, with the rule that hides them; empty unless `keepsHidden` is set.
    var hidden: [(rule: String, change: FoundChange)] = []
    var ignored: [String: Int] = [:]
    var isCoarse = false

    /// The remaining budget of word comparisons for gaps in which each unit is compared with each; larger gaps, and all
    /// gaps once the budget is used up, are compared within a window.
    var comparisons = 40_000_000

    /// For each item of the tree of `a`, the element of `b` that it is paired with; -1 if it is not paired.
    var newElement: [Int32]
    var oldElement: [Int32]

    /// The pairs of units that the pages show.
    var unitMatches = UnitMatches()

    init(
        _ a: Side,
        _ b: Side,
        _ names: [String],
        _ options: PageDifference.Options,
        _ deadline: Double
    ) {
        self.a = a
        self.b = b
        self.names = names
        self.options = options
        self.deadline = deadline
        newElement = Array(repeating: -1, count: a.tree.items.count)
        oldElement = Array(repeating: -1, count: b.tree.items.count)
    }

    var isLate: Bool { MonotonicClock.recent >= deadline }

    mutating func run() {
        pairFrames()
        compareFlow()
        compareResources(a.scripts, b.scripts)
        compareResources(a.styles, b.styles)
        compareMetadata()
        compareData()
        compareComments()
        compareLeftOut()
    }

    mutating func ignore(_ what: String, _ count: Int = 1) {
        if count > 0 { ignored[what, default: 0] += count }
    }

    /// Counts a difference that is not a change.
    mutating func hide(_ what: String, rule: String? = nil, _ change: FoundChange) {
        ignore(what)
        guard options.keepsHidden, hidden.count < ComparedPages.maximumHiddenCount else { return }
        hidden.append((rule ?? what, change))
    }

    // MARK: - Elements

    /// Pairs the elements that every page has.
    private mutating func pairFrames() {
        func frames(_ side: Side) -> [Int32: Int32] {
            var frames: [Int32: Int32] = [:]
            for (index, item) in side.tree.items.enumerated().prefix(100_000) where item.kind == .element {
                let index = Int32(clamping: index)
                guard side.role(index).contains(.frame), frames[item.name] == nil else { continue }
                frames[item.name] = index
            }
            return frames
        }
        let others = frames(b)
        for (name, element) in frames(a).sorted(by: { $0.value < $1.value }) {
            if let other = others[name] { pair(element, other) }
        }
    }

    /// Pairs two elements and compares their attributes; returns false if they cannot be paired.
    @discardableResult
    mutating func pair(_ x: Int32, _ y: Int32) -> Bool {
        guard x >= 0, y >= 0, newElement[Int(x)] < 0, oldElement[Int(y)] < 0,
            a.tree.items[Int(x)].kind == .element, a.tree.items[Int(x)].name == b.tree.items[Int(y)].name
        else { return false }
        newElement[Int(x)] = y
        oldElement[Int(y)] = x
        compareAttributes(x, y)
        return true
    }

    /// Pairs two elements and their ancestors, as far as those match.
    mutating func climb(_ x: Int32, _ y: Int32) {
        var (x, y) = (x, y)
        while pair(x, y) {
            x = a.tree.items[Int(x)].parent
            y = b.tree.items[Int(y)].parent
        }
    }

    // MARK: - Texts

    func text(_ side: Side, _ words: Range<Int>) -> String {
        guard let first = words.first, let last = words.last else { return "" }
        let range = side.words[first].text.lowerBound..<side.words[last].text.upperBound
        return side.string(side.text[range])
    }

    mutating func add(
        _ kind: PageDifference.Kind,
        _ operation: PageDifference.Operation,
        _ old: FoundChange.Place,
        _ new: FoundChange.Place,
        name: String = "",
        changed: (old: String, new: String)? = nil
    ) {
        found.append(
            FoundChange(kind: kind, operation: operation, old: old, new: new, name: name, changed: changed)
        )
    }

    // MARK: - Ignored elements

    /// Compares the elements that each selector excludes, to report whether it hides a difference.
    private mutating func compareLeftOut() {
        for (rule, selector) in options.ignoredSelectors.enumerated() {
            let old = a.leftOut.filter { $0.rule == rule }.map(\.element)
            let new = b.leftOut.filter { $0.rule == rule }.map(\.element)
            var aligner = Aligner(
                old: old.map(a.contentHash),
                new: new.map(b.contentHash),
                weights: Array(repeating: 1, count: old.count)
            )
            aligner.run()
            for gap in aligner.gaps() {
                for step in 0..<max(gap.old.count, gap.new.count) {
                    let x = step < gap.old.count ? old[gap.old.lowerBound + step] : nil
                    let y = step < gap.new.count ? new[gap.new.lowerBound + step] : nil
                    hide(
                        "selector",
                        rule: "selector \(selector.text)",
                        FoundChange(
                            kind: .text,
                            operation: x == nil ? .added : y == nil ? .removed : .changed,
                            old: leftOutPlace(a, x),
                            new: leftOutPlace(b, y)
                        )
                    )
                }
            }
        }
    }

    private func leftOutPlace(_ side: Side, _ element: Int32?) -> FoundChange.Place {
        guard let element else { return FoundChange.Place(element: -1, text: nil, order: -1) }
        return FoundChange.Place(element: element, text: side.contentText(element), order: element)
    }

    // MARK: - Comments

    private mutating func compareComments() {
        let gone = a.comments.reduce(0) { $0 + max(0, $1.value - (b.comments[$1.key] ?? 0)) }
        let come = b.comments.reduce(0) { $0 + max(0, $1.value - (a.comments[$1.key] ?? 0)) }
        ignore("comments", max(gone, come))
    }
}
