/// The cached orders of the pages, which are expensive to compute, until the pages change.
struct PageOrders {
    /// The maximum number of cached values of each kind.
    static let kept = (sorted: 2, filters: 4, results: 4)

    /// All pages; nil until they are read.
    var all: AllPages?
    /// The last used sort property, with the sort keys of the pages in the order of their numbers.
    var keys: (sort: ListQuery.Sort, keys: [Int64])?
    /// All pages in other orders.
    var sorted = Recent<PageSorting, [Int32]>(PageOrders.kept.sorted)
    /// The pages that filters match.
    var filters = Recent<ListFilter, IDSet>(PageOrders.kept.filters)
    /// The results of queries.
    var results = Recent<ListQuery, ListResult>(PageOrders.kept.results)
    /// The user's list that was read last.
    var list: ListContents?

    /// Discards what is cached of the user's lists.
    mutating func forgetLists() {
        list = nil
        results.removeAll { $0.list != nil }
    }
}

/// An order of pages.
struct PageSorting: Hashable {
    var sort: ListQuery.Sort
    var isDescending: Bool
    var isGrouped: Bool
}

/// All pages of the cache that are not removed, by host and URL.
struct AllPages {
    /// Their numbers, ordered by the names of hosts and then by URLs.
    var ids: [Int32]
    /// The positions of each host's pages in it.
    var sections: [PageSection]
    /// Their numbers, and those of the pages that people read.
    var set: IDSet
    var readable: IDSet
    /// The number of entries of the cache that cannot be read.
    var damaged: Int

    /// Returns the places in ``ids`` of a section's pages.
    func range(of section: Int) -> Range<Int> { sections.range(of: section, count: ids.count) }
}

/// The pages of a host, from a place in a list to the next section.
struct PageSection {
    let host: Int32
    let start: Int32
}

extension [PageSection] {
    /// Returns the places of a section's pages in a list with the given number of pages.
    func range(of section: Int, count: Int) -> Range<Int> {
        let start = Int(self[section].start)
        let end = section + 1 < self.count ? Int(self[section + 1].start) : count
        return start..<Swift.max(start, end)
    }
}

/// A user's list: its entries in its order.
struct ListContents {
    struct Entry {
        let id: Int32
        let host: Int32
        /// The page; 0 if it is not in the cache.
        let page: Int32
    }

    let list: Int64
    var entries: [Entry]
}

/// A cache of the most recently used values.
struct Recent<Key: Hashable, Value> {
    private var values: [(key: Key, value: Value)] = []
    private let capacity: Int

    init(_ capacity: Int) { self.capacity = capacity }

    /// Returns the value of a key, which becomes the most recently used.
    mutating func value(of key: Key) -> Value? {
        guard let index = values.firstIndex(where: { $0.key == key }) else { return nil }
        let found = values.remove(at: index)
        values.append(found)
        return found.value
    }

    mutating func insert(_ value: Value, for key: Key) {
        values.removeAll { $0.key == key }
        if values.count >= capacity { values.removeFirst() }
        values.append((key, value))
    }

    mutating func removeAll(where isGone: (Key) -> Bool) { values.removeAll { isGone($0.key) } }
}
