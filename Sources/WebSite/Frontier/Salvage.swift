import Glibc
package import WebDatabase
import WebStandards

/// The parts of a damaged job that could be read.
package struct Salvage: Equatable, Sendable {
    /// The number of URLs that could be read, by state; leased ones count as queued.
    package var urls: [URLState: Int] = [:]
    /// The number of row numbers that could not be read, which is an upper bound for the lost URLs.
    package var lost = 0
    /// Whether the settings could be read.
    package var hasSettings = false
    /// The lengths of the outputs that could be read, by number.
    package var outputs: [Int: Int] = [:]
}

extension Frontier {
    /// Copies the readable parts of a damaged database into a new one.
    ///
    /// The damaged database is not changed, except that committed content of SQLite's WAL is moved into it, as on every
    /// opening. Rows are read one after the other; if a page cannot be read, the next readable row is searched for.
    ///
    /// - Parameters:
    ///   - path: The path of the damaged database.
    ///   - new: The path of the new database, which must not exist.
    ///   - settings: The settings of the new database, if the old ones cannot be read.
    /// - Returns: The parts that could be read.
    /// - Throws: ``StateError``; `state.damaged` if nothing can be read.
    package static func salvage(
        _ path: String,
        to new: String,
        settings: [String: String] = [:]
    ) throws(StateError) -> Salvage {
        let lock = try JobLock(path + ".lock")
        let old = try Database(path, .salvaging)
        let found = try old.value("PRAGMA application_id")?.number ?? 0
        let version = try old.value("PRAGMA user_version")?.number ?? 0
        try FrontierSchema.check(old, found, version)
        guard unsafe access(new, F_OK) != 0 else {
            throw .unwritable(new, File.Failure(errno: EEXIST))
        }
        let salvager = try Salvager(old, to: Database(new))
        let salvage = try salvager.run(settings)
        // Holds the lock up to here.
        _ = consume lock
        return salvage
    }
}

/// Copies the rows of a damaged database.
private final class Salvager {
    private let old: Database
    private let new: Database
    private var salvage = Salvage()
    /// The end of the last entry in the first output.
    private var reached = 0
    private var counter: FrontierCounter

    /// The number of rows that are copied in one transaction.
    private static let batchSize = 20_000

    init(_ old: Database, to new: Database) throws(StateError) {
        self.old = old
        self.new = new
        // The settings and the key of the hashes are replaced below.
        _ = try FrontierSchema.open(new, settings: [:], hash: KeyHash(k0: 0, k1: 0))
        counter = try FrontierCounter(new)
    }

    func run(_ settings: [String: String]) throws(StateError) -> Salvage {
        try new.execute("BEGIN IMMEDIATE")
        try new.execute("DELETE FROM job")
        let hash = try copySmallTables(settings)
        try copyHosts()
        try copyURLs(hash)
        if salvage.outputs[0] == nil, reached > 0 {
            // The end of the last entry replaces the lost length; only the hash of the tail is missing.
            try new.execute("INSERT OR REPLACE INTO outputs VALUES(0, \(reached), NULL)")
            salvage.outputs[0] = reached
        }
        try countLost()
        if salvage.lost > 0 {
            try new.execute("INSERT OR REPLACE INTO job VALUES('note.lost', '\(salvage.lost)')")
        }
        try counter.write(try FrontierStatements(new).count)
        try new.execute("COMMIT")
        return salvage
    }

    /// If the end of the file is lost, the stored counts show how many rows there were.
    private func countLost() throws(StateError) {
        var counted = 0
        try isRead("SELECT number FROM counts") { row throws(StateError) in
            counted = counted +| max(0, Int(bounded: row.number(0)))
        }
        salvage.lost = max(salvage.lost, counted - salvage.urls.values.reduce(0, +))
    }

    // MARK: - Small tables

