import WebDatabase
import WebStandards

/// All pages, in their order.
extension Catalogue {
    /// Returns all pages that are not removed, by host and URL.
    func allPages() throws(StateError) -> AllPages {
        if let all = orders.all { return all }
        let all = try readPages()
        orders.all = all
        return all
    }

    private func readPages() throws(StateError) -> AllPages {
        let largest = try statement("SELECT max(id) FROM pages").firstNumber() ?? 0
        guard (0...Int64(CatalogueSchema.largestPage)).contains(largest) else {
            throw damaged("a page has the number \(largest)")
        }
        var hidden = IDSet(through: Int(bounded: largest))
        // Each page is added once, so that a file with cycles ends the reading.
        var seen = hidden
        var readable = hidden
        var last: Int32 = 0
        try statement("SELECT page FROM hidden ORDER BY page").forEachRow { row throws(StateError) in
            guard let id = row.identifier(0), id > last else { throw damaged("what is hidden") }
            last = id
            hidden.insert(id)
        }
        var set = hidden
        set.removeAll()
        var ids: [Int32] = []
        var sections: [PageSection] = []
        // The index covers the query, and is in this order.
        let select = "SELECT id, host, is_page FROM pages INDEXED BY pages_by_url ORDER BY host, url"
        try statement(select).forEachRow { row throws(StateError) in
            guard let id = row.identifier(0), let host = row.identifier(1), seen.insert(id) else {
                throw damaged("the order of pages")
            }
            guard !hidden.contains(id) else { return }
            let last = sections.last?.host ?? 0
            if host != last {
                guard host > last else { throw damaged("the order of hosts") }
                sections.append(PageSection(host: host, start: Int32(truncatingIfNeeded: ids.count)))
            }
            ids.append(id)
            set.insert(id)
            if row.number(2) != 0 { readable.insert(id) }
        }
        let (ordered, places) = try byName(ids, sections)
        let unreadable = try statement("SELECT count(*) FROM damaged").firstNumber() ?? 0
        return AllPages(
            ids: ordered,
            sections: places,
            set: set,
            readable: readable,
            damaged: Int(bounded: unreadable)
        )
    }

    /// Reorders sections from the order of their hosts' numbers to that of their names.
    private func byName(
        _ ids: [Int32],
        _ sections: [PageSection]
    ) throws(StateError) -> ([Int32], [PageSection]) {
        var ordered: [Int32] = []
        ordered.reserveCapacity(ids.count)
        var places: [PageSection] = []
        places.reserveCapacity(sections.count)
        try forEachHostByName { host, _ throws(StateError) in
            guard let index = Self.index(of: host, in: sections) else { return }
            guard places.count < sections.count else { throw damaged("the names of hosts") }
            places.append(PageSection(host: host, start: Int32(truncatingIfNeeded: ordered.count)))
            ordered += ids[sections.range(of: index, count: ids.count)]
        }
        guard ordered.count == ids.count else { throw damaged("a host has no name") }
        return (ordered, places)
    }

    /// Calls `body` with the number of each host, in the order of their names.
    func forEachHostByName(
        _ body: (Int32, Statement) throws(StateError) -> Void
    ) throws(StateError) {
        let select = "SELECT id, name FROM hosts ORDER BY name"
        var count = 0
        try statement(select).forEachRow { row throws(StateError) in
            count += 1
            guard count <= CatalogueSchema.largestPage else { throw damaged("the names of hosts") }
            if let host = row.identifier(0) { try body(host, row) }
        }
    }

    private static func index(of host: Int32, in sections: [PageSection]) -> Int? {
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].host < host { low = middle + 1 } else { high = middle }
        }
        return low < sections.count && sections[low].host == host ? low : nil
    }

    // MARK: - Other orders

    /// Returns all pages in an order; those without a value to sort by are last, and equal ones by host and URL.
    func pages(_ sorting: PageSorting) throws(StateError) -> [Int32] {
        let all = try allPages()
        if sorting.sort == .url, !sorting.isDescending { return all.ids }
        if let known = orders.sorted.value(of: sorting) { return known }
        let ranges =
            sorting.isGrouped ? all.sections.indices.map { all.range(of: $0) } : [0..<all.ids.count]
        var sorted = all.ids
        if sorting.sort == .url {
            for range in ranges { sorted[range].reverse() }
        } else {
            let keys = try keys(sorting.sort)
            let places = IDSet.Places(all.set)
            var slots = all.ids.enumerated().map { place, id in
                SortedSlot(places.place(of: id).map { keys[$0] }, place, sorting.isDescending)
            }
            for range in ranges { slots[range].sort() }
            for (index, slot) in slots.enumerated() { sorted[index] = all.ids[Int(slot.place)] }
        }
        orders.sorted.insert(sorted, for: sorting)
        return sorted
    }

    /// Returns the sort keys of the pages, in the order of their numbers: larger keys come later, pages without a
    /// value have the largest key.
    func keys(_ sort: ListQuery.Sort) throws(StateError) -> [Int64] {
        if let known = orders.keys, known.sort == sort { return known.keys }
        let all = try allPages()
        let places = IDSet.Places(all.set)
        var keys = [Int64](repeating: .max, count: places.count)
        switch sort {
        case .url:
            for (index, id) in all.ids.enumerated() {
                if let place = places.place(of: id) { keys[place] = Int64(index) }
            }
        case .title: try readTitles(places, &keys)
        case .date: try readKeys("received", places, &keys)
        case .bytes: try readKeys("bytes", places, &keys)
        case .status: try readKeys("status", places, &keys)
        }
        orders.keys = (sort, keys)
        return keys
    }

    private func readKeys(
        _ column: String,
        _ places: IDSet.Places,
        _ keys: inout [Int64]
    ) throws(StateError) {
        var last: Int32 = 0
        // By their numbers, as they are on the disk.
        try statement("SELECT id, \(column) FROM pages ORDER BY id").forEachRow { row throws(StateError) in
            guard let id = row.identifier(0), id > last else { throw damaged("the numbers of pages") }
            last = id
            guard let place = places.place(of: id), let number = row.optionalNumber(1) else { return }
            keys[place] = min(number, .max &- 1)
        }
    }

    /// Equal titles have equal keys.
    private func readTitles(_ places: IDSet.Places, _ keys: inout [Int64]) throws(StateError) {
        var rank: Int64 = 0
        var last: [UInt8] = []
        var count = 0
        let select = "SELECT id, substr(text, instr(text, char(10)) + 1) AS title FROM texts ORDER BY title"
        try statement(select).forEachRow { row throws(StateError) in
            count += 1
            guard count <= CatalogueSchema.largestPage, let id = row.identifier(0) else {
                throw damaged("the titles of pages")
            }
            let isEqual = unsafe row.look(at: 1) { title in
                if unsafe title.elementsEqual(last) { return true }
                last = unsafe Array(title)
                return false
            }
            if !isEqual { rank &+= 1 }
            if let place = places.place(of: id), !last.isEmpty { keys[place] = rank }
        }
    }
}

/// A page to be sorted: by its key, then by its place.
private struct SortedSlot: Comparable {
    let key: Int64
    let place: Int32

    init(_ key: Int64?, _ place: Int, _ isDescending: Bool) {
        let key = key ?? .max
        self.key = isDescending && key != .max ? ~key : key
        self.place = Int32(truncatingIfNeeded: place)
    }

    static func < (left: SortedSlot, right: SortedSlot) -> Bool {
        left.key != right.key ? left.key < right.key : left.place < right.place
    }
}
