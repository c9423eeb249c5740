import WebCopy
import WebLoader

/// The report of `save` about a copy.
enum SaveReport {
    /// For programs.
    static func json(_ copy: PageCopy, _ summary: PageCopy.Summary, _ output: String) -> [UInt8] {
        let changed = summary.changed.sorted { $0.key < $1.key }
        let report: JSONValue = .object([
            .init("url", .string(copy.url.description)),
            .init("date", .string(copy.date.text)),
            .init("output", .string(output)),
            .init("files", .integer(Int64(summary.files))),
            .init("bytes", .integer(Int64(summary.bytes))),
            .init(
                "missing",
                .array(
                    (copy.missing + summary.missing).map { missing in
                        .object([
                            .init("url", .string(missing.url.description)),
                            .init("code", .string(missing.code)),
                            .init("message", .string(missing.message)),
                        ])
                    }
                )
            ),
            .init("truncated", .bool(copy.isTruncated)),
            .init(
                "changed",
                .object(changed.map { JSONValue.Member($0.key, .integer(Int64($0.value))) })
            ),
        ])
        return report.serialized(sortingNames: false) + [0x0A]
    }

    /// For people.
    static func text(_ copy: PageCopy, _ summary: PageCopy.Summary, _ output: String) -> [UInt8] {
        var line = "\(output): \(Wording.number(summary.files, "file")), \(summary.bytes) bytes"
        let count = copy.missing.count + summary.missing.count
        if count > 0 { line += ", \(count) missing" }
        return Array("\(TerminalText.visible(line))\n".utf8)
    }
}
