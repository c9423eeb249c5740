import Foundation
import TestSupport
import Testing

/// The app in a browser, as a person has it before them.
struct ServedApp {
    /// The links that are the titles of the list's rows.
    static let titles = ".vgrid-space [role=gridcell]:nth-child(2) a"

    /// How wide the window is: as a telephone's, and as a screen's.
    static let widths = [360, 1440]

    let server: RunningServer
    let browser: DebuggedBrowser
    let page: DebuggedPage
    /// The site that has been kept.
    let site: TestServer
    let width: Int

    /// Whether parts are one behind the other.
    var isNarrow: Bool { width <= 800 }

    // MARK: - Views

    /// A parameter of the URL; nil if it has none of that name.
    func parameter(_ name: String) async throws -> String? {
        try await page.evaluate("new URLSearchParams(location.search).get(\(ScriptValue.string(name).json))")
            .text
    }

    /// Waits until a parameter of the URL has a value; `nil` waits until it is missing.
    func wait(parameter name: String, is value: String?) async throws {
        let value = value.map(ScriptValue.string) ?? .null
        try await page.wait(
            until:
                "new URLSearchParams(location.search).get(\(ScriptValue.string(name).json)) === \(value.json)"
        )
    }

    /// Waits until a text can be read somewhere in the page.
    func wait(text: String, in selector: String = "body") async throws {
        let (selector, text) = (ScriptValue.string(selector).json, ScriptValue.string(text).json)
        try await page.wait(until: "document.querySelector(\(selector))?.innerText.includes(\(text))")
    }

    /// Returns the rendered text of the first element that a selector matches.
    func text(of selector: String) async throws -> String {
        try await page.value(of: .selector(selector), "function() { return this.innerText }").text ?? ""
    }

    /// Waits until a text is announced to screen readers.
    func wait(announced text: String) async throws { try await wait(text: text, in: "#live") }

    // MARK: - Grids

    /// Waits until a grid says that it has so many rows, its head not among them.
    func wait(rows count: Int) async throws {
        let grid = "document.querySelector('.vgrid')"
        let head = "(\(grid).querySelector('.vgrid-head').hidden ? 0 : 1)"
        try await page.wait(until: "+\(grid).getAttribute('aria-rowcount') - \(head) === \(count)")
    }

    /// The titles of the rows of the list that can be seen, or nearly.
    func titles() async throws -> [String] {
        try await page.evaluate("[...document.querySelectorAll('\(Self.titles)')].map(it => it.textContent)")
            .texts
    }

    /// Waits until the first rows of the list have these titles.
    func wait(titles: [String]) async throws {
        let json = ScriptValue.array(titles.map(ScriptValue.string)).json
        let links = "[...document.querySelectorAll('\(Self.titles)')].map(it => it.textContent)"
        try await page.wait(
            until: "JSON.stringify(\(links).slice(0, \(titles.count))) === JSON.stringify(\(json))"
        )
    }

    /// A cell of a row of the list in which there is nothing to be pressed.
    func cell(row index: Int) -> PageElement {
        .selector(".vgrid-space [aria-rowindex='\(index + 2)'] [role=gridcell]:nth-child(5)")
    }

    /// Clicks on a row of a grid, and goes from its cell to the row as a whole.
    func focus(row index: Int, cell: PageElement? = nil) async throws {
        try await page.click(cell ?? self.cell(row: index))
        for _ in 0..<12 where try await focusedRow() == nil { try await page.press("ArrowLeft") }
        try await wait(focusedRow: index)
    }

    /// Returns the index of the row that has the focus, from its attributes for screen readers; `nil` if no row has it.
    func focusedRow() async throws -> Int? {
        let script =
            "(it => it.role === 'row' ? +it.getAttribute('aria-rowindex') : null)(document.activeElement)"
        return try await page.evaluate(script).int.map { $0 - 2 }
    }

