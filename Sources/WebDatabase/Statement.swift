import CSQLite

/// A prepared statement, which is kept and run many times.
///
/// The next values are bound after ``reset()``; a statement that was stepped to its end has been reset.
@safe package final class Statement {
    private let handle: OpaquePointer
    /// It must outlive the statement, and says what went wrong.
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    // MARK: - Values, from 1

    /// Binds a number.
    @discardableResult
    package func bind(_ index: Int32, _ number: Int64) throws(StateError) -> Statement {
        try database.check(unsafe sqlite3_bind_int64(handle, index, number))
        return self
    }

    /// Binds a number or, for nil, NULL.
    @discardableResult
    package func bind(_ index: Int32, _ number: Int64?) throws(StateError) -> Statement {
        guard let number else { return try bindNull(index) }
        return try bind(index, number)
    }

    /// Binds a text or, for nil, NULL.
    @discardableResult
    package func bind(_ index: Int32, _ text: String?) throws(StateError) -> Statement {
        guard var text else { return try bindNull(index) }
        let result = text.withUTF8 { bytes in
            unsafe webl_sqlite3_bind_text(handle, index, bytes.baseAddress, UInt64(clamping: bytes.count))
        }
        try database.check(result)
        return self
    }

    /// Binds bytes or, for nil, NULL.
    @discardableResult
    package func bind(_ index: Int32, _ bytes: [UInt8]?) throws(StateError) -> Statement {
        guard let bytes else { return try bindNull(index) }
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe webl_sqlite3_bind_blob(handle, index, bytes.baseAddress, UInt64(clamping: bytes.count))
        }
        try database.check(result)
        return self
    }

    private func bindNull(_ index: Int32) throws(StateError) -> Statement {
        try database.check(unsafe sqlite3_bind_null(handle, index))
        return self
    }

    // MARK: - Running

    /// Goes to the next row; false if there is none, and then the statement can be bound anew.
    package func step() throws(StateError) -> Bool {
        let result = unsafe sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        guard result == SQLITE_DONE else {
            do throws(StateError) {
                try database.check(result)
            } catch {
                reset()
                throw error
            }
            return false
        }
        reset()
        return false
    }

    /// Runs a statement that returns no rows.
    package func run() throws(StateError) {
        while try step() {}
    }

    /// Ends a query before its last row; what went wrong has been thrown by then.
    package func reset() {
        unsafe sqlite3_reset(handle)
    }

    // MARK: - Columns, from 0

    /// A column as a number; 0 for NULL, and for a value that is not a number.
    package func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// Whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A column as a number; nil for NULL.
    package func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

    /// A column as a text; empty for NULL, and repaired where it is no UTF-8.
    package func text(_ column: Int32) -> String {
        // Asking for the text first, then for its length, is SQLite's rule.
        guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Looks at the bytes of a text, which need not be UTF-8; none for NULL.
    package func look(at column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard let text = unsafe sqlite3_column_text(handle, column) else {
            return unsafe body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe body(UnsafeBufferPointer(start: text, count: count))
    }

    /// A column as a text; nil for NULL.
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A column as bytes; nil for NULL.
    package func optionalBytes(_ column: Int32) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
