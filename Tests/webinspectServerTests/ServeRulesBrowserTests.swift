import Foundation
import TestSupport
import Testing

/// The playground: rules that are tried as they are typed, bounded, and kept.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct ServeRulesBrowserTests {
    private static let rule: PageElement = ".rules textarea"
    private static let recipe = """
        version: 1
        fields:
          title: h1
          headings: {select: h2, all: true}
          items: {select: ol > li, all: true}

        """

    /// Opens the playground on a page of the site, with a kind of rule.
    private func open(_ kind: String, _ path: String, _ app: ServedApp) async throws {
        try await app.page.navigate("\(app.server.origin)/rules?kind=\(kind)&url=\(app.site.url(path))")
        try await app.wait(text: "Rules", in: "h1")
        try await app.page.wait(until: "document.querySelector('.rules textarea').value")
    }

    /// Waits until the heading of the result says something.
    private func wait(result text: String, _ app: ServedApp) async throws {
        try await app.wait(text: text, in: ".rules h2")
    }

    /// Waits until the view beside outlines what has this text.
    private func wait(outlined text: String, _ app: ServedApp) async throws {
        try await app.page.waitInFrame(
            until: "document.querySelector('[data-webinspect-at]')?.textContent === '\(text)'"
        )
    }

    /// The line in which the caret is, from 1.
    private func caretLine(_ app: ServedApp) async throws -> Int? {
        let function = "function() { return this.value.slice(0, this.selectionStart).split('\\n').length }"
        return try await app.page.value(of: Self.rule, function).int
    }

    @Test(arguments: ServedApp.widths)
    func `selectors and expressions are tried as one types`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            try await page.click(.link("Tea"))
            try await page.click(.link("Try rules on it"))
            try await app.wait(text: "Rules", in: "h1")
            try await app.wait(parameter: "url", is: app.site.url("/tea"))
            try await page.fill(Self.rule, "h2")
            try await wait(result: "2 matches", app)
            try await page.waitInFrame(
                until: "document.querySelectorAll('[data-webinspect-mark]').length === 2"
            )
            try await app.wait(parameter: "q", is: "h2")
            try await app.wait(announced: "2 matches")
            try await app.expectOrder()

            // A result leads to its place.
            try await page.click(.button("\"The end\""))
            try await wait(outlined: "The end", app)
            try await app.wait(text: "Line ", in: ".rules section:last-of-type")
            try await page.reload()
            try await wait(result: "2 matches", app)

            // An invalid selector is reported, with its position.
            try await page.fill(Self.rule, "h2 >> [")
            try await wait(result: "No result", app)
            try await page.wait(
                until: "document.querySelector('.rules [role=alert]')?.innerText.includes('select')"
            )
            try await app.expectOrder()

            try await page.click(.tab("XPath"))
            try await page.fill(Self.rule, "count(//li)")
            try await wait(result: "A value", app)
            try await app.wait(text: "600", in: ".result")
            try await page.fill(Self.rule, "//td/text()")
            try await wait(result: "4 matches", app)
            try await app.wait(text: "Matcha", in: ".result")
            // The rule that was tried before is restored.
            try await page.click(.tab("Selector"))
            try await page.wait(until: "document.querySelector('.rules textarea').value.startsWith('h2')")
            try await page.goBack()
            try await app.wait(text: "Tea", in: "h1")
            try await page.goForward()
            try await app.wait(text: "Rules", in: "h1")
        }
    }

    @Test(arguments: ServedApp.widths)
    func `a recipe is tried, explained, kept and taken along`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            try await open("recipe", "/tea", app)
            try await page.paste(Self.recipe, into: Self.rule)
            try await wait(result: "Done", app)
            for text in ["title", "Teas", "headings", "Green tea", "items"] {
                try await app.wait(text: text, in: ".result")
            }
            try await app.expectOrder()

            // A value leads to its rule and to its place.
            try await page.click(.button("\"The end\""))
            try await wait(outlined: "The end", app)
            try await app.wait(text: "Line ", in: ".rules section:last-of-type")
            try await page.click(.named("button", "headings…"))
            #expect(try await caretLine(app) == 4)

            try await page.click(.named("DisclosureTriangle", "Explain"))
            try await page.wait(until: "document.querySelectorAll('.rules table tr').length === 4")
            try await app.wait(text: "600", in: ".rules table")
            try await app.expectOrder()

            // Kept, under a name, and as a file.
            try await page.click(.named("DisclosureTriangle", "Saved recipes"))
            try await page.fill(.named("textbox", "Name"), "teas")
            try await page.click(.button("Save"))
            try await page.wait(for: .button("teas"))
            let folder = app.server.cache.deletingLastPathComponent().appendingPathComponent("downloads")
            try await page.saveDownloads(in: folder)
            try await page.click(.link("Download"))
            let file = folder.appendingPathComponent("teas.yaml")
            try await app.server.wait("the file is there") {
                FileManager.default.fileExists(atPath: file.path)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == Self.recipe)
            let command = [
                "extract", app.site.url("/tea"), "-r", file.path, "--cache-dir", app.server.cache.path,
            ]
            #expect(try await Command.run("webinspect", command).text.contains("Green tea"))

            // A mistake is said with its line, which has a sign.
            try await page.paste(
                Self.recipe.replacing("title: h1", with: "title: {selct: h1}"),
                into: Self.rule
            )
            try await wait(result: "early", app)
            try await page.click(.named("button", "Line 3…"))
            #expect(try await caretLine(app) == 3)
            try await app.wait(text: "✕3", in: ".gutter")
            try await app.expectOrder()

            // All is as it was when it is opened again; a kept recipe is opened, deleted, and there again.
            try await page.reload()
            try await wait(result: "early", app)
            try await page.click(.named("DisclosureTriangle", "Saved recipes"))
            try await page.click(.button("teas"))
            try await wait(result: "Done", app)
            #expect(
                try await page.value(of: Self.rule, "function() { return this.value }").text == Self.recipe
            )
            try await page.click(.button("Delete teas"))
            try await page.wait(untilGone: .button("teas"))
            try await page.press("F8")
            try await page.press("Enter")
            try await page.wait(for: .button("teas"))
        }
    }

    @Test(arguments: ServedApp.widths)
    func `a script that does not end is stopped by its budget, or by hand`(width: Int) async throws {
        try await withApp(width: width, keeping: ["/tea"]) { (app) async throws in
            let page = app.page
            // How much of the time is used, by the first of the bars.
            let used = "(bar => bar.value / bar.max)(document.querySelector('.rules :is(meter, progress)'))"
            try await open("script", "/tea", app)
            try await page.paste("return #document:select('li')", into: Self.rule)
            try await wait(result: "Done", app)
            try await app.wait(text: "600", in: ".result")

            try await page.fill(.named("spinbutton", "Time limit, ms…"), "60000")
            try await page.paste("while true do end", into: Self.rule)
            try await wait(result: "Running", app)
            try await page.wait(until: "\(used) > 0.001 && \(used) < 0.9")
            try await app.expectOrder()
            try await page.click(.button("Stop"))
            try await wait(result: "Stopped", app)

            try await page.fill(.named("spinbutton", "Time limit, ms…"), "400")
            try await page.press("Tab")
            try await page.click(.button("Run"))
            try await wait(result: "early", app)
            try await page.wait(
                until: "document.querySelector('.rules [role=alert]')?.innerText.includes('budget')"
            )
            try await page.wait(until: "\(used) > 0.9")
            try await app.wait(text: "■1", in: ".gutter")
            try await app.expectOrder()

            try await page.fill(.named("spinbutton", "Time limit, ms…"), "20000")
            try await page.fill(.named("spinbutton", "Memory limit, MiB…"), "4")
            let hungry = "local all = {}\nwhile true do all[#all + 1] = string.rep('x', 10000) .. #all end"
            try await page.paste(hungry, into: Self.rule)
            try await page.wait(
                until: "document.querySelector('.rules [role=alert]')?.innerText.includes('budget.memory')"
            )

            // The server goes on, and so does the next script.
            try await page.paste("error('no such tea')", into: Self.rule)
            try await app.wait(text: "no such tea", in: ".rules [role=alert]")
            try await page.reload()
            try await app.wait(text: "no such tea", in: ".rules [role=alert]")
            #expect(
                try await page.value(of: Self.rule, "function() { return this.value }")
                    == "error('no such tea')"
            )
        }
    }
}
