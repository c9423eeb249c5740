import WebLoader

/// What happened to a page that is watched, in one run.
package struct WatchReport: Sendable {
    /// What happened, in a word.
    package enum Result: String, Sendable {
        /// It was not known before.
        case new
        case same
        case changed
        /// There is nothing on it, or nothing of what is watched.
        case empty
        /// It could not be loaded, or what came is not the page.
        case error
        /// A recipe's assertion does not hold.
        case drift
    }

    let name: String
    let url: String
    let date: Timestamp
    package var result: Result
    var status: Int?
    /// Why, for what is none of new, same and changed.
    package var code: String?
    var message: String?
    var comparison: WatchComparison?
    var conditions: [WatchCondition.Outcome] = []
    /// The conditions that have begun to hold.
    var begun: Set<String> = []
    var data: JSONValue?
    /// How often in a row it could not be seen, up to where that is told; nil where it is not counted.
    var failures: Int?
    /// Whether it was told that it could not be seen, and now it can.
    var isRecovered = false

    /// Whether a condition holds.
    var holds: Bool { conditions.contains(where: \.holds) }

    init(_ entry: WatchEntry, _ date: Timestamp, _ result: Result) {
        name = entry.name
        url = entry.url.withoutCredentials.href
        self.date = date
        self.result = result
    }

    /// What happened, in a line.
    var summary: String {
        var parts: [String] = []
        switch result {
        case .new: parts.append(message ?? "seen for the first time")
        case .same: parts.append(message ?? "the same")
        case .changed: parts.append(comparison?.summary ?? "changed")
        case .empty, .error, .drift: parts.append("\(message ?? "") (\(code ?? ""))")
        }
        if let failures, failures > 1 { parts.append("\(failures) failures in a row") }
        if isRecovered { parts.append("it can be seen again") }
        for outcome in conditions {
            if outcome.holds {
                let word = begun.contains(outcome.condition.text) ? "holds" : "still holds"
                let value = outcome.value.map { " (\(Self.shown($0)))" } ?? ""
                parts.append("\(outcome.condition.text) \(word)\(value)")
            } else if let problem = outcome.problem {
                parts.append("\(outcome.condition.text): \(problem)")
            }
        }
        return parts.joined(separator: "; ")
    }

    private static func shown(_ value: JSONValue) -> String {
        let bytes = value.serialized()
        return bytes.count > 60 ? "…" : String(decoding: bytes, as: UTF8.self)
    }

    /// The line as JSON; docs/json-report.md describes it to users.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("url", .string(url)), .init("date", .string(date.text)),
            .init("result", .string(result.rawValue)), .init("summary", .string(summary)),
        ]
        if let status { members.append(.init("status", JSONValue(status))) }
        if let code { members.append(.init("code", .string(code))) }
        if let message { members.append(.init("message", .string(message))) }
        if let failures { members.append(.init("failures", JSONValue(failures))) }
        if isRecovered { members.append(.init("recovered", true)) }
        if let comparison {
            members.append(.init("changes", .array(comparison.changes)))
            members.append(.init("changes_left_out", JSONValue(comparison.leftOut)))
            members.append(.init("coarse", .bool(comparison.isCoarse)))
            let ignored = comparison.ignored.map { JSONValue.Member($0.key, JSONValue($0.value)) }
            members.append(.init("ignored", .object(ignored)))
        }
        if !conditions.isEmpty { members.append(.init("conditions", .array(conditions.map(json)))) }
        if let data { members.append(.init("data", data)) }
        return .object(members)
    }

    private func json(_ outcome: WatchCondition.Outcome) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("condition", .string(outcome.condition.text)), .init("holds", .bool(outcome.holds)),
            .init("begun", .bool(begun.contains(outcome.condition.text))),
        ]
        if let value = outcome.value { members.append(.init("value", value)) }
        if let problem = outcome.problem { members.append(.init("problem", .string(problem))) }
        return .object(members)
    }
}

/// What a run comes to, of all pages.
package struct WatchTally: Sendable {
    /// Whether a change was told, or is to be told again.
    package var hasNews = false
    /// Whether a condition holds.
    package var holds = false
    /// The first page in the list's order that could not be seen, and why, by a stable code.
    package var failure: (index: Int, code: String)?

    mutating func add(_ told: WatchTold, at index: Int) {
        hasNews = hasNews || told.isNews
        holds = holds || told.holds
        guard let code = told.code else { return }
        guard let failure, failure.index <= index else { return self.failure = (index, code) }
    }
}

/// What came of a page, as the run as a whole needs it.
struct WatchTold: Sendable {
    var isNews = false
    var holds = false
    var code: String?
}

/// Who is told of what happens, by the program that watches.
///
/// Each of them returns nil once it is told, and otherwise why it is not.
package struct WatchChannels: Sendable {
    /// Gets a line for each page, in each run.
    package var line: @Sendable (JSONValue) async -> String?
    /// Whether that line is wanted where it is no news.
    package var tellsAll: Bool
    /// Runs an entry's program.
    package var command: @Sendable ([String], WatchEntry, JSONValue) async -> String?
    /// Tells a URL.
    package var webhook: @Sendable (WebURL, JSONValue) async -> String?
    /// Gets what is to be said to people besides: of which page, and what.
    package var warn: @Sendable (String, String) -> Void

    package init(
        line: @escaping @Sendable (JSONValue) async -> String?,
        tellsAll: Bool = true,
        command: @escaping @Sendable ([String], WatchEntry, JSONValue) async -> String?,
        webhook: @escaping @Sendable (WebURL, JSONValue) async -> String?,
        warn: @escaping @Sendable (String, String) -> Void
    ) {
        self.line = line
        self.tellsAll = tellsAll
        self.command = command
        self.webhook = webhook
        self.warn = warn
    }
}
