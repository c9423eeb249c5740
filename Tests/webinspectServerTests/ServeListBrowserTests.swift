import Foundation
import TestSupport
import Testing

/// The list of kept pages, as people use it: by mouse and by keys, on a telephone and on a screen.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct ServeListBrowserTests {
    private static let pages = (1...5).map { "a.example/page/0\($0)" }

    /// Folds out the lists of one's own, which a narrow window has folded.
    private func openLists(_ app: ServedApp) async throws {
        let script = "document.querySelector('aside details').open"
        if try await app.page.evaluate(script) == false { try await app.page.click("aside summary") }
    }

    private func wait(selected count: Int, _ app: ServedApp) async throws {
        try await app.wait(text: "\(count) selected", in: "[aria-label='What is selected']")
    }

    @Test(arguments: ServedApp.widths)
    func `pages are listed by host, folded, gone through, filtered and sorted`(width: Int) async throws {
        let paths = [
            "/hostile", "a.example/page/01", "a.example/page/02", "a.example/page/03", "b.example/page/04",
        ]
        try await withApp(width: width, keeping: paths) { (app) async throws in
            let page = app.page
            try await app.server.load((10..<70).map { app.site.url("/page/\($0)") })
            try await app.wait(rows: 68)
            try await app.wait(text: "65 pages of 3 hosts")
            try await app.expectOrder()
            #expect(
                try await app.page.evaluate(
                    "document.querySelectorAll('.vgrid-space .vgrid-row').length < 60"
                ) == true
            )

            // Sections, by keys.
            try await app.focus(row: 1)
            try await page.press("ArrowUp")
            try await app.wait(focusedRow: 0)
            var head = try #require(try await page.focusedNode())
            #expect(head.role == "row" && head.name.contains("127.0.0.1"))
            #expect(head.properties["expanded"] == true && head.properties["level"] == 1)
            try await page.press("ArrowLeft")
            try await app.wait(rows: 7)
            head = try #require(try await page.focusedNode())
            #expect(head.properties["expanded"] == false)
            try await page.press("ArrowRight")
            try await app.wait(rows: 68)

            // The first and the last row are those of the list, and not of what is drawn.
            try await page.press("End")
            try await app.wait(focusedRow: 67)
            #expect(try await page.focusedNode()?.name.contains("Page 04") == true)
            try await page.press("ArrowLeft")
            try await app.wait(focusedRow: 66)
            try await page.press("PageUp")
            let up = try #require(try await app.focusedRow())
            #expect((1..<66).contains(up))
            try await page.press("Home")
            try await app.wait(focusedRow: 0)
            // The focus stays where it is, while one looks elsewhere.
            try await page.wheel(".vgrid", by: 1500)
            try await page.wait(until: "document.querySelector('.vgrid').scrollTop > 1000")
            #expect(try await app.focusedRow() == 0)
            try await page.press("ArrowDown")
            try await app.wait(focusedRow: 1)
            try await app.expectOrder()

            // Sections, by the mouse; they are so again later.
            try await page.press("Home")
            try await page.click(".section .fold")
            try await app.wait(rows: 7)
            try await page.click(.button("Unfold all"))
            try await app.wait(rows: 68)
            try await page.click(.button("Fold all"))
            try await app.wait(rows: 3)
            try await page.reload()
            try await app.wait(rows: 3)
            try await page.click(.button("Unfold all"))
            try await app.wait(rows: 68)

            // A filter, which is in the URL and announced.
            let filter = PageElement.named("searchbox", "Filter")
            try await page.fill(filter, "/page/2")
            try await app.wait(rows: 11)
            try await app.wait(parameter: "filter", is: "/page/2")
            try await app.wait(announced: "10 pages of 1 host")
            try await page.reload()
            try await app.wait(rows: 11)
            try await page.fill(filter, "nobody has this")
            try await app.wait(text: "Nothing agrees with the filter.")
            try await app.expectOrder()
            try await page.click(.button("Clear the filter"))
            try await app.wait(rows: 68)
            try await app.wait(parameter: "filter", is: nil)

            // An order, which is announced, and restored when the app is opened again.
            let sort = "[...document.querySelectorAll('[aria-sort]')].map(head => head.ariaSort).join()"
            try await page.click(.named("button", "Size…"))
            try await app.wait(parameter: "sort", is: "bytes")
            try await app.wait(titles: ["Page 69", "Page 68"])
            #expect(try await page.evaluate(sort) == "none,none,none,descending,none")
            try await page.click(.named("button", "Size…"))
            try await app.wait(parameter: "order", is: nil)
            #expect(try await page.evaluate(sort) == "none,none,none,ascending,none")
            try await page.click(.button("By host"))
            try await app.wait(rows: 65)
            #expect(try await page.evaluate("document.querySelector('.vgrid').role") == "grid")
            try await app.expectOrder()
            try await app.server.wait("the order is remembered") {
                let list = try await app.server.json("/api/settings")["list"] as? [String: Any]
                return (list?["search"] as? String)?.contains("group=none") == true
            }
            try await page.navigate(app.server.origin + "/")
            try await app.wait(rows: 65)
            try await app.wait(parameter: "sort", is: "bytes")
        }
    }

    @Test(arguments: ServedApp.widths)
    func `pages are added, removed, and there again`(width: Int) async throws {
        try await withApp(width: width, keeping: Array(Self.pages.prefix(3))) { (app) async throws in
            let page = app.page
            try await app.wait(rows: 4)

            // Pasted into the form: loaded with progress, what fails is said.
            try await page.click(.button("Add pages"))
            try await page.wait(for: .named("dialog", "Add pages"))
            let urls = [app.site.url("/slow"), app.site.url("/page/15#part"), "http://127.0.0.1:9/"]
            try await page.paste(urls.joined(separator: "\n"))
            try await app.expectOrder()
            try await page.click("dialog .primary")
            try await app.wait(text: "Loading 1", in: ".loads")
            #expect(try await page.has(.named("progressbar", "Loaded")))
            try await app.wait(text: "1 failed", in: ".loads")
            try await app.wait(rows: 7)
            #expect(try await app.text(of: ".loads").contains("http://127.0.0.1:9/"))
            try await app.expectOrder()
            try await page.click(.button("Dismiss"))
            try await page.wait(until: "document.querySelector('.loads').hidden")

            // Pasted into the list.
            try await page.click(app.cell(row: 1))
            try await page.paste("\(app.site.url("/page/16")) and no URL")
            try await app.wait(rows: 8)

            // Removed by a key, and there again by keys: the focus is never lost.
            let first = try #require(try await app.titles().firstIndex(of: "Page 01")) + 2
            try await app.focus(row: first)
            try await page.press("Delete")
            try await app.wait(rows: 7)
            try await app.wait(text: "Removed 1 page", in: "#toasts")
            try await app.wait(focusedRow: first)
            #expect(!(try await app.titles().contains("Page 01")))
            try await page.press("F8")
            #expect(try await page.focusedNode()?.name == "Undo")
            try await page.press("Enter")
            try await app.wait(rows: 8)
            #expect(try await app.titles().contains("Page 01"))

            // Several by the mouse.
            try await page.click(.named("checkbox", "Select Page 01"))
            try await page.press("ArrowDown", modifiers: .shift)
            try await wait(selected: 2, app)
            let chosen = try await page.accessibilityTree().filter { $0.properties["selected"] == true }
            #expect(chosen.map(\.role) == ["row", "row"])
            try await app.expectOrder()
            try await page.click(.button("Remove"))
            try await app.wait(rows: 6)
            try await page.reload()
            try await app.wait(rows: 6)
            #expect(!(try await app.titles().contains("Page 02")))
        }
    }

    @Test(arguments: ServedApp.widths)
    func `lists of one's own are made, ordered by keys and mouse, and taken apart`(width: Int) async throws {
        try await withApp(width: width, keeping: Self.pages) { (app) async throws in
            let page = app.page
            try await app.wait(rows: 6)
            try await openLists(app)
            try await page.click(.button("New list"))
            try await page.type("Mine\n")
            try await app.wait(text: "Mine", in: "h1")
            try await app.wait(text: "This list is empty.")
            try await openLists(app)
            try await page.click(.link("All pages"))
            try await app.wait(text: "Kept pages", in: "h1")
            try await app.wait(rows: 6)

            try await page.click(.named("checkbox", "Select Page 01"))
            try await page.press("ArrowDown", modifiers: .shift, times: 3)
            try await wait(selected: 4, app)
            try await page.click(.button("Add to list"))
            try await page.type("Mine\n")
            try await app.wait(text: "Added to Mine: 4 pages", in: "#toasts")
            try await openLists(app)
            try await page.click(.link("Mine 4"))
            try await app.wait(titles: ["Page 01", "Page 02", "Page 03", "Page 04"])
            try await app.expectOrder()

            // By keys, with the focus on the row that moves.
            try await app.focus(row: 0)
            try await page.press("ArrowDown", modifiers: .alt)
            try await app.wait(titles: ["Page 02", "Page 01", "Page 03", "Page 04"])
            try await app.wait(focusedRow: 1)
            try await app.wait(announced: "2 of 4")
            try await page.press("ArrowUp", modifiers: .alt)
            try await app.wait(titles: ["Page 01", "Page 02", "Page 03", "Page 04"])

            // By the mouse: to behind the third.
            try await page.drag(app.cell(row: 0), to: app.cell(row: 2), by: (0, 7))
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])

            // Another order, and its own again.
            try await page.click(.named("button", "Title…"))
            try await app.wait(titles: ["Page 01", "Page 02", "Page 03", "Page 04"])
            try await page.click(.button("Own order"))
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])

            // Taken out, and put back where it was.
            try await app.focus(row: 1)
            try await page.press("Delete")
            try await app.wait(titles: ["Page 02", "Page 01", "Page 04"])
            try await page.press("F8")
            try await page.press("Enter")
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])

            try await page.click(.button("Rename"))
            try await page.type("Ours\n")
            try await app.wait(text: "Ours", in: "h1")
            try await page.reload()
            try await app.wait(text: "Ours", in: "h1")
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])
            try await page.goBack()
            try await app.wait(text: "Kept pages", in: "h1")
            try await app.wait(rows: 6)
            try await page.goForward()
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])

            try await page.click(.button("Delete list"))
            try await app.wait(text: "Kept pages", in: "h1")
            try await page.click(.button("Undo"))
            try await app.wait(text: "Ours", in: "h1")
            try await app.wait(titles: ["Page 02", "Page 03", "Page 01", "Page 04"])
        }
    }

    @Test(arguments: ServedApp.widths)
    func `what is selected has the focus and a count, over rows that were never seen`(width: Int) async throws
    {
        try await withApp(width: width, keeping: ["/page/01"]) { (app) async throws in
            let page = app.page
            try await app.server.load((10..<70).map { app.site.url("/page/\($0)") })
            try await app.wait(rows: 62)
            try await app.focus(row: 1)
            try await page.press(" ")
            try await wait(selected: 1, app)
            try await page.press("End", modifiers: .shift)
            try await wait(selected: 61, app)
            try await page.press("Escape")
            try await page.press("a", modifiers: .control)
            try await wait(selected: 61, app)
            try await page.click(.button("Deselect"))
            try await page.wait(untilGone: .button("Deselect"))
            // Enter opens, and back leads to where one was.
            try await page.wheel(".vgrid", by: -10_000)
            try await app.focus(row: 1)
            try await page.press("End")
            try await app.wait(focusedRow: 61)
            try await page.press("Enter")
            try await app.wait(text: "Page 69", in: "h1")
            try await page.goBack()
            try await app.wait(rows: 62)
            try await page.wait(
                until: "document.querySelector('.vgrid-space [aria-rowindex=\"63\"]')?.tabIndex === 0"
            )
            try await page.wait(until: "document.querySelector('.vgrid').scrollTop > 500")
        }
    }

    @Test(arguments: ServedApp.widths)
    func `hostile titles are text, and what others keep appears`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/hostile"]) { (app) async throws in
            let page = app.page
            try await app.wait(rows: 2)
            let title = try #require(try await app.titles().first)
            #expect(
                title.contains("<img src=x onerror=alert(1)>") && title.contains("<script>alert(2)</script>")
            )
            // Text that changes the direction of its letters stays in its own cell.
            let isolation = "getComputedStyle(document.querySelector('\(ServedApp.titles)')).unicodeBidi"
            #expect(["isolate", "plaintext"].contains(try await page.evaluate(isolation).text ?? ""))
            try await app.expectOrder()
            try await ServedSite.fetch([app.site.url("/page/01")], into: app.server.cache)
            try await app.wait(rows: 3)
            let asked = app.site.requestedPaths
            try await page.click(.selector(ServedApp.titles))
            try await app.wait(text: "<img src=x onerror=alert(1)>", in: "h1")
            try await page.waitInFrame(until: "document.querySelector('h1')")
            #expect(try await page.evaluateInFrame("document.title").text?.hasPrefix("<img") == true)
            try await app.expectOrder()
            for name in ["Links", "Forms", "Data", "Source", "Fields"] {
                try await page.click(.tab(name))
                try await app.wait(parameter: "tab", is: name.lowercased())
                try await page.wait(until: "!document.querySelector('#page-panel').ariaBusy")
                try await app.expectOrder()
            }
            #expect(app.site.requestedPaths == asked)
        }
    }
}
