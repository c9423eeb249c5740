import WebDifference
import WebLoader

/// The output of `diff`.
///
/// docs/time.md describes it to users.
struct DiffReport {
    let difference: PageDifference
    let old: String
    let new: String
    /// The findings about content that only scripts create; `nil` unless the page is compared as served and
    /// as rendered.
    let findings: Findings?
    /// The rules about texts: what they hide is not marked either.
    var rules: IgnoreRules
    let isWhole: Bool

    init(
        _ difference: PageDifference,
        _ sources: DiffSources,
        _ options: PageDifference.Options,
        _ findings: Findings? = nil
    ) {
        self.difference = difference
        self.findings = findings
        old = sources.old.title
        new = sources.new.title
        rules = IgnoreRules(options)
        isWhole = options.keepsWholeText
    }

    // MARK: - For programs

    var json: [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("changes", each: difference.changes, \.json)
        writer.add("coarse", .bool(difference.isCoarse))
        if let findings { writer.add("findings", each: findings.findings, \.reported) }
        if !difference.hidden.isEmpty {
            writer.add("hidden", each: difference.hidden) { hidden in
                .object([
                    .init("change", hidden.change.json), .init("rule", .string(hidden.rule)),
                ])
            }
        }
        let ignored = difference.ignored.sorted { $0.key < $1.key }
        writer.add(
            "ignored",
            .object(ignored.map { JSONValue.Member($0.key, .integer(Int64($0.value))) })
        )
        writer.add("same", .bool(difference.isSame))
        return writer.written(isLine: true)
    }

    // MARK: - For people

    func text(_ terminal: Terminal) -> [UInt8] {
        var lines: [String] = []
        if !difference.isSame { lines += ["--- \(old)", "+++ \(new)"] }
        for change in difference.changes {
            let head = "\(Self.place(change)) \(TerminalText.visible(change.summary))"
            lines.append(terminal.styled(head, .note))
            if change.operation == .moved {
                lines.append("  \(TerminalText.visible(change.new ?? ""))")
                continue
            }
            if let old = change.old { lines.append(terminal.styled("-\(TerminalText.visible(old))", .error)) }
            if let new = change.new { lines.append(terminal.styled("+\(TerminalText.visible(new))", .good)) }
        }
        lines += hiddenLines(terminal) + findingLines(terminal)
        return lines.isEmpty ? [] : Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Where a change is, as unified differences have it.
    private static func place(_ change: PageDifference.Change) -> String {
        let places = [change.oldLine, change.newLine].map { $0.map(String.init) ?? "-" }
        return "@@ -\(places[0]) +\(places[1]) @@"
    }

    /// Which rule hid what, a line each, where that is wanted.
    func hiddenLines(_ terminal: Terminal) -> [String] {
        difference.hidden.map { hidden in
            terminal.styled(
                "# \(TerminalText.visible(hidden.rule)): \(Self.place(hidden.change)) \(TerminalText.visible(hidden.change.summary))",
                .dim
            )
        }
    }

    /// Returns a line per finding about content that only scripts create; empty if that is not compared.
    func findingLines(_ terminal: Terminal) -> [String] {
        guard let findings else { return [] }
        return ([.heading("What only scripts make")] + findings.lines).map { $0.text(for: terminal) }
    }

    // MARK: - Both sides

    /// A text of both sides, cut where they differ.
    struct Sides {
        typealias Pieces = [(text: String, isChanged: Bool)]
        var old: Pieces
        var new: Pieces
        let isSame: Bool
    }

    /// Both texts with what differs in them marked, cut to what is shown.
    mutating func sides(_ old: String, _ new: String) -> Sides {
        guard old != new else {
            let pieces = shortened([(old, false)])
            return Sides(old: pieces, new: pieces, isSame: true)
        }
        let marks = rules.marks(old, new)
        return Sides(
            old: shortened(TextMarks.pieces(old, marks.gaps.map(\.old))),
            new: shortened(TextMarks.pieces(new, marks.gaps.map(\.new))),
            isSame: marks.gaps.isEmpty
        )
    }

    /// Shortens long text: it begins shortly before the first part that differs, and ends after 4 KiB.
    private func shortened(_ pieces: Sides.Pieces) -> Sides.Pieces {
        guard !isWhole, pieces.reduce(0, { $0 + $1.text.utf8.count }) > 4096 else { return pieces }
        var left = 4096
        var shown: Sides.Pieces = []
        for (index, piece) in pieces.enumerated() {
            guard left > 0 else {
                shown.append(("…", false))
                break
            }
            var text = piece.text[...]
            // Of what is the same before something that differs its end, after that its beginning.
            if index == 0, !piece.isChanged, pieces.count > 1, text.utf8.count > 200 {
                text = text.suffix(160)
                shown.append(("…", false))
            }
            if text.utf8.count > left {
                shown.append((String(text.prefix(left)), piece.isChanged))
                left = 0
                shown.append(("…", false))
                break
            }
            shown.append((String(text), piece.isChanged))
            left -= text.utf8.count
        }
        return shown
    }

    /// Changes that the blocks of text do not show.
    var others: [PageDifference.Change] {
        difference.changes.filter { change in
            switch change.kind {
            case .metadata, .structuredData, .script, .style, .attribute, .response, .finding: return true
            case .text, .heading, .link, .image, .table, .list, .form:
                guard let name = change.name else { return false }
                return !["row", "rows", "column", "cell"].contains(name)
            }
        }
    }
}
