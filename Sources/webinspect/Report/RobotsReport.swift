import WebLoader
import WebSite

/// The output of `webinspect robots`.
///
/// docs/sites.md describes it to users.
struct RobotsReport {
    let file: RobotsFile
    /// The crawler's product token, or a User-Agent that begins with it.
    let agent: String

    /// The answer about a URL.
    struct Answer {
        /// The URL: absolute, or as it was given if nobody knows its site.
        let url: String
        let agent: String
        let access: RobotsRules.Access
        let explanation: String

        var json: JSONValue {
            [
                "url": .string(url), "agent": .string(agent),
                "allowed": .bool(access.isAllowed), "reason": .string(access.reason.rawValue),
                "line": JSONValue(access.line?.number), "rule": JSONValue(access.line?.text),
            ]
        }

        /// As in "disallowed  /private/x  line 2: Disallow: /private/".
        func line(_ terminal: Terminal) -> [UInt8] {
            let word = TerminalText.padded(access.isAllowed ? "allowed" : "disallowed", to: 10)
            let style = access.isAllowed ? Terminal.Style.good : .error
            let rest = TerminalText.visible("\(url)  \(explanation)")
            return Array("\(terminal.styled(word, style))  \(rest)\n".utf8)
        }
    }

    /// A sitemap that the file names.
    struct NamedSitemap {
        let line: Int
        let location: String
        /// The absolute URL; `nil` if the location is not a URL of http or https.
        let url: String?

        var json: JSONValue {
            ["url": JSONValue(url), "location": .string(Source.redacted(location)), "line": JSONValue(line)]
        }
    }

    /// The token that rules are compared with.
    var token: String {
        String(agent.prefix { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == "_") })
    }

    /// Whether there is anything that holds for the agent.
    var hasRules: Bool {
        !file.rules.lines(for: agent).isEmpty || file.rules.crawlDelay(for: agent) != nil || !sitemaps.isEmpty
    }

    /// The sitemaps that the file names, in its order.
    var sitemaps: [NamedSitemap] {
        file.rules.sitemaps.map {
            let url = $0.url(relativeTo: file.finalURL)
            // A location relative to a local file has no URL.
            let isOfWeb = url?.scheme == "http" || url?.scheme == "https"
            return NamedSitemap(
                line: $0.number,
                location: $0.location,
                url: isOfWeb ? url?.description : nil
            )
        }
    }

    // MARK: - Answers

    /// Checks a URL against the rules.
    ///
    /// - Parameters:
    ///   - text: The URL, which may be relative to the site of the file.
    ///   - robots: The file, as it was given.
    /// - Returns: The answer.
    /// - Throws: ``Failure`` if the text is not a URL, or the URL is of another site.
    func answer(_ text: String, of robots: String) throws(Failure) -> Answer {
        let isOfSite = file.url.scheme == "http" || file.url.scheme == "https"
        let url: WebURL
        do throws(WebURLError) {
            // The site of a local file is unknown, and its host does not matter.
            url = try WebURL(text, base: isOfSite ? file.url : WebURL("http://localhost/"))
        } catch {
            throw Failure(
                usage: text,
                "not a URL: \(error)",
                code: "url.invalid",
                nsURLErrorCode: -1000
            )
        }
        if isOfSite, file.url.path == "/robots.txt", !url.isSameOrigin(as: file.url) {
            throw Failure(usage: text, "it is of another site than \(file.url)")
        }
        let access = file.rules.access(to: url, agent: agent)
        return Answer(
            url: isOfSite || isAbsolute(text) ? url.description : Source.redacted(text),
            agent: token,
            access: access,
            explanation: explanation(access)
        )
    }

    private func isAbsolute(_ text: String) -> Bool {
        // An invalid URL is not absolute.
        (try? WebURL(text)) != nil
    }

    private func explanation(_ access: RobotsRules.Access) -> String {
        switch access.reason {
        case .rule: access.line.map { "line \($0.number): \($0.text)" } ?? ""
        case .noRule: "no rule for \(file.rules.group(for: agent) ?? token) matches"
        case .noGroup: "no rules for \(token.isEmpty ? "all agents" : token)"
        case .tooLong: "the URL is too long to compare with all wildcards"
        case .robotsFile: "the robots.txt itself is always allowed"
        case .unavailable: "no robots.txt: \(state)"
        case .unreachable: "no answer about robots.txt: \(state)"
        }
    }

    /// Why there is no file.
    private var state: String {
        if let error = file.error { return error.message }
        guard let status = file.status else { return "not there" }
        return 300..<400 ~= status ? "more redirects than are followed" : "HTTP status \(status)"
    }

    // MARK: - The whole

    /// The rules for the agent as lines.
    var text: String {
        var lines: [String] = []
        func add(_ name: String, _ value: String) {
            lines.append("\(TerminalText.padded(name, to: 12))\(TerminalText.visible(value))")
        }
        add("robots.txt", file.finalURL.description)
        if let status = file.status { add("status", "\(status)") }
        add("agent", token.isEmpty ? "*" : token)
        if let group = file.rules.group(for: agent) {
            add("rules for", group)
            for line in file.rules.lines(for: agent) { add("  line \(line.number)", line.text) }
        } else {
            add("rules for", "no agent of this name: all is allowed")
        }
        if let delay = file.rules.crawlDelay(for: agent) { add("crawl delay", "\(delay.inSeconds) s") }
        for sitemap in sitemaps { add("sitemap", sitemap.url ?? Source.redacted(sitemap.location)) }
        if file.rules.unknownLineCount > 0 { add("unknown", "\(file.rules.unknownLineCount) lines") }
        return lines.map { "\($0)\n" }.joined()
    }

    /// Returns the document of `--json`.
    ///
    /// - Parameter answers: The answers about URLs; `nil` if there were no questions.
    /// - Returns: The document.
    func json(_ answers: [JSONValue]?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("robots_url", .string(file.url.description)),
            .init("url", .string(file.finalURL.description)),
            .init("status", JSONValue(file.status)),
            .init("error", JSONValue(file.error?.code.rawValue)),
            .init("agent", .string(token)),
            .init("group", JSONValue(file.rules.group(for: agent))),
            .init("crawl_delay", file.rules.crawlDelay(for: agent).map { .number($0.inSeconds) } ?? .null),
            .init("sitemaps", .array(sitemaps.map(\.json))),
            .init("unknown_lines", JSONValue(file.rules.unknownLineCount)),
        ]
        if let answers {
            members.append(.init("urls", .array(answers)))
        } else {
            let rules = file.rules.lines(for: agent).map { rule -> JSONValue in
                ["line": JSONValue(rule.number), "rule": .string(rule.text)]
            }
            members.append(.init("rules", .array(rules)))
        }
        return .object(members)
    }
}
