import CTerminal

extension Unicode.Scalar {
    /// The columns of a terminal that it takes, by the system's tables: 0, 1 or 2.
    var columns: Int { value < 0x80 ? 1 : Int(webl_columns(value)) }
}
