import WebDatabase
import WebStandards

/// The contents of the cache, as readers find them.
extension Catalogue {
    /// Returns the time of each folder's last change, as of when it was read.
    ///
    /// - Throws: ``StateError``.
    func folderStamps() throws -> [String: Int64] {
        try read {
            var stamps: [String: Int64] = [:]
            let select = "SELECT name, stamp FROM folders LIMIT 10000"
            try statement(select).forEachRow { row throws(StateError) in stamps[row.text(0)] = row.number(1) }
            return stamps
        }
    }

    /// Returns the known entries of a folder, also damaged ones, each with its stamp when it was read.
    ///
    /// - Throws: ``StateError``.
    func known(folder: String) throws -> [(stem: String, stamp: String)] {
        try read {
            var known: [(stem: String, stamp: String)] = []
            for table in ["pages", "damaged"] {
                let select = "SELECT stem, stamp FROM \(table) WHERE folder = ?1 ORDER BY stem"
                try statement(select).bind(1, folder).forEachRow { row throws(StateError) in
                    guard known.count <= CatalogueSchema.largestPage else {
                        throw damaged("the entries of folders")
                    }
                    known.append((row.text(0), row.text(1)))
                }
            }
            return known
        }
    }

    /// Applies a reader's report of a folder: entries that are new or have changed, and those that are gone.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - answer: `rows` and `gone`; invalid elements are ignored.
    ///   - stamp: The time of the folder's last change, to be known at the next start.
    /// - Returns: How many entries have changed, and how many rows were ignored.
    /// - Throws: ``StateError``.
    @discardableResult
    func apply(
        folder: String,
        answer: JSONValue,
        stamp: Int64? = nil
    ) throws -> (changed: Int, skipped: Int) {
        var rows: [IndexRow] = []
        var gone: [String] = []
        var skipped = 0
        if case .array(let items)? = answer["rows"] {
            for item in items {
                if let row = IndexRow(item) { rows.append(row) } else { skipped += 1 }
            }
        }
        if case .array(let items)? = answer["gone"] {
            for item in items {
                if let stem = item.string, IndexRow.isStem(stem) { gone.append(stem) } else { skipped += 1 }
            }
        }
        return (try apply(folder: folder, rows: rows, gone: gone, stamp: stamp), skipped)
    }

    /// Applies the entries found in a folder; returns how many have changed.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the name of the folder is invalid.
    @discardableResult
    func apply(folder: String, rows: [IndexRow], gone: [String], stamp: Int64? = nil) throws -> Int {
        guard IndexRow.isStem(folder) else { throw ServeError(400, "folder.invalid", "that is no folder") }
        return try change {
            var changed = 0
            for stem in gone where try forget(folder, stem) { changed += 1 }
            for row in rows {
                switch row {
                case .page(let page): try put(page, folder)
                case .damaged(let stem, let stamp, let reason):
                    _ = try forget(folder, stem)
                    try statement("INSERT OR REPLACE INTO damaged VALUES(?1, ?2, ?3, ?4)")
                        .bind(1, folder).bind(2, stem).bind(3, stamp).bind(4, reason).run()
                }
                changed += 1
            }
            if let stamp {
                try statement("INSERT OR REPLACE INTO folders VALUES(?1, ?2)")
                    .bind(1, folder).bind(2, stamp).run()
            }
            return (changed, changed > 0 ? .pages : .nothing)
        }
    }

    // MARK: - Entries

    private func put(_ page: IndexedPage, _ folder: String) throws(StateError) {
        let host = try addHost(page.host)
        let known = try statement("SELECT id, stamp FROM pages WHERE folder = ?1 AND stem = ?2")
            .bind(1, folder).bind(2, page.stem).first { ($0.identifier(0), $0.text(1)) }
        let id: Int32
        if let known {
            guard let number = known.0 else { throw damaged("the numbers of pages") }
            id = number
            // An entry with another stamp is not the one that was removed.
            if known.1 != page.stamp { try unhide(id) }
        } else {
            try statement("DELETE FROM damaged WHERE folder = ?1 AND stem = ?2")
                .bind(1, folder).bind(2, page.stem).run()
            let largest = try statement("SELECT max(id) FROM pages").firstNumber() ?? 0
            guard (0..<Int64(CatalogueSchema.largestPage)).contains(largest) else {
                throw damaged("its numbers are used up")
            }
            id = Int32(truncatingIfNeeded: largest &+ 1)
        }
        // An entry keeps its number for as long as it exists.
        let put = """
            INSERT INTO pages(id, host, is_page, is_kept, status, bytes, received, expires, type, folder, stem, stamp, url,
            title) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT(id) DO UPDATE SET host = ?2, is_page = ?3, is_kept = ?4, status = ?5, bytes = ?6, received = ?7,
            expires = ?8, type = ?9, stamp = ?12, url = ?13, title = ?14
            """
        try statement(put)
            .bind(1, Int64(id)).bind(2, Int64(host))
            .bind(3, page.isPage ? 1 : 0).bind(4, page.isKeptForOfflineUse ? 1 : 0)
            .bind(5, page.status.map { Int64($0) }).bind(6, page.bytes.map { Int64($0) })
            .bind(7, page.received).bind(8, page.expires).bind(9, page.type)
            .bind(10, folder).bind(11, page.stem).bind(12, page.stamp).bind(13, page.url).bind(14, page.title)
            .run()
        try statement("INSERT OR REPLACE INTO texts VALUES(?1, ?2)")
            .bind(1, Int64(id)).bind(2, TextFolding.haystack(url: page.url, title: page.title)).run()
    }

    /// Removes an entry; returns false if there was none.
    private func forget(_ folder: String, _ stem: String) throws(StateError) -> Bool {
        try statement("DELETE FROM damaged WHERE folder = ?1 AND stem = ?2")
            .bind(1, folder).bind(2, stem).run()
        var isChanged = changes > 0
        let select = "SELECT id FROM pages WHERE folder = ?1 AND stem = ?2"
        if let id = try statement(select).bind(1, folder).bind(2, stem).first({ $0.number(0) }) {
            try deletePage(id)
            isChanged = true
        }
        return isChanged
    }

    /// Removes a page, by its number.
    func deletePage(_ id: Int64) throws(StateError) {
        for delete in [
            "DELETE FROM pages WHERE id = ?1", "DELETE FROM texts WHERE id = ?1",
            "DELETE FROM hidden WHERE page = ?1",
        ] {
            try statement(delete).bind(1, id).run()
        }
    }

    /// Returns a removed page to the list.
    private func unhide(_ id: Int32) throws(StateError) {
        try statement("DELETE FROM hidden WHERE page = ?1").bind(1, Int64(id)).run()
    }
}
