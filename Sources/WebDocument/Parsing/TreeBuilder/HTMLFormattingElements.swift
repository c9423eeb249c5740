/// The list of active formatting elements.
///
/// After the last marker it holds at most ``limit`` elements, far more than real pages have: beyond that the
/// earliest are dropped and counted, because the standard's algorithms take time in proportion to their
/// number.
///
/// [The list of active formatting elements](https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements)
struct HTMLFormattingElements {
    struct Entry {
        /// The element; not used in a marker.
        var node: TreeNode
        /// The number of its name; 0 for a marker.
        var atom: UInt32
        /// A hash of the name and the attributes: equal elements have equal ones.
        var signature: UInt64

        @inline(__always)
        var isMarker: Bool {
            atom == 0
        }
    }

    static let limit = 512

    var entries: [Entry] = []

    /// How many elements come after the last marker.
    private(set) var segmentCount = 0

    /// How many elements were dropped because of the limit.
    private(set) var dropped = 0

    mutating func pushMarker(_ node: TreeNode) {
        entries.append(Entry(node: node, atom: 0, signature: 0))
        segmentCount = 0
    }

    /// Appends an element, by the Noah's Ark clause: if there are three equal ones, the earliest is removed
    /// first.
    mutating func push(_ entry: Entry, areEqual: (TreeNode, TreeNode) -> Bool) {
        var equals = 0
        var index = entries.count - 1
        while index >= 0, !entries[index].isMarker {
            if entries[index].signature == entry.signature, entries[index].atom == entry.atom,
                areEqual(entries[index].node, entry.node)
            {
                equals += 1
                if equals == 3 {
                    remove(at: index)
                    break
                }
            }
            index -= 1
        }
        if segmentCount == Self.limit {
            remove(at: entries.count - segmentCount)
            dropped += 1
        }
        entries.append(entry)
        segmentCount += 1
    }

    /// Removes an element that comes after the last marker.
    mutating func remove(at index: Int) {
        entries.remove(at: index)
        if index >= entries.count + 1 - segmentCount { segmentCount -= 1 }
    }

    /// Inserts an element after the last marker.
    mutating func insert(_ entry: Entry, at index: Int) {
        entries.insert(entry, at: index)
        segmentCount += 1
    }

    /// [Clear the list of active formatting elements up to the last marker](https://html.spec.whatwg.org/multipage/parsing.html#clear-the-list-of-active-formatting-elements-up-to-the-last-marker).
    mutating func clearToLastMarker() {
        while let last = entries.popLast(), !last.isMarker {}
        segmentCount = 0
        var index = entries.count - 1
        while index >= 0, !entries[index].isMarker {
            segmentCount += 1
            index -= 1
        }
    }

    /// The index of the last element of that name after the last marker, or nil.
    func last(atom: UInt32) -> Int? {
        var index = entries.count - 1
        while index >= 0, !entries[index].isMarker {
            if entries[index].atom == atom { return index }
            index -= 1
        }
        return nil
    }

    /// The index of an element after the last marker, or nil.
    func index(of node: TreeNode) -> Int? {
        var index = entries.count - 1
        while index >= 0, !entries[index].isMarker {
            if entries[index].node == node { return index }
            index -= 1
        }
        return nil
    }
}
