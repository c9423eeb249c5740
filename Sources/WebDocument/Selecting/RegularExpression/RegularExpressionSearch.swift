extension RegularExpression {
    /// Returns the matches in a text in UTF-8: the leftmost match, of those that begin there the longest, then the next
    /// one after it.
    ///
    /// Empty matches are ignored.
    ///
    /// Complexity: linear in the text where matches end soon; text that is read in vain after a match is read again, as
    /// long as steps are left.
    ///
    /// - Parameters:
    ///   - text: The text; invalid UTF-8 is read as U+FFFD.
    ///   - steps: The number of steps left; there are no further matches once it is below 0.
    /// - Returns: Ranges of bytes.
    package func ranges(in text: some Collection<UInt8>, steps: inout Int) -> [Range<Int>] {
        var scalars: [(value: UInt32, offset: Int)] = []
        var offset = 0
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            scalars.append((ignoresCase ? Self.folded(scalar) : scalar.value, offset))
            offset += UTF8.width(scalar)
        }
        var search = RegularExpressionSearch(instructions)
        var ranges: [Range<Int>] = []
        var start = 0
        while start < scalars.count, let match = search.next(scalars, from: start, steps: &steps) {
            let end = match.upperBound < scalars.count ? scalars[match.upperBound].offset : offset
            ranges.append(scalars[match.lowerBound].offset..<end)
            start = match.upperBound
        }
        return ranges
    }
}

/// Looks for where a text matches: the states of the automaton, each with where its match would begin.
private struct RegularExpressionSearch {
    private struct Thread {
        let state: Int32
        let start: Int
    }

    private let instructions: [RegularExpression.Instruction]
    private var current: [Thread] = []
    private var following: [Thread] = []
    /// For each state, the last round in which it was entered.
    private var entered: [Int]
    private var round = 0
    private var stack: [Int32] = []
    private var best: Range<Int>?

    init(_ instructions: [RegularExpression.Instruction]) {
        self.instructions = instructions
        entered = Array(repeating: -1, count: instructions.count)
    }

    /// Returns the first match from a place on; `nil` if there is none.
    mutating func next(
        _ scalars: [(value: UInt32, offset: Int)],
        from first: Int,
        steps: inout Int
    ) -> Range<Int>? {
        best = nil
        following.removeAll(keepingCapacity: true)
        for place in first...scalars.count {
            round += 1
            let previous = place > 0 ? scalars[place - 1].value : nil
            let next = place < scalars.count ? scalars[place].value : nil
            current.removeAll(keepingCapacity: true)
            // Threads that began first come first: of two ways into a state the one that began first is kept.
            for thread in following where thread.start <= best?.lowerBound ?? thread.start {
                enter(thread, place, previous, next)
            }
            if best == nil, next != nil { enter(Thread(state: 0, start: place), place, previous, next) }
            if best != nil, !current.contains(where: { $0.start <= best?.lowerBound ?? 0 }) { break }
            steps &-= 1 + current.count
            guard steps >= 0, let next else { break }
            step(next)
        }
        return best
    }

    private mutating func step(_ scalar: UInt32) {
        following.removeAll(keepingCapacity: true)
        for thread in current {
            let isTaken =
                switch instructions[Int(thread.state)] {
                case .scalar(let value): value == scalar
                case .anyButNewline: scalar != 0x0A
                case .set(let set): set.contains(scalar)
                case .split, .jump, .assert, .condition, .match: false
                }
            if isTaken { following.append(Thread(state: thread.state &+ 1, start: thread.start)) }
        }
    }

    /// Enters a state and all that are reached from it without reading a scalar.
    private mutating func enter(_ thread: Thread, _ place: Int, _ previous: UInt32?, _ next: UInt32?) {
        stack.append(thread.state)
        while let state = stack.popLast() {
            guard entered[Int(state)] != round else { continue }
            entered[Int(state)] = round
            switch instructions[Int(state)] {
            case .scalar, .anyButNewline, .set: current.append(Thread(state: state, start: thread.start))
            case .split(let one, let other):
                stack.append(other)
                stack.append(one)
            case .jump(let target): stack.append(target)
            case .condition: break
            case .match: note(thread.start, place)
            case .assert(let assertion):
                if assertion.holds(isAtStart: previous == nil, previous, next) { stack.append(state &+ 1) }
            }
        }
    }

    private mutating func note(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if let best, best.lowerBound < start || best.lowerBound == start && best.upperBound >= end { return }
        best = start..<end
    }
}

extension RegularExpression.Assertion {
    /// Whether it holds between two scalars.
    func holds(isAtStart: Bool, _ previous: UInt32?, _ next: UInt32?) -> Bool {
        let before = previous.map(ScalarSet.word.contains) ?? false
        let after = next.map(ScalarSet.word.contains) ?? false
        return switch self {
        case .start: isAtStart
        case .end: next == nil
        case .wordBoundary: before != after
        case .noWordBoundary: before == after
        }
    }
}
