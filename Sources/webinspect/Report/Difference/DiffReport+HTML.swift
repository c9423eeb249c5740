import WebDifference
import WebLoader

/// The changes, and both pages side by side, as a page that has nothing outside itself.
extension DiffReport {
    /// How large a report may get; what is left then is counted.
    private static let maximumBytes = 64 << 20

    var html: [UInt8] {
        mutating get {
            var html = HTMLBuilder()
            html.beginPage("Difference: \(new)", runsScript: false)
            html.markup("<header><h1>Difference</h1>\n<dl><dt>old</dt><dd>")
            html.text(old)
            html.markup("</dd><dt>new</dt><dd>")
            html.text(new)
            html.markup("</dd></dl>\n")
            writeSummary(&html)
            html.markup("</header><main id=main>\n")
            writeFindings(&html)
            writeChanges(&html)
            writePages(&html)
            writeHidden(&html)
            html.markup("</main>\n")
            html.endPage(runsScript: false)
            return html.bytes
        }
    }

    private func writeSummary(_ html: inout HTMLBuilder) {
        if difference.isCoarse {
            html.element(
                "p",
                ["class": "card warning"],
                "The answer is coarser than it could be: time ran out, or a page reached a limit."
            )
        }
        guard !difference.isSame else {
            return html.element("p", ["class": "empty"], "The pages are the same.")
        }
        var counts: [String: Int] = [:]
        for change in difference.changes {
            counts["\(change.kind.rawValue) \(change.operation.rawValue)", default: 0] += 1
        }
        html.markup("<ul class=cards>")
        for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            html.card(count, name, to: "changes")
        }
        html.markup("</ul>\n")
    }

    private func writeFindings(_ html: inout HTMLBuilder) {
        guard let findings else { return }
        html.markup("<section id=findings><h2>What only scripts make</h2>\n")
        if findings.findings.isEmpty { html.element("p", ["class": "empty"], "No findings.") }
        for finding in findings.findings {
            html.open("div", ["class": "finding \(finding.severity.rawValue)"])
            html.element("b", finding.code.summary)
            html.text(" ")
            html.element("code", ["class": "muted"], finding.code.rawValue)
            html.element("p", finding.message)
            html.element("p", ["class": "muted"], finding.advice)
            html.markup("</div>\n")
        }
        html.markup("</section>\n")
    }

    private mutating func writeChanges(_ html: inout HTMLBuilder) {
        guard !difference.isSame else { return }
        html.markup("<section id=changes><h2>Changes</h2>\n")
        defer { html.markup("</section>\n") }
        for (index, change) in difference.changes.enumerated() {
            guard html.bytes.count < Self.maximumBytes else {
                html.element("p", "\(difference.changes.count - index) more are not shown.")
                return
            }
            html.open("div", ["class": "change", "id": "c\(index + 1)"])
            write(change, &html)
            html.markup("</div>\n")
        }
    }

    private mutating func write(_ change: PageDifference.Change, _ html: inout HTMLBuilder) {
        html.markup("<h3>")
        html.text("\(change.kind.rawValue) \(change.operation.rawValue)")
        if let name = change.name { html.element("small", " \(name)") }
        html.markup("</h3>")
        let sides = self.sides(change.old ?? "", change.new ?? "")
        write(sides, change.operation, hasOld: change.old != nil, hasNew: change.new != nil, &html)
        html.markup("<div class=\"sides places\">")
        for (line, path) in [(change.oldLine, change.oldPath), (change.newLine, change.newPath)] {
            html.markup("<div>")
            if let line { html.text("line \(line) ") }
            if let path { html.element("code", path) }
            html.markup("</div>")
        }
        html.markup("</div>")
    }

    private func write(
        _ sides: Sides,
        _ operation: PageDifference.Operation?,
        hasOld: Bool,
        hasNew: Bool,
        _ html: inout HTMLBuilder
    ) {
        html.open("div", ["class": operation.map { "sides \($0.rawValue)" } ?? "sides"])
        for (has, name, pieces) in [(hasOld, "old", sides.old), (hasNew, "new", sides.new)] {
            html.open("div", ["class": has ? name : "none", "dir": "auto"])
            if has {
                for piece in pieces {
                    // A block that exists on one side only is marked as a whole.
                    if piece.isChanged, hasOld, hasNew {
                        html.element(name == "old" ? "del" : "ins", piece.text)
                    } else {
                        html.text(piece.text)
                    }
                }
            }
            html.markup("</div>")
        }
        html.markup("</div>\n")
    }

    private mutating func writePages(_ html: inout HTMLBuilder) {
        guard !difference.rows.isEmpty, !difference.isSame else { return }
        html.markup("<section id=pages><h2>Both pages</h2>\n")
        defer { html.markup("</section>\n") }
        let rows = parts(context: nil)
        var same: [Sides] = []
        func flush(_ html: inout HTMLBuilder) {
            guard !same.isEmpty else { return }
            let isLong = same.count > 3
            if isLong {
                html.markup("<details>")
                html.element("summary", "\(same.count) blocks that are the same")
            }
            for sides in same { write(sides, nil, hasOld: true, hasNew: true, &html) }
            if isLong { html.markup("</details>\n") }
            same = []
        }
        for (index, part) in rows.enumerated() {
            guard html.bytes.count < Self.maximumBytes else {
                html.element("p", "\(rows.count - index) more blocks are not shown.")
                return
            }
            guard case .row(let row, let sides, let mark) = part else { continue }
            if mark == .same {
                same.append(sides)
                continue
            }
            flush(&html)
            let operation = row.operation ?? .changed
            write(sides, operation, hasOld: row.old != nil, hasNew: row.new != nil, &html)
        }
        flush(&html)
    }

    private func writeHidden(_ html: inout HTMLBuilder) {
        guard !difference.hidden.isEmpty else { return }
        html.markup("<section id=hidden><h2>Left out</h2>\n<div class=scroll><table><thead><tr>")
        for name in ["Rule", "Change", "Lines"] { html.element("th", name) }
        html.markup("</tr></thead><tbody>\n")
        for hidden in difference.hidden {
            let change = hidden.change
            html.markup("<tr>")
            html.element("td", hidden.rule)
            html.element("td", change.summary)
            html.element(
                "td",
                "\(change.oldLine.map { "\($0)" } ?? "-"), \(change.newLine.map { "\($0)" } ?? "-")"
            )
            html.markup("</tr>\n")
        }
        html.markup("</tbody></table></div></section>\n")
    }
}
