import WebDatabase

extension Statement {
    /// Calls `body` with each row, then resets the statement: an open one makes other processes wait.
    func forEachRow(_ body: (Statement) throws(StateError) -> Void) throws(StateError) {
        defer { reset() }
        while try step() { try body(self) }
    }

    /// Returns the result of `body` for the first row; `nil` if there is no row.
    func first<Value>(_ body: (Statement) throws(StateError) -> Value) throws(StateError) -> Value? {
        defer { reset() }
        return try step() ? try body(self) : nil
    }

    /// Returns the first column of the first row as a number; `nil` if there is no row, and for NULL.
    func firstNumber() throws(StateError) -> Int64? {
        try first { $0.optionalNumber(0) } ?? nil
    }

    /// Returns a column as the number of a page, a host or an entry; `nil` if it is invalid.
    func identifier(_ column: Int32) -> Int32? {
        guard let number = Int32(exactly: number(column)), number > 0 else { return nil }
        return number
    }
}
