import Foundation
import Glibc
import TestSupport
import Testing

/// Jobs as people begin, stop and follow them.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct ServeJobsBrowserTests {
    /// Fills the form with what to do, and begins: "check" is the first of the choices.
    private func begin(
        _ choice: Int,
        _ urls: String,
        _ app: ServedApp,
        _ fields: [String: String] = [:]
    ) async throws {
        try await app.page.click(.link("Jobs"))
        try await app.page.value(of: .named("combobox", "What to do"), "function() { this.focus() }")
        try await app.page.press("Home")
        try await app.page.press("ArrowDown", times: choice)
        for (name, text) in fields { try await app.page.fill(.named("spinbutton", name), text) }
        try await app.page.paste(urls, into: .named("textbox", "URLs, one a line"))
        try await app.page.click(.button("Begin"))
        try await app.page.wait(until: "/^\\/jobs\\/\\d+$/.test(location.pathname)")
    }

    /// Waits until the job that is shown says that it is in a state.
    private func wait(state: String, _ app: ServedApp) async throws {
        try await app.page.wait(
            until:
                "[...document.querySelectorAll('.job .badge')].some(badge => badge.textContent === '\(state)')"
        )
    }

    @Test(arguments: ServedApp.widths)
    func `links are checked, and what is broken is found`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/page/01"]) { (app) async throws in
            let page = app.page
            try await page.click(.link("Jobs"))
            try await app.wait(text: "No jobs yet.")
            try await app.expectOrder()
            try await begin(0, app.site.url("/hub"), app)
            try await wait(state: "done", app)
            try await page.wait(for: .named("grid", "Results"))
            for text in ["/gone", "broken", "404"] { try await app.wait(text: text, in: ".vgrid") }
            try await app.expectOrder()
            try await page.choose("broken", in: .named("combobox", "Results"))
            try await app.wait(rows: 1)
            try await app.wait(text: "/gone", in: ".vgrid")
            // The job has an address of its own.
            try await page.reload()
            try await wait(state: "done", app)
            for text in ["/gone", "broken"] { try await app.wait(text: text, in: ".vgrid") }
            try await page.click(.link("Jobs"))
            try await page.wait(until: "location.pathname === '/jobs'")
            try await wait(state: "done", app)
            try await app.expectOrder()
            try await page.goBack()
            try await page.wait(for: .named("grid", "Results"))
        }
    }

    @Test(arguments: ServedApp.widths)
    func `a crawl is stopped, resumed and removed, and is there after a restart`(width: Int) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            try await withApp(width: width, keeping: ["/page/01"], in: cache) { (app) async throws in
                let page = app.page
                // A load in ten seconds: it runs for as long as somebody looks.
                try await begin(1, app.site.url("/hub"), app, ["Loads a second of a host": "0.1"])
                try await wait(state: "running", app)
                try await app.expectOrder()
                try await page.click(.named("button", "Stop…"))
                try await wait(state: "stopped", app)
                try await page.click(.named("button", "Resume…"))
                try await wait(state: "running", app)
                app.server.program.signal(SIGKILL)
                _ = try await app.server.program.end()
                try await app.server.wait("all have ended") { app.server.helpers.isEmpty }
                try await app.wait(text: "does not answer", in: "#banner")
            }
            try await withApp(width: width, keeping: [], in: cache) { (app) async throws in
                let page = app.page
                try await page.click(.link("Jobs"))
                try await wait(state: "stopped", app)
                try await page.click(.named("button", "Remove…"))
                try await page.wait(for: .named("dialog", "Remove…"))
                try await app.expectOrder()
                try await page.press("Escape")
                try await wait(state: "stopped", app)
                try await page.click(.named("button", "Remove…"))
                try await page.click("dialog[open] button")
                try await page.wait(until: "!document.querySelector('.job')")
                #expect((try await app.server.json("/api/jobs")["jobs"] as? [Any])?.count == 0)
            }
        }
    }

    @Test(arguments: ServedApp.widths)
    func `a list is worked on from what is kept, and its lines are results`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea", "/page/01"]) { (app) async throws in
            try await begin(2, "\(app.site.url("/tea"))\n\(app.site.url("/page/01"))", app)
            try await wait(state: "done", app)
            for text in ["/tea", "/page/01"] { try await app.wait(text: text, in: ".vgrid") }
            try await app.expectOrder()
        }
    }
}