    /// Waits until a row has the focus, and can be seen.
    func wait(focusedRow index: Int) async throws {
        try await page.wait(
            until: """
                (() => {
                  const row = document.activeElement, grid = row.closest(".vgrid");
                  if (!grid || +row.getAttribute("aria-rowindex") !== \(index + 2)) return false;
                  const box = row.getBoundingClientRect(), pane = grid.getBoundingClientRect();
                  return box.top >= pane.top - 1 && box.bottom <= pane.bottom + 1;
                })()
                """
        )
    }

    // MARK: - Invariants

    /// That all controls have names, that grids count right, and that nothing is wider than the window.
    func expectOrder(_ place: SourceLocation = #_sourceLocation) async throws {
        #expect(try await page.namelessControls() == [], sourceLocation: place)
        let grids = """
            [...document.querySelectorAll(".vgrid")].flatMap(grid => {
              const count = +grid.getAttribute("aria-rowcount");
              const rows = [...grid.querySelectorAll("[role=row]")], cells = rows.flatMap(row => [...row.children]);
              const at = rows.map(row => +row.getAttribute("aria-rowindex"));
              const wrong = [];
              if (!grid.getAttribute("aria-label")) wrong.push("no name");
              const isCounted = at.every((n, i) => n >= 1 && n <= count && (!i || n > at[i - 1]));
              if (!isCounted) wrong.push(`rows ${at} of ${count}`);
              if (grid.querySelectorAll(".vgrid-space [tabindex='0']").length > 1) wrong.push("two for Tab");
              if (!cells.every(cell => /^(gridcell|columnheader)$/.test(cell.role))) wrong.push("no cells");
              return wrong;
            })
            """
        #expect(try await page.evaluate(grids).texts == [], sourceLocation: place)
        let wide = try await page.evaluate("document.documentElement.scrollWidth - innerWidth").int
        #expect(wide ?? 1 <= 0, "wider than the window", sourceLocation: place)
        let headings = try await page.evaluate("document.querySelectorAll('h1').length").int
        #expect(headings == 1, sourceLocation: place)
        // The content of a page is never markup here.
        #expect(
            try await page.evaluate("document.querySelectorAll('main script, main img').length") == 0,
            sourceLocation: place
        )
    }

    /// That nothing has gone wrong so far, and nothing was asked of anybody but the server.
    func expectPeace(_ place: SourceLocation = #_sourceLocation) async throws {
        #expect(page.problems == [], sourceLocation: place)
        let own = /(http:\/\/127\.0\.0\.1:[0-9]+\/|data:|blob:|about:).*/
        let foreign = page.requestedURLs.filter { url in
            url.wholeMatch(of: own) == nil || url.hasPrefix(site.url("/"))
                || url.hasPrefix("http://127.0.0.1:9/")
        }
        #expect(foreign == [], sourceLocation: place)
    }
}

/// Keeps pages of a site, starts the server and a browser, and opens the app, for as long as `body` takes.
///
/// Pages are kept at names of hosts: "a.example/page/01"; "/tea" is at 127.0.0.1.
func withApp(width: Int, keeping paths: [String], _ body: (ServedApp) async throws -> Void) async throws {
    try await withTemporaryFolder { (folder) async throws in
        try await withApp(width: width, keeping: paths, in: folder.appendingPathComponent("cache"), body)
    }
}

/// The same, in a cache that may have something already.
func withApp(
    width: Int,
    keeping paths: [String],
    in cache: URL,
    _ body: (ServedApp) async throws -> Void
) async throws {
    try await withTestServer(ServedSite.handler()) { (site) async throws in
        let urls = paths.map { path in
            let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            return "http://\(parts[0].isEmpty ? "127.0.0.1" : parts[0]):\(site.port)/\(parts[1])"
        }
        try await ServedSite.fetch(urls, into: cache)
        try await withServer(cache) { (server) async throws in
            try await withDebuggedBrowser { (browser) async throws in
                let page = try await browser.page(width: width, height: width <= 800 ? 740 : 900)
                try await page.navigate(server.address)
                try await page.wait(until: "document.querySelector('h1')")
                let app = ServedApp(server: server, browser: browser, page: page, site: site, width: width)
                try await body(app)
                try await app.expectPeace()
            }
        }
    }
}
