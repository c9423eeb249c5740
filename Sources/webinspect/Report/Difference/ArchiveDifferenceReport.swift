import WebDifference
import WebLoader

/// The output of `diff` for two archives.
struct ArchiveDifferenceReport {
    let old: String
    let new: String
    private(set) var pages: [ArchiveComparison.Page] = []
    /// How many pages are the same.
    var same = 0
    /// How many could not be compared.
    var failures = 0
    private(set) var isCoarse = false
    private var hidden: [(url: String, hidden: PageDifference.HiddenChange)] = []
    /// The texts of all changes together may have so many bytes; of later pages changes are counted only.
    private var room = 256 << 20

    init(old: String, new: String) {
        self.old = old
        self.new = new
    }

    /// Adds a page that is only in one archive.
    mutating func add(_ page: ArchiveComparison.Page) { pages.append(page) }

    /// Adds what differs on a page.
    mutating func add(_ difference: PageDifference, _ url: String) {
        isCoarse = isCoarse || difference.isCoarse
        for hidden in difference.hidden where self.hidden.count < 10_000 { self.hidden.append((url, hidden)) }
        guard !difference.isSame else {
            same += 1
            return
        }
        var page = ArchiveComparison.Page(url: url, operation: .changed, count: difference.changes.count)
        let size = difference.changes.reduce(0) { sum, change in
            sum + 200 + (change.old ?? "").utf8.count + (change.new ?? "").utf8.count
                + change.summary.utf8.count
        }
        if size <= room {
            room -= size
            page.changes = difference.changes
        }
        pages.append(page)
    }

    var json: [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("coarse", .bool(isCoarse))
        writer.add("failed", .integer(Int64(failures)))
        if !hidden.isEmpty {
            writer.add("hidden", each: hidden) { entry in
                .object([
                    .init("change", entry.hidden.change.json),
                    .init("rule", .string(entry.hidden.rule)), .init("url", .string(entry.url)),
                ])
            }
        }
        writer.add("pages", each: pages) { page in
            var members = [
                JSONValue.Member("url", .string(page.url)),
                .init("op", .string(page.operation.rawValue)),
            ]
            if let count = page.count {
                members.append(.init("change_count", .integer(Int64(count))))
                members.append(.init("changes", .array(page.changes.map(\.json))))
            }
            return .object(members)
        }
        writer.add("same", .bool(pages.isEmpty && failures == 0))
        writer.add("same_pages", .integer(Int64(same)))
        return writer.written(isLine: true)
    }

    func text(_ terminal: Terminal) -> [UInt8] {
        var lines: [String] = []
        for page in pages {
            let url = TerminalText.visible(page.url)
            switch page.operation {
            case .added: lines.append(terminal.styled("+ \(url)", .good))
            case .removed: lines.append(terminal.styled("- \(url)", .error))
            case .changed, .moved:
                let count = page.count ?? 0
                lines.append(
                    terminal.styled("! \(url): \(count == 1 ? "1 change" : "\(count) changes")", .note)
                )
                for change in page.changes {
                    lines.append("    \(TerminalText.visible(change.summary))")
                }
            }
        }
        for (url, hidden) in hidden {
            lines.append(
                terminal.styled(
                    TerminalText.visible("  \(url): \(hidden.rule): \(hidden.change.summary)"),
                    .dim
                )
            )
        }
        guard !lines.isEmpty else { return [] }
        let head = ["--- \(TerminalText.visible(old))", "+++ \(TerminalText.visible(new))"]
        return Array(((head + lines).joined(separator: "\n") + "\n").utf8)
    }
}