    /// Copies settings, notes and outputs; returns the hash function, a new one if its key is lost.
    private func copySmallTables(_ known: [String: String]) throws(StateError) -> KeyHash {
        let settings = try new.prepare("INSERT OR REPLACE INTO settings VALUES(?1, ?2)")
        salvage.hasSettings = try isRead("SELECT name, value FROM settings") { row throws(StateError) in
            try settings.bind(1, row.text(0)).bind(2, row.text(1)).run()
        }
        if !salvage.hasSettings {
            for (name, value) in known { try settings.bind(1, name).bind(2, value).run() }
        }
        let job = try new.prepare("INSERT OR REPLACE INTO job VALUES(?1, ?2)")
        var words: [String: UInt64] = [:]
        try isRead("SELECT name, value FROM job WHERE name LIKE 'hash.%'") { row throws(StateError) in
            words[row.text(0)] = UInt64(bitPattern: row.number(1))
        }
        try isRead("SELECT name, value FROM job WHERE name LIKE 'note.%'") { row throws(StateError) in
            try job.bind(1, row.text(0)).bind(2, row.text(1)).run()
        }
        var random = SystemRandomNumberGenerator()
        let isKept = words["hash.0"] != nil && words["hash.1"] != nil
        let hash = KeyHash(k0: words["hash.0"] ?? random.next(), k1: words["hash.1"] ?? random.next())
        try job.bind(1, "hash.0").bind(2, Int64(bitPattern: hash.k0)).run()
        try job.bind(1, "hash.1").bind(2, Int64(bitPattern: hash.k1)).run()
        // The hash of an output's tail is useless without its key.
        let outputs = try new.prepare("INSERT OR REPLACE INTO outputs VALUES(?1, ?2, ?3)")
        try isRead("SELECT number, length, tail FROM outputs") { row throws(StateError) in
            try outputs.bind(1, row.number(0)).bind(2, row.number(1)).bind(
                3,
                isKept ? row.optionalNumber(2) : nil
            ).run()
            salvage.outputs[Int(bounded: row.number(0))] = max(0, Int(bounded: row.number(1)))
        }
        return hash
    }

    /// Calls `body` with the rows of a small table; returns whether all were read.
    @discardableResult
    private func isRead(
        _ sql: String,
        _ body: (Statement) throws(StateError) -> Void
    ) throws(StateError) -> Bool {
        guard let select = try readable({ () throws(StateError) in try old.prepare(sql) }) else {
            return false
        }
        while true {
            guard let hasRow = try readable({ () throws(StateError) in try select.step() }) else {
                return false
            }
            guard hasRow else { return true }
            try body(select)
        }
    }

    /// Returns the value of `body`; `nil` if it failed because of damage.
    private func readable<Value>(_ body: () throws(StateError) -> Value) throws(StateError) -> Value? {
        do throws(StateError) {
            return try body()
        } catch {
            guard error.code == .damaged || error.code == .unreadable else { throw error }
            return nil
        }
    }

    // MARK: - Rows

    private func copyHosts() throws(StateError) {
        let insert = try new.prepare("INSERT OR IGNORE INTO hosts(id, name, delay) VALUES(?1, ?2, ?3)")
        _ = try forEachRow("hosts", "id, name, delay") { row throws(StateError) in
            try insert.bind(1, row.number(0)).bind(2, row.text(1)).bind(3, row.optionalNumber(2)).run()
        }
    }

