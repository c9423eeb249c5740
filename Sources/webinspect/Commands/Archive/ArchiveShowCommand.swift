import ArgumentParser
import WebLoader

/// `webinspect archive show FILE… URL`: a record's heads.
struct ArchiveShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what an archive says of a copy of a URL: where it is, its fields, those of HTTP.",
        discussion: """
            Exit status 5: the URL is not in the archives.

            Examples:
              webinspect archive show site.warc.gz https://example.com/
              webinspect archive show site.warc.gz https://example.com/ --at 2024 --json
            """
    )

    @OptionGroup var copy: ArchivedCopy

    @Flag(help: "Write one JSON document.")
    var json = false

    func run() async throws {
        let found = try copy.found()
        var members: [JSONValue.Member] = [.init("archive", .string(found.archive.path))]
        if case .object(let own) = ArchiveReport.json(found.record, payloadLength: nil) {
            members += own.filter { $0.name != "payload_length" && $0.name != "length" }
        }
        if found.original.id != found.record.id || found.original.offset != found.record.offset {
            members.append(.init("original", ArchiveReport.json(found.original, payloadLength: nil)))
        }
        members.append(.init("fields", ArchiveReport.json(found.record.fields)))
        members.append(.init("http", found.record.http.map(ArchiveReport.json) ?? .null))
        guard !json else { return try Output.write(JSONValue.object(members).lineInOrder) }
        var lines = ["archive: \(found.archive.path)"]
        if let part = found.record.part { lines.append("part: \(part)") }
        if let offset = found.record.offset { lines.append("offset: \(offset)") }
        if found.record.kind == .revisit {
            lines.append(
                "body: of \(found.original.id ?? "the record") at \(found.original.offset.map(String.init) ?? "-")"
            )
        }
        for head in [found.record.fields, found.record.http].compactMap(\.self) where !head.bytes.isEmpty {
            lines.append("")
            lines.append(head.startLine)
            lines += head.fields.map { "\($0.name): \($0.value)" }
        }
        try Output.write(Array(lines.map { "\(TerminalText.visible($0))\n" }.joined().utf8))
    }
}
