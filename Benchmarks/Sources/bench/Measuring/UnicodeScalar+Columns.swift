extension Unicode.Scalar {
    /// The command asks the system by a C target that is not part of any product; reports for people are not measured.
    var columns: Int { 1 }
}
