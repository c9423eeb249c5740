import WebDatabase
import WebStandards

/// The list of the stored pages, and the state of the app: the user's lists, folds, recipes, settings, jobs.
///
/// It is stored in a database, which several servers may have open at once. The data about the cache can be read from
/// there again; a damaged database is created anew. One thread uses the catalogue.
///
/// Its functions throw ``StateError`` if SQLite fails, and ``ServeError`` for unknown names and exceeded limits.
final class Catalogue {
    /// The path of the database.
    let path: String
    /// Whether it is lost when the process ends, since the folder of the cache cannot be written to.
    var isTemporary: Bool { file.identity == nil }

    /// Incremented with each change of what windows show.
    private(set) var version: Int64 = 1

    /// The cached orders of the pages and the lists, until these change.
    var orders = PageOrders()
    /// Which sections are closed; `nil` until they are read.
    var folds: Folds?
    /// The pages that ``due(now:)`` has returned, by removal.
    var handedOut: [Int64: [Int32]] = [:]

    /// The database; another process may replace its file.
    private var file: CatalogueFile
    private var statements: [String: Statement] = [:]
    private var notice: String?
    /// How often the database may be created anew before the program is started again.
    private var repairs = 3
    /// SQLite's counter of the changes of other connections.
    private var foreignChanges: Int64?

    /// Opens the catalogue, or creates one.
    ///
    /// A database that is damaged, or of another version, is renamed and created anew, with those lists, recipes,
    /// settings and jobs that can be read. If none can be written, the catalogue is in memory.
    ///
    /// - Parameter path: The path of the database.
    /// - Throws: ``StateError`` if there is not enough memory for one.
    init(path: String) throws(StateError) {
        self.path = path
        do throws(StateError) {
            file = try CatalogueFile(path)
        } catch {
            file = try CatalogueFile(inMemorySince: error)
        }
        notice = file.notice
    }

    /// Takes the notice for the user who started the program, so that each is shown once; `nil` if there is none.
    func takeNotice() -> String? {
        defer { notice = nil }
        return notice
    }

    // MARK: - Statements

    /// Returns a statement, which is prepared once.
    func statement(_ sql: String) throws(StateError) -> Statement {
        if let known = statements[sql] { return known }
        let statement = try file.database.prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// Returns the error of a database with impossible contents.
    func damaged(_ reason: String) -> StateError { .damaged(path, reason, .shared) }

    /// The number of the row that was inserted last.
    var lastRowID: Int64 { file.database.lastRowID }

    /// The number of rows that the last statement has changed.
    var changes: Int { file.database.changes }

    // MARK: - Transactions

    /// The part of what windows show that a transaction changes.
    enum Change {
        case nothing
        /// The user's lists.
        case lists
        case folds
        case pages
    }

    /// Reads, with a consistent view of the database.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN", body)
    }

    /// Changes the database: completely, or not at all if it fails.
    ///
    /// - Parameter body: Makes the changes; returns its result, and the changed part of what windows show.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`, and ``StateError``.
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
            // Data cached in the transaction may have been rolled back.
            if !(error is ServeError) { forgetAll() }
            if let found = error as? StateError, found.code == .damaged, !isTemporary, repairs > 0 {
                // The next request finds a new database.
                repairs -= 1
                try reopen(.damaged(file.identity, found))
            }
            throw error
        }
    }

    /// Returns whether another process has changed something since the last check.
    func refresh() throws -> Bool {
        let before = version
        try followFile()
        try noteForeignChanges()
        return version != before
    }

    /// Discards all cached data if another process has changed something.
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

    /// Reopens the database if another process has replaced its file, which was damaged or removed.
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
