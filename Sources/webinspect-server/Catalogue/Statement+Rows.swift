import WebDatabase

extension Statement {
    /// Calls `body` with each row, and has the statement end: one that is left open keeps other processes waiting.
    func forEachRow(_ body: (Statement) throws(StateError) -> Void) throws(StateError) {
        defer { reset() }
        while try step() { try body(self) }
    }

    /// What `body` makes of the first row; nil if there is none.
    func first<Value>(_ body: (Statement) throws(StateError) -> Value) throws(StateError) -> Value? {
        defer { reset() }
        return try step() ? try body(self) : nil
    }

    /// The first column of the first row as a number; nil if there is none, and for NULL.
    func firstNumber() throws(StateError) -> Int64? {
        try first { $0.optionalNumber(0) } ?? nil
    }

    /// A column as the number of a page, a host or an entry; nil for what is none.
    func identifier(_ column: Int32) -> Int32? {
        guard let number = Int32(exactly: number(column)), number > 0 else { return nil }
        return number
    }
}
