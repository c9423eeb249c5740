import HTTPTypes
import WebArchive
import WebLoader

/// The versions of a page as JSON and as text.
enum HistoryReport {
    /// The version of the document.
    private static let schema: Int64 = 1

    /// Returns the versions, the newest first.
    ///
    /// - Parameters:
    ///   - history: The versions.
    ///   - changes: The changes in each version; `nil` if they were not requested.
    /// - Returns: The document.
    static func json(_ history: PageHistory, _ changes: [PageHistory.Change]?) -> JSONValue {
        let versions = history.versions.indices.reversed().map {
            JSONValue.object(members(history.versions[$0], changes?[$0]))
        }
        return [
            "schema": .integer(schema), "url": .string(history.url.description),
            "versions": .array(versions), "older": .integer(Int64(history.olderCount)),
            "damaged": .array(history.damages.map { .string($0) }),
        ]
    }

    private static func members(
        _ version: PageHistory.Version,
        _ change: PageHistory.Change?
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            // To the millisecond: --at finds this version by it.
            .init("date", .string(version.date.archiveText)),
            .init("received_ms", .integer(version.date.millisecondsSince1970)),
            .init("last_seen", JSONValue(version.lastSeen?.text)),
            .init("status", .integer(Int64(version.status))),
            .init("body_bytes", .integer(Int64(version.size))),
            .init("content_type", JSONValue(version.contentType)),
            .init("path", .string(version.path)),
        ]
        if let change {
            members.append(.init("change", .string(change.summary)))
            if let count = change.count { members.append(.init("changes", .integer(Int64(count)))) }
        }
        return members
    }

    /// The line of a version: columns on a terminal, which it fits, and tabs between them elsewhere.
    static func line(
        _ version: PageHistory.Version,
        _ change: PageHistory.Change?,
        _ terminal: Terminal
    ) -> String {
        let columns = [version.date.archiveText, "\(version.status)", TerminalText.bytes(version.size)]
        let summary = TerminalText.visible(change?.summary ?? "")
        guard let width = terminal.width else {
            return "\((columns + [summary]).joined(separator: "\t"))\n"
        }
        let start = zip(columns, [24, 3, 9]).map { "\(TerminalText.padded($0, to: $1))  " }.joined()
        let room = max(8, width - TerminalText.width(start))
        return "\(start)\(TerminalText.shortenedInTheMiddle(summary, to: room))\n"
    }
}
