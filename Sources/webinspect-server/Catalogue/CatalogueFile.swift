import WebDatabase
import WebStandards

/// The catalogue's database, and its file.
struct CatalogueFile {
    let database: Database
    /// The identity of the file; `nil` in memory.
    let identity: FileStatus.Identity?
    /// The notice about opening it; `nil` if there is nothing to report.
    let notice: String?

    /// The maximum number of damaged databases that remain.
    private static let kept = 9
    /// Seconds to wait for another process that opens it.
    private static let patience = 5.0

    /// Opens the database, or creates it; an unusable one is renamed.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - reason: Why it is opened.
    /// - Throws: ``StateError``.
    init(_ path: String, _ reason: Reason = .start) throws(StateError) {
        let lock: File
        do throws(File.Failure) {
            lock = try File.locked(path + ".lock", within: WaitLimit(seconds: Self.patience))
        } catch {
            throw .unwritable(path + ".lock", error)
        }
        (database, notice) = try Self.open(path, reason)
        identity = FileStatus(path, followsLinks: false)?.identity
        // Until now no other process could replace it.
        _ = consume lock
    }

    /// Why a database is opened.
    enum Reason {
        /// The program starts.
        case start
        /// Another process has replaced the file; one of another version is left alone then.
        case replaced
        /// The database was found to be damaged; another process may have replaced it by now.
        case damaged(FileStatus.Identity?, StateError)

        /// Whether the program starts.
        var isStart: Bool {
            if case .start = self { return true }
            return false
        }
    }

    /// Creates a database in memory.
    ///
    /// - Parameter reason: Why there is no database on disk.
    /// - Throws: ``StateError``.
    init(inMemorySince reason: StateError) throws(StateError) {
        database = try Database(named: "the list", .shared)
        try CatalogueSchema.open(database)
        identity = nil
        notice = "\(reason.message); the list is kept in memory until the program ends"
    }

    private static func open(_ path: String, _ reason: Reason) throws(StateError) -> (Database, String?) {
        let found: StateError
        do throws(StateError) {
            if case .damaged(let identity, let error) = reason,
                identity == FileStatus(path, followsLinks: false)?.identity
            {
                throw error
            }
            let database = try Database(path, .shared)
            try CatalogueSchema.open(database)
            return (database, nil)
        } catch {
            let isOld = error.code == .version && reason.isStart
            guard error.code == .damaged || isOld else { throw error }
            found = error
        }
        let old = try putAside(path)
        let database = try Database(path, .shared)
        try CatalogueSchema.open(database)
        let salvager = CatalogueSalvager(to: database)
        let count = salvager.salvage(old)
        let saved = "lists, recipes, settings and jobs: \(count) rows kept"
        return (database, "\(found.message); the old one is \(old); \(saved)")
    }

    /// Renames a database and the files beside it; returns its new path.
    private static func putAside(_ path: String) throws(StateError) -> String {
        let (folder, name) = Directory.split(path)
        do throws(File.Failure) {
            let directory = try Directory(folder)
            var number = 1
            while number < kept, directory.status("\(name).damaged-\(number)") != nil { number += 1 }
            let new = "\(name).damaged-\(number)"
            for suffix in ["-journal", "-wal"] {
                _ = directory.remove(new + suffix)
                guard directory.status(name + suffix) != nil else { continue }
                try directory.rename(name + suffix, to: new + suffix)
            }
            // Last, so that a process that is stopped before finds it here again.
            try directory.rename(name, to: new)
            return "\(folder)/\(new)"
        } catch {
            throw .unwritable(path, error)
        }
    }
}
