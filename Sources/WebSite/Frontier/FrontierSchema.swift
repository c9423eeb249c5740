import WebDatabase
import WebStandards

/// The tables of a job's database, and the checks when it is opened.
enum FrontierSchema {
    /// The version of the tables; databases of other versions are not read.
    static let version: Int64 = 1
    /// The application ID "WLfr" that identifies the database as a frontier's.
    static let application: Int64 = 0x574C_6672

    /// The SQL of the tables.
    ///
    /// - A row of `urls` has neither its lease, which is in `leases`, nor its hash, which is in `keys`: both are
    ///   changed or looked up separately, in far fewer pages. `keys` is not unique; equal hashes are verified by the
    ///   text.
    /// - `queue` orders the queued URLs by host, untried ones first, then by discovery.
    /// - `counts` is stored, since counting would read all of `urls`.
    /// - There are no foreign keys or checks: only this program reads the tables, and it trusts no row.
    static let tables = """
        CREATE TABLE job(name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
        CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE outputs(number INTEGER PRIMARY KEY, length INTEGER NOT NULL, tail INTEGER);
        CREATE TABLE counts(state INTEGER, reason TEXT, number INTEGER NOT NULL, PRIMARY KEY(state, reason))
            WITHOUT ROWID;
        CREATE TABLE hosts(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, delay INTEGER, until INTEGER, wait INTEGER,
            failures INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE urls(id INTEGER PRIMARY KEY, host INTEGER NOT NULL, state INTEGER NOT NULL, turn INTEGER NOT NULL,
            tries INTEGER NOT NULL, depth INTEGER NOT NULL, parent INTEGER, text TEXT NOT NULL, identity TEXT, reason TEXT,
            result BLOB, place INTEGER, size INTEGER);
        CREATE TABLE keys(hash INTEGER, url INTEGER, PRIMARY KEY(hash, url)) WITHOUT ROWID;
        CREATE TABLE leases(url INTEGER PRIMARY KEY);
        CREATE INDEX queue ON urls(host, turn, id) WHERE state = 0;
        """

    // MARK: - Opening

    /// Creates the tables in an empty database, and checks those of another.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - settings: The job's settings; `nil` to accept any.
    ///   - hash: The hash function of a new job.
    /// - Returns: Whether the job is new.
    /// - Throws: ``StateError``.
    static func open(
        _ database: Database,
        settings: [String: String]?,
        hash: KeyHash
    ) throws(StateError) -> Bool {
        let found = try database.value("PRAGMA application_id")?.number ?? 0
        let version = try database.value("PRAGMA user_version")?.number ?? 0
        if found == 0, version == 0,
            try database.value("SELECT count(*) FROM sqlite_schema")?.number == 0
        {
            try create(database, settings: settings ?? [:], hash: hash)
            return true
        }
        try check(database, found, version)
        if let settings { try compare(database, settings) }
        return false
    }

    /// Throws unless the database is a frontier's of this version.
    static func check(_ database: Database, _ found: Int64, _ version: Int64) throws(StateError) {
        guard found == application else {
            throw StateError(.version, "\(database.path): it is another program's database")
        }
        guard version == Self.version else {
            let known = "this program reads version \(Self.version)"
            throw StateError(.version, "\(database.path): it is of version \(version), and \(known)")
        }
        try checkTables(database)
    }

    /// Throws unless everything in the schema was made by the statements of this program: a generated column, a trigger
    /// or a view computes values that are not in the file, of any size.
    private static func checkTables(_ database: Database) throws(StateError) {
        let known = Set((tables + MentionTable.tables).split(separator: ";").map { squeezed(String($0)) })
        // Entries without a statement are the indices of keys.
        let select = try database.prepare(
            "SELECT sql, name FROM sqlite_schema WHERE sql IS NOT NULL OR type <> 'index'"
        )
        while try select.step() {
            guard !known.contains(squeezed(select.text(0))) else { continue }
            throw .damaged(database.path, "\"\(shown(select.text(1)))\" in it is not this program's")
        }
    }

    /// Returns a statement as SQLite stores it, with normalized white space.
    private static func squeezed(_ sql: String) -> String {
        let words = sql.split { $0 == " " || $0 == "\n" }.map(String.init)
        return
            (words.starts(with: ["CREATE", words.dropFirst().first ?? "", "IF", "NOT", "EXISTS"])
            ? Array(words[..<2] + words[5...]) : words).joined(separator: " ")
    }

    private static func create(
        _ database: Database,
        settings: [String: String],
        hash: KeyHash
    ) throws(StateError) {
        // In one transaction: a process that is killed in between leaves an empty database.
        try database.execute("BEGIN IMMEDIATE")
        try database.execute(tables)
        try database.execute("PRAGMA application_id = \(application)")
        try database.execute("PRAGMA user_version = \(version)")
        let insert = try database.prepare("INSERT INTO settings VALUES(?1, ?2)")
        for (name, value) in settings { try insert.bind(1, name).bind(2, value).run() }
        let job = try database.prepare("INSERT INTO job VALUES(?1, ?2)")
        try job.bind(1, "hash.0").bind(2, Int64(bitPattern: hash.k0)).run()
        try job.bind(1, "hash.1").bind(2, Int64(bitPattern: hash.k1)).run()
        try database.execute("COMMIT")
    }

    /// Returns the hash function of a job.
    static func hash(_ database: Database) throws(StateError) -> KeyHash {
        let select = try database.prepare("SELECT value FROM job WHERE name = ?1")
        var words: [UInt64] = []
        for name in ["hash.0", "hash.1"] {
            guard try select.bind(1, name).step() else {
                throw .damaged(database.path, "the key of its hashes is missing")
            }
            words.append(UInt64(bitPattern: select.number(0)))
            select.reset()
        }
        return KeyHash(k0: words[0], k1: words[1])
    }

    // MARK: - Settings

    /// Throws, naming the differences, unless the job was begun with these settings.
    private static func compare(_ database: Database, _ settings: [String: String]) throws(StateError) {
        var kept: [String: String] = [:]
        let select = try database.prepare("SELECT name, value FROM settings")
        while try select.step() { kept[select.text(0)] = select.text(1) }
        let differences = differences(kept: kept, new: settings)
        guard differences.isEmpty else {
            let list = differences.joined(separator: "; ")
            throw StateError(.settings, "\(database.path): the job was begun with other settings: \(list)")
        }
    }

    /// Returns the differences between the settings of a job and new ones, in words.
    static func differences(kept: [String: String], new: [String: String]) -> [String] {
        Set(kept.keys).union(new.keys).sorted().compactMap { name in
            switch (kept[name], new[name]) {
            case (let old?, let new?): old == new ? nil : "\(name) was \(shown(old)), and is \(shown(new))"
            case (let old?, nil): "\(name) was \(shown(old)), and is not set"
            case (nil, let new?): "\(name) was not set, and is \(shown(new))"
            case (nil, nil): nil
            }
        }
    }

    private static func shown(_ value: String) -> String {
        value.isEmpty ? "empty" : value.count > 80 ? "\(value.prefix(80))…" : value
    }
}
