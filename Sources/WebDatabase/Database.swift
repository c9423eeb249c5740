import CSQLite
import Glibc
import WebStandards

/// A connection to an SQLite database.
///
/// One that this process alone has is in WAL mode: a commit appends pages to one file in place of writing them in two.
/// `locking_mode` is exclusive, since a lock of its own (that of a job) keeps others out already: so there is no `-shm` file,
/// which is mapped into memory and would end the process where the disk is full or the file is cut off. Nothing else is mapped
/// into memory either, and so one that several processes have is in another mode: a rollback journal, which they take turns at.
///
/// `synchronous` is NORMAL: the WAL reaches the disk when it is copied into the database, not with each commit. After a power
/// failure the last commits may be missing, and the output is cut back with them, so that what they were of is done again:
/// nothing is lost or there twice. The process being killed loses no commit, in either mode.
@safe package final class Database {
    /// The path, for messages.
    package let path: String
    private let handle: OpaquePointer
    private let access: Access

    /// How much of a database is kept in memory, in KiB: by the process that works on it, and by one of several.
    private static let cacheKibibytes = (own: 8192, shared: 2048)
    /// After how many pages of WAL they are copied into the database: 16 MiB.
    private static let checkpointPages = 4096
    /// Bytes of the WAL that are left after a checkpoint, at most.
    private static let largestLog = 32 << 20
    /// For how many milliseconds one of several processes waits for its turn.
    private static let patience = 5000
    /// The bytes of the longest value that one of several processes reads or writes.
    private static let largestSharedValue: Int32 = 16 << 20
    /// The bytes of the longest value otherwise: the lines that a check keeps are the longest of ours.
    private static let largestValue: Int32 = 64 << 20

    /// How a database is opened.
    package enum Access: Sendable {
        /// By the one process that changes it.
        case writing
        /// By one of several processes that change it.
        case shared
        /// Only what can be read is wanted, though it is damaged.
        case salvaging
    }

    /// Opens a database, or creates an empty one.
    ///
    /// The name may not be a symbolic link; its folder may.
    ///
    /// - Throws: ``StateError``.
    package init(_ path: String, _ access: Access = .writing) throws(StateError) {
        self.path = path
        self.access = access
        let resolved = try Self.check(path, access)
        var opened: OpaquePointer?
        // One thread at a time uses it, so that SQLite need not lock.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        let result = unsafe sqlite3_open_v2(resolved, &opened, flags, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe Self.error(result, opened, path, access)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = opened
        try check(unsafe webl_sqlite3_distrust(handle))
        // Otherwise SQLite reads nothing of a file that is shorter than its header says.
        if access == .salvaging { try check(unsafe webl_sqlite3_take_damaged(handle)) }
        if access == .shared {
            try check(unsafe sqlite3_busy_timeout(handle, Int32(clamping: Self.patience)))
        }
        unsafe sqlite3_limit(
            handle,
            SQLITE_LIMIT_LENGTH,
            access == .shared ? Self.largestSharedValue : Self.largestValue
        )
        try execute("PRAGMA locking_mode = \(access == .shared ? "NORMAL" : "EXCLUSIVE")")
        try execute("PRAGMA mmap_size = 0")
        let cache = Self.cacheKibibytes
        try execute("PRAGMA cache_size = -\(access == .shared ? cache.shared : cache.own)")
        // Sorted data may exceed the memory that one of several processes should use.
        try execute("PRAGMA temp_store = \(access == .shared ? "FILE" : "MEMORY")")
        // Debian's SQLite overwrites deleted content with zeros.
        try execute("PRAGMA secure_delete = OFF")
        // Sizes in a damaged page are checked as it is read.
        try execute("PRAGMA cell_size_check = ON")
        switch access {
        case .writing: try keepLog()
        case .shared: try keepJournal()
        case .salvaging: break
        }
    }

    /// Has changes written to a WAL.
    private func keepLog() throws(StateError) {
        try execute("PRAGMA auto_vacuum = NONE")
        guard try value("PRAGMA journal_mode = WAL")?.text == "wal" else {
            throw StateError(.unwritable, "\(path): the file system does not let SQLite keep a WAL")
        }
        try execute("PRAGMA synchronous = NORMAL")
        try execute("PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
        try execute("PRAGMA journal_size_limit = \(Self.largestLog)")
    }

    /// Has what is changed written to a journal first, which is emptied with each commit.
    private func keepJournal() throws(StateError) {
        try execute("PRAGMA auto_vacuum = NONE")
        guard try value("PRAGMA journal_mode = TRUNCATE")?.text == "truncate" else {
            throw .damaged(path, "it has no rollback journal", access)
        }
        try execute("PRAGMA synchronous = NORMAL")
    }

    /// Opens a temporary database that only this process can access.
    ///
    /// Pages that exceed the cache are written to an unnamed file. No operation waits for the disk.
    ///
    /// - Parameters:
    ///   - name: The name of the database in messages.
    ///   - access: The kind of access, which determines the size of the cache.
    /// - Throws: ``StateError``.
    package init(named name: String = "the job", _ access: Access = .writing) throws(StateError) {
        path = name
        self.access = access
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = unsafe sqlite3_open_v2("", &opened, flags, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe Self.error(result, opened, path, access)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = opened
        try check(unsafe webl_sqlite3_distrust(handle))
        let cache = Self.cacheKibibytes
        try execute("PRAGMA cache_size = -\(access == .shared ? cache.shared : cache.own)")
        try execute("PRAGMA journal_mode = MEMORY")
        try execute("PRAGMA synchronous = OFF")
        try execute("PRAGMA secure_delete = OFF")
    }

    deinit {
        // Statements that are still there keep what they need of it.
        unsafe sqlite3_close_v2(handle)
    }

    // MARK: - Files

    /// The bytes of a database's head that say how it is written and read: 2 for a WAL.
    private static let logVersions = 18..<20

    /// Throws unless the database and the files beside it are regular files of this user, or missing; returns the
    /// path with its folder's links resolved, which SQLite refuses.
    ///
    /// The check is made before SQLite opens the file: closing another descriptor of it would give up SQLite's locks.
    private static func check(_ path: String, _ access: Access) throws(StateError) -> String {
        let (folder, name) = Directory.split(path)
        let mayCreate = access != .salvaging
        var isLogged = false
        do throws(File.Failure) {
            let directory = try Directory(folder)
            for suffix in ["", "-wal", "-journal"] {
                guard let status = directory.status(name + suffix) else { continue }
                try OwnFile.check(status)
                if !suffix.isEmpty { try checkLog(name + suffix, in: directory) }
            }
            if mayCreate {
                let own = try OwnFile(updating: name, in: directory)
                if access == .shared {
                    let head = try own.file.read(logVersions.upperBound, at: 0)
                    let versions = head[logVersions.clamped(to: head.indices)]
                    isLogged = directory.status(name + "-wal") != nil || versions.contains(2)
                }
            } else {
                _ = try OwnFile(name, in: directory)
            }
        } catch {
            throw mayCreate ? .unwritable(path, error) : StateError(.unreadable, "\(path): \(error.text)")
        }
        // To read one that another program has put into WAL mode would map a file into memory.
        if isLogged { throw .damaged(path, "it is in WAL mode", access) }
        guard let resolved = unsafe realpath(folder, nil) else {
            throw .unwritable(path, File.Failure(errno: errno))
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved) + "/" + name
    }

    /// Throws unless a file that is called as SQLite's log or journal is one: what else there is in it SQLite would overwrite.
    ///
    /// The head of a journal may be zeros, and that of either be cut off
    /// ([file format](https://www.sqlite.org/fileformat2.html#the_rollback_journal)).
    private static func checkLog(_ name: String, in directory: borrowing Directory) throws(File.Failure) {
        let head = try OwnFile(name, in: directory).file.read(8, at: 0)
        let heads: [[UInt8]] = [
            [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0, 0, 0, 0, 0, 0, 0, 0],
            [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7],
        ]
        guard heads.contains(where: { head.prefix($0.count).elementsEqual($0.prefix(head.count)) }) else {
            throw File.Failure(errno: EEXIST, "\(name) beside it is no file of SQLite's")
        }
    }

    // MARK: - Statements

    /// Runs statements that return nothing of interest.
    package func execute(_ sql: String) throws(StateError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Prepares a statement, to be kept.
    package func prepare(_ sql: String) throws(StateError) -> Statement {
        var prepared: OpaquePointer?
        let flags = UInt32(bitPattern: SQLITE_PREPARE_PERSISTENT)
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil))
        guard let prepared = unsafe prepared else {
            throw StateError(.damaged, "\(path): an empty statement")
        }
        return unsafe Statement(prepared, of: self)
    }

    /// The first value of the first row of a query; nil if there is no row.
    package func value(_ sql: String) throws(StateError) -> (number: Int64, text: String)? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return (statement.number(0), statement.text(0))
    }

    /// The ID of the last row that was inserted.
    package var lastRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement inserted, changed or deleted.
    package var changes: Int { unsafe Int(bounded: sqlite3_changes64(handle)) }

    /// Whether a transaction is open; a failure may have ended one.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    // MARK: - Errors

    /// Throws unless SQLite's result says that all went well.
    func check(_ result: Int32) throws(StateError) {
        guard result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW else {
            throw unsafe Self.error(result, handle, path, access)
        }
    }

    /// SQLite's result as an error.
    private static func error(
        _ result: Int32,
        _ handle: OpaquePointer?,
        _ path: String,
        _ access: Access
    ) -> StateError {
        // The error of the system call, if there was one.
        let reason = unsafe handle.map { unsafe sqlite3_system_errno($0) } ?? 0
        let text =
            unsafe handle.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
            ?? "SQLite's error \(result)"
        let said = reason == 0 ? text : "\(text): \(File.Failure(errno: reason).text)"
        switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return StateError(.busy, "\(path): another program has the database open")
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT,
            SQLITE_FORMAT, SQLITE_TOOBIG:
            return .damaged(path, said, access)
        case SQLITE_FULL:
            return StateError(.unwritable, "\(path): there is no space left on the disk")
        case SQLITE_IOERR:
            switch result {
            case SQLITE_IOERR | 2 << 8:  // SQLITE_IOERR_SHORT_READ
                return .damaged(path, said, access)
            case SQLITE_IOERR | 1 << 8:  // SQLITE_IOERR_READ
                return StateError(.unreadable, "\(path): \(said)")
            default:
                return StateError(.unwritable, "\(path): \(said)")
            }
        default:
            return StateError(.unwritable, "\(path): \(said)")
        }
    }
}

extension StateError {
    /// A database or an output is damaged.
    package static func damaged(
        _ path: String,
        _ reason: String,
        _ access: Database.Access = .writing
    ) -> StateError {
        let advice = access == .shared ? "" : "; of a crawl or a batch --salvage keeps what can be read"
        return StateError(.damaged, "\(path): it is damaged (\(reason))\(advice)")
    }
}
