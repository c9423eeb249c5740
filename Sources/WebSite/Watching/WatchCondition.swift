import WebLoader

/// A condition on a page: a text that exists on it or not, or a value that a recipe found.
package struct WatchCondition: Hashable, Sendable {
    /// The comparison of a value.
    enum Comparison: String, CaseIterable, Sendable {
        // Those of two characters first, since the others are prefixes of them.
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        /// Whether the comparison is an order, which requires numbers.
        var isOfNumbers: Bool { self != .equal && self != .unequal }
    }

    private enum Test: Hashable, Sendable {
        case text(String, isPresent: Bool)
        case value([String], Comparison, JSONValue)
    }

    /// The outcome of a condition on a page.
    package struct Outcome: Sendable {
        package let condition: WatchCondition
        package var holds = false
        /// The value that decided; `nil` for a condition on texts, or if there is no value.
        package var value: JSONValue?
        /// Why the condition could not be evaluated; `nil` if it could.
        package var problem: String?
    }

    /// The condition as written.
    package let text: String
    private let test: Test

    /// Creates a condition on a text that is on the page, or is not; white space is collapsed.
    init(text: String, isPresent: Bool) {
        self.text = "\(isPresent ? "text" : "no text") \(JSONValue.quoted(text))"
        test = .text(Self.collapsed(text), isPresent: isPresent)
    }

    /// The reason why a condition is invalid.
    struct Invalid: Error {
        let message: String
    }

    /// Parses a comparison, such as "price < 20" or "offer.state != 'sold out'".
    init(_ text: String) throws(Invalid) {
        self.text = text
        guard let (path, comparison, rest) = Self.split(text), !path.isEmpty, !rest.isEmpty else {
            throw Invalid(message: "a comparison, as in \"price < 20\"")
        }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map { name in
            String(name.hasSuffix("[]") ? name.dropLast(2) : name)
        }
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw Invalid(message: "names between the dots of \"\(path.prefix(40))\"")
        }
        let value = Self.constant(rest)
        guard !comparison.isOfNumbers || value.number != nil else {
            throw Invalid(message: "a number behind \"\(comparison.rawValue)\"")
        }
        test = .value(names, comparison, value)
    }

    /// Splits a text into path, comparison and value; `nil` if there is no comparison.
    private static func split(_ text: String) -> (path: String, Comparison, rest: String)? {
        guard let start = text.firstIndex(where: { "<>=!".contains($0) }) else { return nil }
        guard let comparison = Comparison.allCases.first(where: { text[start...].hasPrefix($0.rawValue) })
        else { return nil }
        let rest = text[start...].dropFirst(comparison.rawValue.count)
        return (trimmed(text[..<start]), comparison, trimmed(rest))
    }

    private static func trimmed(_ text: Substring) -> String {
        let front = text.drop(while: \.isWhitespace)
        return String(front.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the value of a text in quotes, a number, a word of JSON, or else the text itself.
    private static func constant(_ text: String) -> JSONValue {
        if let quote = text.first, quote == "\"" || quote == "'", text.count >= 2, text.last == quote {
            return .string(String(text.dropFirst().dropLast()))
        }
        switch text {
        case "true": return true
        case "false": return false
        case "null": return .null
        default: return number(text).map(JSONValue.number) ?? .string(text)
        }
    }

    /// Returns the value of a decimal number; `nil` for other texts.
    private static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    // MARK: - Asking

    /// Whether the condition is on the page's text.
    var isOfText: Bool {
        if case .text = test { true } else { false }
    }

    /// The field that the condition is on; `nil` for a condition on texts.
    var field: String? {
        if case .value(let names, _, _) = test { names[0] } else { nil }
    }

    /// Returns whether the condition holds.
    ///
    /// A condition on a list holds if it does for one of the items. A missing value only equals null.
    func outcome(data: JSONValue?, text: String?) -> Outcome {
        var outcome = Outcome(condition: self)
        switch test {
        case .text(let wanted, let isPresent):
            outcome.holds = Self.collapsed(text ?? "").contains(wanted) == isPresent
        case .value(let names, let comparison, let constant):
            let values = Self.values(names, in: data ?? .null)
            for value in values {
                let (holds, problem) = Self.compare(value, comparison, constant)
                if holds || outcome.value == nil { outcome.value = value }
                outcome.holds = holds
                if holds { break }
                outcome.problem = outcome.problem ?? problem
            }
            if outcome.holds { outcome.problem = nil }
        }
        return outcome
    }

    /// Returns the values at a path, for lists those of each item.
    private static func values(_ names: [String], in data: JSONValue) -> [JSONValue] {
        var values = [data]
        for name in names { values = values.flatMap(items).map { $0[name] ?? .null } }
        values = values.flatMap(items)
        return values.isEmpty ? [.null] : values
    }

    /// Returns the items of a list, and of the lists in it; another value alone.
    private static func items(_ value: JSONValue) -> [JSONValue] {
        guard case .array = value else { return [value] }
        var (items, rest) = ([JSONValue](), [value])
        while let next = rest.popLast() {
            if case .array(let inner) = next { rest += inner.reversed() } else { items.append(next) }
        }
        return items
    }

    private static func compare(
        _ value: JSONValue,
        _ comparison: Comparison,
        _ constant: JSONValue
    ) -> (holds: Bool, problem: String?) {
        let found = value.number ?? value.string.flatMap { number(trimmed($0[...])) }
        if let wanted = constant.number, let found { return (holds(found, comparison, wanted), nil) }
        if comparison.isOfNumbers {
            guard value != .null else { return (false, nil) }
            let text = String(decoding: value.serialized().prefix(60), as: UTF8.self)
            return (false, "\(text) is no number; see \"transform: [number]\" of recipes")
        }
        return ((value == constant) == (comparison == .equal), nil)
    }

    private static func holds(_ value: Double, _ comparison: Comparison, _ wanted: Double) -> Bool {
        switch comparison {
        case .atMost: value <= wanted
        case .atLeast: value >= wanted
        case .equal: value == wanted
        case .unequal: value != wanted
        case .below: value < wanted
        case .above: value > wanted
        }
    }

    /// Returns a text with a single space for each run of white space, without leading and trailing white space.
    static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension JSONValue {
    /// Returns a text as a JSON string, for messages.
    static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }
}
