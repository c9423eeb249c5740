import WebStandards

/// Parses a pattern of ECMAScript with the flag `v`, for all of a text.
///
/// [Patterns](https://tc39.es/ecma262/#sec-patterns)
struct SetsPatternParser {
    /// The maximum number of states, those of conditions included.
    private static let maximumCount = 10_000
    /// How deeply groups and classes may be nested.
    private static let maximumDepth = 64

    typealias Instruction = RegularExpression.Instruction
    typealias Failure = RegularExpression.Failure

    /// The look-aheads, each behind those inside it.
    private(set) var conditions: [RegularExpression.Condition] = []
    let pattern: [Unicode.Scalar]
    var index = 0
    /// How many ranges classes may still be made of.
    var rangesLeft = 250_000
    private var countLeft = Self.maximumCount
    /// Whether nothing before this place can take a scalar of the text.
    private var isAtStart = true

    init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    mutating func parse() throws(RegularExpression.Failure) -> [Instruction] {
        let (body, _) = try parseAlternatives(depth: 0)
        guard index == pattern.count else { throw Failure(message: "unmatched \")\"") }
        return try finished(body, isWhole: true)
    }

    var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    func check(depth: Int) throws(RegularExpression.Failure) {
        guard depth <= Self.maximumDepth else {
            throw Failure(message: "nested more than \(Self.maximumDepth) deep", isLimit: true)
        }
    }

    private func check(_ count: Int) throws(RegularExpression.Failure) {
        guard count <= countLeft else {
            throw Failure(message: "more than \(Self.maximumCount) states are needed", isLimit: true)
        }
    }

    /// The states of an expression that begins where the text does.
    private mutating func finished(
        _ body: PatternPart,
        isWhole: Bool
    ) throws(RegularExpression.Failure) -> [Instruction] {
        try check(body.count + 3)
        countLeft -= body.count + 3
        var states: [Instruction] = [.assert(.start)]
        body.append(to: &states)
        if isWhole { states.append(.assert(.end)) }
        states.append(.match)
        return states
    }

    // MARK: - Structure

    /// Parses a disjunction, and says which names its groups have.
    private mutating func parseAlternatives(
        depth: Int
    ) throws(RegularExpression.Failure) -> (part: PatternPart, names: Set<String>) {
        try check(depth: depth)
        let isAtStart = isAtStart
        var staysAtStart = true
        var branches: [PatternPart] = []
        var names: Set<String> = []
        var count = 0
        repeat {
            self.isAtStart = isAtStart
            let branch = try parseSequence(depth: depth)
            staysAtStart = staysAtStart && self.isAtStart
            branches.append(branch.part)
            names.formUnion(branch.names)
            count += branch.part.count + 2
            try check(count - 2)
        } while take("|")
        self.isAtStart = staysAtStart
        return (PatternPart(alternatives: branches), names)
    }

    private mutating func parseSequence(
        depth: Int
    ) throws(RegularExpression.Failure) -> (part: PatternPart, names: Set<String>) {
        var parts: [PatternPart] = []
        var names: Set<String> = []
        var count = 0
        while let scalar = next, scalar != "|", scalar != ")" {
            let known = conditions.count
            var (part, added, isRepeatable) = try parseTerm(depth: depth)
            if isRepeatable, let bounds = try parseQuantifier() {
                guard conditions.count == known || bounds.most ?? 2 <= 1 else {
                    throw Failure(message: "look-ahead that is repeated is not supported")
                }
                part = PatternPart(part, least: bounds.least, most: bounds.most)
            }
            for name in added where !names.insert(name).inserted {
                throw Failure(message: "two groups have the name \(name)")
            }
            count = count +| part.count
            try check(count)
            if part.count > 0 { parts.append(part) }
        }
        return (PatternPart(sequence: parts), names)
    }

    private mutating func parseTerm(
        depth: Int
    ) throws(RegularExpression.Failure) -> (part: PatternPart, names: Set<String>, isRepeatable: Bool) {
        guard let scalar = next else { throw Failure(message: "something is missing") }
        index += 1
        switch scalar {
        case "^": return (PatternPart(.assert(.start)), [], false)
        case "$": return (PatternPart(.assert(.end)), [], false)
        case "(": return try parseGroup(depth: depth)
        case "\\":
            if take("b") { return (PatternPart(.assert(.wordBoundary)), [], false) }
            if take("B") { return (PatternPart(.assert(.noWordBoundary)), [], false) }
            isAtStart = false
            if let set = try parseClassEscape() { return (PatternPart(.set(set)), [], true) }
            return (PatternPart(.scalar(try parseCharacterEscape())), [], true)
        case ".", "[":
            isAtStart = false
            let set = scalar == "." ? .notLineTerminator : try parseClass(depth: depth)
            return (PatternPart(.set(set)), [], true)
        case "*", "+", "?": throw Failure(message: "a quantifier with nothing to repeat")
        case "{", "}", "]": throw Failure(message: "\"\(scalar)\" without \"\\\"")
        default:
            isAtStart = false
            return (PatternPart(.scalar(scalar.value)), [], true)
        }
    }

    // MARK: - Groups

    private mutating func parseGroup(
        depth: Int
    ) throws(RegularExpression.Failure) -> (part: PatternPart, names: Set<String>, isRepeatable: Bool) {
        var name: String?
        if take("?") {
            switch next {
            case ":": index += 1
            case "=", "!": return try parseLookahead(depth: depth)
            case "<":
                index += 1
                name = try parseGroupName()
            default: throw Failure(message: "(?…) other than groups and look-ahead is not supported")
            }
        }
        var (body, names) = try parseAlternatives(depth: depth + 1)
        guard take(")") else { throw Failure(message: "unclosed \"(\"") }
        if let name, !names.insert(name).inserted {
            throw Failure(message: "two groups have the name \(name)")
        }
        return (body, names, true)
    }

    private mutating func parseLookahead(
        depth: Int
    ) throws(RegularExpression.Failure) -> (part: PatternPart, names: Set<String>, isRepeatable: Bool) {
        let isNegated = next == "!"
        index += 1
        guard isAtStart else {
            throw Failure(message: "look-ahead that is not at the start is not supported")
        }
        let (body, names) = try parseAlternatives(depth: depth + 1)
        guard take(")") else { throw Failure(message: "unclosed \"(\"") }
        isAtStart = true
        let states = try finished(body, isWhole: false)
        conditions.append(RegularExpression.Condition(instructions: states, isNegated: isNegated))
        return (PatternPart(.condition(Int32(truncatingIfNeeded: conditions.count - 1))), names, false)
    }

    /// Parses the name of a group, behind its `<`; there is none in look-behind.
    private mutating func parseGroupName() throws(RegularExpression.Failure) -> String {
        var name = ""
        while let scalar = next, scalar != ">" {
            index += 1
            let value = scalar == "\\" ? try parseNameEscape() : scalar.value
            guard let letter = Unicode.Scalar(value), Self.isNamePart(letter, isFirst: name.isEmpty) else {
                throw Failure(message: "a group without a name, or look-behind")
            }
            name.unicodeScalars.append(letter)
        }
        guard take(">"), !name.isEmpty else { throw Failure(message: "a group without a name") }
        return name
    }

    private static func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        if scalar == "$" || scalar == "_" { return true }
        if isFirst { return scalar.properties.isIDStart }
        return scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
    }
}
