import WebLoader
import WebSite

/// What a check found as a page: what is wrong, in a table that sorts.
enum CheckHTML {
    static func begin(_ summary: CheckSummary) -> [UInt8] {
        var html = HTMLBuilder()
        html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        html.open("meta", ["http-equiv": "Content-Security-Policy", "content": ReportStyle.policy])
        html.markup("<meta name=\"viewport\" content=\"width=device-width\"><title>Links</title><style>")
        html.markup(ReportStyle.css)
        html.markup("</style></head><body><h1>Links</h1>\n<ul class=\"cards\">")
        let numbers = [
            ("pages", summary.pages), ("links", summary.links), ("ok", summary.ok),
            ("broken", summary.broken),
            ("unknown", summary.unknown), ("skipped", summary.skipped), ("moved for good", summary.moved),
        ]
        for (name, number) in numbers { html.element("li", "\(number) \(name)") }
        html.markup("</ul>\n")
        if summary.broken + summary.unknown + summary.moved == 0 { html.element("p", "All links are sound.") }
        html.markup("<div class=\"scroll\"><table data-sorts><thead><tr>")
        for name in ["Result", "Code", "Link", "Kind", "Page", "Line", "Column"] {
            html.element("th", ["scope": "col"], name)
        }
        html.markup("</tr></thead><tbody>\n")
        return html.bytes
    }

    /// A row; empty for a link of which nothing is to be said.
    static func row(_ link: CheckedLink) -> [UInt8] {
        var html = HTMLBuilder()
        switch link.result {
        case .broken: cells(link, "broken", "error", &html)
        case .unknown: cells(link, "unknown", "warning", &html)
        case .ok where link.isMoved: cells(link, "moved", "note", &html)
        case .ok, .skipped: break
        }
        return html.bytes
    }

    private static func cells(
        _ link: CheckedLink,
        _ result: String,
        _ style: String,
        _ html: inout HTMLBuilder
    ) {
        html.markup("<tr>")
        html.element("td", ["class": style], result)
        html.element("td", link.code ?? "")
        html.markup("<td>")
        html.url(link.url)
        for hop in link.redirects.dropFirst() {
            html.markup("<br>")
            html.text("→ \(hop.url)")
        }
        html.markup("</td>")
        html.element("td", link.kind)
        html.markup("<td>")
        if let page = link.page { html.url(page) }
        html.markup("</td>")
        html.element("td", ["class": "number"], link.line.map { "\($0)" } ?? "")
        html.element("td", ["class": "number"], link.column.map { "\($0)" } ?? "")
        html.markup("</tr>\n")
    }

    static var end: [UInt8] {
        var html = HTMLBuilder()
        html.markup("</tbody></table></div>\n<script>")
        html.markup(ReportStyle.script)
        html.markup("</script></body></html>\n")
        return html.bytes
    }
}
