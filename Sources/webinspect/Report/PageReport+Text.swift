import WebLoader

/// The text that `webinspect SOURCE` writes for people.
extension PageReport {
    /// The report for people.
    func text(for terminal: Terminal) -> String {
        var lines: [ReportLine] = []
        if let title = page.title { lines.append(.field("Title     \(title)")) }
        lines.append(.field("URL       \(page.response.url)"))
        for redirect in page.response.redirects {
            lines.append(.field("          \(redirect.status.code) from \(redirect.url)"))
        }
        lines.append(.field("Response  \(summary)"))
        if let verdict = page.response.cacheVerdict {
            let age = verdict.age.map { ", \($0) s old" } ?? (verdict.isStored ? "; it is now stored" : "")
            lines.append(.field("Cache     \(verdict.outcome.rawValue): \(verdict.explanation)\(age)"))
        }
        if page.baseURL != page.response.url { lines.append(.field("Base      \(page.baseURL)")) }
        if let contentKind { lines.append(.field("Content   \(contentKind.text)")) }
        lines += (metadata.text + structuredData.text).map(ReportLine.field)
        if let counts {
            let parts = (counts.named + [("links", links.count)]).filter { $0.count > 0 }
            lines.append(.field("Counts    \(parts.map(Self.counted).joined(separator: ", "))"))
        }
        lines += partLines.map(ReportLine.field)
        let outline = inventory.headings.map {
            "\(String(repeating: "  ", count: $0.level - 1))h\($0.level) \($0.text)"
        }
        lines += section("Headings", outline.map(ReportLine.item))
        lines += section("Tables", tables.map { .item($0.text) })
        let width = links.map { $0.kind.rawValue.utf8.count }.max() ?? 0
        lines += section("Links", links.map { .link($0, kindWidth: width) })
        if let parseErrors {
            var errors = parseErrors.errors.map { error in
                "\(error.line)\(error.column.map { ":\($0)" } ?? "")  \(error.name)"
            }
            if parseErrors.isTruncated { errors.append("and more that are not listed") }
            lines += section("Parse errors", errors.map(ReportLine.item))
        }
        if let rendering { lines += section("Scripts", rendering.lines.map(ReportLine.item)) }
        if let findings { lines += section("Findings", findings.lines) }
        return lines.map { $0.text(for: terminal) + "\n" }.joined()
    }

    private func section(_ name: String, _ items: [ReportLine]) -> [ReportLine] {
        items.isEmpty ? [] : [.blank, .heading(name)] + items
    }

    /// As in "1 image" and "2 images".
    private static func counted(_ name: String, _ count: Int) -> String {
        "\(count) \(count == 1 ? String(name.dropLast()) : name)"
    }

    /// As in "200, text/html, UTF-8 (meta), 91.2 KB, 12.3 ms".
    private var summary: String {
        var parts: [String] = []
        if let status = page.response.status?.code { parts.append("\(status)") }
        parts.append(page.mediaType.essence)
        if let encoding = page.encoding {
            parts.append("\(encoding.encoding.name) (\(encoding.source.rawValue))")
        }
        parts.append(TerminalText.bytes(page.response.body.count))
        if let total = page.response.timing.total { parts.append(TerminalText.milliseconds(total)) }
        return parts.joined(separator: ", ")
    }

    /// Lines for people, each with its name; only those that say something.
    private var partLines: [String] {
        var named: [(name: String, text: String)] = response.lines
        func add(_ name: String, _ text: String?) {
            if let text { named.append((name, text)) }
        }
        add("Outline", outline?.text)
        add("Images", PageImage.text(images))
        add("Scripts", PageScript.text(inventory.scripts))
        add("Styles", PageStylesheet.text(inventory.stylesheets))
        add("Frames", PageFrame.text(inventory.frames))
        add("Comments", PageComment.text(inventory.comments))
        for form in Form.text(inventory.forms) { add("Form", form) }
        add("Loaded", resources?.text)
        add("Rendered", rendering?.text)
        return named.map { name, text in
            name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + text
        }
    }
}

extension PageCounts {
    fileprivate var named: [(name: String, count: Int)] {
        [
            ("elements", elements), ("images", images), ("forms", forms), ("tables", tables),
            ("scripts", scripts), ("styles", styles), ("frames", frames),
        ]
    }
}
