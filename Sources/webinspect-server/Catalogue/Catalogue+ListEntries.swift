import WebDatabase
import WebStandards

/// The URLs of the user's lists: adding, moving and removing them.
///
/// An entry has a position, a number with a gap on both sides: moving an entry changes that one alone, until there is
/// no gap.
extension Catalogue {
    /// The gap between two entries, and the furthest position.
    private static let room = (between: 1 << 20, end: 1 << 50)

    /// Adds URLs to a list, in the given order.
    ///
    /// URLs that are already in the list are moved if `before` is given, and stay where they are if not.
    ///
    /// - Parameters:
    ///   - id: The list.
    ///   - urls: The URLs.
    ///   - before: The URL before which they are inserted; at the end if it is `nil`, or not in the list.
    /// - Throws: ``StateError``; ``ServeError`` if the list is unknown, a URL is invalid, or there are too many.
    func addToList(_ id: Int64, urls: [String], before: String?) throws {
        try Self.checkCount(urls)
        var seen: Set<String> = []
        let urls = urls.filter { seen.insert($0).inserted }
        for url in urls {
            guard IndexRow.isURL(url), (try? WebURL(url)) != nil else {
                throw ServeError(400, "url.invalid", "\(url.shortened) is no URL")
            }
        }
        try change {
            try checkList(id)
            var placed: [(url: String, entry: Int64?)] = []
            for url in urls {
                let entry = try entry(of: url, in: id)
                if entry == nil || before != nil { placed.append((url, entry)) }
            }
            let count = "SELECT count(*) FROM entries WHERE list = ?1"
            let known = try statement(count).bind(1, id).firstNumber() ?? 0
            guard Int(bounded: known) + placed.count(where: { $0.entry == nil }) <= Self.mostLists.urls else {
                throw ServeError(413, "limit.list", "a list has at most \(Self.mostLists.urls) URLs")
            }
            try place(placed, in: id, before: before)
            return ((), placed.isEmpty ? .nothing : .lists)
        }
    }

    /// Removes URLs from a list; those that are not in it are ignored.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the list is unknown, or there are too many URLs.
    func takeFromList(_ id: Int64, urls: [String]) throws {
        try Self.checkCount(urls)
        try change {
            try checkList(id)
            var count = 0
            for url in urls {
                let delete = "DELETE FROM entries WHERE list = ?1 AND url = ?2"
                try statement(delete).bind(1, id).bind(2, url).run()
                count += changes
            }
            try countEntries(id)
            return ((), count > 0 ? .lists : .nothing)
        }
    }

    /// Moves a URL of a list before another one, or to the end if that is `nil`.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the list is unknown, or the URL is not in it.
    func moveInList(_ id: Int64, url: String, before: String?) throws {
        try change {
            try checkList(id)
            guard let entry = try entry(of: url, in: id) else {
                throw ServeError(404, "url.unknown", "the list has no such URL")
            }
            try place([(url, entry)], in: id, before: before)
            return ((), .lists)
        }
    }

    // MARK: - Positions

    private func entry(of url: String, in list: Int64) throws(StateError) -> Int64? {
        let select = "SELECT id FROM entries WHERE list = ?1 AND url = ?2"
        return try statement(select).bind(1, list).bind(2, url).firstNumber()
    }

    private func place(
        _ entries: [(url: String, entry: Int64?)],
        in list: Int64,
        before: String?
    ) throws(StateError) {
        guard !entries.isEmpty else { return }
        let moved = Set(entries.compactMap(\.entry))
        var positions = try positions(entries.count, in: list, before: before, moved)
        if positions == nil {
            try makeRoom(list)
            positions = try self.positions(entries.count, in: list, before: before, moved)
        }
        guard let positions else { throw damaged("the positions of a list") }
        for (index, entry) in entries.enumerated() {
            let position = Int64(positions.first + index *| positions.step)
            if let id = entry.entry {
                try statement("UPDATE entries SET position = ?2 WHERE id = ?1")
                    .bind(1, id).bind(2, position).run()
            } else {
                try statement("INSERT INTO entries(list, position, host, url) VALUES(?1, ?2, ?3, ?4)")
                    .bind(1, list).bind(2, position)
                    .bind(3, Int64(addHost(IndexedPage.host(of: entry.url)))).bind(4, entry.url).run()
            }
        }
        try countEntries(list)
    }

    /// Returns positions for a number of entries before a URL; `nil` if there is no room.
    private func positions(
        _ count: Int,
        in list: Int64,
        before: String?,
        _ moved: Set<Int64>
    ) throws(StateError) -> (first: Int, step: Int)? {
        let last = "SELECT max(position) FROM entries WHERE list = ?1"
        let between = Self.room.between
        guard let before, let next = try position(of: before, in: list, moved) else {
            let end = try statement(last).bind(1, list).firstNumber().map { Int(bounded: $0) } ?? 0
            let first = end + between
            return Self.isInside(end) && Self.isInside(first + count *| between) ? (first, between) : nil
        }
        let lower = try statement(last + " AND position < ?2").bind(1, list).bind(2, Int64(next))
        guard let previous = try lower.firstNumber().map({ Int(bounded: $0) }) else {
            let first = next - count *| between
            return Self.isInside(next) && Self.isInside(first) ? (first, between) : nil
        }
        guard Self.isInside(next), Self.isInside(previous) else { return nil }
        var step = next - previous
        var parts = 1
        while parts <= count {
            parts *= 2
            step /= 2
        }
        return step > 0 ? (previous + step, step) : nil
    }

    private static func isInside(_ position: Int) -> Bool {
        position < room.end && position > 0 -| room.end
    }

    /// Returns the position of a URL, or of the first one after it that is not moved itself; `nil` for the end.
    private func position(
        of url: String,
        in list: Int64,
        _ moved: Set<Int64>
    ) throws(StateError) -> Int? {
        let start = "SELECT position FROM entries WHERE list = ?1 AND url = ?2"
        guard let position = try statement(start).bind(1, list).bind(2, url).firstNumber() else { return nil }
        let select = """
            SELECT id, position FROM entries WHERE list = ?1 AND position >= ?2 ORDER BY position, id
            """
        let behind = try statement(select).bind(1, list).bind(2, position)
        defer { behind.reset() }
        while try behind.step() {
            if !moved.contains(behind.number(0)) { return Int(bounded: behind.number(1)) }
        }
        return nil
    }

    /// Gives all entries of a list positions with room between them.
    func makeRoom(_ list: Int64) throws(StateError) {
        var ids: [Int64] = []
        let select = "SELECT id FROM entries WHERE list = ?1 ORDER BY position, id"
        try statement(select).bind(1, list).forEachRow { row throws(StateError) in
            guard ids.count <= Self.mostLists.urls else { throw damaged("the entries of a list") }
            ids.append(row.number(0))
        }
        let update = try statement("UPDATE entries SET position = ?2 WHERE id = ?1")
        for (index, id) in ids.enumerated() {
            try update.bind(1, id).bind(2, Int64((index + 1) *| Self.room.between)).run()
        }
    }

    private func countEntries(_ list: Int64) throws(StateError) {
        let update = "UPDATE lists SET count = (SELECT count(*) FROM entries WHERE list = ?1) WHERE id = ?1"
        try statement(update).bind(1, list).run()
    }
}
