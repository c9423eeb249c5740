import WebDatabase
import WebStandards

/// Which pages a filter takes.
extension Catalogue {
    /// The pages that a filter takes; nil for all.
    func pages(matching filter: ListFilter) throws(StateError) -> IDSet? {
        guard !filter.isEmpty else { return nil }
        if let known = orders.filters.value(of: filter) { return known }
        let all = try allPages()
        var set = all.set
        if !filter.hosts.isEmpty { try keep(&set, hosts: filter, all) }
        if !filter.responses.isEmpty { try keep(&set, responses: filter) }
        if !filter.texts.isEmpty { try keep(&set, texts: filter) }
        orders.filters.insert(set, for: filter)
        return set
    }

    private func keep(_ set: inout IDSet, hosts filter: ListFilter, _ all: AllPages) throws(StateError) {
        var taken: Set<Int32> = []
        try forEachHostByName { host, row throws(StateError) in
            if filter.agrees(host: row.text(1)) { taken.insert(host) }
        }
        for (index, section) in all.sections.enumerated() where !taken.contains(section.host) {
            for id in all.ids[all.range(of: index)] { set.remove(id) }
        }
    }

    private func keep(_ set: inout IDSet, responses filter: ListFilter) throws(StateError) {
        let select = "SELECT id, status, type FROM pages ORDER BY id"
        try keep(&set, statement(select)) { row in
            let status = row.optionalNumber(1).map { Int(bounded: $0) }
            return filter.agrees(status: status, type: row.optionalText(2))
        }
    }

    private func keep(_ set: inout IDSet, texts filter: ListFilter) throws(StateError) {
        try keep(&set, statement("SELECT id, text FROM texts ORDER BY id")) { row in
            unsafe row.look(at: 1) { unsafe filter.agrees($0) }
        }
    }

    /// Takes out of a set what `isTaken` does not take, and what is in no row.
    private func keep(
        _ set: inout IDSet,
        _ select: Statement,
        where isTaken: (Statement) -> Bool
    ) throws(StateError) {
        let before = set
        set.removeAll()
        var last: Int32 = 0
        try select.forEachRow { row throws(StateError) in
            guard let id = row.identifier(0), id > last else { throw damaged("the numbers of pages") }
            last = id
            if before.contains(id), isTaken(row) { set.insert(id) }
        }
    }
}
