internal import WebStandards

/// What differs between two documents of JSON: their values by their paths.
///
/// Members of objects are compared by their names. Items of arrays are paired with those that are equal, then with those that are
/// equal but for an order in them, then with those with which they alone have something in common; so one that was put in front
/// changes no other.
struct DataDifference {
    struct Item {
        /// Where it is: as in "offers[3].price", the number that of the newer document, or as in "offers[].price".
        let path: String
        let operation: PageDifference.Operation
        /// The value as text; nil for what was added.
        let old: String?
        /// The same; nil for what was removed.
        let new: String?
    }

    /// The differences in the order of the newer document; arrays whose items have another order are "moved".
    private(set) var items: [Item] = []

    private let old: DataTree
    private let new: DataTree
    private let numbersItems: Bool

    /// How many values were gone through to see what they have in common.
    private var printed = 0

    /// How often each value may be: as often as there are arrays around it; those that are deeper have their items paired in order.
    private static let maximumPrinted = 32

    /// Compares two documents.
    ///
    /// Complexity: O(n log n) in their values.
    ///
    /// - Parameters:
    ///   - old: The older document.
    ///   - new: The newer one.
    ///   - numbersItems: Whether paths say which item of an array it is.
    init(_ old: JSONValue, _ new: JSONValue, numbersItems: Bool) {
        self.old = DataTree(old)
        self.new = DataTree(new)
        self.numbersItems = numbersItems
        compare()
    }

    /// The differences as changes that are of no element.
    static func changes(_ old: JSONValue, _ new: JSONValue) -> [FoundChange] {
        DataDifference(old, new, numbersItems: true).items.map { item in
            FoundChange(
                kind: .structuredData,
                operation: item.operation,
                old: FoundChange.Place(element: -1, text: item.old, order: -1),
                new: FoundChange.Place(element: -1, text: item.new, order: -1),
                name: item.path
            )
        }
    }

    /// How alike two documents are, from 0 to 1.
    static func likeness(_ old: JSONValue, _ new: JSONValue) -> Double {
        let (one, other) = (DataTree(old), DataTree(new))
        return Comparison.dice(one.print(of: 0), other.print(of: 0))
    }

    // MARK: - Comparing

    /// Two values, or one, in the place of which the other document has none.
    private typealias Pair = (old: Int?, new: Int?)

    private mutating func compare() {
        var rest: [Pair] = [(0, 0)]
        while let (one, other) = rest.popLast() {
            guard let one, let other else {
                add(one == nil ? .added : .removed, one, other)
                continue
            }
            guard old[one].hash != new[other].hash else { continue }
            switch (old[one].value, new[other].value) {
            case (.object, .object): rest += members(one, other).reversed()
            case (.array, .array):
                let (pairs, isReordered) = entries(one, other)
                if isReordered { add(.moved, one, other) }
                rest += pairs.reversed()
            default: add(.changed, one, other)
            }
        }
    }

    private mutating func add(_ operation: PageDifference.Operation, _ one: Int?, _ other: Int?) {
        let path =
            other.map { new.path(of: $0, isNumbered: numbersItems) }
            ?? old.path(of: one ?? 0, isNumbered: numbersItems)
        items.append(
            Item(path: path, operation: operation, old: one.map(old.text), new: other.map(new.text))
        )
    }

    /// The members of two objects by their names, in the order of the newer one, then what is gone.
    private func members(_ one: Int, _ other: Int) -> [Pair] {
        var before: [String: [Int]] = [:]
        for child in old.children(of: one).reversed() {
            before[old[child].name ?? "", default: []].append(child)
        }
        var pairs: [Pair] = new.children(of: other).map { (before[new[$0].name ?? ""]?.popLast(), $0) }
        let paired = Set(pairs.compactMap(\.old))
        pairs += old.children(of: one).filter { !paired.contains($0) }.map { ($0, nil) }
        return pairs
    }

    /// The items of two arrays that became one another, in the order of the newer one, then what is gone; and whether those that are
    /// in both have another order.
    private mutating func entries(_ one: Int, _ other: Int) -> (pairs: [Pair], isReordered: Bool) {
        var matching = ItemMatching(old.children(of: one), new.children(of: other))
        matching.pairEnds { old[$0].hash == new[$1].hash }
        matching.pair(byKeys: { old[$0].hash }, { new[$0].hash })
        matching.pair(byKeys: { old[$0].bag }, { new[$0].bag })
        printed +|= old[one].end - one + new[other].end - other
        if printed <= Self.maximumPrinted *| (old[0].end + new[0].end) {
            matching.pair(byPrints: { old.print(of: $0) }, { new.print(of: $0) })
        }
        let isReordered = matching.isReordered
        // What stands in the same place was replaced: its own place says nothing.
        matching.pairInGaps { old[$0].kind == new[$1].kind }
        return (matching.pairs, isReordered)
    }
}
