internal import WebStandards

/// What differs between two documents of JSON: their values by their paths, in which the items of an array have no numbers.
enum DataDifference {
    struct Item {
        /// As in "offers[].price".
        let path: String
        let old: String?
        let new: String?
    }

    /// The differences, and of how many paths the values are the same in another order.
    static func items(_ old: JSONValue, _ new: JSONValue) -> (items: [Item], reordered: Int) {
        var paths = Paths()
        let (first, second) = (paths.leaves(of: old), paths.leaves(of: new))
        var items: [Item] = []
        var reordered = 0
        for path in first.order + second.order.filter({ first.values[$0] == nil }) {
            let (one, other) = (first.values[path] ?? [], second.values[path] ?? [])
            guard one != other else { continue }
            let (left, right) = surplus(one, other)
            if left.isEmpty, right.isEmpty {
                reordered += 1
                continue
            }
            let text = paths.text(path)
            for index in 0..<max(left.count, right.count) {
                items.append(
                    Item(
                        path: text,
                        old: index < left.count ? left[index] : nil,
                        new: index < right.count ? right[index] : nil
                    )
                )
            }
        }
        return (items, reordered)
    }

    /// How alike two documents are, from 0 to 1.
    static func likeness(_ old: JSONValue, _ new: JSONValue) -> Double {
        var paths = Paths()
        func hashes(_ leaves: Paths.Leaves) -> [Int] {
            leaves.values.flatMap { path, values in
                values.map { value in
                    var hasher = Hasher()
                    hasher.combine(path)
                    hasher.combine(value)
                    return hasher.finalize()
                }
            }
            .sorted()
        }
        let (one, other) = (hashes(paths.leaves(of: old)), hashes(paths.leaves(of: new)))
        return Comparison.dice(one, other)
    }

    /// What each of two lists has more often than the other, in its order.
    private static func surplus(_ old: [String], _ new: [String]) -> ([String], [String]) {
        var counts: [String: Int] = [:]
        for value in new { counts[value, default: 0] += 1 }
        var left: [String] = []
        for value in old {
            if let count = counts[value], count > 0 { counts[value] = count - 1 } else { left.append(value) }
        }
        var right: [String] = []
        for value in new.reversed() {
            guard let count = counts[value], count > 0 else { continue }
            counts[value] = count - 1
            right.append(value)
        }
        return (left, right.reversed())
    }

    /// The paths of documents as numbers: texts of them would take more than the document.
    private struct Paths {
        struct Step: Hashable {
            let parent: Int
            /// The member's name; nil for an item of an array.
            let name: String?
        }

        typealias Leaves = (order: [Int], values: [Int: [String]])

        private var steps: [Step] = []
        private var numbers: [Step: Int] = [:]

        private mutating func number(_ step: Step) -> Int {
            if let number = numbers[step] { return number }
            numbers[step] = steps.count
            steps.append(step)
            return steps.count - 1
        }

        /// The values of a document by their paths; -1 is that of the document itself.
        mutating func leaves(of document: JSONValue) -> Leaves {
            var leaves: Leaves = ([], [:])
            var todo = [(-1, document)]
            func add(_ path: Int, _ text: String) {
                if leaves.values[path] == nil { leaves.order.append(path) }
                leaves.values[path, default: []].append(text)
            }
            while let (path, value) = todo.popLast() {
                switch value {
                case .object(let members) where !members.isEmpty:
                    for member in members.reversed() {
                        todo.append((number(Step(parent: path, name: member.name)), member.value))
                    }
                case .array(let items) where !items.isEmpty:
                    let own = number(Step(parent: path, name: nil))
                    for item in items.reversed() { todo.append((own, item)) }
                case .string(let text): add(path, text)
                default: add(path, String(decoding: value.serialized(), as: UTF8.self))
                }
            }
            return leaves
        }

        /// A path as people write it; of a long one its end.
        func text(_ path: Int) -> String {
            var parts: [String] = []
            var (path, length) = (path, 0)
            while path >= 0, length < 500 {
                let part = steps[path].name.map { ".\($0)" } ?? "[]"
                length += part.utf8.count
                parts.append(part)
                path = steps[path].parent
            }
            let text = parts.reversed().joined()
            return path >= 0 ? "…" + text : text.hasPrefix(".") ? String(text.dropFirst()) : text
        }
    }
}
