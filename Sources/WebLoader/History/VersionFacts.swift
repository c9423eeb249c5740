import WebDifference
import WebDocument

/// The properties of a version that are compared with those of another one.
struct VersionFacts: Sendable {
    private let version: PageHistory.Version
    /// The version's page; `nil` if it could not be read.
    var page: ParsedPage?
    /// Why it could not be read; nil if it could.
    var failure: String?

    init(_ version: PageHistory.Version) {
        self.version = version
    }

    /// Returns what this version changed since an older one.
    func change(since old: VersionFacts) -> PageHistory.Change {
        var parts: [String] = []
        if version.status != old.version.status {
            parts.append("status \(old.version.status) to \(version.status)")
        }
        if version.location != old.version.location { parts.append("redirect's target") }
        if version.contentType != old.version.contentType { parts.append("type") }
        // Equal bodies need not be compared.
        if version.stored.hasSameBody(as: old.version.stored), !parts.isEmpty {
            return PageHistory.Change(parts.joined(separator: "; "), count: 0)
        }
        if let failure = failure ?? old.failure {
            return PageHistory.Change((parts + ["not compared: \(failure)"]).joined(separator: "; "))
        }
        guard let page, let before = old.page else {
            return PageHistory.Change((parts + [sizes(since: old)]).joined(separator: "; "))
        }
        if Self.hasStructure(page), Self.hasStructure(before), let difference = Self.difference(before, page)
        {
            let words = Self.words(difference, hasOthers: !parts.isEmpty)
            return PageHistory.Change(
                (parts + words).joined(separator: "; "),
                count: difference.changes.count
            )
        }
        if let lines = Self.lines(page), let others = Self.lines(before) {
            parts.append(
                Self.words(Self.surplus(of: lines, over: others), Self.surplus(of: others, over: lines))
            )
        } else {
            parts.append(sizes(since: old))
        }
        return PageHistory.Change(parts.joined(separator: "; "))
    }

    private func sizes(since old: VersionFacts) -> String {
        let (now, before) = (version.size, old.version.size)
        return now == before ? "other bytes, as many" : "\(before) to \(now) bytes"
    }

    // MARK: - Pages

    /// Whether a page is compared by its contents, not by its lines.
    private static func hasStructure(_ page: ParsedPage) -> Bool {
        page.kind == .html || page.kind == .xhtml || page.mediaType.isJSON
    }

    /// Returns the differences between two pages; `nil` if they cannot be compared.
    private static func difference(_ old: ParsedPage, _ new: ParsedPage) -> PageDifference? {
        try? PageDifference(from: old, to: new)
    }

    /// A difference in a line: the change itself if there is one, else how many there are of each kind.
    private static func words(_ difference: PageDifference, hasOthers: Bool) -> [String] {
        var words: [String] = []
        if difference.changes.count == 1, let only = difference.changes.first {
            words.append(shortened(only.summary))
        } else {
            for kind in PageDifference.Kind.allCases {
                let counts = PageDifference.Operation.allCases.compactMap { operation in
                    let count = difference.changes.count { $0.kind == kind && $0.operation == operation }
                    return count == 0 ? nil : "\(count) \(operation.rawValue)"
                }
                if !counts.isEmpty { words.append("\(kind.rawValue): \(counts.joined(separator: ", "))") }
            }
        }
        if words.isEmpty, !hasOthers {
            let ignored = difference.ignored.filter { $0.value > 0 }.map(\.key).sorted()
            words.append(
                ignored.isEmpty
                    ? "bytes that show nothing"
                    : "nothing that counts (\(ignored.joined(separator: ", ")))"
            )
        }
        if difference.isCoarse { words.append("compared coarsely") }
        return words
    }

    /// How many characters a change may have.
    private static let maximumLength = 200

    private static func shortened(_ text: String) -> String {
        text.count > maximumLength ? "\(text.prefix(maximumLength))…" : text
    }

    // MARK: - Lines

    /// How often each line of a text occurs; nil if it has no text.
    private static func lines(_ page: ParsedPage) -> [String: Int]? {
        let text =
            page.text ?? page.readablePart(isWhole: true).map { String(decoding: $0.text, as: UTF8.self) }
        guard let text else { return nil }
        var counts: [String: Int] = [:]
        for line in text.utf8.split(separator: 0x0A) { counts[String(Substring(line)), default: 0] += 1 }
        return counts
    }

    private static func words(_ added: Int, _ removed: Int) -> String {
        func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
        if added == 0, removed == 0 { return "the order of lines, or white space" }
        if removed == 0 { return "\(lines(added)) added" }
        if added == 0 { return "\(lines(removed)) removed" }
        return "\(lines(added)) added, \(removed) removed"
    }

    /// How many lines one text has more often than another.
    private static func surplus(of lines: [String: Int], over others: [String: Int]) -> Int {
        lines.reduce(0) { $0 + max(0, $1.value - (others[$1.key] ?? 0)) }
    }
}
