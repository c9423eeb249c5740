/// The rules about texts, applied both to the found changes and to their display.
package struct IgnoreRules {
    private let patterns: [TextPattern]
    private let tolerance: PageDifference.Tolerance?
    /// The remaining number of steps for matching all texts together.
    private(set) var steps = 400_000_000

    /// Creates the rules of a comparison.
    package init(_ options: PageDifference.Options) {
        patterns = options.ignoredPatterns
        tolerance = options.ignoredNumberDifference
    }

    var isEmpty: Bool { patterns.isEmpty && tolerance == nil }

    /// Whether the steps ran out before all texts were matched.
    var isExhausted: Bool { steps < 0 }

    /// Returns the differences of two texts after the rules are applied.
    package mutating func marks(_ old: String, _ new: String) -> TextMarks {
        let (one, other) = (Array(old.utf8), Array(new.utf8))
        return TextMarks(one, other, masks: (masks(one).all, masks(other).all), tolerance: tolerance)
    }

    /// Returns the rules that hide a change.
    ///
    /// - Parameters:
    ///   - oldText: The text in the old page; `nil` if there is none.
    ///   - newText: The text in the new page; `nil` if there is none.
    ///   - operation: The operation of the change.
    /// - Returns: The rules in words; `nil` if no rule hides the change.
    mutating func name(
        hiding oldText: String?,
        _ newText: String?,
        _ operation: PageDifference.Operation
    ) -> String? {
        let (old, new) = (oldText.map { Array($0.utf8) }, newText.map { Array($0.utf8) })
        guard let old, let new, operation == .changed else {
            let all = [old, new].compactMap { $0 }
            let masked = all.map { ($0, masks($0)) }
            guard !all.isEmpty, masked.allSatisfy({ Self.isCovered($0.0, $0.1.all) }) else { return nil }
            return name(masked.flatMap { $0.1.rules }, isTolerant: false)
        }
        let (one, other) = (masks(old), masks(new))
        guard tolerance != nil || !one.all.isEmpty || !other.all.isEmpty,
            TextMarks(old, new, masks: (one.all, other.all), tolerance: tolerance).gaps.isEmpty,
            // The words are equal: the rules do not apply to the difference.
            !TextMarks(old, new).gaps.isEmpty
        else { return nil }
        let isTolerant =
            tolerance != nil && !TextMarks(old, new, masks: (one.all, other.all)).gaps.isEmpty
        return name(one.rules + other.rules, isTolerant: isTolerant)
    }

    private func name(_ rules: [Int], isTolerant: Bool) -> String {
        var names = Set(rules).sorted().map { "pattern \(patterns[$0].text)" }
        if isTolerant, let tolerance { names.append("numbers within \(tolerance)") }
        return names.joined(separator: ", ")
    }

    /// Returns the ranges that the patterns match, in order, and the indices of the patterns that match.
    private mutating func masks(_ text: [UInt8]) -> (all: [Range<Int>], rules: [Int]) {
        var (all, rules): ([Range<Int>], [Int]) = ([], [])
        for (number, pattern) in patterns.enumerated() {
            let ranges = pattern.ranges(in: text, steps: &steps)
            guard !ranges.isEmpty else { continue }
            all += ranges
            rules.append(number)
        }
        guard rules.count > 1 else { return (all, rules) }
        var joined: [Range<Int>] = []
        for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return (joined, rules)
    }

    /// Whether there is no word outside of the masks.
    private static func isCovered(_ text: [UInt8], _ masks: [Range<Int>]) -> Bool {
        guard !masks.isEmpty else { return false }
        return TextToken.all(text, masks).allSatisfy { token in
            token.isMasked || !text[token.range].contains { $0.isASCIIAlphanumeric || $0 >= 0x80 }
        }
    }
}

extension PageDifference.Tolerance: CustomStringConvertible {
    /// The tolerance as text, as in "0.5" and "5.0 %".
    public var description: String {
        switch self {
        case .absolute(let most): "\(most)"
        case .relative(let part): "\((part * 1e6).rounded() / 1e4) %"
        }
    }
}
