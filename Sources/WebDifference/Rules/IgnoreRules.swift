/// The rules that are about texts, applied to what was found and to what is shown of it alike.
package struct IgnoreRules {
    private let patterns: [TextPattern]
    private let tolerance: PageDifference.Tolerance?
    /// What matching may take for all texts together.
    private(set) var steps = 400_000_000

    /// The rules of a comparison.
    package init(_ options: PageDifference.Options) {
        patterns = options.ignoredPatterns
        tolerance = options.ignoredNumberDifference
    }

    var isEmpty: Bool { patterns.isEmpty && tolerance == nil }

    /// Whether there were more texts than could be matched.
    var isExhausted: Bool { steps < 0 }

    /// Where two texts differ once the rules are applied.
    package mutating func marks(_ old: String, _ new: String) -> TextMarks {
        let (one, other) = (Array(old.utf8), Array(new.utf8))
        return TextMarks(one, other, masks: (masks(one).all, masks(other).all), tolerance: tolerance)
    }

    /// The rules by which something is no change.
    ///
    /// - Parameters:
    ///   - oldText: Its text in the old page; nil where it has none.
    ///   - newText: Its text in the new page.
    ///   - operation: What was done.
    /// - Returns: The rules in words; nil if it is a change all the same.
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
            // Something that is no word: the rules say nothing of it.
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

    /// What the patterns match, in its order, and which of them do.
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
    /// As in "0.5" and "5 %".
    public var description: String {
        switch self {
        case .absolute(let most): "\(most)"
        case .relative(let part): "\((part * 1e6).rounded() / 1e4) %"
        }
    }
}
