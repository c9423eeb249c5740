import WebDatabase
import WebStandards

/// The results of queries for the user's lists.
extension Catalogue {
    /// Returns the entries of a list that match a query, in its order.
    func listResult(_ list: Int64, _ query: ListQuery, _ filter: ListFilter) throws -> ListResult {
        let contents = try contents(of: list)
        let taken = try entries(of: contents, matching: filter)
        var order = try sorted(contents, query).filter { taken?[$0] ?? true }
        let hosts = Set(order.map { contents.entries[$0].host })
        guard query.isGrouped else {
            return ListResult(ids: order.map { contents.entries[$0].id }, sections: nil, hosts: hosts.count)
        }
        var ranks: [Int32: Int] = [:]
        try forEachHostByName { host, _ throws(StateError) in
            if hosts.contains(host) { ranks[host] = ranks.count }
        }
        let ranked = order.enumerated().map { place, index in
            (rank: ranks[contents.entries[index].host] ?? Int(Int32.max), place: place, index: index)
        }
        order = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.index)
        var sections: [PageSection] = []
        for (place, index) in order.enumerated() where sections.last?.host != contents.entries[index].host {
            let host = contents.entries[index].host
            sections.append(PageSection(host: host, start: Int32(truncatingIfNeeded: place)))
        }
        return ListResult(
            ids: order.map { contents.entries[$0].id },
            sections: sections,
            hosts: sections.count
        )
    }

    private func contents(of list: Int64) throws -> ListContents {
        if let known = orders.list, known.list == list { return known }
        try checkList(list)
        let visible = try allPages().set
        var contents = ListContents(list: list, entries: [])
        let select = """
            SELECT id, host, (SELECT pages.id FROM pages WHERE pages.host = entries.host AND pages.url = entries.url)
            FROM entries WHERE list = ?1 ORDER BY position, id
            """
        try statement(select).bind(1, list).forEachRow { row throws(StateError) in
            guard contents.entries.count <= Self.mostLists.urls, let id = row.identifier(0),
                let host = row.identifier(1)
            else { throw damaged("the entries of a list") }
            let page = row.identifier(2).flatMap { visible.contains($0) ? $0 : nil }
            contents.entries.append(ListContents.Entry(id: id, host: host, page: page ?? 0))
        }
        orders.list = contents
        return contents
    }

    // MARK: - Filter and order

    /// Returns which entries match a filter; `nil` for all.
    private func entries(of contents: ListContents, matching filter: ListFilter) throws -> [Bool]? {
        guard let pages = try pages(matching: filter) else { return nil }
        var taken: [Bool] = []
        taken.reserveCapacity(contents.entries.count)
        let select = try statement("SELECT url FROM entries WHERE id = ?1")
        for entry in contents.entries {
            guard entry.page == 0 else {
                taken.append(pages.contains(entry.page))
                continue
            }
            // Only its URL is known.
            let url = try select.bind(1, Int64(entry.id)).first { $0.text(0) } ?? ""
            var haystack = TextFolding.haystack(url: url, title: nil)
            let isTaken =
                haystack.withUTF8 { unsafe filter.agrees($0) } && filter.agrees(status: nil, type: nil)
                && (filter.hosts.isEmpty || filter.agrees(host: IndexedPage.host(of: url)))
            taken.append(isTaken)
        }
        return taken
    }

    /// Returns the places of a list's entries in the order of a query; except by URL, those not in the cache are last.
    private func sorted(_ contents: ListContents, _ query: ListQuery) throws(StateError) -> [Int] {
        let places = Array(contents.entries.indices)
        guard let sort = query.sort else { return query.isDescending ? places.reversed() : places }
        if sort == .url {
            let order = try byURL(contents)
            return query.isDescending ? order.reversed() : order
        }
        let keys = try keys(sort)
        let pages = IDSet.Places(try allPages().set)
        let keyed = places.map { place in
            let key = pages.place(of: contents.entries[place].page).map { keys[$0] } ?? .max
            return (key: query.isDescending && key != .max ? ~key : key, place: place)
        }
        return keyed.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.place)
    }

    private func byURL(_ contents: ListContents) throws(StateError) -> [Int] {
        var places: [Int32: Int] = [:]
        for (place, entry) in contents.entries.enumerated() { places[entry.id] = place }
        var order: [Int] = []
        let select = """
            SELECT entries.id FROM entries JOIN hosts ON hosts.id = entries.host WHERE list = ?1
            ORDER BY hosts.name, url
            """
        try statement(select).bind(1, contents.list).forEachRow { row throws(StateError) in
            if let id = row.identifier(0), let place = places.removeValue(forKey: id) { order.append(place) }
        }
        guard order.count == contents.entries.count else { throw damaged("the entries of a list") }
        return order
    }

    /// Returns the row of an entry: its page, or what is known of a URL that is not in the cache.
    func listedPage(_ entry: Int32) throws(StateError) -> PageRow {
        let select = "SELECT url, host FROM entries WHERE id = ?1"
        let found = try statement(select).bind(1, Int64(entry)).first { ($0.text(0), $0.identifier(1) ?? 0) }
        guard let (url, host) = found else { throw damaged("an entry of a list is missing") }
        if let id = try page(url, host: host) { return try page(id) }
        return PageRow(url: url, host: IndexedPage.host(of: url), isPage: false, isStored: false)
    }
}
