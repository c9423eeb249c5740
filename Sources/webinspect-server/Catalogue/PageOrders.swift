/// What was found out about the order of pages, which takes time: it is kept until they change.
struct PageOrders {
    /// How much is kept of each kind.
    static let kept = (sorted: 2, filters: 4, results: 4)

    /// All pages; nil until they are read.
    var all: AllPages?
    /// By what is sorted last, and the keys of the pages in the order of their numbers.
    var keys: (sort: ListQuery.Sort, keys: [Int64])?
    /// All pages in other orders.
    var sorted = Recent<PageSorting, [Int32]>(PageOrders.kept.sorted)
    /// What a filter takes.
    var filters = Recent<ListFilter, IDSet>(PageOrders.kept.filters)
    /// What queries give.
    var results = Recent<ListQuery, ListResult>(PageOrders.kept.results)
    /// The list of one's own that was looked at last.
    var list: ListContents?

    /// Forgets what lists of one's own have.
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
    /// Their numbers, in the order of the names of hosts and then of URLs.
    var ids: [Int32]
    /// Where in it the pages of each host are.
    var sections: [PageSection]
    /// Their numbers, and of these the ones that people read.
    var set: IDSet
    var readable: IDSet
    /// How many entries of the cache cannot be read.
    var damaged: Int

    /// The places in ``ids`` of a section's pages.
    func range(of section: Int) -> Range<Int> { sections.range(of: section, count: ids.count) }
}

/// The pages of a host: they begin somewhere in a list, and go on to the next section.
struct PageSection {
    let host: Int32
    let start: Int32
}

extension [PageSection] {
    /// The places of a section's pages in a list of so many.
    func range(of section: Int, count: Int) -> Range<Int> {
        let start = Int(self[section].start)
        let end = section + 1 < self.count ? Int(self[section + 1].start) : count
        return start..<Swift.max(start, end)
    }
}

/// A list of one's own: its entries in its order.
struct ListContents {
    struct Entry {
        let id: Int32
        let host: Int32
        /// The page; 0 if the cache has none.
        let page: Int32
    }

    let list: Int64
    var entries: [Entry]
}

/// What was asked for last, a few of it.
struct Recent<Key: Hashable, Value> {
    private var values: [(key: Key, value: Value)] = []
    private let capacity: Int

    init(_ capacity: Int) { self.capacity = capacity }

    /// The value of a key, which is then the one that goes last.
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
