internal import WebStandards

/// A JSON document as an array of its values, each with hashes.
struct DataTree {
    enum Kind {
        case object, array, plain
    }

    struct Node {
        let value: JSONValue
        /// The index of the value that contains it; -1 for the document itself.
        let parent: Int
        /// The member's name; nil for an item of an array.
        let name: String?
        /// The index in its array, from 0.
        let place: Int
        /// The index of the first value after this one and its contents.
        var end = 0
        /// A hash that is equal for equal values; the order of members does not count.
        var hash = 0
        /// A hash for which the order of items does not count either.
        var bag = 0

        var kind: Kind {
            switch value {
            case .object: .object
            case .array: .array
            default: .plain
            }
        }
    }

    /// The values, each before its contents.
    private var nodes: [Node] = []

    subscript(index: Int) -> Node { nodes[index] }

    /// Complexity: O(n).
    init(_ document: JSONValue) {
        var rest = [Node(value: document, parent: -1, name: nil, place: 0)]
        while let node = rest.popLast() {
            let own = nodes.count
            nodes.append(node)
            switch node.value {
            case .object(let members):
                for member in members.reversed() {
                    rest.append(Node(value: member.value, parent: own, name: member.name, place: 0))
                }
            case .array(let items):
                for (place, item) in items.enumerated().reversed() {
                    rest.append(Node(value: item, parent: own, name: nil, place: place))
                }
            default: break
            }
        }
        // In reverse order, so that the contents of a value are finished before it.
        for index in nodes.indices.reversed() { finish(index) }
    }

    /// Completes a value's hashes, to which its contents have been added, and adds them to those of its parent.
    private mutating func finish(_ index: Int) {
        nodes[index].end = max(nodes[index].end, index + 1)
        let node = nodes[index]
        let (hash, bag): (Int, Int)
        switch node.value {
        case .object(let members):
            hash = Self.hash(0, members.count, node.hash)
            bag = Self.hash(0, members.count, node.bag)
        case .array(let items):
            hash = Self.hash(1, items.count, node.hash)
            bag = Self.hash(1, items.count, node.bag)
        default:
            hash = Self.hash(2, 0, node.value.hashValue)
            bag = hash
        }
        (nodes[index].hash, nodes[index].bag) = (hash, bag)
        guard node.parent >= 0 else { return }
        nodes[node.parent].end = max(nodes[node.parent].end, node.end)
        if let name = node.name {
            nodes[node.parent].hash &+= Self.hash(name, hash)
            nodes[node.parent].bag &+= Self.hash(name, bag)
        } else {
            nodes[node.parent].hash = Self.hash(3, nodes[node.parent].hash, hash)
            nodes[node.parent].bag &+= Self.hash(3, 0, bag)
        }
    }

    private static func hash(_ kind: Int, _ one: Int, _ other: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(one)
        hasher.combine(other)
        return hasher.finalize()
    }

    private static func hash(_ name: String, _ value: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(value)
        return hasher.finalize()
    }

    /// The values in an object or array, in order.
    func children(of index: Int) -> [Int] {
        var children: [Int] = []
        var next = index + 1
        while next < nodes[index].end {
            children.append(next)
            next = nodes[next].end
        }
        return children
    }

    /// The fingerprint of an object or array, as sorted hashes; empty for any other value.
    ///
    /// The hashes are those of the values in it that have no members or items, with their paths.
    func print(of index: Int) -> [Int] {
        guard nodes[index].kind != .plain else { return [] }
        var paths = [0]
        var print: [Int] = []
        for next in (index + 1)..<max(index + 1, nodes[index].end) {
            let node = nodes[next]
            let path = Self.hash(node.name ?? "", paths[node.parent - index])
            paths.append(path)
            if node.end == next + 1 { print.append(Self.hash(4, path, node.hash)) }
        }
        return print.sorted()
    }

    /// A value as it is shown: a string without quotes, anything else as JSON.
    func text(_ index: Int) -> String {
        if case .string(let text) = nodes[index].value { return text }
        return String(decoding: nodes[index].value.serialized(sortingNames: false), as: UTF8.self)
    }

    /// A value's path as people write it, empty for the document itself; of a long path only its end.
    ///
    /// - Parameters:
    ///   - index: The value.
    ///   - isNumbered: Whether the path contains the indices of array items.
    /// - Returns: The path.
    func path(of index: Int, isNumbered: Bool) -> String {
        var parts: [String] = []
        var (index, length) = (index, 0)
        while nodes[index].parent >= 0, length < 500 {
            let part = nodes[index].name.map { ".\($0)" } ?? (isNumbered ? "[\(nodes[index].place)]" : "[]")
            length += part.utf8.count
            parts.append(part)
            index = nodes[index].parent
        }
        let text = parts.reversed().joined()
        return nodes[index].parent >= 0 ? "…" + text : text.hasPrefix(".") ? String(text.dropFirst()) : text
    }
}