    private func copyURLs(_ hash: KeyHash) throws(StateError) {
        let insert = try new.prepare("INSERT INTO urls VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")
        let key = try new.prepare("INSERT INTO keys VALUES(?1, ?2)")
        let host = try new.prepare("SELECT name FROM hosts WHERE id = ?1")
        var count = 0
        let columns =
            "id, host, state, turn, tries, depth, parent, text, identity, reason, result, place, size"
        salvage.lost = try forEachRow("urls", columns) { row throws(StateError) in
            guard let state = URLState(rawValue: Int(bounded: row.number(2))), state != .leased else {
                return
            }
            let stored = row.text(7)
            let isNamed = try host.bind(1, row.number(1)).step()
            let name = isNamed ? host.text(0) : ""
            if isNamed { host.reset() }
            // If the host is lost, only the path of its URLs is known.
            let isWhole = isNamed || !(stored.hasPrefix("/") || stored.hasPrefix(":/"))
            guard isWhole, isNamed || row.number(1) > 0 else { return }
            if !isNamed {
                try new.execute(
                    "INSERT OR IGNORE INTO hosts(id, name) VALUES(\(row.number(1)), '?\(row.number(1))')"
                )
            }
            for column in [0, 1, 2, 3, 4, 5] as [Int32] { try insert.bind(column &+ 1, row.number(column)) }
            try insert.bind(7, row.optionalNumber(6)).bind(8, stored).bind(9, row.optionalText(8))
            try insert.bind(10, row.optionalText(9)).bind(11, row.optionalBytes(10)).bind(
                12,
                row.optionalNumber(11)
            )
            try insert.bind(13, row.optionalNumber(12)).run()
            reached = max(reached, Int(bounded: row.number(11) +| row.number(12)))
            let url = FrontierURL(
                serialized: FrontierURL.url(stored, host: name),
                host: name,
                identity: row.optionalText(8)
            )
            try key.bind(1, hash.hash(url.key)).bind(2, row.number(0)).run()
            counter.add(1, state, row.optionalText(9).flatMap { state == .queued ? nil : $0 })
            salvage.urls[state, default: 0] += 1
            count += 1
            if count.isMultiple(of: Self.batchSize) {
                // Keeps the WAL small; an unfinished new database has no counts, and is removed.
                try new.execute("COMMIT")
                try new.execute("BEGIN IMMEDIATE")
            }
        }
    }

    /// Calls `body` with each readable row of a table, in the order of their numbers; returns how many numbers were
    /// unreadable.
    private func forEachRow(
        _ table: String,
        _ columns: String,
        _ body: (Statement) throws(StateError) -> Void
    ) throws(StateError) -> Int {
        let sql = "SELECT \(columns) FROM \(table) WHERE id > ?1 ORDER BY id"
        guard let select = try readable({ () throws(StateError) in try old.prepare(sql) }) else { return 0 }
        // The last row number. It is unknown if the last page is damaged.
        let sqlLast = "SELECT max(id) FROM \(table)"
        let last = try readable { () throws(StateError) in try old.value(sqlLast)?.number ?? 0 }
        var lost = 0
        var done: Int64 = 0
        var isFailing = false
        var leap: Int64 = 1
        while true {
            select.reset()
            try select.bind(1, done)
            let hasRow = try readable { () throws(StateError) in try select.step() }
            guard var hasRow else {
                // Growing leaps find a readable page; at most half of the skipped rows are skipped needlessly.
                isFailing = true
                guard let next = Self.sum(done, leap), next <= last ?? Self.furthest else { return lost }
                done = next
                lost = lost +| Int(bounded: leap)
                leap = min(leap *| 2, Self.longestLeap)
                continue
            }
            if isFailing, hasRow { lost = lost +| max(0, Int(bounded: select.number(0) -| done) - 1) }
            isFailing = false
            leap = 1
            while hasRow {
                guard select.number(0) > done else { return lost }
                done = select.number(0)
                try body(select)
                guard let next = try readable({ () throws(StateError) in try select.step() }) else {
                    isFailing = true
                    break
                }
                hasRow = next
            }
            if !isFailing { return lost }
        }
    }

    /// The longest leap, which is more than the number of rows in a page.
    private static let longestLeap: Int64 = 16
    /// The end of the search in a table whose last row is unknown.
    private static let furthest: Int64 = 1 << 24

    private static func sum(_ number: Int64, _ other: Int64) -> Int64? {
        let (sum, overflow) = number.addingReportingOverflow(other)
        return overflow ? nil : sum
    }
}
