internal import WebStandards

/// The differences between two JSON documents: their values by path.
///
/// Members of objects are compared by name. Items of arrays are paired with equal items, then with items that are equal
/// except for the order of arrays in them, then with items with which only they have parts in common; so an item that
/// was inserted at the front does not change the others.
struct DataDifference {
    struct Item {
        /// The path, as in "offers[3].price", with the index in the newer document, or as in "offers[].price".
        let path: String
        let operation: PageDifference.Operation
        /// The old value as text; `nil` if the value was added.
        let old: String?
        /// The new value as text; `nil` if the value was removed.
        let new: String?
    }

    /// The differences in the order of the newer document; arrays whose items are in another order are "moved".
    private(set) var items: [Item] = []

    private let old: DataTree
    private let new: DataTree
    private let numbersItems: Bool

    /// The number of values that were visited to find common parts.
    private var printed = 0

    /// The maximum number of visits for each value: one for each array around it; arrays that are nested deeper have
    /// their items paired in order.
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

    /// Returns the differences as changes without an element.
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

    /// The similarity of two documents, from 0 to 1.
    static func likeness(_ old: JSONValue, _ new: JSONValue) -> Double {
        let (one, other) = (DataTree(old), DataTree(new))
        return Comparison.dice(one.print(of: 0), other.print(of: 0))
    }

    // MARK: - Comparing

    /// The values of both documents at the same place; `nil` if a document has no value there.
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

    /// Pairs the members of two objects by name, in the order of the newer one, followed by the removed members.
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

    /// Pairs the items of two arrays, in the order of the newer one, followed by the removed items; also returns
    /// whether the items that are in both are in another order.
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
        // Items at the same place were replaced; they do not count for `isReordered`.
        matching.pairInGaps { old[$0].kind == new[$1].kind }
        return (matching.pairs, isReordered)
    }
}
