package import WebDatabase
package import WebStandards

/// A cache on disk of the results of former checks; only successful results are stored, never errors.
///
/// One process at a time holds it; others work without a cache.
package final class ResultCache {
    private let database: Database
    private let select, insert, begin, commit: Statement
    /// The number of seconds for which a result is valid.
    private let lifetime: Double
    private var isOpen = false
    /// The last property, as in ``Frontier``.
    private let lock: JobLock

    /// The application ID "WLrc" that identifies the database as a result cache.
    private static let application: Int64 = 0x574C_7263

    /// The maximum number of results; the oldest are removed first.
    private static let capacity = 1_000_000

    /// Opens a cache, or creates one.
    ///
    /// - Parameters:
    ///   - path: The path of the database, beside which there are `-wal` while it is open, and `.lock`.
    ///   - lifetime: The number of seconds for which a result is valid.
    ///   - now: The current time.
    /// - Throws: ``StateError``, for example if another process holds the cache.
    package init(_ path: String, lifetime: Double, now: Timestamp) throws(StateError) {
        lock = try JobLock(path + ".lock")
        database = try Database(path)
        let found = try database.value("PRAGMA application_id")?.number ?? 0
        if found == 0 {
            guard try database.value("SELECT count(*) FROM sqlite_schema")?.number == 0 else {
                throw StateError(.version, "\(path): it is another program's database")
            }
            try database.execute("BEGIN IMMEDIATE")
            try database.execute(
                "CREATE TABLE results(url TEXT PRIMARY KEY, time INTEGER NOT NULL, answer BLOB NOT NULL) WITHOUT ROWID"
            )
            try database.execute("PRAGMA application_id = \(Self.application)")
            try database.execute("COMMIT")
        } else if found != Self.application {
            throw StateError(.version, "\(path): it is another program's database")
        }
        self.lifetime = lifetime.boundedSeconds
        select = try database.prepare("SELECT time, answer FROM results WHERE url = ?1")
        insert = try database.prepare("INSERT OR REPLACE INTO results VALUES(?1, ?2, ?3)")
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        try removeOld(now)
    }

    /// Removes expired results, and the oldest ones above the capacity.
    private func removeOld(_ now: Timestamp) throws(StateError) {
        let oldest = now.millisecondsSince1970 -| Int64(Int(bounded: lifetime * 1000))
        try database.prepare("DELETE FROM results WHERE time < ?1 OR time > ?2")
            .bind(1, oldest).bind(2, now.millisecondsSince1970).run()
        let count = Int(bounded: try database.value("SELECT count(*) FROM results")?.number ?? 0)
        guard count > Self.capacity else { return }
        try database.prepare(
            "DELETE FROM results WHERE url IN (SELECT url FROM results ORDER BY time LIMIT ?1)"
        ).bind(1, Int64(count - Self.capacity)).run()
    }

    /// Returns the stored result of a URL; `nil` if it has none.
    func answer(_ url: String) throws(StateError) -> TargetAnswer? {
        guard try select.bind(1, url).step() else { return nil }
        defer { select.reset() }
        guard var answer = TargetAnswer(encoded: select.optionalBytes(1)) else { return nil }
        answer.origin = .cache
        return answer
    }

    /// Stores the result of a URL, unless it is an error or did not come from the network.
    func keep(_ answer: TargetAnswer, of url: String, now: Timestamp) throws(StateError) {
        guard answer.origin == .network, LinkVerdict.judge(answer, fragment: nil).result == .ok else {
            return
        }
        if !isOpen { try begin.run() }
        isOpen = true
        try insert.bind(1, url).bind(2, now.millisecondsSince1970).bind(3, answer.encoded).run()
    }

    /// Commits the stored results.
    func flush() throws(StateError) {
        guard isOpen else { return }
        isOpen = false
        try commit.run()
    }
}
