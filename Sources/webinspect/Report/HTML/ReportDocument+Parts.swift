import WebLoader

/// The sections of the report that have a form of their own.
extension ReportDocument {
    // MARK: - Findings

    /// Findings by how much they matter, those of a kind together: what to do is said once, then where.
    func writeFindings(_ html: inout HTMLBuilder) {
        guard !findings.findings.isEmpty else {
            return html.element("p", ["class": "empty"], "No findings.")
        }
        var excerpts = page.source.map { SourceExcerpts($0) }
        // Excerpts are taken in the order of the places, before any findings are grouped.
        let shown = findings.findings.prefix(ReportTree.maximumRows).map { finding in
            (finding: finding, excerpt: finding.position.flatMap { excerpts?.excerpt(at: $0) })
        }
        let groups = Dictionary(grouping: shown) { $0.finding.code }
        for severity in Finding.Severity.allCases.reversed() {
            let codes = Finding.Code.allCases.filter { $0.severity == severity && groups[$0] != nil }
            guard !codes.isEmpty else { continue }
            html.open("h3", ["id": "findings-\(severity.rawValue)", "class": severity.rawValue])
            html.text("\(severity.rawValue.prefix(1).uppercased())\(severity.rawValue.dropFirst())s")
            html.badge(findings.findings.count { $0.severity == severity })
            html.close("h3")
            for code in codes { write(groups[code] ?? [], of: code, &html) }
        }
        if findings.isTruncated || findings.findings.count > ReportTree.maximumRows {
            html.element("p", "More findings are not shown.")
        }
    }

    private func write(
        _ group: [(finding: Finding, excerpt: SourceExcerpts.Excerpt?)],
        of code: Finding.Code,
        _ html: inout HTMLBuilder
    ) {
        let style = "finding \(code.severity.rawValue)"
        html.open("details", group.count > 12 ? ["class": style] : ["class": style, "open": ""])
        html.open("summary")
        html.element("b", code.summary)
        html.badge(group.count)
        html.text(" ")
        html.element("code", ["class": "muted"], code.rawValue)
        html.close("summary")
        html.element("p", code.advice)
        html.markup("<ul>")
        for (finding, excerpt) in group {
            html.open("li")
            html.element("bdi", finding.message)
            if let position = finding.position {
                let column = position.column.map { ", column \($0)" } ?? ""
                html.text(" ")
                html.element("span", ["class": "muted small"], "line \(position.line)\(column)")
            }
            if let excerpt {
                html.open("pre")
                html.text(excerpt.before)
                html.element("mark", excerpt.mark)
                html.text(excerpt.after)
                html.close("pre")
            }
            html.close("li")
        }
        html.markup("</ul>")
        html.close("details")
    }

    // MARK: - Loading

    func writeLoading(_ html: inout HTMLBuilder) {
        if let verdict = page.response.cacheVerdict {
            html.element("p", "Cache: \(verdict.outcome.rawValue). \(verdict.explanation).")
            if let age = verdict.age, let lifetime = verdict.freshnessLifetime {
                writeFreshness(age, lifetime, &html)
            }
        } else {
            html.element("p", "No cache was used; the page came from the \(page.response.source.rawValue).")
        }
        if let waterfall = Waterfall(page.response) { waterfall.write(into: &html) }
    }

    /// How much of its freshness lifetime a response has used up.
    private func writeFreshness(_ age: Int64, _ lifetime: Int64, _ html: inout HTMLBuilder) {
        let isFresh = age < lifetime
        html.element("p", "\(age) s old, fresh for \(lifetime) s")
        html.open("div", ["class": isFresh ? "bar good" : "bar warning"])
        let width = isFresh ? Waterfall.percent(Double(max(0, age)), of: Double(lifetime)) : "100%"
        html.element("span", ["style": "width:\(width)"], "")
        html.close("div")
    }

    // MARK: - Scripts

    /// How the page's scripts were run: the picture, what they have said, what has failed, all requests.
    func writeRendering(_ rendering: Rendering, _ html: inout HTMLBuilder) {
        html.element("p", rendering.text)
        if let screenshot {
            let data = "data:image/png;base64,\(Base64.encode(screenshot))"
            html.open("img", ["class": "screenshot", "src": data, "alt": "The page, its scripts run"])
        }
        func table(_ title: String, _ rows: [JSONValue], _ columns: [String], count: Int) {
            guard !rows.isEmpty else { return }
            html.open("h3")
            html.text(title)
            html.badge(count)
            html.close("h3")
            ReportTree.table(rows, columns, into: &html)
            if count > rows.count { html.element("p", "\(count - rows.count) more are not kept.") }
        }
        let messages = rendering.messages.map(\.reported)
        table("Messages", messages, ["level", "text", "url", "line"], count: rendering.messageCount)
        let (failures, columns) = (
            rendering.failures, ["kind", "method", "url", "status", "code", "source", "bytes"]
        )
        table("Failed requests", failures.map(\.reported), columns, count: failures.count)
        html.markup("<details>")
        html.element("summary", "All requests")
        table("Requests", rendering.requests.map(\.reported), columns, count: rendering.requestCount)
        html.markup("</details>")
    }

    // MARK: - Images

    /// The files, as far as they are at hand, and what the page says of its images.
    func writeImages(_ html: inout HTMLBuilder) {
        html.markup("<ul class=gallery>")
        for image in images {
            html.open("li")
            if let data = image.data {
                html.open("img", ["src": data, "alt": image.alternative ?? "", "loading": "lazy"])
            }
            html.url(image.url)
            let words =
                image.alternative.map { $0.isEmpty ? "decorative" : "“\($0)”" } ?? "no alternative text"
            html.element("div", ["class": "muted small"], words)
            if image.data == nil { html.element("div", ["class": "muted small"], "not in the cache") }
            html.close("li")
        }
        html.markup("</ul>")
        if otherImages > 0 { html.element("p", "\(otherImages) more are not shown.") }
        if !values("images").isEmpty { ReportTree.write(.array(values("images")), into: &html) }
    }
}
