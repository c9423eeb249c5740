extension Unicode.Scalar {
    /// The command asks the system, by a C target that is part of no product; reports for people are not measured.
    var columns: Int { 1 }
}
