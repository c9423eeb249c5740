import HTTPTypes
import WebLoader

/// Entries of the cache as JSON and as text.
enum CacheReport {
    /// The version of these documents.
    static let schema: Int64 = 1

    // MARK: - JSON

    /// Returns an entry as in `cache ls`.
    static func json(_ entry: CacheEntry, _ now: Timestamp) -> JSONValue {
        .object(members(entry, now))
    }

    private static func members(_ entry: CacheEntry, _ now: Timestamp) -> [JSONValue.Member] {
        let freshness = entry.freshness(now: now)
        var members: [JSONValue.Member] = [
            .init("url", .string(entry.url)), .init("status", .integer(Int64(entry.status))),
            .init("fresh", .bool(freshness.isFresh)), .init("age_s", .integer(freshness.age)),
            .init("received_ms", .integer(entry.received.millisecondsSince1970)),
            .init("kept", .bool(entry.isKeptForOfflineUse)), .init("path", .string(entry.path)),
        ]
        if let lifetime = freshness.lifetime { members.append(.init("fresh_for_s", .integer(lifetime))) }
        if let size = entry.fileSize { members.append(.init("file_bytes", .integer(Int64(size)))) }
        if let use = entry.lastUse { members.append(.init("last_use_s", .integer(Int64(use)))) }
        if let type = entry.headerFields[.contentType] {
            members.append(.init("content_type", .string(type)))
        }
        if !entry.varyingFields.isEmpty {
            members.append(
                .init("varies", .object(entry.varyingFields.map { .init($0.name, JSONValue($0.value)) }))
            )
        }
        return members
    }

    /// Returns the details of an entry as in `cache show`.
    static func details(_ entry: CacheEntry, _ url: WebURL, _ now: Timestamp) -> JSONValue {
        let uses = CachePolicy.allCases.map { policy in
            let use = entry.use(for: url, policy, now: now)
            return JSONValue.Member(
                policy.name,
                [
                    "used": .bool(use.isUsed), "reason": .string(use.reason),
                    "explanation": .string(use.explanation),
                ]
            )
        }
        return .object(
            members(entry, now) + [
                .init("schema", .integer(schema)), .init("body_bytes", .integer(Int64(entry.bodySize))),
                .init("use", .object(uses)),
                .init(
                    "headers",
                    .array(entry.headerFields.map { [.string($0.name.rawName), .string($0.value)] })
                ),
            ]
        )
    }

    // MARK: - Text

    /// A line of `cache ls`: columns on a terminal, which it fits, and tabs between them elsewhere.
    static func line(_ entry: CacheEntry, _ now: Timestamp, _ terminal: Terminal) -> String {
        let freshness = entry.freshness(now: now)
        let state = entry.isKeptForOfflineUse ? "kept" : freshness.isFresh ? "fresh" : "stale"
        let size = entry.fileSize.map { TerminalText.bytes($0) } ?? ""
        let columns = [state, duration(freshness.age), size, "\(entry.status)"]
        let url = TerminalText.visible(entry.url)
        guard let width = terminal.width else { return "\((columns + [url]).joined(separator: "\t"))\n" }
        let start = zip(columns, [5, 8, 9, 3]).map { "\(TerminalText.padded($0, to: $1))  " }.joined()
        let room = max(8, width - TerminalText.width(start))
        return "\(start)\(TerminalText.shortenedInTheMiddle(url, to: room))\n"
    }

    /// Returns the text of `cache show`.
    static func text(_ entry: CacheEntry, _ url: WebURL, _ now: Timestamp) -> String {
        let freshness = entry.freshness(now: now)
        var lines = [
            entry.url,
            "status \(entry.status), \(TerminalText.bytes(entry.bodySize)), \(duration(freshness.age)) old, "
                + (freshness.lifetime.map { "fresh for \(duration($0))" } ?? "without a lifetime"),
        ]
        if entry.isKeptForOfflineUse {
            lines.append("kept with --keep, although the server forbids storing it")
        }
        for field in entry.varyingFields {
            lines.append("varies by \(field.name): \(field.value ?? "(none)")")
        }
        lines.append(entry.path)
        lines.append("")
        for policy in CachePolicy.allCases {
            let use = entry.use(for: url, policy, now: now)
            lines.append(
                "\(use.isUsed ? "used" : "not used"), \(policy.name): \(use.explanation) (\(use.reason))"
            )
        }
        lines.append("")
        for field in entry.headerFields { lines.append("\(field.name.rawName): \(field.value)") }
        return lines.map { "\(TerminalText.visible($0))\n" }.joined()
    }

    /// As in "45 s", "3 min", "2 h", "9 d".
    private static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }
}
