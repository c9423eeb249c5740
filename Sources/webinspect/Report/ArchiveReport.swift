import WebLoader

/// Records and findings of archives, as `webinspect archive` writes them.
///
/// docs/archives.md describes them to users.
enum ArchiveReport {
    /// A record of `ls --jsonl`.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - payloadLength: The bytes of its body, decoded; nil if not known.
    ///   - archive: The path of the archive, where several are listed.
    /// - Returns: The members in the order of docs/archives.md.
    static func json(_ record: ArchiveRecord, payloadLength: Int?, archive: String? = nil) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let archive { members.append(.init("archive", .string(archive))) }
        if let part = record.part { members.append(.init("part", .string(part))) }
        members += [
            .init("offset", JSONValue(record.offset)),
            .init("length", JSONValue(record.length)),
            .init("type", .string(record.kind.rawValue)),
            .init("id", JSONValue(record.id)),
            .init("date", JSONValue(date(record))),
            .init("url", JSONValue(record.url)),
            .init("status", JSONValue(record.status)),
            .init("mime_type", JSONValue(record.mimeType)),
            .init("payload_digest", JSONValue(record.payloadDigest)),
            .init("payload_length", JSONValue(payloadLength)),
            .init("refers_to", JSONValue(record.refersTo?.id)),
            .init("truncated", JSONValue(record.truncated)),
        ]
        if record.isRecovered { members.append(.init("recovered", .bool(true))) }
        return .object(members)
    }

    /// A line of the list of `extract`.
    static func json(_ item: ArchiveUnpacker.Item) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("file", JSONValue(item.name)), .init("url", JSONValue(item.record.url)),
            .init("date", JSONValue(item.record.date.map(Self.text))),
            .init("status", JSONValue(item.record.status)),
            .init("mime_type", JSONValue(item.record.mimeType)),
            .init("size", .integer(Int64(item.size))),
        ]
        if let error = item.error {
            members.append(
                .init(
                    "error",
                    .object([
                        .init("code", .string(error.code.rawValue)), .init("message", .string(error.message)),
                    ])
                )
            )
        }
        return .object(members)
    }

    /// Returns the date of a record as in the WARC, which may be to the nanosecond, or to the year; `nil` if
    /// it is missing.
    private static func date(_ record: ArchiveRecord) -> String? {
        guard let date = record.date else { return nil }
        return record.fields["WARC-Date"] ?? text(date)
    }

    /// A date with its milliseconds, where it has some.
    static func text(_ date: Timestamp) -> String {
        let milliseconds = date.millisecondsSince1970 &- date.secondsSince1970 &* 1000
        guard milliseconds != 0 else { return date.text }
        let digits = String(milliseconds)
        return
            "\(date.text.dropLast()).\(String(repeating: "0", count: max(0, 3 - digits.utf8.count)))\(digits)Z"
    }

    /// A record of `ls`, for people: columns, the URL last.
    static func line(_ record: ArchiveRecord) -> String {
        let columns = [
            TerminalText.padded(record.date?.text ?? "-", to: 20),
            TerminalText.padded(record.kind.rawValue, to: 9),
            TerminalText.padded(record.status.map(String.init) ?? "-", to: 3),
            TerminalText.padded(record.mimeType ?? "-", to: 24),
            TerminalText.padded(record.length.map(String.init) ?? "-", to: 9),
            record.url ?? record.id ?? "-",
        ]
        return TerminalText.visible(columns.joined(separator: "  "))
    }

    /// The lines of a head.
    static func json(_ head: MessageHead) -> JSONValue {
        .object([
            .init("start_line", .string(head.startLine)),
            .init(
                "headers",
                .array(
                    head.fields.map {
                        .object([.init("name", .string($0.name)), .init("value", .string($0.value))])
                    }
                )
            ),
        ])
    }

    /// A finding of `verify --jsonl`.
    static func json(_ finding: ArchiveFinding, archive: String?) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let archive { members.append(.init("archive", .string(archive))) }
        members += [
            .init("code", .string(finding.code.rawValue)), .init("part", JSONValue(finding.part)),
            .init("offset", JSONValue(finding.offset)), .init("message", .string(finding.message)),
        ]
        return .object(members)
    }

    /// A finding, for people.
    static func line(_ finding: ArchiveFinding, _ archive: String?) -> String {
        let place = [archive, finding.part, finding.offset.map { "offset \($0)" }].compactMap(\.self)
        let text = "\(place.joined(separator: ", ")): \(finding.message) (\(finding.code.rawValue))"
        return TerminalText.visible(place.isEmpty ? "\(finding.message) (\(finding.code.rawValue))" : text)
    }
}
