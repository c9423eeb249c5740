/// The settings with which a page is parsed, for all parsers.
struct ParsingSettings: Sendable {
    var limits = LoadLimits()

    /// Whether to keep the parse errors, which costs nothing when off.
    var reportsErrors = false

    /// Called at intervals; a value that it returns stops the parse, which keeps the tree so far.
    var interruption: (@Sendable () -> Interruption?)?

    /// Why a parse is stopped from outside.
    enum Interruption: Sendable {
        /// The result is no longer needed.
        case cancelled
        /// Its time is up.
        case time
    }
}
