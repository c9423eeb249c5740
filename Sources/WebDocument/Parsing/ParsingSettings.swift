/// The settings with which a page is parsed, for all parsers.
package struct ParsingSettings: Sendable {
    package var limits: LoadLimits

    /// Whether to keep the parse errors, which costs nothing when off.
    var reportsErrors: Bool

    /// Whether to note where the page's tags are, for ``PageSource``; parse errors are not kept then.
    ///
    /// Without it a ``PageSource`` parses the page once more.
    package var notesTags = false

    /// Called at intervals; a value that it returns stops the parse, which keeps the tree so far.
    package var interruption: (@Sendable () -> Interruption?)?

    package init(
        limits: LoadLimits = LoadLimits(),
        reportsErrors: Bool = false,
        interruption: (@Sendable () -> Interruption?)? = nil
    ) {
        self.limits = limits
        self.reportsErrors = reportsErrors
        self.interruption = interruption
    }

    /// Stops the parse once ``/WebStandards/LoadLimits/maximumTime`` has passed from now on.
    package mutating func startClock() {
        guard let time = limits.maximumSeconds else { return }
        let deadline = MonotonicClock.now + time
        interruption = { MonotonicClock.now >= deadline ? .time : nil }
    }

    /// Why a parse is stopped from outside.
    package enum Interruption: Sendable {
        /// The result is no longer needed.
        case cancelled
        /// Its time is up.
        case time
    }
}
