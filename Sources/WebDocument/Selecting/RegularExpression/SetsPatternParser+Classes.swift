/// Classes: unions, and what is common to several or in one but not in others.
extension SetsPatternParser {
    /// Parses a class behind its `[`.
    mutating func parseClass(depth: Int) throws(RegularExpression.Failure) -> ScalarSet {
        try check(depth: depth)
        let isNegated = take("^")
        let set = try parseClassContents(depth: depth)
        guard take("]") else { throw Failure(message: "unclosed \"[\"") }
        return isNegated ? set.complement : set
    }

    private mutating func parseClassContents(depth: Int) throws(RegularExpression.Failure) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = next, scalar != "]" {
            let (operand, character) = try parseClassOperand(depth: depth)
            if isFirst, startsWith("&&") || startsWith("--") {
                return try parseOperations(on: operand, depth: depth)
            }
            isFirst = false
            guard next == "-" else {
                ranges += operand.ranges
                continue
            }
            index += 1
            guard let low = character, let high = try parseClassOperand(depth: depth).character, low <= high
            else { throw Failure(message: "\"-\" that makes no range of characters") }
            ranges.append(low...high)
        }
        return ScalarSet(sorting: ranges)
    }

    /// Parses the rest of `A&&B&&C` or `A--B--C`.
    private mutating func parseOperations(
        on first: ScalarSet,
        depth: Int
    ) throws(RegularExpression.Failure) -> ScalarSet {
        var set = first
        let isIntersection = next == "&"
        let sign = isIntersection ? "&&" : "--"
        while startsWith(sign) {
            index += 2
            guard !isIntersection || next != "&" else { throw Failure(message: "\"&&&\" in a class") }
            let (operand, _) = try parseClassOperand(depth: depth)
            try spend(set.ranges.count)
            set = set.intersection(isIntersection ? operand : operand.complement)
        }
        guard next == "]" else { throw Failure(message: "different operators in a class") }
        return set
    }

    /// Parses a class in a class, a class by its letter, or a character, which is returned too.
    private mutating func parseClassOperand(
        depth: Int
    ) throws(RegularExpression.Failure) -> (set: ScalarSet, character: UInt32?) {
        guard let scalar = next else { throw Failure(message: "unclosed \"[\"") }
        if take("[") {
            let set = try parseClass(depth: depth + 1)
            try spend(set.ranges.count)
            return (set, nil)
        }
        try spend(1)
        let value: UInt32
        if take("\\") {
            if let set = try parseClassEscape() { return (set, nil) }
            value = try parseEscapeInClass()
        } else {
            let isDoubled = index + 1 < pattern.count && pattern[index + 1] == scalar
            guard !Self.syntaxCharacters.contains(scalar), !isDoubled || !Self.doubled.contains(scalar) else {
                throw Failure(message: "\"\(scalar)\" in a class without \"\\\"")
            }
            index += 1
            value = scalar.value
        }
        return (ScalarSet(ranges: [value...value], isSorted: true), value)
    }

    private mutating func parseEscapeInClass() throws(RegularExpression.Failure) -> UInt32 {
        if take("b") { return 0x08 }
        if let scalar = next, Self.escapable.contains(scalar) {
            index += 1
            return scalar.value
        }
        return try parseCharacterEscape()
    }

    private func startsWith(_ text: String) -> Bool { pattern[index...].starts(with: text.unicodeScalars) }

    /// The characters that stand for themselves in a class only after a backslash.
    private static let syntaxCharacters = Set("()[]{}/-\\|".unicodeScalars)
    /// The characters that may not occur twice in a row in a class.
    private static let doubled = Set("&!#$%*+,.:;<=>?@^`~".unicodeScalars)
    /// The characters that may follow a backslash in a class, besides those that may elsewhere.
    private static let escapable = Set("&-!#%,:;<=>@`~".unicodeScalars)
}
