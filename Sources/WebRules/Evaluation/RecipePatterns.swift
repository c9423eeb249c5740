/// The regular expressions of a recipe, each compiled once.
final class RecipePatterns {
    private var compiled: [String: Pattern] = [:]

    /// The compiled expression.
    ///
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid`` if the expression does not compile.
    func pattern(_ text: String) throws(RuleError) -> Pattern {
        if let pattern = compiled[text] { return pattern }
        do throws(Pattern.SyntaxError) {
            let pattern = try Pattern(text)
            compiled[text] = pattern
            return pattern
        } catch {
            throw RuleError(.invalid, "regular expression: byte \(error.offset): \(error.message)")
        }
    }
}

extension RecipeEvaluator {
    /// Compiles the patterns and scripts of fields and of the fields inside them.
    func check(_ fields: [RecipeField]) throws(RuleError) {
        for field in fields {
            do throws(RuleError) {
                for transform in field.transforms {
                    if let pattern = transform.pattern { _ = try patterns.pattern(pattern) }
                }
                if let pattern = field.assertions.pattern { _ = try patterns.pattern(pattern) }
                if case .script(let script, _, isList: _) = field.value {
                    try engine?.check(script, name: recipe.rules[field.rule].name)
                }
            } catch {
                throw error.located(recipe.rules[field.rule])
            }
            try check(field.value.fields)
        }
    }
}

extension RecipeValue {
    /// The fields inside.
    var fields: [RecipeField] {
        switch self {
        case .each(_, let fields), .alternatives(let fields): fields
        case .follow(_, let follow): follow.fields
        case .constant, .selection, .script: []
        }
    }
}

extension RecipeTransform {
    /// The regular expression of the transform; nil if it has none.
    var pattern: String? {
        switch self {
        case .match(let pattern), .matchAll(let pattern), .replace(let pattern, with: _): pattern
        case .trim, .collapse, .lower, .upper, .number, .date, .url, .unique, .sort, .json, .split, .join,
            .slice,
            .map, .template, .fallback, .repetition:
            nil
        }
    }
}
