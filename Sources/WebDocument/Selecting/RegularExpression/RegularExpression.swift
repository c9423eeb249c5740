/// A regular expression whose matching takes time linear in the text, for any expression and any text.
///
/// It has the parts of Perl's notation that an automaton can match: `|`, groups, `*`, `+`, `?`, `{m,n}`, `.`,
/// classes, `\d`, `\w`, `\s`, `\b`, `^`, `$`, and `(?i)` at the start.
package struct RegularExpression: Sendable {
    /// How an expression is written.
    package enum Dialect: Sendable {
        /// As said above.
        case perl
        /// As HTML's `pattern` has it: ECMAScript's notation with its flag `v`, for all of a text.
        ///
        /// Look-ahead is for the start of a text only, and there is no other look-around, no reference to a group, no
        /// modifier and no class of strings. It is for ``matches(_:steps:)`` only.
        case ecmaScriptSets
    }

    /// Why an expression could not be parsed.
    package struct Failure: Error, Equatable {
        package let message: String
        /// Whether it is valid but too large.
        var isLimit = false
    }

    /// A state of the automaton.
    enum Instruction: Sendable {
        case scalar(UInt32)
        case anyButNewline
        /// Matches a scalar in the class.
        case set(ScalarSet)
        /// Continues in both states.
        case split(Int32, Int32)
        case jump(Int32)
        case assert(Assertion)
        /// Continues if the condition with that number holds; fails if no conditions have been evaluated.
        case condition(Int32)
        case match
    }

    enum Assertion: Sendable {
        case start, end, wordBoundary, noWordBoundary
    }

    /// A pattern that a text has to match, or must not match, from its start on.
    struct Condition: Sendable {
        let instructions: [Instruction]
        let isNegated: Bool
    }

    let instructions: [Instruction]
    let ignoresCase: Bool
    /// Those that the instructions name; one may name others before it.
    let conditions: [Condition]

    package init(_ pattern: String, dialect: Dialect = .perl) throws(Failure) {
        switch dialect {
        case .perl:
            var parser = RegularExpressionParser(pattern)
            instructions = try parser.parse()
            ignoresCase = parser.ignoresCase
            conditions = []
        case .ecmaScriptSets:
            var parser = SetsPatternParser(pattern)
            instructions = try parser.parse()
            ignoresCase = false
            conditions = parser.conditions
        }
    }

    /// Whether a part of a text, in UTF-8, matches.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - steps: The number of steps left; the result is false once it is below 0.
    /// - Returns: Whether it matches.
    package func matches(_ text: [UInt8], steps: inout Int) -> Bool {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard !conditions.isEmpty else { return matches(instructions, scalars, steps: &steps) }
        var results: [Bool] = []
        for condition in conditions {
            let decided = Self.decided(condition.instructions, results)
            results.append(matches(decided, scalars, steps: &steps) != condition.isNegated)
            guard steps >= 0 else { return false }
        }
        return matches(Self.decided(instructions, results), scalars, steps: &steps)
    }

    /// The same with jumps in place of the conditions that hold.
    private static func decided(_ instructions: [Instruction], _ results: [Bool]) -> [Instruction] {
        guard results.contains(true) else { return instructions }
        var decided = instructions
        for (index, instruction) in instructions.enumerated() {
            guard case .condition(let number) = instruction, results[Int(number)] else { continue }
            decided[index] = .jump(Int32(truncatingIfNeeded: index) &+ 1)
        }
        return decided
    }

    private func matches(
        _ instructions: [Instruction],
        _ scalars: String.UnicodeScalarView,
        steps: inout Int
    ) -> Bool {
        var run = RegularExpressionRun(instructions)
        var previous: UInt32?
        var isFirst = true
        for scalar in scalars {
            let value = ignoresCase ? Self.folded(scalar) : scalar.value
            run.begin(isAtStart: isFirst, previous: previous, next: value)
            if run.hasMatched { return true }
            run.step(value)
            steps &-= run.work
            guard steps >= 0 else { return false }
            previous = value
            isFirst = false
        }
        run.begin(isAtStart: isFirst, previous: previous, next: nil)
        return run.hasMatched
    }

    /// The scalar in lower case, if that is a single scalar.
    static func folded(_ scalar: Unicode.Scalar) -> UInt32 {
        if scalar.isASCII { return UInt32(UInt8(truncatingIfNeeded: scalar.value).asciiLowercased) }
        let lowered = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = lowered.first, lowered.count == 1 else { return scalar.value }
        return first.value
    }
}

/// A set of scalars, given by ranges that it contains or excludes.
struct ScalarSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false
    /// Whether the ranges are in order and apart from each other, and none is excluded.
    var isSorted = false

    /// How many ranges are looked at, at most, to find a scalar.
    var cost: Int { isSorted ? Int.bitWidth - ranges.count.leadingZeroBitCount : ranges.count }

    func contains(_ scalar: UInt32) -> Bool {
        if isSorted { return sortedContains(scalar) }
        var isInside = false
        for range in ranges where range.contains(scalar) {
            isInside = true
            break
        }
        return isInside != isNegated
    }

    static let digit = ScalarSet(ranges: [0x30...0x39])
    static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = ScalarSet(ranges: [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x2028...0x2029, 0xFEFF...0xFEFF,
    ])
}

/// The states that the automaton is in while it reads a text.
struct RegularExpressionRun {
    private let instructions: [RegularExpression.Instruction]
    private var current: [Int32] = []
    private var following: [Int32] = []
    /// For each state, the last round in which it was entered.
    private var entered: [Int]
    private var round = 0
    private var stack: [Int32] = []
    private(set) var hasMatched = false
    /// The cost of the last round.
    private(set) var work = 0

    init(_ instructions: [RegularExpression.Instruction]) {
        self.instructions = instructions
        entered = Array(repeating: -1, count: instructions.count)
    }

    /// Enters the states that the last scalar led to, the first state, and all that are reached from these
    /// without reading a scalar.
    mutating func begin(isAtStart: Bool, previous: UInt32?, next: UInt32?) {
        round += 1
        work = 1
        let states = following
        current.removeAll(keepingCapacity: true)
        for state in states { enter(state, isAtStart, previous, next) }
        enter(0, isAtStart, previous, next)
    }

    /// Reads a scalar.
    mutating func step(_ scalar: UInt32) {
        following.removeAll(keepingCapacity: true)
        for state in current {
            work += 1
            let isTaken =
                switch instructions[Int(state)] {
                case .scalar(let value): value == scalar
                case .anyButNewline: scalar != 0x0A
                case .set(let set): contains(scalar, set)
                case .split, .jump, .assert, .condition, .match: false
                }
            if isTaken { following.append(state &+ 1) }
        }
    }

    private mutating func contains(_ scalar: UInt32, _ set: ScalarSet) -> Bool {
        work += set.cost
        return set.contains(scalar)
    }

    private mutating func enter(_ state: Int32, _ isAtStart: Bool, _ previous: UInt32?, _ next: UInt32?) {
        stack.append(state)
        while let state = stack.popLast() {
            guard entered[Int(state)] != round else { continue }
            entered[Int(state)] = round
            work += 1
            switch instructions[Int(state)] {
            case .scalar, .anyButNewline, .set: current.append(state)
            case .split(let one, let other):
                stack.append(other)
                stack.append(one)
            case .jump(let target): stack.append(target)
            case .condition: break
            case .match: hasMatched = true
            case .assert(let assertion):
                if assertion.holds(isAtStart: isAtStart, previous, next) { stack.append(state &+ 1) }
            }
        }
    }
}
