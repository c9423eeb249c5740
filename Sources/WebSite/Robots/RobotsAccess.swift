public import WebStandards

extension RobotsRules {
    /// Whether an agent may request a URL, and why.
    public struct Access: Sendable, Hashable {
        /// The reason for a decision.
        public enum Reason: String, Sendable, Hashable {
            /// A rule of the file matches.
            case rule
            /// No rule for the agent matches the URL.
            case noRule = "no-rule"
            /// There are no rules for the agent, and none for all agents.
            case noGroup = "no-group"
            /// The URL is so long that matching all wildcards of the agent's rules takes too long.
            case tooLong = "too-long"
            /// The URL is the robots.txt itself, which is always allowed.
            case robotsFile = "robots-file"
            /// The site has no robots.txt.
            case unavailable
            /// It is unknown whether the site has a robots.txt.
            case unreachable
        }

        /// Whether the agent may request the URL.
        public let isAllowed: Bool

        /// The reason for the decision.
        public let reason: Reason

        /// The line of the rule; `nil` if no rule decided.
        public let line: Line?
    }

    /// Returns whether an agent may request a URL of the site.
    ///
    /// The longest of the agent's rules that match the URL's path and query decides; of rules with the same length, one
    /// that allows. If wildcards would have to be searched for in more than ``RobotsRules/maximumEffort`` bytes, the
    /// URL is not allowed. Scheme, host and fragment are not compared: the caller knows which site the file belongs to.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - agent: The crawler's product token, of letters, "-" and "_"; everything after it, such as a version, is
    ///     ignored.
    /// - Returns: Whether the agent may request the URL, and the line that decides.
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

    /// Returns the time that an agent has to wait between requests; `nil` if the file has no crawl delay for it.
    ///
    /// Crawl delays are not part of the RFC. The longest of several for an agent holds, up to ``maximumCrawlDelay``.
    /// The delay for all agents holds for those without rules of their own.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The time; `nil` if the file has no crawl delay.
    public func crawlDelay(for agent: String) -> Duration? {
        groups.sections(for: agent).flatMap { groups.crawlDelay($0) }
    }

    /// Returns the lines of the rules that hold for an agent, in the file's order: those of its own groups, otherwise
    /// those for all agents.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The lines; empty if there are no rules for the agent, or no file.
    public func lines(for agent: String) -> [Line] {
        guard let sections = groups.sections(for: agent) else { return [] }
        return groups.rules(of: sections).map { line(of: $0) }
    }

    /// Returns the name of the group that holds for an agent.
    ///
    /// - Parameter agent: The crawler's product token, as for ``access(to:agent:)``.
    /// - Returns: The agent's product token in lower case, or "*"; `nil` if there are no rules for it.
    public func group(for agent: String) -> String? { groups.name(for: agent) }

    private func line(of rule: RobotsGroups.Rule) -> Line {
        Line(number: Int(rule.lineNumber), text: String(decoding: source[rule.line], as: UTF8.self))
    }
}
