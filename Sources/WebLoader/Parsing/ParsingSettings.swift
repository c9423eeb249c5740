/// What a page is parsed with, whichever parser does it.
struct ParsingSettings: Sendable {
    var limits = LoadLimits()

    /// Whether to keep the parse errors, which costs nothing when off.
    var reportsErrors = false

    /// Asked now and then; what it returns stops the parse with the tree so far.
    var interruption: (@Sendable () -> Interruption?)?

    /// Why a parse is stopped from outside.
    enum Interruption: Sendable {
        /// Nobody waits for it any more.
        case cancelled
        /// Its time is up.
        case time
    }
}
