import WebStandards

/// A part of a pattern, and how many states it takes.
struct PatternPart {
    private indirect enum Kind {
        case one(RegularExpression.Instruction)
        case sequence([PatternPart])
        case alternatives([PatternPart])
        case repeated(PatternPart, least: Int, most: Int?)
    }

    private let kind: Kind
    /// The number of states; a part of none matches what is empty.
    let count: Int

    /// A state.
    init(_ instruction: RegularExpression.Instruction) {
        kind = .one(instruction)
        count = 1
    }

    /// One after the other.
    init(sequence parts: [PatternPart]) {
        if let part = parts.first, parts.count == 1 {
            self = part
        } else {
            kind = .sequence(parts)
            count = parts.reduce(0) { $0 +| $1.count }
        }
    }

    /// One of several.
    init(alternatives parts: [PatternPart]) {
        if let part = parts.first, parts.count == 1 {
            self = part
        } else {
            kind = .alternatives(parts)
            count = parts.reduce(0) { $0 +| $1.count +| 2 } - 2
        }
    }

    /// The same again and again.
    init(_ part: PatternPart, least: Int, most: Int?) {
        guard part.count > 0 else {
            self = part
            return
        }
        kind = .repeated(part, least: least, most: most)
        count = least *| part.count +| (most.map { ($0 - least) *| (part.count + 1) } ?? part.count + 2)
    }

    /// Adds the states, the last of which goes on behind them.
    ///
    /// Complexity: O(n) in the states.
    func append(to states: inout [RegularExpression.Instruction]) {
        switch kind {
        case .one(let instruction): states.append(instruction)
        case .sequence(let parts):
            for part in parts { part.append(to: &states) }
        case .alternatives(let parts):
            let end = Self.index(states.count + count)
            for part in parts.dropLast() {
                let start = states.count
                states.append(.split(Self.index(start + 1), Self.index(start + part.count + 2)))
                part.append(to: &states)
                states.append(.jump(end))
            }
            parts.last?.append(to: &states)
        case .repeated(let part, let least, let most):
            let end = Self.index(states.count + count)
            for _ in 0..<least { part.append(to: &states) }
            let start = Self.index(states.count)
            for _ in least..<(most ?? least + 1) {
                states.append(.split(Self.index(states.count + 1), end))
                part.append(to: &states)
            }
            if most == nil { states.append(.jump(start)) }
        }
    }

    private static func index(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: index) }
}
