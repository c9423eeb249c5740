public import WebStandards

extension RobotsRules {
    /// Whether an agent may ask for a URL, and why.
    public struct Access: Sendable, Hashable {
        /// What decided.
        public enum Reason: String, Sendable, Hashable {
            /// The rule of a line.
            case rule
            /// No rule for the agent matches the URL.
            case noRule = "no-rule"
            /// There are no rules for the agent, and none for all agents.
            case noGroup = "no-group"
            /// To look for all wildcards of the agent's rules in so long a URL takes too long.
            case tooLong = "too-long"
            /// It is the robots.txt itself, which is always allowed.
            case robotsFile = "robots-file"
            /// The site has no robots.txt.
            case unavailable
            /// The site did not say whether it has a robots.txt.
            case unreachable
        }

        /// Whether the agent may ask.
        public let isAllowed: Bool

        /// What decided.
        public let reason: Reason

        /// The line of the rule; nil if no rule decided.
        public let line: Line?
    }

    /// Whether an agent may ask for a URL of the site.
    ///
    /// The longest of the agent's rules that match the URL's path and query decides, and of rules of a length one that
    /// allows. Where wildcards would have to be looked for in more than ``RobotsRules/maximumEffort`` bytes, the URL is
    /// not allowed. Scheme, host and fragment are not compared: the caller knows which site the file is of.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - agent: The crawler's product token; what follows its letters, "-" and "_", as a version, does not count.
    /// - Returns: Whether the agent may, and the line that says so.
    /// - Complexity: O(*n* + *m*) for each of the agent's rules, in the length of rule and URL.
    ///
    /// [RFC 9309, section 2.2.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2)
    public func access(to url: WebURL, agent: String) -> Access {
        let target = RobotsPath.target(of: url)
        if target.elementsEqual("/robots.txt".utf8) {
            return Access(isAllowed: true, reason: .robotsFile, line: nil)
        }
        switch scope {
        case .unavailable: return Access(isAllowed: true, reason: .unavailable, line: nil)
        case .unreachable: return Access(isAllowed: false, reason: .unreachable, line: nil)
        case .rules: break
        }
        guard let sections = groups.sections(for: agent) else {
            return Access(isAllowed: true, reason: .noGroup, line: nil)
        }
        switch groups.verdict(sections, target: target) {
        case .noRule: return Access(isAllowed: true, reason: .noRule, line: nil)
        case .tooLong: return Access(isAllowed: false, reason: .tooLong, line: nil)
        case .rule(let rule):
            return Access(isAllowed: rule.allows, reason: .rule, line: line(of: rule))
        }
    }

    /// The time that an agent is to wait from one request to the next; nil if the file asks for none.
    ///
    /// It is not part of the RFC. Of several for an agent the longest holds, and none is longer than
    /// ``maximumCrawlDelay``. The delay for all agents holds for those without rules of their own.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The time; nil if none is asked for.
    public func crawlDelay(for agent: String) -> Duration? {
        groups.sections(for: agent).flatMap { groups.crawlDelay($0) }
    }

    /// The lines of the rules that hold for an agent, in the file's order: those of its own groups, else those for all.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The lines; none if there are no rules for the agent, or no file.
    public func lines(for agent: String) -> [Line] {
        guard let sections = groups.sections(for: agent) else { return [] }
        return groups.rules(of: sections).map { line(of: $0) }
    }

    /// Whom the rules that hold for an agent are for.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The agent's product token in lower case, or "*"; nil if there are no rules for it.
    public func group(for agent: String) -> String? { groups.name(for: agent) }

    private func line(of rule: RobotsGroups.Rule) -> Line {
        Line(number: Int(rule.lineNumber), text: String(decoding: source[rule.line], as: UTF8.self))
    }
}
