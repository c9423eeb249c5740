/// The rules of a file, grouped by agent.
struct RobotsGroups: Sendable {
    /// A rule; its numbers fit because a file is cut at ``RobotsRules/maximumSize``.
    struct Rule: Sendable {
        let allows: Bool
        let isAnchored: Bool
        /// The number of octets of the path, with a wildcard and the "$" at the end counting as one each.
        let specificity: UInt32
        let lineNumber: UInt32
        private let lineStart: UInt32
        private let lineEnd: UInt32
        private let pathStart: UInt32
        private let pathEnd: UInt32

        init(
            allows: Bool,
            isAnchored: Bool,
            specificity: Int,
            path: Range<Int>,
            lineNumber: Int,
            line: Range<Int>
        ) {
            self.allows = allows
            self.isAnchored = isAnchored
            self.specificity = UInt32(clamping: specificity)
            self.lineNumber = UInt32(clamping: lineNumber)
            lineStart = UInt32(clamping: line.lowerBound)
            lineEnd = UInt32(clamping: line.upperBound)
            pathStart = UInt32(clamping: path.lowerBound)
            pathEnd = UInt32(clamping: path.upperBound)
        }

        /// The range of the line in the source.
        var line: Range<Int> { Int(lineStart)..<Int(lineEnd) }

        /// The range of the path in ``RobotsGroups/paths``.
        var path: Range<Int> { Int(pathStart)..<Int(pathEnd) }
    }

    /// The sections for one agent, which may be in several places of a file.
    struct Sections: Sendable {
        /// Groups of rules, by their indices in ``RobotsGroups/starts``.
        var rules: [UInt32] = []
        /// Runs of agents that share a delay, by their indices in ``RobotsGroups/delays``.
        var delays: [UInt32] = []

        mutating func add(group: UInt32, delay: UInt32) {
            if rules.last != group { rules.append(group) }
            if delays.last != delay { delays.append(delay) }
        }
    }

    private var rules: [Rule] = []
    /// The paths of all rules, one after another.
    private var paths: [UInt8] = []
    /// The index of the first rule of each group.
    private var starts: [UInt32] = []
    /// The delay of each run of agents.
    private var delays: [Duration?] = []
    /// The sections by agent: a token in lower case, or "*".
    private var agents: [String: Sections] = [:]

    // MARK: - Reading

    mutating func beginGroup() { starts.append(UInt32(clamping: rules.count)) }

    mutating func beginDelay() { delays.append(nil) }

    /// Adds an agent to the group and the delay that were begun last.
    mutating func add(agent: String) {
        let group = UInt32(clamping: starts.count - 1)
        let delay = UInt32(clamping: delays.count - 1)
        agents[agent, default: Sections()].add(group: group, delay: delay)
    }

    /// Adds a rule to the group that was begun last.
    ///
    /// - Parameters:
    ///   - value: The path as written.
    ///   - allows: Whether the rule allows.
    ///   - lineNumber: The number of the line.
    ///   - line: The range of the line in the source.
    mutating func add(rule value: Span<UInt8>, allows: Bool, lineNumber: Int, line: Range<Int>) {
        let start = paths.count
        let (isAnchored, specificity) = RobotsPath.appendPattern(value, to: &paths)
        let rule = Rule(
            allows: allows,
            isAnchored: isAnchored,
            specificity: specificity,
            path: start..<paths.count,
            lineNumber: lineNumber,
            line: line
        )
        rules.append(rule)
        // A rule that allows the index page allows the directory, but nothing below it.
        guard allows, let end = RobotsPath.directoryEnd(paths[start...]) else { return }
        let directory = Rule(
            allows: true,
            isAnchored: true,
            specificity: end - start + 1,
            path: start..<end,
            lineNumber: lineNumber,
            line: line
        )
        rules.append(directory)
    }

    mutating func add(delay: Duration) {
        guard let last = delays.indices.last else { return }
        delays[last] = max(delays[last] ?? .zero, delay)
    }

    // MARK: - Asking

    /// Returns the sections for an agent: its own, otherwise those for all agents; `nil` if both are missing.
    func sections(for agent: String) -> Sections? {
        name(for: agent).flatMap { agents[$0] }
    }

    /// Returns the name of these sections; `nil` if both are missing.
    func name(for agent: String) -> String? {
        [RobotsParser.token(agent.utf8.span), "*"].first { agents[$0] != nil }
    }

    /// Returns the rules of an agent, one for each line.
    func rules(of sections: Sections) -> [Rule] {
        var known: UInt32 = 0
        var found: [Rule] = []
        for group in sections.rules {
            for rule in rules[ruleRange(Int(group))] where rule.lineNumber != known {
                known = rule.lineNumber
                found.append(rule)
            }
        }
        return found
    }

    func crawlDelay(_ sections: Sections) -> Duration? {
        sections.delays.compactMap { delays[Int($0)] }.max()
    }

    /// The verdict of an agent's rules on a path and query.
    enum Verdict {
        case rule(Rule)
        case noRule
        /// Matching would take too long.
        case tooLong
    }

    /// Returns the rule that decides about a path and query.
    func verdict(_ sections: Sections, target: [UInt8]) -> Verdict {
        var best: Rule?
        var effort = 0
        unsafe target.withUnsafeBytes { target in
            unsafe paths.withUnsafeBytes { paths in
                for group in sections.rules {
                    for rule in rules[ruleRange(Int(group))] {
                        if let best, !Self.precedes(rule, best) { continue }
                        let path = unsafe UnsafeRawBufferPointer(rebasing: paths[rule.path])
                        let isAnchored = rule.isAnchored
                        if unsafe RobotsPath.matches(path, isAnchored: isAnchored, target, effort: &effort) {
                            best = rule
                        }
                        if effort > RobotsRules.maximumEffort { return }
                    }
                }
            }
        }
        guard effort <= RobotsRules.maximumEffort else { return .tooLong }
        return best.map { .rule($0) } ?? .noRule
    }

    /// Whether a rule, if it matches too, takes precedence over another.
    private static func precedes(_ rule: Rule, _ best: Rule) -> Bool {
        guard rule.specificity == best.specificity else { return rule.specificity > best.specificity }
        return rule.allows && !best.allows
    }

    private func ruleRange(_ group: Int) -> Range<Int> {
        let next = group + 1
        return Int(starts[group])..<(next < starts.count ? Int(starts[next]) : rules.count)
    }
}
