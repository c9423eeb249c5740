package import WebDatabase
import WebStandards

extension Frontier {
    /// The number of URLs that are added in one transaction, if there are many.
    private static let batchSize = 20_000

    /// Adds URLs that are not known yet, in order.
    ///
    /// Many URLs are added in several transactions: if the process is ended in between, adding them again has no
    /// further effect.
    ///
    /// - Parameters:
    ///   - urls: The URLs.
    ///   - parent: The row of the page that they were found on.
    ///   - now: The current time.
    /// - Returns: The number of new URLs.
    /// - Throws: ``StateError``.
    @discardableResult
    package func add(
        _ urls: some Sequence<FrontierURL>,
        parent: Int64? = nil,
        now: Moment
    ) throws(StateError) -> Int {
        var added = 0
        var batch: [FrontierURL] = []
        for url in urls {
            batch.append(url)
            guard batch.count >= Self.batchSize else { continue }
            added += try add(batch, parent, now)
            try commit()
            batch.removeAll(keepingCapacity: true)
        }
        added += try add(batch, parent, now)
        try commitIfDue(now: now)
        return added
    }

    private func add(_ batch: [FrontierURL], _ parent: Int64?, _ now: Moment) throws(StateError) -> Int {
        guard !batch.isEmpty else { return 0 }
        return try change(now: now) { () throws(StateError) in
            try insert(batch, parent: parent, now: now).count { $0.isNew }
        }
    }

    /// The row of a URL.
    struct Placement {
        /// The number of the row.
        var row: Int64 = 0
        /// Whether the URL is new.
        var isNew = false
    }

    /// Inserts URLs that are not known yet, within the open transaction; returns the row of each.
    ///
    /// Hashes are looked up and inserted in their order, since neighbours are in the same page; rows in the order of
    /// the URLs.
    func insert(_ urls: [FrontierURL], parent: Int64?, now: Moment) throws(StateError) -> [Placement] {
        let hashes = urls.map { hash.hash($0.key) }
        let order = urls.indices.sorted { (hashes[$0], $0) < (hashes[$1], $1) }
        var places = [Placement](repeating: Placement(), count: urls.count)
        // For each URL with the same key as another one, the first of these, which is inserted.
        var twins: [Int: Int] = [:]
        for (position, index) in order.enumerated() {
            for other in order[..<position].reversed() {
                guard hashes[other] == hashes[index], twins[index] == nil else { break }
                if urls[other].key == urls[index].key { twins[index] = twins[other] ?? other }
            }
            guard twins[index] == nil else { continue }
            if let row = try self.row(urls[index], hashes[index]) {
                places[index].row = row
            } else {
                places[index].isNew = true
            }
        }
        var hosts: Set<Int64> = []
        for index in urls.indices where places[index].isNew {
            let url = urls[index]
            let host = try hostID(url.host)
            let state: URLState = url.skipped == nil ? .queued : .skipped
            let insert = statements.insertURL
            try insert.bind(1, host).bind(2, Int64(state.rawValue)).bind(3, Int64(Int(bounded: url.depth)))
            try insert.bind(4, parent).bind(5, url.stored).bind(6, url.identity).bind(7, url.skipped).run()
            places[index].row = database.lastRowID
            counter.add(1, state, url.skipped)
            if state == .queued { hosts.insert(host) }
        }
        for index in order where places[index].isNew {
            try statements.insertKey.bind(1, hashes[index]).bind(2, places[index].row).run()
        }
        for (index, other) in twins { places[index].row = places[other].row }
        // In the order of discovery instead of the set's, so that runs are reproducible.
        for host in hosts.sorted() { try addWork(of: host, now: now) }
        return places
    }

    /// Returns the row of a URL with the same key, `nil` if it has none; equal hashes are verified by the text.
    private func row(_ url: FrontierURL, _ hash: Int64) throws(StateError) -> Int64? {
        var found: [Int64] = []
        try statements.key.bind(1, hash)
        while try statements.key.step() { found.append(statements.key.number(0)) }
        for row in found {
            let same = statements.sameURL
            guard try same.bind(1, row).step() else { continue }
            let other = FrontierURL(
                serialized: FrontierURL.url(same.text(1), host: same.text(0)),
                host: "",
                identity: same.optionalText(2)
            )
            same.reset()
            if other.key == url.key { return row }
        }
        return nil
    }

    /// Returns the ID of a host, after inserting it if it is new.
    func hostID(_ name: String) throws(StateError) -> Int64 {
        if let known = hostIDs[name] { return known }
        if hostIDs.count >= 4096 { hostIDs.removeAll(keepingCapacity: true) }
        let id: Int64
        if try statements.host.bind(1, name).step() {
            id = statements.host.number(0)
            statements.host.reset()
        } else {
            try statements.insertHost.bind(1, name).run()
            id = database.lastRowID
        }
        hostIDs[name] = id
        return id
    }
}
