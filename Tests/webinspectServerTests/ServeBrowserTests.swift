import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the app as a whole: its address and token, keys, appearance, several windows, and reopening.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct ServeBrowserTests {
    @Test func `only who has the address sees anything, and it is in no other place`() async throws {
        try await withApp(width: 1440, keeping: ["/page/01"]) { (app) async throws in
            try await app.wait(rows: 2)
            #expect(try await app.page.evaluate("location.href") == .string(app.server.origin + "/"))
            #expect(
                try await app.page.evaluate(
                    "document.cookie + document.documentElement.outerHTML.includes('\(app.server.token)')"
                ) == "false"
            )
            try await withDebuggedBrowser { (other) async throws in
                let page = try await other.page()
                for path in ["/", "/#token=\(String(repeating: "x", count: 43))"] {
                    try await page.navigate(app.server.origin + path)
                    try await page.wait(
                        until: "document.querySelector('#banner')?.innerText.includes('open the address')"
                    )
                    try await page.wait(until: "document.body?.innerText.includes('Page 01') === false")
                }
                #expect(page.problems == [])
                // Once it has the token, it stays.
                try await page.navigate(app.server.address)
                try await page.wait(until: "document.body.innerText.includes('Page 01')")
                try await page.navigate(app.server.origin + "/rules")
                try await page.wait(until: "document.querySelector('#banner').hidden")
            }
        }
    }

    @Test(arguments: ServedApp.widths)
    func `everything can be reached by keys`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            try await app.wait(rows: 2)
            try await page.press("Tab")
            #expect(try await page.focusedNode()?.name == "Skip to the content")
            try await page.press("Enter")
            #expect(try await page.evaluate("document.activeElement.id") == "main")

            /// Presses Tab until an expression of the element that has the focus is true.
            func tab(until script: String) async throws {
                for _ in 0..<60 {
                    try await page.press("Tab")
                    if try await page.evaluate("(it => !!(\(script)))(document.activeElement)") == true {
                        // Who cannot see where the focus is cannot go on.
                        let ring = """
                            [document.activeElement, document.activeElement.parentElement].some(
                              it => getComputedStyle(it).outlineStyle !== "none")
                            """
                        #expect(try await page.evaluate(ring) == true, "\(script)")
                        return
                    }
                }
                throw TestServerError(message: "Tab does not lead to \(script)")
            }

            try await tab(until: "it.type === 'search'")
            try await tab(until: "it.closest('[role=columnheader]')")
            try await tab(until: "it.role === 'row'")
            try await page.press("End")
            try await page.press("Enter")
            try await app.wait(text: "Tea", in: "h1")
            try await tab(until: "it.role === 'tab'")
            try await page.press("End")
            try await page.press("Enter")
            try await app.wait(parameter: "tab", is: "history")
            // The tab is there at once, what is in it once it is read.
            try await page.wait(until: "document.querySelector('[name=old], #page-panel a') !== null")
            try await tab(until: "it.name === 'old' || it.closest('#page-panel a')")
            if !app.isNarrow {
                try await tab(until: "it.role === 'separator'")
                try await tab(until: "it.classList.contains('page-pane')")
            }
            try await page.navigate(app.server.origin + "/rules")
            try await app.wait(text: "Rules", in: "h1")
            try await tab(until: "it.localName === 'textarea'")
            // It is no trap: Tab leaves the editor.
            try await tab(until: "it.localName === 'button'")
            try await page.navigate(app.server.origin + "/jobs")
            try await app.wait(text: "Jobs", in: "h1")
            try await tab(until: "it.textContent === 'Begin'")
        }
    }

    @Test(arguments: ServedApp.widths)
    func `every view is light and dark, still for who wishes that, and printed`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/news", "/news"]) { (app) async throws in
            let page = app.page
            try await app.wait(rows: 2)
            let url = app.site.url("/news")
            let paths = ["/", "/page?url=\(url)", "/compare?url=\(url)", "/rules?url=\(url)", "/jobs"]
            let lightness = """
                ["backgroundColor", "color"].map(name => getComputedStyle(document.body)[name].match(/[\\d.]+/g)
                  .slice(0, 3).reduce((sum, part) => sum + +part, 0))
                """
            let moving = """
                [...document.querySelectorAll("body *")].filter(it => {
                  const style = getComputedStyle(it), times = `${style.transitionDuration},${style.animationDuration}`;
                  return style.scrollBehavior === "smooth" ||
                    times.split(",").some(time => parseFloat(time) * (/ms/.test(time) ? 1 : 1000) > 20);
                }).length
                """
            for path in paths {
                try await page.navigate(app.server.origin + path)
                try await page.wait(until: "document.querySelector('h1')")
                try await page.wait(until: "!document.querySelector('main [aria-busy]')")
                try await page.prefer(["prefers-color-scheme": "light"])
                let light = try await page.evaluate(lightness).items.compactMap(\.double)
                try await page.prefer(["prefers-color-scheme": "dark", "prefers-reduced-motion": "reduce"])
                let dark = try await page.evaluate(lightness).items.compactMap(\.double)
                try #require(light.count == 2 && dark.count == 2)
                #expect(light[0] > light[1] + 300, "\(path): dark on light")
                #expect(dark[0] + 300 < dark[1], "\(path): light on dark")
                #expect(try await page.evaluate(moving) == 0, "\(path)")
                try await app.expectOrder()
                try await page.prefer([:], medium: "print")
                let shown =
                    "document.querySelector('nav').offsetHeight"
                #expect(try await page.evaluate(shown) == 0, "\(path): printed without its navigation")
                #expect(
                    try await page.evaluate("document.querySelector('h1').offsetHeight > 0") == true,
                    "\(path)"
                )
                try await page.prefer([:])
            }
        }
    }

    @Test func `several windows hear of the same, also when the first is closed`() async throws {
        try await withApp(width: 1440, keeping: ["/page/01", "/page/02"]) { (app) async throws in
            try await app.wait(rows: 3)
            var others: [DebuggedPage] = []
            // More than a browser has connections to one server.
            for _ in 0..<7 {
                let page = try await app.browser.page()
                try await page.navigate(app.server.origin + "/")
                try await page.wait(until: "document.querySelectorAll('\(ServedApp.titles)').length === 2")
                others.append(page)
            }
            try await app.focus(row: 1)
            try await app.page.press("Delete")
            try await app.wait(rows: 2)
            for page in others {
                try await page.wait(until: "document.querySelectorAll('\(ServedApp.titles)').length === 1")
            }
            // A setting that one window changes is there in the next.
            try await app.page.close()
            try await ServedSite.fetch([app.site.url("/page/03")], into: app.server.cache)
            for page in others {
                try await page.wait(until: "document.querySelectorAll('\(ServedApp.titles)').length === 2")
                #expect(page.problems == [])
            }
        }
    }

    @Test func `closed and opened again, with another server, all is as it was`() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            let width = 1440
            try await withApp(
                width: width,
                keeping: ["a.example/tea", "a.example/page/01", "b.example/page/02"],
                in: cache
            ) {
                (app) async throws in
                let page = app.page
                try await app.wait(rows: 5)
                try await page.click(.named("button", "Title…"))
                try await app.wait(parameter: "sort", is: "title")
                try await page.fill(.named("searchbox", "Filter"), "page")
                // The rows are the same before the last letter.
                try await app.server.wait("the list is remembered") {
                    try await app.server.ask("/api/settings").text.contains("filter=page")
                }
                try await app.wait(rows: 4)
                try await page.navigate(app.server.origin + "/rules?kind=css&url=\(app.site.url("/tea"))")
                try await page.wait(until: "document.querySelector('.rules textarea')?.value")
                try await page.fill(".rules textarea", "h1, td")
                try await app.wait(parameter: "q", is: "h1, td")
                try await app.server.wait("all is remembered") {
                    let settings = try await app.server.ask("/api/settings").text
                    return settings.contains("h1, td") && settings.contains("filter=page")
                }
                // Its answer ends in the middle for those who wait, and the page says so.
                app.server.program.signal(SIGTERM)
                _ = try await app.server.program.end()
                try await app.wait(text: "does not answer", in: "#banner")
            }
            try await withApp(width: width, keeping: [], in: cache) { (app) async throws in
                let page = app.page
                try await app.wait(rows: 4)
                try await app.wait(parameter: "sort", is: "title")
                try await app.wait(parameter: "filter", is: "page")
                #expect(
                    try await page.value(
                        of: .named("searchbox", "Filter"),
                        "function() { return this.value }"
                    ) == "page"
                )
                try await page.click(.link("Rules"))
                try await page.wait(until: "document.querySelector('.rules textarea')?.value === 'h1, td'")
            }
        }
    }
}
