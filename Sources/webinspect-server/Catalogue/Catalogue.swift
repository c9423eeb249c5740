import WebDatabase
import WebStandards

/// The list of what the cache keeps, and what the page remembers: lists of one's own, folds, recipes, settings, jobs.
///
/// It is kept in a database, which several servers may have at once. What it says of the cache can be read from there again; it is
/// made anew where it is damaged. One thread uses it.
///
/// Its functions throw ``StateError`` where SQLite fails, and ``ServeError`` for what is unknown or too much.
final class Catalogue {
    /// The database.
    let path: String
    /// Whether it goes with the process, since the folder of the cache cannot be written to.
    var isTemporary: Bool { file.identity == nil }

    /// Grows with each change of what windows show.
    private(set) var version: Int64 = 1

    /// What was found out about the pages and the lists, until they change.
    var orders = PageOrders()
    /// Which sections are closed; nil until it is read.
    var folds: Folds?
    /// The pages that ``due(now:)`` has handed out, by removal.
    var handedOut: [Int64: [Int32]] = [:]

    /// The database; another process may put another file in its place.
    private var file: CatalogueFile
    private var statements: [String: Statement] = [:]
    private var notice: String?
    /// How often it may be made anew before the program is started again.
    private var repairs = 3
    /// SQLite's number for what other connections have changed.
    private var foreignChanges: Int64?

    /// Opens the catalogue, or makes one.
    ///
    /// One that is damaged, or of another version, is renamed and made anew, with what can be read of lists, recipes, settings and
    /// jobs. Where none can be written, it is in memory.
    ///
    /// - Parameter path: The database.
    /// - Throws: ``StateError`` if there is no memory for one.
    init(path: String) throws(StateError) {
        self.path = path
        do throws(StateError) {
            file = try CatalogueFile(path)
        } catch {
            file = try CatalogueFile(inMemorySince: error)
        }
        notice = file.notice
    }

    /// What is to be told to who started the program, each time once; nil if there is nothing.
    func takeNotice() -> String? {
        defer { notice = nil }
        return notice
    }

    // MARK: - Statements

    /// A statement, prepared once.
    func statement(_ sql: String) throws(StateError) -> Statement {
        if let known = statements[sql] { return known }
        let statement = try file.database.prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// The error of a database that says what it cannot say.
    func damaged(_ reason: String) -> StateError { .damaged(path, reason, .shared) }

    /// The number of the row that was inserted last.
    var lastRowID: Int64 { file.database.lastRowID }

    /// How many rows the last statement has changed.
    var changes: Int { file.database.changes }

    // MARK: - Transactions

    /// What a transaction changes of what windows show.
    enum Change {
        case nothing
        /// Lists of one's own.
        case lists
        case folds
        case pages
    }

    /// Reads, with the database as it is at one moment.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN", body)
    }

    /// Changes something: all of it, or nothing if it fails.
    ///
    /// - Parameter body: Makes the changes; returns what it has changed that windows show.
    /// - Returns: What `body` does.
    /// - Throws: What `body` does, and ``StateError``.
    func change<Value>(_ body: () throws -> (Value, Change)) throws -> Value {
        let (value, change) = try transaction("BEGIN IMMEDIATE", body)
        switch change {
        case .nothing: return value
        case .lists: orders.forgetLists()
        case .folds: folds = nil
        case .pages: orders = PageOrders()
        }
        version &+= 1
        return value
    }

    private func transaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
        try followFile()
        try statement(begin).run()
        do {
            try noteForeignChanges()
            let value = try body()
            try statement("COMMIT").run()
            return value
        } catch {
            if file.database.isInTransaction { _ = try? statement("ROLLBACK").run() }
            // What was found out meanwhile may be of what is not there.
            if !(error is ServeError) { forgetAll() }
            if let found = error as? StateError, found.code == .damaged, !isTemporary, repairs > 0 {
                // The next request finds a new one.
                repairs -= 1
                try reopen(.damaged(file.identity, found))
            }
            throw error
        }
    }

    /// Whether another process has changed something since it was last asked.
    func refresh() throws -> Bool {
        let before = version
        try followFile()
        try noteForeignChanges()
        return version != before
    }

    /// Has everything read anew if another process has changed something.
    private func noteForeignChanges() throws(StateError) {
        let changes = try statement("PRAGMA data_version").firstNumber()
        if let foreignChanges, foreignChanges != changes {
            forgetAll()
            version &+= 1
        }
        foreignChanges = changes
    }

    private func forgetAll() {
        orders = PageOrders()
        folds = nil
    }

    /// Opens the database anew if another process has put another file in its place: it was damaged, or someone removed it.
    private func followFile() throws(StateError) {
        guard !isTemporary else { return }
        guard FileStatus(path, followsLinks: false)?.identity != file.identity else { return }
        try reopen(.replaced)
    }

    private func reopen(_ reason: CatalogueFile.Reason) throws(StateError) {
        statements = [:]
        handedOut = [:]
        forgetAll()
        version &+= 1
        foreignChanges = nil
        // The old one is closed before another is opened: its locks would be taken for ours.
        file = try CatalogueFile(inMemorySince: StateError(.unwritable, path))
        do throws(StateError) {
            file = try CatalogueFile(path, reason)
        } catch {
            // A newer program has it, or the folder is gone.
            file = try CatalogueFile(inMemorySince: error)
        }
        if let said = file.notice { notice = said }
    }
}
