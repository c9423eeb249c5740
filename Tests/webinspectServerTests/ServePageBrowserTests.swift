import Foundation
import TestSupport
import Testing

/// A kept page: its view, its parts and its versions, as people look at them.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct ServePageBrowserTests {
    /// Opens a kept page from the list, by a click on its title.
    private func open(_ title: String, _ app: ServedApp) async throws {
        try await app.page.click(.link(title))
        try await app.wait(text: title, in: "h1")
    }

    /// Shows a part of the page.
    private func show(_ tab: String, _ app: ServedApp) async throws {
        try await app.page.click(.tab(tab))
        try await app.wait(parameter: "tab", is: tab.lowercased())
        try await app.page.wait(until: "!document.querySelector('main [aria-busy]')")
        #expect(try await app.page.evaluate("document.querySelectorAll('main [role=alert]').length") == 0)
    }

    /// Shows the view, which is beside the parts where there is room.
    private func showView(_ app: ServedApp) async throws {
        if app.isNarrow { try await show("View", app) }
    }

    /// Waits until what the view outlines has this text, and can be seen.
    private func wait(outlined text: String, _ app: ServedApp) async throws {
        try await app.page.waitInFrame(
            until: """
                (() => {
                  const at = document.querySelector("[data-webinspect-at]"), box = at?.getBoundingClientRect();
                  return at?.textContent === "\(text)" && box.top >= 0 && box.bottom <= innerHeight;
                })()
                """
        )
    }

    /// The index of the row of a node in the tree, by its name.
    private func row(of node: String, _ app: ServedApp) async throws -> Int {
        let row =
            "[...document.querySelectorAll('.vgrid-row b')].find(b => b.textContent === '\(node)')"
        try await app.page.wait(until: row)
        return try #require(
            try await app.page.evaluate("+\(row).closest('.vgrid-row').getAttribute('aria-rowindex') - 2").int
        )
    }

    @Test(arguments: ServedApp.widths)
    func `the tree of a page is gone through by keys, and leads to the view`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            try await open("Tea", app)
            try await page.waitInFrame(until: "document.querySelector('h1')?.textContent === 'Teas'")
            let scripts = "document.title + document.querySelectorAll('script:not([type])').length"
            #expect(try await page.evaluateInFrame(scripts) == "Tea0")
            try await app.expectOrder()

            // Tabs: arrows go from one to the other, Enter shows.
            try await page.click(.tab("Outline"))
            try await page.press("ArrowRight")
            let tab = try #require(try await page.focusedNode())
            #expect(tab.role == "tab" && tab.name == "Tree")
            try await page.press("Home")
            #expect(try await page.focusedNode()?.name == (app.isNarrow ? "View" : "Outline"))
            try await page.press("End")
            #expect(try await page.focusedNode()?.name == "History")
            try await page.press("ArrowRight", times: app.isNarrow ? 3 : 2)
            try await page.press("Enter")
            try await app.wait(parameter: "tab", is: "tree")
            let selected = try await page.accessibilityTree().filter {
                $0.role == "tab" && $0.properties["selected"] == true
            }
            #expect(selected.map(\.name) == ["Tree"])

            // The tree: right and left open and close, and each row says where it is.
            try await page.wait(for: .named("treegrid", "Nodes"))
            let body = try await row(of: "body", app)
            let cell = PageElement.selector(".vgrid-space [aria-rowindex='\(body + 2)'] .cell:nth-child(3)")
            try await app.focus(row: body, cell: cell)
            #expect(try await page.focusedNode()?.properties["expanded"] == false)
            try await page.press("ArrowRight")
            let main = try await row(of: "main", app)
            #expect(try await page.focusedNode()?.properties["expanded"] == true)
            for _ in body..<main { try await page.press("ArrowDown") }
            try await app.wait(focusedRow: main)
            try await page.press("ArrowRight")
            let list = try await row(of: "ol", app)
            let before = try #require(
                try await page.evaluate("+document.querySelector('.vgrid').ariaRowCount").int
            )
            try await page.press("ArrowDown", times: list - main)
            try await app.wait(focusedRow: list)
            try await page.press("ArrowRight")
            try await page.wait(until: "+document.querySelector('.vgrid').ariaRowCount === \(before + 600)")
            try await app.expectOrder()
            try await page.press("ArrowDown")
            let item = try #require(try await page.focusedNode())
            #expect(item.name.contains("li"))
            #expect(
                try await page.evaluate(
                    "[document.activeElement.ariaSetSize, document.activeElement.ariaPosInSet].join()"
                ) == "600,1"
            )
            try await page.press("ArrowLeft")
            try await app.wait(focusedRow: list)

            // The last row is the last heading: Enter shows it in the view.
            try await page.press("End")
            try await app.wait(focusedRow: before + 600 - 2)
            try await page.wait(until: "document.activeElement.innerText.includes('h2')")
            try await page.press("Enter")
            try await wait(outlined: "The end", app)
            let node = try #require(try await app.parameter("node"))
            if app.isNarrow { try await app.wait(parameter: "tab", is: "view") }

            // The address says all of that.
            try await page.reload()
            try await wait(outlined: "The end", app)
            if app.isNarrow { try await show("Tree", app) }
            try await page.wait(until: "document.activeElement.innerText.includes('h2')")
            try await app.expectOrder()
            #expect(try await app.parameter("node") == node)
        }
    }

    @Test(arguments: ServedApp.widths)
    func `the view marks what a selector matches, zooms and fits`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            let asked = app.site.requestedPaths
            try await open("Tea", app)
            try await page.waitInFrame(until: "document.querySelector('h1')")

            let field = PageElement.named("searchbox", "Mark what a selector matches")
            try await page.fill(field, "li")
            try await app.wait(text: "600 matches", in: "#page-matches")
            try await page.waitInFrame(
                until: "document.querySelectorAll('[data-webinspect-mark]').length === 600"
            )
            try await app.wait(parameter: "mark", is: "li")
            try await page.click(.button("Next match"))
            try await app.wait(text: "1 of 600", in: "#page-matches")
            try await wait(outlined: "Item 1", app)
            try await page.click(.button("Previous match"))
            try await wait(outlined: "Item 600", app)
            try await page.click(field)
            try await page.press("Enter")
            try await app.wait(text: "1 of 600", in: "#page-matches")
            try await page.reload()
            try await page.waitInFrame(
                until: "document.querySelectorAll('[data-webinspect-mark]').length === 600"
            )
            try await wait(outlined: "Item 1", app)
            try await page.fill(field, "li[")
            try await page.wait(until: "document.querySelector('[aria-invalid=true]')")
            #expect(try await app.text(of: "#page-matches") != "")
            try await app.expectOrder()
            try await page.fill(field, "")
            try await app.wait(parameter: "mark", is: nil)

            // Larger and smaller: buttons, keys, the wheel.
            let level = "output[aria-label='Zoom']"
            try await app.wait(text: "100 %", in: level)
            try await page.click(.button("Zoom in"))
            try await app.wait(text: "125 %", in: level)
            try await app.wait(parameter: "zoom", is: "1.25")
            try await page.press("-")
            try await app.wait(text: "100 %", in: level)
            try await page.press("+", times: 2)
            try await app.wait(text: "156 %", in: level)
            try await page.wait(
                until: "document.querySelector('.page-sheet iframe').style.transform.startsWith('scale(1.56')"
            )
            try await page.reload()
            try await app.wait(text: "156 %", in: level)
            try await page.hold("Control") {
                try await page.wheel(".page-pane", by: 240, modifiers: .control)
            }
            try await page.wait(until: "parseInt(document.querySelector(\"\(level)\").textContent) < 156")
            try await page.click(.button("100 %"))
            try await app.wait(text: "100 %", in: level)
            // As wide as another window, and then fitted into this one.
            try await page.choose("1280 px wide", in: .named("combobox", "Laid out"))
            try await app.wait(parameter: "width", is: "1280")
            try await page.click(.button("Fit width"))
            try await page.waitInFrame(until: "innerWidth === 1280")
            try await page.wait(until: "parseInt(document.querySelector(\"\(level)\").textContent) < 100")
            try await app.expectOrder()

            // Nothing was loaded for that, and no script of the page has run.
            #expect(app.site.requestedPaths == asked)
        }
    }

    @Test(arguments: ServedApp.widths)
    func `the parts of a page say what is on it, each at its address`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea", "/page/01"]) { (app) async throws in
            let page = app.page
            try await open("Tea", app)
            if app.isNarrow { try await page.click(.named("DisclosureTriangle", "Facts")) }
            for text in ["Received", "Fresh until"] { try await app.wait(text: text, in: ".page-facts") }

            try await show("Outline", app)
            for text in ["Teas", "Green tea", "The end", "main"] {
                try await app.wait(text: text, in: "#page-panel")
            }
            try await app.expectOrder()
            try await page.click(.button("Green tea"))
            try await wait(outlined: "Green tea", app)

            try await show("Links", app)
            try await page.wait(for: .named("link", "kept …"))
            try await page.click(.button("Add \(app.site.url("/page/99"))"))
            let kept =
                "[...document.querySelectorAll('#page-panel a')].filter(a => a.textContent.startsWith('kept'))"
            try await page.wait(until: "\(kept).length === 2")
            try await app.expectOrder()
            try await page.fill(.named("searchbox", "Filter"), "Page one")
            try await app.wait(rows: 1)
            try await app.wait(parameter: "q", is: "Page one")

            try await show("Tables", app)
            try await page.click(.button("Prices"))
            try await page.wait(for: .named("grid", "Prices"))
            for text in ["Name", "Sencha", "Matcha", "20"] { try await app.wait(text: text, in: ".vgrid") }
            try await app.expectOrder()

            let parts = [
                ("Images", ["A leaf", "40 × 30"]), ("Forms", ["cups", "number", "required", "Cups"]),
                ("Data", ["Structured data", "Metadata"]), ("Text", ["thousand years"]), ("Findings", []),
                ("Fields", ["Content-Type", "max-age=3600"]), ("History", ["200"]),
                ("Source", ["<!doctype html>"]),
            ]
            for (tab, texts) in parts {
                try await show(tab, app)
                for text in texts { try await app.wait(text: text, in: "#page-panel") }
                try await app.expectOrder()
            }

            // A place in the source has an address of its own; back leads through the parts.
            try await show("Tables", app)
            try await page.click(.named("button", "Line …"))
            try await app.wait(parameter: "tab", is: "source")
            try await app.wait(text: "<table>", in: ".vgrid .marked")
            try await page.reload()
            try await app.wait(text: "<table>", in: ".vgrid .marked")
            try await page.goBack()
            try await app.wait(parameter: "tab", is: "tables")
            try await page.goBack()
            try await app.wait(text: "<!doctype html>", in: "#page-panel")

            // How wide the parts are is remembered.
            if !app.isNarrow {
                try await page.click(".splitter")
                try await page.press("ArrowLeft", times: 5)
                let width = try await page.evaluate("document.querySelector('.splitter').ariaValueNow")
                try await app.server.wait("it is remembered") {
                    let split = try await app.server.json("/api/settings")["split"] as? Double
                    return split.map { "\(Int($0.rounded()))" } == width.text
                }
                try await page.reload()
                try await page.wait(
                    until: "document.querySelector('.splitter')?.ariaValueNow === \(width.json)"
                )
            }

            // Removed, and there again.
            try await page.click(.button("Remove"))
            try await app.wait(text: "Kept pages", in: "h1")
            try await app.wait(rows: 3)
            try await page.press("F8")
            try await page.press("Enter")
            try await app.wait(text: "Tea", in: "h1")
        }
    }

    @Test(arguments: ServedApp.widths)
    func `two versions of a page are compared side by side`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/news", "/news", "/news"]) { (app) async throws in
            let page = app.page
            try await open("News", app)
            try await show("History", app)
            try await page.wait(until: "document.querySelectorAll('#page-panel li').length === 3")
            try await page.click(.button("Compare"))
            try await app.wait(text: "Two versions", in: "h1")
            try await app.wait(text: "Edition 3", in: ".page-changes ins")
            try await app.wait(text: "Edition 2", in: ".page-changes del")
            let edition = "document.querySelector('p')?.textContent"
            try await page.waitInFrames(until: edition, are: ["Edition 2", "Edition 3"])
            try await app.expectOrder()
            try await page.click(.named("button", "Show: …"))
            try await page.waitInFrames(
                until: "document.querySelector('[data-webinspect-mark]')?.textContent",
                are: ["Edition 2", "Edition 3"]
            )
            try await page.click(.tab("Side by side text"))
            try await app.wait(parameter: "tab", is: "text")
            try await page.waitInFrame(
                until:
                    "/Edition 2/.test(document.body.innerText) && /Edition 3/.test(document.body.innerText)"
            )
            try await page.reload()
            try await page.waitInFrame(until: "/Edition 2/.test(document.body.innerText)")
            try await app.expectOrder()

            // Another old version, by keys.
            try await page.value(of: .named("combobox", "Old"), "function() { this.focus() }")
            try await page.press("ArrowDown")
            try await page.click(.button("Compare"))
            try await app.wait(text: "Edition 1", in: ".page-changes del")
            try await page.goBack()
            try await app.wait(text: "Edition 2", in: ".page-changes del")
            try await page.click(.link("Its page and history"))
            try await app.wait(text: "News", in: "h1")
            try await app.wait(parameter: "tab", is: "history")

            // An old version alone says that it is one.
            try await page.click("#page-panel li:last-child a")
            try await app.wait(text: "This is the version of", in: "main")
            try await showView(app)
            try await page.waitInFrame(until: "\(edition) === 'Edition 1'")
            try await page.click(.link("The newest"))
            try await showView(app)
            try await page.waitInFrame(until: "\(edition) === 'Edition 3'")

            // Loaded anew, it has a fourth.
            try await page.click(.button("Reload"))
            try await page.waitInFrame(until: "\(edition) === 'Edition 4'")
        }
    }
}
