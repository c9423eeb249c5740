import WebDatabase

/// The tables of the catalogue, and the checks when one is opened.
enum CatalogueSchema {
    /// The version of the tables; a database of another version is created anew.
    static let version: Int64 = 1
    /// "WLsv": the application ID, which distinguishes the database from those of other programs.
    static let application: Int64 = 0x574C_7376
    /// The largest number of a page: sets of pages have a bit for each number.
    static let largestPage = 1 << 26

    /// The tables and indexes.
    ///
    /// - `texts` has the text that is searched for words: the URL and the title in lower case, a line each. It is
    ///   separate from `pages`, so that a full search reads nothing else.
    /// - `pages_by_url` covers the plain list, in its order except for that of the hosts.
    /// - `hidden` has the removed pages that can still be restored.
    /// - A number of `removals`, `lists` and `jobs` is never reused, since a page may still have the old one.
    /// - No table has a foreign key or a check: only this program reads them, and it trusts no row.
    static let tables = [
        "CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID",
        "CREATE TABLE folders(name TEXT PRIMARY KEY, stamp INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE hosts(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        """
        CREATE TABLE pages(id INTEGER PRIMARY KEY, host INTEGER NOT NULL, is_page INTEGER NOT NULL, \
        is_kept INTEGER NOT NULL, status INTEGER, bytes INTEGER, received INTEGER, expires INTEGER, type TEXT, \
        folder TEXT NOT NULL, stem TEXT NOT NULL, stamp TEXT NOT NULL, url TEXT NOT NULL, title TEXT)
        """,
        "CREATE INDEX pages_by_url ON pages(host, url, is_page)",
        "CREATE UNIQUE INDEX pages_by_stem ON pages(folder, stem)",
        "CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        """
        CREATE TABLE damaged(folder TEXT, stem TEXT, stamp TEXT NOT NULL, reason TEXT NOT NULL, \
        PRIMARY KEY(folder, stem)) WITHOUT ROWID
        """,
        "CREATE TABLE folds(host INTEGER PRIMARY KEY)",
        """
        CREATE TABLE removals(id INTEGER PRIMARY KEY AUTOINCREMENT, removed INTEGER NOT NULL, \
        claimed INTEGER)
        """,
        "CREATE TABLE hidden(page INTEGER PRIMARY KEY, removal INTEGER NOT NULL)",
        """
        CREATE TABLE lists(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, \
        count INTEGER NOT NULL)
        """,
        """
        CREATE TABLE entries(id INTEGER PRIMARY KEY, list INTEGER NOT NULL, position INTEGER NOT NULL, \
        host INTEGER NOT NULL, url TEXT NOT NULL)
        """,
        "CREATE INDEX entries_by_position ON entries(list, position)",
        "CREATE UNIQUE INDEX entries_by_url ON entries(list, url)",
        """
        CREATE TABLE recipes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL, \
        changed INTEGER NOT NULL)
        """,
        "CREATE TABLE jobs(id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL)",
    ]

    /// The table that SQLite adds for numbers that are not reused.
    private static let sequence = "CREATE TABLE sqlite_sequence(name,seq)"

    /// Creates the tables in an empty database, and checks those of any other.
    ///
    /// - Parameter database: The database.
    /// - Throws: ``StateError``; `state.version` if it has another version, `state.damaged` if it is not a catalogue.
    static func open(_ database: Database) throws(StateError) {
        // Another process may be creating it.
        try database.execute("BEGIN IMMEDIATE")
        do throws(StateError) {
            try openInTransaction(database)
            try database.execute("COMMIT")
        } catch {
            if database.isInTransaction { try database.execute("ROLLBACK") }
            throw error
        }
    }

    private static func openInTransaction(_ database: Database) throws(StateError) {
        let found = try database.value("PRAGMA application_id")?.number ?? 0
        let version = try database.value("PRAGMA user_version")?.number ?? 0
        var statements: Set<String> = []
        let select = try database.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 100")
        while try select.step() { statements.insert(select.text(0)) }
        if found == 0, version == 0, statements.isEmpty {
            for table in tables { try database.execute(table) }
            try database.execute("PRAGMA application_id = \(application)")
            try database.execute("PRAGMA user_version = \(Self.version)")
            return
        }
        guard found == application, version == Self.version else {
            throw StateError(.version, "\(database.path): it was made by another version of the program")
        }
        guard statements == Set(tables + [sequence]) else {
            throw .damaged(database.path, "its tables are others", .shared)
        }
        // The numbers run out only after so many changes that a new catalogue is due.
        guard try database.value("SELECT max(id) FROM pages")?.number ?? 0 <= Int64(largestPage) else {
            throw .damaged(database.path, "its numbers are used up", .shared)
        }
    }
}
