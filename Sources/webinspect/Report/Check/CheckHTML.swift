import WebLoader
import WebSite

/// The results of a check as an HTML page: the problems in a sortable table.
enum CheckHTML {
    static func begin(_ summary: CheckSummary) -> [UInt8] {
        var html = HTMLBuilder()
        html.beginPage("Links")
        html.markup("<header><h1>Links</h1>\n<ul class=cards>")
        let numbers = [
            ("broken", summary.broken, "error"), ("unknown", summary.unknown, "warning"),
            ("moved for good", summary.moved, ""), ("ok", summary.ok, "good"),
            ("skipped", summary.skipped, ""), ("links", summary.links, ""), ("pages", summary.pages, ""),
        ]
        for (name, number, style) in numbers { html.card(number, name, style: number == 0 ? "muted" : style) }
        html.markup("</ul></header><main id=main><section>\n")
        if summary.broken + summary.unknown + summary.moved == 0 {
            html.element("p", ["class": "empty"], "All links are sound.")
        }
        html.markup("<div class=\"scroll\"><table data-sorts><thead><tr>")
        for name in ["Result", "Code", "Link", "Kind", "Page"] { html.element("th", name) }
        for name in ["Line", "Column"] { html.element("th", ["class": "number"], name) }
        html.markup("</tr></thead><tbody>\n")
        return html.bytes
    }

    /// A row; empty for a link of which nothing is to be said.
    static func row(_ link: CheckedLink) -> [UInt8] {
        var html = HTMLBuilder()
        switch link.result {
        case .broken: cells(link, link.isKnown ? "known" : "broken", link.isKnown ? "" : "error", &html)
        case .unknown: cells(link, "unknown", "warning", &html)
        case .ok where link.isMoved: cells(link, "moved", "", &html)
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
        html.markup("<tr><td class=short>")
        html.element("span", ["class": "badge \(style)"], result)
        html.markup("</td>")
        html.element("td", ["class": "short", "data-name": "Code"], link.code ?? "")
        html.markup("<td class=long data-name=Link>")
        html.url(link.url)
        for hop in link.redirects.dropFirst() {
            html.markup("<br>")
            html.text("→ \(hop.url)")
        }
        html.markup("</td>")
        html.element("td", ["class": "short", "data-name": "Kind"], link.kind)
        html.markup("<td class=long data-name=Page>")
        if let page = link.page { html.url(page) }
        html.markup("</td>")
        html.element("td", ["class": "number", "data-name": "Line"], link.line.map { "\($0)" } ?? "")
        html.element("td", ["class": "number", "data-name": "Column"], link.column.map { "\($0)" } ?? "")
        html.markup("</tr>\n")
    }

    static var end: [UInt8] {
        var html = HTMLBuilder()
        html.markup("</tbody></table></div></section></main>\n")
        html.endPage()
        return html.bytes
    }
}
