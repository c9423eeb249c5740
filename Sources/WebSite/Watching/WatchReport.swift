import WebLoader

/// The outcome for a watched page in one run.
package struct WatchReport: Sendable {
    /// The kind of outcome, in a word.
    package enum Result: String, Sendable {
        /// The page was not known before.
        case new
        case same
        case changed
        /// The page has no content, or none that is watched.
        case empty
        /// The page could not be loaded, or the response is not the page.
        case error
        /// A recipe's assertion does not hold.
        case drift
    }

    let name: String
    let url: String
    let date: Timestamp
    package var result: Result
    var status: Int?
    /// The reason for any other result than new, same and changed.
    package var code: String?
    var message: String?
    var comparison: WatchComparison?
    var conditions: [WatchCondition.Outcome] = []
    /// The conditions that have begun to hold.
    var begun: Set<String> = []
    var data: JSONValue?
    /// The number of failures in a row, up to the limit that is reported; `nil` if they are not counted.
    var failures: Int?
    /// Whether failures were reported before, and the page has recovered now.
    var isRecovered = false

    /// Whether a condition holds.
    var holds: Bool { conditions.contains(where: \.holds) }

    init(_ entry: WatchEntry, _ date: Timestamp, _ result: Result) {
        name = entry.name
        url = entry.url.withoutCredentials.href
        self.date = date
        self.result = result
    }

    /// The outcome in a line.
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

/// The summary of a run over all pages.
package struct WatchTally: Sendable {
    /// Whether a change was reported, or has to be reported again.
    package var hasNews = false
    /// Whether a condition holds.
    package var holds = false
    /// The first page in the list's order that could not be checked, with the reason as a stable code.
    package var failure: (index: Int, code: String)?

    mutating func add(_ told: WatchTold, at index: Int) {
        hasNews = hasNews || told.isNews
        holds = holds || told.holds
        guard let code = told.code else { return }
        guard let failure, failure.index <= index else { return self.failure = (index, code) }
    }
}

/// The outcome for a page that the run as a whole needs.
struct WatchTold: Sendable {
    var isNews = false
    var holds = false
    var code: String?
}

/// The channels of the program's notifications.
///
/// Each of them returns `nil` once the notification was sent, and otherwise the reason of the failure.
package struct WatchChannels: Sendable {
    /// Receives a line for each page, in each run.
    package var line: @Sendable (JSONValue) async -> String?
    /// Whether lines without news are wanted too.
    package var tellsAll: Bool
    /// Runs an entry's program.
    package var command: @Sendable ([String], WatchEntry, JSONValue) async -> String?
    /// Sends the event to a URL.
    package var webhook: @Sendable (WebURL, JSONValue) async -> String?
    /// Receives warnings for people: the name of the page, and the message.
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
