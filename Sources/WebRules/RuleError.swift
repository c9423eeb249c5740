/// An error in a rule, or one that occurred while a rule was evaluated on a page.
public struct RuleError: WebError, Hashable {
    /// The kind of error, as a stable code.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The recipe, a selector, a pattern or a script does not compile.
        public static var invalid: Self { "rule.invalid" }
        /// The rule failed while it was evaluated; its field is null.
        public static var failed: Self { "rule.failed" }
        /// The page is not what the recipe was written for: an assertion does not hold.
        public static var drift: Self { "rule.drift" }
        /// The process that runs rules died.
        public static var crash: Self { "worker.crash" }
        /// There is no worker, or it could not be started.
        public static var unavailable: Self { "worker.unavailable" }
        /// The system has no memory left for the worker, which is another matter than the budget.
        public static var memory: Self { "worker.memory" }
        /// The task was cancelled.
        public static var cancelled: Self { "load.cancelled" }
    }

    /// The kind of error.
    public let code: Code

    /// The rule, as in "items[].price"; nil if the error concerns the recipe as a whole.
    public var rule: String?

    /// The message, for people: what was expected, and what was found instead.
    public let message: String

    /// The name of the recipe's file, as the caller gave it; nil if there is none.
    public var file: String?

    /// The line in the recipe, from 1; nil if the error concerns no place in it.
    public var line: Int?

    /// The column in the recipe, in Unicode scalar values, from 1; nil if the error concerns no place in the
    /// line.
    public var column: Int?

    /// The maximum length of a message in bytes: it may quote text of any length from a page or a recipe.
    static var maximumMessageLength: Int { 4096 }

    package init(_ code: Code, _ message: String, rule: String? = nil, at place: RecipePlace? = nil) {
        self.code = code
        if message.utf8.count <= Self.maximumMessageLength {
            self.message = message
        } else {
            // A character that is cut in two becomes U+FFFD, which takes three bytes; the 8 bytes leave room
            // for it and the ellipsis.
            let start = message.utf8.prefix(Self.maximumMessageLength - 8)
            self.message = String(decoding: start, as: UTF8.self) + "…"
        }
        self.rule = rule
        file = place?.file
        line = place?.line
        column = place?.column
    }
}

extension RuleError {
    /// The place, the message and the code.
    public var description: String {
        var place = file ?? ""
        if let line { place += "\(place.isEmpty ? "line " : ":")\(line)" }
        if let column { place += ":\(column)" }
        if let rule { place += place.isEmpty ? rule : ": \(rule)" }
        return "\(place.isEmpty ? "" : "\(place): ")\(message) (\(code.rawValue))"
    }
}

extension RuleError {
    /// The error with the name of a rule, and with the rule's place unless the error has one.
    func located(_ rule: RecipeRule) -> RuleError {
        var error = self
        error.rule = error.rule ?? rule.name
        error.file = error.file ?? rule.place.file
        if error.line == nil {
            error.line = rule.place.line
            error.column = rule.place.column
        }
        return error
    }
}

/// A place in a recipe's text.
package struct RecipePlace: Hashable, Sendable {
    var file: String?
    /// The line, from 1.
    var line: Int
    /// The column, in Unicode scalar values, from 1.
    var column: Int
}

/// Why the evaluation of a rule ended without a value.
package enum RuleFailure: Error, Hashable, Sendable {
    /// This rule failed; others may still succeed.
    case rule(RuleError)
    /// The budget is exceeded, and the whole run ends.
    case budget(BudgetExceeded)
}
