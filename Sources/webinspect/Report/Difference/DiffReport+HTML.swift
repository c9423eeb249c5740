import WebDifference
import WebLoader

/// The changes, and both pages side by side, as a page that has nothing outside itself.
extension DiffReport {
    /// Nothing is loaded and nothing is run.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

    private static let css: StaticString = """

        body { max-width: 100rem; }
        .sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; margin: .25rem 0; }
        .sides > div { background: var(--soft); padding: .25rem .5rem; white-space: pre-wrap; overflow-wrap: anywhere;
          unicode-bidi: isolate; }
        .sides > .none { background: repeating-linear-gradient(135deg, #8882 0 .25rem, #0000 .25rem .5rem); }
        del { background: #d9363640; text-decoration-thickness: 1px; } ins { background: #2da04440; text-decoration: none; }
        .removed > .old { background: #d9363622; } .added > .new { background: #2da04422; }
        .moved > div { background: #b8860b22; }
        h3 small { font-weight: normal; opacity: .8; overflow-wrap: anywhere; }
        code { font-size: .85em; overflow-wrap: anywhere; }
        """

    /// How large a report may get; what is left then is counted.
    private static let maximumBytes = 64 << 20

    var html: [UInt8] {
        mutating get {
            var html = HTMLBuilder()
            html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
            html.open("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
            html.markup(
                "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"referrer\" content=\"no-referrer\">"
            )
            html.markup("<link rel=\"icon\" href=\"data:,\">")
            html.element("title", "Difference: \(new)")
            html.markup("<style>")
            html.markup(ReportStyle.css)
            html.markup(Self.css)
            html.markup("</style></head>\n<body><h1>Difference</h1>\n<dl><dt>old</dt><dd>")
            html.text(old)
            html.markup("</dd><dt>new</dt><dd>")
            html.text(new)
            html.markup("</dd></dl>\n")
            writeSummary(&html)
            writeChanges(&html)
            writePages(&html)
            writeHidden(&html)
            html.markup("</body></html>\n")
            return html.bytes
        }
    }

    private func writeSummary(_ html: inout HTMLBuilder) {
        if difference.isCoarse {
            html.element(
                "p",
                ["class": "warning"],
                "The answer is coarser than it could be: time ran out, or a page reached a limit."
            )
        }
        guard !difference.isSame else { return html.element("p", "The pages are the same.") }
        var counts: [String: Int] = [:]
        for change in difference.changes {
            counts["\(change.kind.rawValue) \(change.operation.rawValue)", default: 0] += 1
        }
        html.markup("<ul class=\"cards\">")
        for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            html.element("li", "\(count) \(name)")
        }
        html.markup("</ul>\n")
    }

    private mutating func writeChanges(_ html: inout HTMLBuilder) {
        guard !difference.isSame else { return }
        html.markup("<h2>Changes</h2>\n")
        for (index, change) in difference.changes.enumerated() {
            guard html.bytes.count < Self.maximumBytes else {
                html.element("p", "\(difference.changes.count - index) more are not shown.")
                return
            }
            html.open("section", ["id": "c\(index + 1)"])
            write(change, &html)
            html.markup("</section>\n")
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
                    // What is there on one side only is set off as a whole.
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
        html.markup("<h2>Both pages</h2>\n")
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
        html.markup("<h2>Left out</h2>\n<div class=\"scroll\"><table><thead><tr>")
        for name in ["Rule", "Change", "Lines"] { html.element("th", ["scope": "col"], name) }
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
        html.markup("</tbody></table></div>\n")
    }
}
