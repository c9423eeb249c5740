import WebLoader

/// What differs between two values of JSON: what a recipe found, or a page that is JSON.
struct DataChange: Equatable, Sendable {
    enum Operation: String, Sendable {
        case added, removed, changed, moved
    }

    /// Where it is, as in "items[3].price"; empty for all of it.
    let path: String
    let operation: Operation
    /// Nil for what was added.
    let old: JSONValue?
    /// Nil for what was removed.
    let new: JSONValue?

    /// A value as it is shown in a line.
    private static func shown(_ value: JSONValue?, _ length: Int) -> String {
        let bytes = value?.serialized(sortingNames: false) ?? []
        guard bytes.count > length else { return String(decoding: bytes, as: UTF8.self) }
        var cut = bytes[..<length]
        // A character is not cut in two.
        while let last = cut.last, last & 0xC0 == 0x80 { cut.removeLast() }
        if let last = cut.last, last >= 0xC0 { cut.removeLast() }
        return String(decoding: cut, as: UTF8.self) + "…"
    }

    var json: JSONValue {
        let summary =
            switch operation {
            case .changed: "\(Self.shown(old, 100)) -> \(Self.shown(new, 100))"
            case .moved: "the order of its items"
            case .added, .removed: Self.shown(old ?? new, 100)
            }
        let name = path.isEmpty ? "data" : path
        return .object([
            .init("kind", "data"), .init("op", .string(operation.rawValue)), .init("path", .string(path)),
            .init("old", JSONValue(old.map { Self.shown($0, 4096) })),
            .init("new", JSONValue(new.map { Self.shown($0, 4096) })),
            .init("summary", .string("\(name) \(operation.rawValue): \(summary)")),
        ])
    }

    // MARK: - Comparing

    /// The changes that lead from one value to another, in the order of the new one.
    ///
    /// Of lists that differ, what is equal at their beginnings and ends is left out. Between those, items are compared one by one if
    /// there are as many; otherwise by how often each is there.
    ///
    /// Complexity: O(n) in their sizes, for each level.
    static func changes(from old: JSONValue, to new: JSONValue) -> [DataChange] {
        var changes: [DataChange] = []
        var rest: [(path: String, old: JSONValue?, new: JSONValue?)] = [("", old, new)]
        while let (path, old, new) = rest.popLast() {
            guard let old, let new else {
                let operation = old == nil ? Operation.added : .removed
                changes.append(DataChange(path: path, operation: operation, old: old, new: new))
                continue
            }
            guard old != new else { continue }
            switch (old, new) {
            case (.object(let before), .object(let after)):
                rest += members(path, before, after).reversed()
            case (.array(let before), .array(let after)):
                guard counts(before) != counts(after) || before.count != after.count else {
                    changes.append(DataChange(path: path, operation: .moved, old: old, new: new))
                    continue
                }
                rest += items(path, before, after).reversed()
            default: changes.append(DataChange(path: path, operation: .changed, old: old, new: new))
            }
        }
        return changes
    }

    private typealias Pair = (path: String, old: JSONValue?, new: JSONValue?)

    private static func members(
        _ path: String,
        _ old: [JSONValue.Member],
        _ new: [JSONValue.Member]
    ) -> [Pair] {
        let before = Dictionary(old.map { ($0.name, $0.value) }) { $1 }
        let after = Dictionary(new.map { ($0.name, $0.value) }) { $1 }
        var seen: Set<String> = []
        return (new + old).filter { seen.insert($0.name).inserted }.map { member in
            let name = path.isEmpty ? member.name : "\(path).\(member.name)"
            return (name, before[member.name], after[member.name])
        }
    }

    private static func counts(_ items: [JSONValue]) -> [JSONValue: Int] {
        items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func items(_ path: String, _ old: [JSONValue], _ new: [JSONValue]) -> [Pair] {
        let shorter = min(old.count, new.count)
        var first = 0
        while first < shorter, old[first] == new[first] { first += 1 }
        var last = 0
        while last < shorter - first, old[old.count - 1 - last] == new[new.count - 1 - last] { last += 1 }
        let (before, after) = (first..<(old.count - last), first..<(new.count - last))
        if before.count == after.count {
            return before.map { ("\(path)[\($0)]", old[$0], new[$0]) }
        }
        var (missing, surplus) = (counts(Array(new[after])), counts(Array(old[before])))
        var pairs: [Pair] = []
        for index in after {
            if let count = surplus[new[index]], count > 0 {
                surplus[new[index]] = count - 1
            } else {
                pairs.append(("\(path)[\(index)]", nil, new[index]))
            }
        }
        for index in before {
            if let count = missing[old[index]], count > 0 {
                missing[old[index]] = count - 1
            } else {
                pairs.append(("\(path)[\(index)]", old[index], nil))
            }
        }
        return pairs
    }
}
