import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebLoader
@testable import WebRules

/// Rules in a worker: what honest ones give, and how those end that would not.
@Suite(.timeLimit(.minutes(20)))
struct RuleWorkerTests {
    static let html = """
        <!DOCTYPE html><meta charset=utf-8><title>Title</title><base href=http://h/b/><p class=x>one <b>two</b>
        <ul>\(String(repeating: "<li><a href=x>item</a> of many</li>", count: 2000))</ul>
        """

    private func page(_ loader: PageLoader = PageLoader()) async throws -> Page {
        try await loader.loadHTMLString(Self.html, baseURL: WebURL("http://h/"))
    }

    /// A recipe of one field.
    private func recipe(_ field: JSONValue) throws -> Recipe {
        let recipe = JSONValue.object([.init("version", 1), .init("fields", .object([.init("x", field)]))])
        return try Recipe(parsing: recipe.serialized())
    }

    private func script(_ source: String) throws -> Recipe {
        try recipe(.object([.init("script", .string(source))]))
    }

    private static let small = Budget(time: .milliseconds(300), memory: .megabytes(10))

    // MARK: - Honest rules

    @Test func valuesComeInTheRecipesOrder() async throws {
        let recipe = try Recipe(
            """
            version: 1
            fields:
              z: title
              a: {select: p, take: html}
              link: {select: a, take: "url:href"}
              n: {script: "log('hello') return #document:select('li')"}
            """
        )
        let extraction = try await page().extract(recipe)
        #expect(
            extraction.data
                == .object([
                    .init("z", "Title"), .init("a", "one <b>two</b>\n"), .init("link", "http://h/b/x"),
                    .init("n", 2000),
                ])
        )
        #expect(extraction.log == ["hello"])
        #expect(extraction.errors.isEmpty)
        #expect(extraction.exceeded == nil)
        #expect(extraction.failure == nil)
        #expect(extraction.usage.time > .zero)
        if Sanitizer.ownsMemory { return #expect(extraction.usage.memory == nil) }
        let memory = try #require(extraction.usage.memory)
        #expect(memory > .kilobytes(10))
        #expect(memory < .megabytes(2))
    }

    @Test func aWorkerAndThisProcessGiveTheSame() async throws {
        let recipe = try Recipe(
            """
            version: 1
            fields:
              items: {select: "li:nth-child(100n)", each: {t: a, h: {select: a, take: "url:href"}}}
              bad: {script: "return nothing.x"}
              missing: {select: nothing, required: true}
            """
        )
        var options = ExtractionOptions()
        options.notesProvenance = true
        let page = try await page()
        let there = try await page.extract(recipe, options: options)
        options.isolation = .none
        let here = try await page.extract(recipe, options: options)
        #expect(there.data == here.data)
        #expect(there.errors == here.errors)
        #expect(there.errors.map(\.code) == [.failed, .drift])
        #expect(there.provenance == here.provenance)
        #expect(!there.provenance.isEmpty)
        #expect(there.usage.output == here.usage.output)
        #expect(here.usage.memory == nil)
    }

    @Test func scriptsAreEvaluated() async throws {
        #expect(try await page().evaluateScript("return document:select('title')[1]:text()") == "Title")
        await #expect(throws: RuleError.self) { try await page().evaluateScript("return (") }
        await #expect(throws: RuleError.self) { try await page().evaluateScript("return nothing.x") }
    }

    @Test func garbageIsNotCounted() async throws {
        let script = try script(
            "local n = 0 for i = 1, 100 do n = n + #document:text() + #('x'):rep(i * 1000) end return n > 0"
        )
        let extraction = try await page().extract(script, budget: Budget(memory: .megabytes(3)))
        #expect(extraction.data["x"] == true)
    }

    // MARK: - Limits

    @Test(arguments: [
        "while true do end", "return table.move({}, 1, 9e15, 2)",
        "return string.find(('a'):rep(60), ('.-'):rep(20) .. 'b')",
        "return document:xpath('//*/following::*/preceding::*')",
        "setmetatable({}, {__index = function() while true do end end}).x = nil while true do pcall(error) end",
    ])
    func timeEnds(source: String) async throws {
        let extraction = try await page().extract(try script(source), budget: Self.small)
        let exceeded = try #require(extraction.exceeded)
        #expect(exceeded.code == .time)
        #expect(exceeded.rule == "x")
        #expect(exceeded.allowed == 300)
        #expect(exceeded.used >= 300)
        #expect((extraction.usage.memory == nil) == Sanitizer.ownsMemory)
    }

