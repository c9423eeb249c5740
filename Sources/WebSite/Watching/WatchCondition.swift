import WebLoader

/// A condition on a page: a text that is there or not, or a value that a recipe found.
package struct WatchCondition: Hashable, Sendable {
    /// How a value is compared.
    enum Comparison: String, CaseIterable, Sendable {
        // Those of two characters first, since the others begin them.
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        /// Whether it asks for an order, and so for numbers.
        var isOfNumbers: Bool { self != .equal && self != .unequal }
    }

    private enum Test: Hashable, Sendable {
        case text(String, isPresent: Bool)
        case value([String], Comparison, JSONValue)
    }

    /// What came of a condition on a page.
    package struct Outcome: Sendable {
        package let condition: WatchCondition
        package var holds = false
        /// The value that made it hold or not; nil for one of texts, or where there is none.
        package var value: JSONValue?
        /// Why it could not be said; nil if it could.
        package var problem: String?
    }

    /// As it was written.
    package let text: String
    private let test: Test

    /// A text that is on the page, or is not; white space does not count.
    init(text: String, isPresent: Bool) {
        self.text = "\(isPresent ? "text" : "no text") \(JSONValue.quoted(text))"
        test = .text(Self.collapsed(text), isPresent: isPresent)
    }

    /// Why a condition is none.
    struct Invalid: Error {
        let message: String
    }

    /// Reads a comparison, as in "price < 20" and "offer.state != 'sold out'".
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

    /// The path, the comparison and the value of a text; nil without a comparison.
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

    /// A text in quotes, a number, a word of JSON, or a text as it stands.
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

    /// The decimal number that a text is; nil for any other.
    private static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    // MARK: - Asking

    /// Whether it is about the page's text.
    var isOfText: Bool {
        if case .text = test { true } else { false }
    }

    /// The field that it is about; nil for one of texts.
    var field: String? {
        if case .value(let names, _, _) = test { names[0] } else { nil }
    }

    /// Whether it holds.
    ///
    /// Of a list it holds if it does for one of the items. What is missing equals null, and nothing else.
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

    /// The values at a path, of lists those of each item.
    private static func values(_ names: [String], in data: JSONValue) -> [JSONValue] {
        var values = [data]
        for name in names { values = values.flatMap(items).map { $0[name] ?? .null } }
        values = values.flatMap(items)
        return values.isEmpty ? [.null] : values
    }

    /// The items of a list, and of lists in it; any other value alone.
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

    /// A text with a space for each run of white space, and none at its ends.
    static func collapsed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension JSONValue {
    /// A text as JSON has it, for people.
    static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }
}
