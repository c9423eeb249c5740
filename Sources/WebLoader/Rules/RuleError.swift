/// What is wrong with a rule, or with what it met on a page.
public struct RuleError: Error, Hashable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The recipe, a selector, a pattern or a script does not compile.
        case invalid = "rule.invalid"
        /// The rule failed as it ran; its field is null.
        case failed = "rule.failed"
        /// The page is not what the recipe was written for: an assertion does not hold.
        case drift = "rule.drift"
        /// The process that runs rules died.
        case crash = "worker.crash"
        /// There is no worker, or it could not be started.
        case unavailable = "worker.unavailable"
        /// The task was cancelled.
        case cancelled = "load.cancelled"
    }

    /// What happened.
    public let code: Code

    /// The rule, as in "items[].price"; nil where it is about the recipe as a whole.
    public var rule: String?

    /// What happened, in words and figures, for people: what was expected, and what is there instead.
    public let message: String

    /// The recipe's file, or what the caller named it; nil where it came without.
    public var file: String?

    /// The line in the recipe, from 1; nil where it is about no place in it.
    public var line: Int?

    /// The column in the recipe, in Unicode scalar values, from 1; nil where it is about no place in the line.
    public var column: Int?

    /// The bytes of a message: it may quote what a page or a recipe has, of any length.
    static var maximumMessageLength: Int { 4096 }

    init(_ code: Code, _ message: String, rule: String? = nil, at place: RecipePlace? = nil) {
        self.code = code
        if message.utf8.count <= Self.maximumMessageLength {
            self.message = message
        } else {
            // A character that is cut in two becomes one of three bytes, and so has room.
            let start = message.utf8.prefix(Self.maximumMessageLength - 8)
            self.message = String(decoding: start, as: UTF8.self) + "…"
        }
        self.rule = rule
        file = place?.file
        line = place?.line
        column = place?.column
    }
}

extension RuleError: CustomStringConvertible {
    /// Where, what happened, and the code.
    public var description: String {
        var place = file ?? ""
        if let line { place += "\(place.isEmpty ? "line " : ":")\(line)" }
        if let column { place += ":\(column)" }
        if let rule { place += place.isEmpty ? rule : ": \(rule)" }
        return "\(place.isEmpty ? "" : "\(place): ")\(message) (\(code.rawValue))"
    }
}

extension RuleError {
    /// The error with its rule, and with that one's place unless it has one.
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

/// Where something stands in a recipe.
struct RecipePlace: Hashable, Sendable {
    var file: String?
    /// The line, from 1.
    var line: Int
    /// The column, in Unicode scalar values, from 1.
    var column: Int
}

/// Why the evaluation of a rule does not go on.
public enum RuleFailure: Error, Hashable, Sendable {
    /// This rule has no value; others may have.
    case rule(RuleError)
    /// The whole run is over.
    case budget(BudgetExceeded)
}
