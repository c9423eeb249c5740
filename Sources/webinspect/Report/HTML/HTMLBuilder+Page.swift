import CLook
import WebLoader

/// The start and the end of all HTML reports: one style, no external resources, and at most one script.
extension HTMLBuilder {
    /// Begins a page, up to the link that skips to the element with the ID `main`.
    mutating func beginPage(_ title: String, runsScript: Bool = true) {
        markup("<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>")
        let policy = ReportStyle.policy(runsScript: runsScript)
        open("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        markup(
            "<meta name=viewport content=\"width=device-width\"><meta name=referrer content=no-referrer>"
        )
        markup("<link rel=icon href=\"data:,\">")
        element("title", title)
        markup("<style>")
        var length = 0
        let look = unsafe webl_look(&length)
        unsafe markup(UnsafeRawBufferPointer(start: look, count: length))
        markup(ReportStyle.css)
        markup("</style></head>\n<body><a class=skip href=#main>To the report</a>")
    }

    /// Ends a page.
    mutating func endPage(runsScript: Bool = true) {
        markup("<footer class=\"muted small\"><p>Made by ")
        text("webinspect \(WebLoaderVersion.current).")
        markup("</p></footer>")
        if runsScript {
            markup("<script>")
            markup(ReportStyle.script)
            markup("</script>")
        }
        markup("</body></html>\n")
    }

    /// A number with what it counts, which may lead to a place of the page.
    mutating func card(_ count: Int, _ name: String, style: String = "", to place: String? = nil) {
        markup("<li>")
        if let place { open("a", ["href": "#\(place)"]) }
        element("b", ["class": style], "\(count)")
        text(" \(name)")
        if place != nil { close("a") }
        markup("</li>")
    }
}
