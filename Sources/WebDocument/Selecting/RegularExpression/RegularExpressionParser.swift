/// Parses a regular expression into the states of an automaton.
struct RegularExpressionParser {
    /// The maximum number of states.
    private static let maximumCount = 10_000
    /// How deeply groups may be nested.
    private static let maximumDepth = 64

    private typealias Instruction = RegularExpression.Instruction
    private typealias Failure = RegularExpression.Failure

    private let pattern: [Unicode.Scalar]
    private var index = 0
    private(set) var ignoresCase = false

    init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    mutating func parse() throws(RegularExpression.Failure) -> [RegularExpression.Instruction] {
        if pattern.starts(with: "(?i)".unicodeScalars) {
            ignoresCase = true
            index = 4
        }
        let body = try parseAlternatives(depth: 0)
        guard index == pattern.count else { throw Failure(message: "unmatched \")\"") }
        return body + [.match]
    }

    private var next: Unicode.Scalar? { index < pattern.count ? pattern[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    // MARK: - Structure

    private mutating func parseAlternatives(depth: Int) throws(RegularExpression.Failure) -> [Instruction] {
        guard depth <= Self.maximumDepth else {
            throw Failure(message: "groups nested more than \(Self.maximumDepth) deep", isLimit: true)
        }
        var branches = [try parseSequence(depth: depth)]
        while take("|") { branches.append(try parseSequence(depth: depth)) }
        var body = branches.removeLast()
        for branch in branches.reversed() {
            try check(branch.count + body.count + 2)
            var joined: [Instruction] = [.split(1, Int32(truncatingIfNeeded: branch.count) &+ 2)]
            joined += Self.shifted(branch, by: 1)
            joined.append(.jump(Int32(truncatingIfNeeded: branch.count + body.count) &+ 2))
            joined += Self.shifted(body, by: Int32(truncatingIfNeeded: branch.count) &+ 2)
            body = joined
        }
        return body
    }

    private mutating func parseSequence(depth: Int) throws(RegularExpression.Failure) -> [Instruction] {
        var body: [Instruction] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let atom = try parseAtom(depth: depth)
            let repeated = try parseQuantifier(atom)
            try check(body.count + repeated.count)
            body += Self.shifted(repeated, by: Int32(truncatingIfNeeded: body.count))
        }
        return body
    }

    private func check(_ count: Int) throws(RegularExpression.Failure) {
        guard count <= Self.maximumCount else {
            throw Failure(
                message: "the expression needs more than \(Self.maximumCount) states",
                isLimit: true
            )
        }
    }

    private static func shifted(_ body: [Instruction], by distance: Int32) -> [Instruction] {
        body.map { instruction in
            switch instruction {
            case .split(let one, let other): .split(one &+ distance, other &+ distance)
            case .jump(let target): .jump(target &+ distance)
            case .scalar, .anyButNewline, .set, .assert, .condition, .match: instruction
            }
        }
    }

    // MARK: - Repetition

    private mutating func parseQuantifier(
        _ atom: [Instruction]
    ) throws(RegularExpression.Failure) -> [Instruction] {
        var body = atom
        var isRepeated = false
        while true {
            let bounds: (least: Int, most: Int?)
            if take("*") {
                bounds = (0, nil)
            } else if take("+") {
                bounds = (1, nil)
            } else if take("?") {
                bounds = (0, 1)
            } else if let counted = try parseBounds() {
                bounds = counted
            } else {
                return body
            }
            guard !isRepeated else { throw Failure(message: "a quantifier after a quantifier") }
            isRepeated = true
            // A lazy quantifier changes what is matched, but not whether the text matches.
            if !take("?"), next == "+" { throw Failure(message: "possessive quantifiers are not supported") }
            body = try Self.repeated(body, bounds.least, bounds.most, check)
        }
    }

    /// Parses `{m}`, `{m,}` or `{m,n}`; nil if the brace is a literal one.
    private mutating func parseBounds() throws(RegularExpression.Failure) -> (least: Int, most: Int?)? {
        guard next == "{" else { return nil }
        let start = index
        index += 1
        guard let least = parseInteger() else {
            index = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = parseInteger() }
        guard take("}") else {
            index = start
            return nil
        }
        guard most.map({ $0 >= least }) ?? true else { throw Failure(message: "{m,n} with m greater than n") }
        return (least, most)
    }

    private mutating func parseInteger() -> Int? {
        let start = index
        var value = 0
        while let digit = next, digit.value >= 0x30, digit.value <= 0x39 {
            value = min(value &* 10 &+ Int(digit.value &- 0x30), 1_000_000)
            index += 1
        }
        return index > start ? value : nil
    }

    private static func repeated(
        _ atom: [Instruction],
        _ least: Int,
        _ most: Int?,
        _ check: (Int) throws(RegularExpression.Failure) -> Void
    ) throws(RegularExpression.Failure) -> [Instruction] {
        try check((most ?? least + 1) *| (atom.count + 1) +| 2)
        var body: [Instruction] = []
        for _ in 0..<least { body += shifted(atom, by: Int32(truncatingIfNeeded: body.count)) }
        guard let most else {
            let start = Int32(truncatingIfNeeded: body.count)
            body.append(.split(start &+ 1, start &+ Int32(truncatingIfNeeded: atom.count) &+ 2))
            body += shifted(atom, by: start &+ 1)
            body.append(.jump(start))
            return body
        }
        let end = Int32(truncatingIfNeeded: body.count + (most - least) &* (atom.count + 1))
        for _ in least..<most {
            let start = Int32(truncatingIfNeeded: body.count)
            body.append(.split(start &+ 1, end))
            body += shifted(atom, by: start &+ 1)
        }
        return body
    }

    // MARK: - Atoms

    private mutating func parseAtom(depth: Int) throws(RegularExpression.Failure) -> [Instruction] {
        guard let scalar = next else { return [] }
        index += 1
        switch scalar {
        case "(":
            if take("?"), !take(":") {
                throw Failure(message: "only (?:…), and (?i) at the start, are supported")
            }
            let body = try parseAlternatives(depth: depth + 1)
            guard take(")") else { throw Failure(message: "unclosed \"(\"") }
            return body
        case "[": return [.set(try parseClass())]
        case ".": return [.anyButNewline]
        case "^": return [.assert(.start)]
        case "$": return [.assert(.end)]
        case "*", "+", "?": throw Failure(message: "a quantifier with nothing to repeat")
        case "\\": return [try parseEscape()]
        default: return [literal(scalar)]
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> Instruction {
        .scalar(ignoresCase ? RegularExpression.folded(scalar) : scalar.value)
    }

    private mutating func parseEscape() throws(RegularExpression.Failure) -> Instruction {
        switch next {
        case "b":
            index += 1
            return .assert(.wordBoundary)
        case "B":
            index += 1
            return .assert(.noWordBoundary)
        default:
            if let set = takeClassEscape() { return .set(set) }
            return literal(try parseEscapedScalar())
        }
    }

    /// Parses `\d` and similar classes, after the backslash.
    private mutating func takeClassEscape() -> ScalarSet? {
        let set: ScalarSet
        switch next {
        case "d": set = .digit
        case "D": set = ScalarSet(ranges: ScalarSet.digit.ranges, isNegated: true)
        case "w": set = .word
        case "W": set = ScalarSet(ranges: ScalarSet.word.ranges, isNegated: true)
        case "s": set = .space
        case "S": set = ScalarSet(ranges: ScalarSet.space.ranges, isNegated: true)
        default: return nil
        }
        index += 1
        return set
    }

    private mutating func parseEscapedScalar() throws(RegularExpression.Failure) -> Unicode.Scalar {
        guard let scalar = next else { throw Failure(message: "a trailing \"\\\"") }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "x": return try parseHexadecimal(2)
        case "u": return try parseHexadecimal(4)
        default:
            guard !scalar.isASCII || !UInt8(truncatingIfNeeded: scalar.value).isASCIIAlphanumeric else {
                throw Failure(message: "\"\\\(scalar)\" is not supported")
            }
            return scalar
        }
    }

    private mutating func parseHexadecimal(_ count: Int) throws(RegularExpression.Failure) -> Unicode.Scalar {
        var digits = ""
        var isComplete = true
        if take("{") {
            while let digit = next, digit != "}" {
                digits.unicodeScalars.append(digit)
                index += 1
            }
            index += 1
        } else {
            while digits.utf8.count < count, let digit = next {
                digits.unicodeScalars.append(digit)
                index += 1
            }
            isComplete = digits.utf8.count == count
        }
        guard isComplete, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw Failure(message: "\"\(digits)\" is not a character code")
        }
        return scalar
    }

    // MARK: - Classes

    private mutating func parseClass() throws(RegularExpression.Failure) -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = next, scalar != "]" || isFirst {
            isFirst = false
            index += 1
            if scalar == "\\", let other = takeClassEscape() {
                guard !other.isNegated else {
                    throw Failure(message: "\\D, \\W and \\S are not supported in classes")
                }
                set.ranges += other.ranges
                continue
            }
            let low = scalar == "\\" ? try parseEscapedScalar() : scalar
            guard next == "-", index + 1 < pattern.count, pattern[index + 1] != "]" else {
                add(low.value...low.value, to: &set)
                continue
            }
            index += 1
            var high = pattern[index]
            index += 1
            if high == "\\" { high = try parseEscapedScalar() }
            guard low <= high else { throw Failure(message: "a character range ends before it begins") }
            add(low.value...high.value, to: &set)
        }
        guard take("]") else { throw Failure(message: "unclosed \"[\"") }
        try check(set.ranges.count)
        return set
    }

    /// Adds a range; if case is ignored, texts are in lower case, so the lower case of ASCII's upper-case
    /// letters is added, too.
    private func add(_ range: ClosedRange<UInt32>, to set: inout ScalarSet) {
        set.ranges.append(range)
        guard ignoresCase else { return }
        if range.count == 1, let scalar = Unicode.Scalar(range.lowerBound) {
            let folded = RegularExpression.folded(scalar)
            set.ranges.append(folded...folded)
        }
        let upper = range.clamped(to: 0x41...0x5A)
        if range.overlaps(0x41...0x5A) {
            set.ranges.append((upper.lowerBound &+ 32)...(upper.upperBound &+ 32))
        }
    }
}
