import WebDatabase
import WebStandards

/// The removal of pages: from the list at once, from the disk a little later.
extension Catalogue {
    /// How long a removal can be undone, in milliseconds.
    static let timeToUndo: Int64 = 60_000
    /// The maximum number of URLs that are returned at once for removal from the disk.
    private static let handedOutAtOnce = 1000

    /// Removes pages from the list.
    ///
    /// - Parameters:
    ///   - urls: URLs; those that are not in the cache are ignored.
    ///   - hosts: The names of hosts, all of whose entries are removed.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The identifier for ``undo(_:)``, `nil` if there was nothing to remove; the number of removed pages.
    /// - Throws: ``StateError``; ``ServeError`` if there are too many URLs or hosts.
    func remove(urls: [String], hosts: [String], now: Int64) throws -> (undo: Int64?, count: Int) {
        try Self.checkCount(urls)
        try Self.checkCount(hosts)
        return try change {
            try statement("INSERT INTO removals(removed) VALUES(?1)").bind(1, now).run()
            let id = lastRowID
            var count = 0
            let hide = "INSERT OR IGNORE INTO hidden SELECT id, ?1 FROM pages WHERE host = ?2"
            for name in hosts {
                guard let host = try hostID(name) else { continue }
                try statement(hide).bind(1, id).bind(2, Int64(host)).run()
                count += changes
            }
            for url in urls where IndexRow.isURL(url) {
                guard let host = try hostID(IndexedPage.host(of: url)) else { continue }
                try statement(hide + " AND url = ?3").bind(1, id).bind(2, Int64(host)).bind(3, url).run()
                count += changes
            }
            guard count == 0 else { return ((id, count), .pages) }
            try forgetRemoval(id)
            return ((nil, 0), .nothing)
        }
    }

    /// Restores the pages of a removal.
    ///
    /// - Parameter id: The identifier that the removal returned.
    /// - Returns: The number of restored pages.
    /// - Throws: ``StateError``; ``ServeError`` if it is too late.
    func undo(_ id: Int64) throws -> Int {
        try change {
            let select = "SELECT id FROM removals WHERE id = ?1 AND claimed IS NULL"
            guard try statement(select).bind(1, id).firstNumber() != nil else {
                throw ServeError(404, "undo.unknown", "that cannot be undone any more")
            }
            try statement("DELETE FROM hidden WHERE removal = ?1").bind(1, id).run()
            let count = changes
            try forgetRemoval(id)
            return (count, .pages)
        }
    }

    /// Returns the pages whose removal can no longer be undone, to remove them from the disk; at most 1,000 URLs.
    ///
    /// They are claimed by this process for a minute, within which ``purged(_:)`` must be called.
    ///
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The URLs, by removal.
    /// - Throws: ``StateError``.
    func due(now: Int64) throws -> [DueRemoval] {
        // Usually there is nothing to remove, and then nothing is written.
        guard try read({ try statement("SELECT id FROM removals LIMIT 1").firstNumber() }) != nil else {
            return []
        }
        return try change {
            // The clock may have been set back.
            try statement("UPDATE removals SET removed = ?1 WHERE removed > ?1").bind(1, now).run()
            try statement("UPDATE removals SET claimed = ?1 WHERE claimed > ?1").bind(1, now).run()
            let before = now -| Self.timeToUndo
            var due: [Int64] = []
            let select = """
                SELECT id FROM removals WHERE removed <= ?1 AND (claimed IS NULL OR claimed <= ?1) ORDER BY id LIMIT 100
                """
            try statement(select).bind(1, before).forEachRow { row throws(StateError) in
                due.append(row.number(0))
            }
            var removals: [DueRemoval] = []
            var left = Self.handedOutAtOnce
            for id in due where left > 0 {
                let urls = try handOut(id, left)
                left -= urls.count
                if urls.isEmpty {
                    try forgetRemoval(id)
                } else {
                    let claim = "UPDATE removals SET claimed = ?2 WHERE id = ?1"
                    try statement(claim).bind(1, id).bind(2, now).run()
                    removals.append(DueRemoval(id: id, urls: urls))
                }
            }
            return (removals, .nothing)
        }
    }

    private func handOut(_ removal: Int64, _ count: Int) throws(StateError) -> [String] {
        var urls: [String] = []
        var pages: [Int32] = []
        let select = """
            SELECT pages.id, url FROM hidden JOIN pages ON pages.id = page WHERE removal = ?1 LIMIT ?2
            """
        try statement(select).bind(1, removal).bind(2, Int64(count)).forEachRow { row throws(StateError) in
            guard let id = row.identifier(0) else { throw damaged("the numbers of pages") }
            pages.append(id)
            urls.append(row.text(1))
        }
        handedOut[removal] = pages
        return urls
    }

    /// Notes that the pages of a removal that ``due(now:)`` returned are gone from the disk.
    ///
    /// Pages that could not be removed there are found again, as their folders will be read anew.
    ///
    /// - Parameter id: The removal.
    /// - Throws: ``StateError``.
    func purged(_ id: Int64) throws {
        guard let pages = handedOut.removeValue(forKey: id) else { return }
        try change {
            let select = "SELECT page FROM hidden WHERE page = ?1 AND removal = ?2"
            for page in pages {
                // The page may have been stored again.
                let hidden = try statement(select).bind(1, Int64(page)).bind(2, id).firstNumber()
                guard hidden != nil else { continue }
                // Its folder is read again, whether the page is gone from it or not.
                try statement("DELETE FROM folders WHERE name = (SELECT folder FROM pages WHERE id = ?1)")
                    .bind(1, Int64(page)).run()
                try deletePage(Int64(page))
            }
            // The rest is due at once.
            try statement("UPDATE removals SET claimed = 0 WHERE id = ?1").bind(1, id).run()
            let rest = try statement("SELECT page FROM hidden WHERE removal = ?1 LIMIT 1").bind(1, id)
            if try rest.firstNumber() == nil { try forgetRemoval(id) }
            return ((), .nothing)
        }
    }

    private func forgetRemoval(_ id: Int64) throws(StateError) {
        try statement("DELETE FROM removals WHERE id = ?1").bind(1, id).run()
    }
}
