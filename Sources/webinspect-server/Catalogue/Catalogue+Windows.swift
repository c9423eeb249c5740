import WebDatabase
import WebStandards

/// The windows of the list that the app shows: some rows at a time.
extension Catalogue {
    /// The maximum number of rows that are returned at once.
    static let largestWindow = 1000
    /// The maximum number of URLs in one request.
    static let mostURLs = 10_000

    /// Returns some rows of a list.
    ///
    /// - Parameters:
    ///   - query: The list.
    ///   - from: The first row.
    ///   - count: How many rows, at most 1,000.
    /// - Returns: The rows, fewer if the list ends.
    /// - Throws: ``StateError``; ``ServeError`` if the filter is too long or the list is unknown.
    func window(_ query: ListQuery, from: Int, count: Int) throws -> ListWindow {
        let filter = try ListFilter(query.filter)
        return try read {
            let result = try result(query, filter)
            let folds = try foldedSections()
            let total = result.total(folds)
            let start = min(max(0, from), total)
            let end = start + min(max(0, count), Self.largestWindow)
            var rows: [ListRow] = []
            for row in result.rows(start..<min(end, total), folds) { rows.append(try shown(row, query)) }
            return ListWindow(
                version: version,
                total: total,
                pages: result.ids.count,
                hosts: result.hosts,
                from: start,
                rows: rows,
                damaged: try allPages().damaged
            )
        }
    }

    /// Returns the row of a URL in a list; `nil` if the URL is not in it, or in a closed section.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the filter is too long or the list is unknown.
    func position(of url: String, in query: ListQuery) throws -> Int? {
        let filter = try ListFilter(query.filter)
        guard IndexRow.isURL(url) else { return nil }
        return try read {
            let result = try result(query, filter)
            guard let host = try hostID(IndexedPage.host(of: url)) else { return nil }
            var ids: Set<Int32> = []
            if let list = query.list {
                let select = "SELECT id FROM entries WHERE list = ?1 AND url = ?2"
                try statement(select).bind(1, list).bind(2, url).forEachRow { row throws(StateError) in
                    if let id = row.identifier(0) { ids.insert(id) }
                }
            } else {
                let select = "SELECT id FROM pages WHERE host = ?1 AND url = ?2"
                try statement(select).bind(1, Int64(host)).bind(2, url).forEachRow { row throws(StateError) in
                    if let id = row.identifier(0) { ids.insert(id) }
                }
            }
            return ids.isEmpty ? nil : result.row(of: ids, host: host, try foldedSections())
        }
    }

    /// Returns the rows of those URLs that are in the cache, in the given order.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if there are too many URLs.
    func kept(_ urls: [String]) throws -> [PageRow] {
        try Self.checkCount(urls)
        return try read {
            var rows: [PageRow] = []
            for url in urls where IndexRow.isURL(url) {
                if let id = try page(url, host: hostID(IndexedPage.host(of: url)) ?? 0) {
                    rows.append(try page(id))
                }
            }
            return rows
        }
    }

    /// Throws if there are too many URLs for one request.
    static func checkCount(_ urls: [String]) throws(ServeError) {
        guard urls.count <= mostURLs else {
            throw ServeError(413, "limit.urls", "more than \(mostURLs) URLs at once")
        }
    }

    // MARK: - Results

    /// Returns the result of a query.
    private func result(_ query: ListQuery, _ filter: ListFilter) throws -> ListResult {
        if let known = orders.results.value(of: query) { return known }
        let result = try query.list.map { try listResult($0, query, filter) } ?? pageResult(query, filter)
        orders.results.insert(result, for: query)
        return result
    }

    private func pageResult(_ query: ListQuery, _ filter: ListFilter) throws(StateError) -> ListResult {
        let all = try allPages()
        let matching = try pages(matching: filter)
        let sort = query.sort ?? .url
        let isDescending = query.isDescending
        let order = try pages(
            PageSorting(sort: sort, isDescending: isDescending, isGrouped: query.isGrouped)
        )
        func isTaken(_ id: Int32) -> Bool {
            (query.kind == .all || all.readable.contains(id)) && matching?.contains(id) ?? true
        }
        guard query.isGrouped else {
            let hosts = all.sections.indices.count { all.ids[all.range(of: $0)].contains(where: isTaken) }
            return ListResult(ids: order.filter(isTaken), sections: nil, hosts: hosts)
        }
        var ids: [Int32] = []
        var sections: [PageSection] = []
        for (index, section) in all.sections.enumerated() {
            let start = ids.count
            for id in order[all.range(of: index)] where isTaken(id) { ids.append(id) }
            guard ids.count > start else { continue }
            sections.append(PageSection(host: section.host, start: Int32(truncatingIfNeeded: start)))
        }
        return ListResult(ids: ids, sections: sections, hosts: sections.count)
    }

    // MARK: - Rows

    private func shown(_ row: ListResult.Row, _ query: ListQuery) throws(StateError) -> ListRow {
        switch row {
        case .section(let host, let count, let isOpen):
            .section(host: try hostName(host), count: count, isOpen: isOpen)
        case .item(let id): .page(try query.list == nil ? page(id) : listedPage(id))
        }
    }

    /// Returns a page by its number.
    func page(_ id: Int32) throws(StateError) -> PageRow {
        let select = """
            SELECT hosts.name, is_page, is_kept, status, bytes, received, expires, type, url, title
            FROM pages JOIN hosts ON hosts.id = pages.host WHERE pages.id = ?1
            """
        let page = try statement(select).bind(1, Int64(id)).first { row in
            PageRow(
                url: row.text(8),
                host: row.text(0),
                title: row.optionalText(9),
                status: row.optionalNumber(3).map { Int(bounded: $0) },
                type: row.optionalText(7),
                bytes: row.optionalNumber(4).map { Int(bounded: $0) },
                received: row.optionalNumber(5),
                expires: row.optionalNumber(6),
                isPage: row.number(1) != 0,
                isStored: true,
                isKeptForOfflineUse: row.number(2) != 0
            )
        }
        guard let page else { throw damaged("page \(id) is missing") }
        return page
    }

    /// Returns the number of a URL's page that is not removed; `nil` if there is none.
    func page(_ url: String, host: Int32) throws(StateError) -> Int32? {
        let select = """
            SELECT id FROM pages WHERE host = ?1 AND url = ?2
            AND NOT EXISTS (SELECT 1 FROM hidden WHERE page = pages.id)
            """
        return try statement(select).bind(1, Int64(host)).bind(2, url).first { $0.identifier(0) } ?? nil
    }

    // MARK: - Hosts

    private func hostName(_ id: Int32) throws(StateError) -> String {
        let select = "SELECT name FROM hosts WHERE id = ?1"
        return try statement(select).bind(1, Int64(id)).first { $0.text(0) } ?? ""
    }

    /// Returns the number of a host; `nil` if no host has that name.
    func hostID(_ name: String) throws(StateError) -> Int32? {
        try statement("SELECT id FROM hosts WHERE name = ?1").bind(1, name).first { $0.identifier(0) } ?? nil
    }

    /// Returns the number of a host, which is added if it is missing.
    func addHost(_ name: String) throws(StateError) -> Int32 {
        if let known = try hostID(name) { return known }
        try statement("INSERT INTO hosts(name) VALUES(?1)").bind(1, name).run()
        guard let id = Int32(exactly: lastRowID), id > 0 else { throw damaged("the numbers of hosts") }
        return id
    }
}