    @Test(arguments: [
        "local s = 'x' while true do s = s .. s end", "local a = {} while true do a[#a + 1] = {#a} end",
        "local a = {} while true do pcall(function() a[#a + 1] = ('ab'):rep(1000) .. #a end) end",
        "local a = {} while true do a[#a + 1] = document:select('li') end",
    ])
    func memoryEnds(source: String) async throws {
        let extraction = try await page().extract(try script(source), budget: Budget(memory: .megabytes(5)))
        let exceeded = try #require(extraction.exceeded)
        #expect(exceeded.code == .memory)
        #expect(exceeded.rule == "x")
        #expect(exceeded.allowed == 5 << 20)
        if Sanitizer.ownsMemory { return #expect(extraction.usage.memory == nil) }
        let used = try #require(extraction.usage.memory)
        #expect(used <= .megabytes(5))
        #expect(used > .megabytes(2))
    }

    @Test func memoryOfExpressionsIsCounted() async throws {
        let text = Array(repeating: "string(/)", count: 2000).joined(separator: ",")
        let recipe = try recipe(.object([.init("xpath", .string("string-length(concat(\(text)))"))]))
        let extraction = try await page().extract(recipe, budget: Budget(memory: .megabytes(5)))
        #expect(extraction.exceeded?.code == .memory || extraction.exceeded?.code == .time)
        #expect(extraction.data == [:])
    }

    @Test func outputEnds() async throws {
        let recipe = try script("return ('ab'):rep(1000000)")
        let extraction = try await page().extract(recipe, budget: Budget(memory: .megabytes(50)))
        #expect(extraction.exceeded?.code == .output)
    }

    @Test func whatWasFinishedStays() async throws {
        let recipe = try Recipe(
            "version: 1\nfields:\n  a: title\n  b: {script: 'while true do end'}\n  c: p\n"
        )
        let extraction = try await page().extract(recipe, budget: Self.small)
        #expect(extraction.exceeded?.rule == "b")
        #expect(extraction.data == ["a": "Title"])
    }

    // MARK: - Workers that die, are missing or are somebody else

    private func loader(_ path: String, pages: Int = 1) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.workers.path = path
        configuration.workers.pagesPerWorker = pages
        return PageLoader(configuration: configuration)
    }

    @Test(arguments: ["/nowhere/webinspect-worker", "/etc/hostname", ""])
    func aMissingWorkerIsAnError(path: String) async throws {
        let page = try await page(loader(path))
        let recipe = try recipe("title")
        do throws(RuleError) {
            _ = try await page.extract(recipe)
            Issue.record("there was one")
        } catch {
            #expect(error.code == .unavailable)
        }
    }

    /// A worker that says what its process is: in the file `started` of the folder.
    private func noted(in folder: URL) async throws -> String {
        let file = folder.appendingPathComponent("worker").path
        let script = """
            #!/bin/sh
            echo $$ > '\(folder.path)/started'
            exec '\(try Command.file("webinspect-worker").path)' "$@"
            """
        // If this process wrote the file, programs that other tests start meanwhile would have it open, and it could
        // not be run.
        let line = "cat > \"$0\" && chmod 700 \"$0\""
        let outcome = try await Command.run("/bin/sh", ["-c", line, file], input: Data(script.utf8))
        try #require(outcome.status == 0, "\(outcome.errors)")
        return file
    }

    /// Waits until a worker has started, and gives the number of its process.
    private func worker(in folder: URL) async throws -> pid_t {
        let file = folder.appendingPathComponent("started")
        var text = ""
        try await eventually("a worker starts") {
            // It is not there before the worker is.
            text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.hasSuffix("\n")
        }
        return try #require(pid_t(text.dropLast()))
    }

    @Test(arguments: [SIGSEGV, SIGKILL, SIGABRT])
    func aWorkerThatDiesIsACrashAndTheNextPageIsServed(signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            let page = try await page(loader(try await noted(in: folder), pages: 10))
            let recipe = try Recipe("version: 1\nfields:\n  a: title\n  b: {script: 'while true do end'}\n")
            async let extraction = page.extract(recipe, budget: Budget(time: .seconds(300)))
            kill(try await worker(in: folder), signal)
            let crashed = try await extraction
            #expect(crashed.failure?.code == .crash)
            #expect(crashed.exceeded == nil)
            #expect(try await page.evaluateScript("return 1") == 1)
        }
    }

    @Test func cancellingEndsTheWorker() async throws {
        let page = try await page()
        let recipe = try script("while true do end")
        let task = Task { try await page.extract(recipe, budget: Budget(time: .seconds(300))) }
        task.cancel()
        await #expect(throws: RuleError.self) { try await task.value }
    }

    @Test func aWorkerServesPageAfterPage() async throws {
        try await withTemporaryFolder { folder in
            let page = try await page(loader(try await noted(in: folder), pages: 3))
            let spoils = "string.upper = function() return 'evil' end polluted = 1 return 1"
            for _ in 0..<4 {
                #expect(try await page.evaluateScript(spoils) == 1)
                #expect(try await page.evaluateScript("return tostring(polluted) .. ('a'):upper()") == "nilA")
            }
            await #expect(throws: BudgetExceeded.self) {
                try await page.evaluateScript("while true do end", budget: Self.small)
            }
            #expect(try await page.evaluateScript("return 1") == 1)
        }
    }

    @Test func pagesAreFollowedOutsideTheBudget() async throws {
        try await withTemporaryFolder { folder in
            let items = String(repeating: "<p>words</p>", count: 100_000)
            for (name, text) in [("a", "<a href=b.html>b</a>"), ("b", "<title>B</title>" + items)] {
                let file = folder.appendingPathComponent(name + ".html")
                try "<!DOCTYPE html>\(text)".write(to: file, atomically: true, encoding: .utf8)
            }
            let url = try WebURL(filePath: folder.appendingPathComponent("a.html").path)
            let page = try await PageLoader().load(WebRequest(url: url))
            let recipe = try Recipe(
                "version: 1\nfields: {n: {select: a, take: 'url:href', follow: {fields: {t: title}}}}"
            )
            let extraction = try await page.extract(recipe, budget: Budget(memory: .megabytes(1)))
            #expect(extraction.data == ["n": ["t": "B"]])
            #expect(extraction.exceeded == nil)
            #expect(extraction.usage.pages == 1)
        }
    }

    @Test func aProgramThatIsNoWorkerIsACrash() async throws {
        let extraction = try await page(loader("/bin/true")).extract(try recipe("title"))
        #expect(extraction.failure?.code == .crash)
        #expect(extraction.exceeded == nil)
    }
}
