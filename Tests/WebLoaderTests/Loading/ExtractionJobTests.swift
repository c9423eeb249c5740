import Foundation
import TestSupport
import Testing

@testable import WebLoader

/// Extractions as a whole: many at once, cancelled ones, and those whose time is up.
@Suite(.timeLimit(.minutes(20)))
struct ExtractionJobTests {
    private static let following = """
        version: 1
        fields: {n: {select: a, all: true, follow: {fields: {t: title}}}}
        """

    private static func options(_ isolation: RuleIsolation) -> ExtractionOptions {
        var options = ExtractionOptions()
        options.isolation = isolation
        return options
    }

    /// More than there are threads, and each waits for pages that threads load.
    @Test func anyNumberMayFollowAtOnceInThisProcess() async throws {
        try await withTemporaryFolder { folder in
            let pages = ["<a href=b.html>b</a><a href=c.html>c</a>", "<title>B</title>", "<title>C</title>"]
            for (name, text) in zip(["a", "b", "c"], pages) {
                let file = folder.appendingPathComponent(name + ".html")
                try "<!DOCTYPE html>\(text)".write(to: file, atomically: true, encoding: .utf8)
            }
            let page = try await PageLoader()
                .load(WebRequest(url: WebURL(filePath: folder.appendingPathComponent("a.html").path)))
            let recipe = try Recipe(Self.following)
            let results = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<200 {
                    group.addTask { try await page.extract(recipe, options: Self.options(.none)).data }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 200)
            #expect(results.allSatisfy { $0 == ["n": [["t": "B"], ["t": "C"]]] })
        }
    }

    /// A server that takes connections and says nothing.
    @Test(arguments: [true, false])
    func cancellingEndsTheLoadThatARuleWaitsFor(isInProcess: Bool) async throws {
        let server = try RawServer([.pause(seconds: 3600)])
        let page = try await PageLoader()
            .loadHTMLString("<a href=/x>x</a>", baseURL: WebURL("http://127.0.0.1:\(server.port)/"))
        let recipe = try Recipe(Self.following)
        let task = Task {
            try await page.extract(recipe, options: Self.options(isInProcess ? .none : .worker))
        }
        for await _ in server.arrivals { break }
        task.cancel()
        do {
            _ = try await task.value
            Issue.record("it was not cancelled")
        } catch let error as RuleError {
            #expect(error.code == .cancelled)
        }
    }

    @Test func cancellingEndsAScriptInThisProcess() async throws {
        let page = try await PageLoader().loadHTMLString("<p>x", baseURL: nil)
        let recipe = try Recipe("version: 1\nfields: {a: {script: 'while true do end'}}")
        let task = Task {
            try await page.extract(recipe, budget: Budget(time: .seconds(3600)), options: Self.options(.none))
        }
        task.cancel()
        await #expect(throws: RuleError.self) { try await task.value }
    }

    /// The whole of an extraction has the time that a load has, however much its budget is.
    @Test(arguments: [true, false])
    func theTimeForAllEndsRules(isInProcess: Bool) async throws {
        var configuration = PageLoader.Configuration()
        // Enough for a worker to begin, on a machine that has much else to do.
        configuration.limits.maximumTime = .seconds(5)
        let page = try await PageLoader(configuration: configuration).loadHTMLString(
            "<title>T</title>",
            baseURL: nil
        )
        let recipe = try Recipe("version: 1\nfields: {a: title, b: {script: 'while true do end'}}")
        let extraction = try await page.extract(
            recipe,
            budget: Budget(time: .seconds(3600)),
            options: Self.options(isInProcess ? .none : .worker)
        )
        #expect(extraction.exceeded?.code == .time)
        #expect(extraction.exceeded?.rule == "b")
        #expect(extraction.exceeded?.allowed == 5000)
        #expect(extraction.data == ["a": "T"])
    }

    /// A recipe may take longer to read than it has to run.
    @Test func readingTheRecipeIsWithinTheTimeOfAWorker() async throws {
        let page = try await PageLoader().loadHTMLString("<title>T</title>", baseURL: nil)
        let fields = (0..<9000).map { "  f\($0): {const: \"\(String(repeating: "x", count: 80))\"}\n" }
        let recipe = try Recipe("version: 1\nfields:\n" + fields.joined())
        var budget = Budget(time: .milliseconds(1))
        budget.output = .megabytes(10)
        let extraction = try await page.extract(recipe, budget: budget)
        #expect(extraction.exceeded?.code == .time)
    }
}
