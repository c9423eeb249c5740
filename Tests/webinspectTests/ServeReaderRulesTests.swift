import FlyingFox
import Foundation
import TestSupport
import Testing

/// Tests of the results of recipes on stored pages by `webinspect serve-reader`, and of their budget.
@Suite(.timeLimit(.minutes(20)))
struct ServeReaderRulesTests {
    private typealias Frame = ReaderProcess.Frame

    private static let page = """
        <!DOCTYPE html><title>Tea</title>
        <h1>Green</h1><a href=/2>two</a>
        <ul><li class=p>3,50<li class=p>none</ul>
        """

    private static let handler: TestServer.Handler = { request in
        HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/html", HTTPHeader("Cache-Control"): "max-age=600"],
            body: Data((request.path == "/2" ? "<!DOCTYPE html><title>Two</title>" : page).utf8)
        )
    }

    /// Asks questions about a page that is kept, and that no server has any more; the frames of each.
    private func ask(
        _ requests: [[String: Any]],
        keeping paths: [String] = ["/"],
        _ body: (_ frames: [[Frame]], _ url: String) throws -> Void
    ) async throws {
        try await withTemporaryFolder { (folder) async throws in
            let cache = folder.appendingPathComponent("cache")
            var url = ""
            try await withTestServer(Self.handler) { (server) async throws in
                url = server.url("/")
                let loads = paths.map { ["do": "load", "url": server.url($0)] }
                let frames = try await ReaderProcess.ask(loads, cache).filter { $0.kind != "event" }
                try #require(frames.map(\.kind) == paths.map { _ in "answer" })
            }
            let about: [String: Any] = ["url": url]
            let frames = try await ReaderProcess.ask(requests.map { about.merging($0) { $1 } }, cache)
            try body(requests.indices.map { index in frames.filter { $0.id == index + 1 } }, url)
        }
    }

    /// The answer to each question about a page that is kept.
    private func answers(_ requests: [[String: Any]], keeping paths: [String] = ["/"]) async throws -> [Frame]
    {
        var answers: [Frame] = []
        try await ask(requests, keeping: paths) { (frames, _) throws in
            answers = frames.compactMap(\.last)
        }
        try #require(answers.count == requests.count)
        return answers
    }

    private func run(_ fields: String, _ more: [String: Any] = [:]) -> [String: Any] {
        ["do": "run", "recipe": "version: 1\nfields:\n\(fields)\n"].merging(more) { $1 }
    }

    // MARK: - Running

    @Test func `a recipe gives data, and says where each value is from`() async throws {
        let fields = """
              title: h1
              links: {select: a, all: true, take: "url:href"}
              prices: {select: .p, each: {price: {transform: [number], take: text}}}
              said: {script: "log('<b>') return 1"}
            """
        try await ask([run(fields)]) { (frames, url) throws in
            let frame = try #require(frames[0].last)
            try #require(frame.kind == "answer", "\(frame.text)")
            let data = try #require(frame.object["data"] as? [String: Any])
            #expect(data["title"] as? String == "Green")
            #expect(data["links"] as? [String] == ["\(url)2"])
            #expect((data["prices"] as? [[String: Any]])?.count == 2)
            let error = try #require((frame.object["errors"] as? [[String: Any]])?.first)
            #expect(error["code"] as? String == "rule.failed")
            #expect(error["rule"] as? String == "prices[].price")
            #expect(error["line"] as? Int == 5)
            #expect(error["column"] as? Int != nil)
            let notes = try #require(frame.object["provenance"] as? [[String: Any]])
            #expect(notes.prefix(2).map { $0["path"] as? String } == ["title", "links[0]"])
            #expect(notes.prefix(2).map { $0["node"] as? String } == ["/html/body/h1", "/html/body/a"])
            #expect(notes.prefix(2).map { $0["line"] as? Int } == [2, 2])
            #expect(notes.prefix(2).map { $0["column"] as? Int } == [1, 15])
            #expect(notes.allSatisfy { $0["source"] as? String == url })
            let lines = try #require(frame.object["lines"] as? [String: Int])
            #expect(lines == ["title": 3, "links": 4, "prices": 5, "prices[].price": 5, "said": 6])
            #expect(frame.object["log"] as? [String] == ["<b>"])
            let usage = try #require(frame.object["usage"] as? [String: Any])
            #expect((usage["time_ms"] as? Double ?? 0) > 0)
            #expect((usage["memory_bytes"] is NSNull) == Sanitizer.ownsMemory)
            #expect(frame.object["error"] == nil)
        }
    }

    @Test func `a script without end is ended, and tells before what it uses`() async throws {
        let endless = run("  a: h1\n  b: {script: 'while true do end'}", ["time_ms": 2000])
        try await ask([endless]) { (frames, _) throws in
            let answer = try #require(frames[0].last)
            try #require(answer.kind == "answer", "\(answer.text)")
            #expect(answer.object["data"] as? [String: String] == ["a": "Green"])
            let error = try #require(answer.object["error"] as? [String: Any])
            #expect(error["code"] as? String == "budget.time")
            #expect(error["rule"] as? String == "b")
            #expect(frames[0].dropLast().allSatisfy { $0.kind == "event" })
            let events = frames[0].dropLast().map(\.object)
            let times = events.compactMap { $0["time_ms"] as? Double }
            #expect(times.count == events.count)
            #expect(times == times.sorted())
            let last = try #require(events.last)
            #expect(last["rule"] as? String == "b")
            #expect(last["line"] as? Int == 4)
            #expect((last["memory_bytes"] is NSNull) == Sanitizer.ownsMemory)
        }
    }

    @Test func `a script that takes all memory is ended`() async throws {
        let script = "local a = {} while true do a[#a + 1] = ('ab'):rep(1000) .. #a end"
        let frames = try await answers([
            run("  a: h1\n  b: {script: \"\(script)\"}", ["time_ms": 60_000, "memory_bytes": 4 << 20])
        ])
        let error = try #require(frames[0].object["error"] as? [String: Any])
        #expect(error["code"] as? String == "budget.memory")
        #expect(error["limit_bytes"] as? Int == 4 << 20)
        #expect(frames[0].object["data"] as? [String: String] == ["a": "Green"])
    }

    @Test func `numbers that are none, and those out of bounds, are the nearest ones`() async throws {
        let fields = "  b: {script: 'while true do end'}"
        let small: [Any] = [0, -1, -1e300, "-99999999999999999999"]
        let requests =
            small.map { run(fields, ["time_ms": $0]) } + [run(fields, ["memory_bytes": 1, "time_ms": 5])]
        let frames = try await answers(requests)
        #expect(frames.map(\.kind) == requests.map { _ in "answer" })
        let errors = frames.compactMap { $0.object["error"] as? [String: Any] }
        #expect(errors.count == requests.count)
        #expect(errors.prefix(4).allSatisfy { $0["limit_ms"] as? Int == 1 })
        let fine = try await answers([
            run("  a: h1", ["time_ms": 1e300, "memory_bytes": "99999999999999999999"]),
            run("  a: h1", ["time_ms": [1], "memory_bytes": [:] as [String: Any]]),
        ])
        #expect(fine.allSatisfy { $0.object["data"] as? [String: String] == ["a": "Green"] })
    }

    @Test func `pages that are followed come from the cache alone`() async throws {
        let fields = "  n: {select: a, follow: {fields: {t: title}}}"
        let kept = try await answers([run(fields)], keeping: ["/", "/2"])
        let data = try #require(kept[0].object["data"] as? [String: Any])
        #expect((data["n"] as? [String: Any])?["t"] as? String == "Two")
        let missing = try await answers([run(fields)])
        #expect((missing[0].object["errors"] as? [Any])?.count == 1)
    }

    // MARK: - Errors

    /// Invalid recipes, and the position of the error.
    private static let invalid: [(recipe: String, line: Int, column: Int)] = [
        ("version: 1\nfields:\n  a: 'b['\n", 3, 6),
        ("version: 1\nfields:\n  a: {const: x, matches: '('}\n", 3, 3),
        ("version: 1\nfields:\n  a: {script: 'return ('}\n", 3, 3), ("version: 1\nfeilds: {}", 2, 1),
    ]

    @Test(arguments: invalid.indices)
    func `an error in a recipe has its line and column, whatever is asked`(_ index: Int) async throws {
        let (recipe, line, column) = Self.invalid[index]
        let frames = try await answers(
            ["run", "explain", "check-recipe"].map { ["do": $0, "recipe": recipe] }
        )
        #expect(frames.map(\.kind) == ["answer", "answer", "answer"])
        for (frame, name) in zip(frames, ["error", "error", "errors"]) {
            let found = frame.object[name]
            let error = try #require((found as? [[String: Any]])?.first ?? found as? [String: Any])
            #expect(error["code"] as? String == "rule.invalid")
            #expect(error["line"] as? Int == line)
            #expect(error["column"] as? Int == column)
            #expect((error["message"] as? String)?.isEmpty == false)
        }
    }

    @Test func `what has no recipe, and a page that is not kept, are errors`() async throws {
        let frames = try await answers([
            ["do": "run"], ["do": "explain"], ["do": "check-recipe"], ["do": "run", "recipe": 1],
            run("  a: h1", ["url": "http://127.0.0.1:1/"]), run("  a: h1", ["url": "file:///etc/passwd"]),
        ])
        #expect(frames.map(\.kind) == frames.map { _ in "error" })
        #expect(frames.prefix(4).allSatisfy { $0.code == "input.form" })
        #expect(frames[4].code == "cache.miss")
        #expect(frames[5].code == "url.unsupported")
    }

    // MARK: - Looking at recipes

    @Test func `a recipe that is fine has no errors, and needs no page`() async throws {
        let recipe = "version: 1\nfields: {a: h1, b: {script: 'while true do end'}}"
        let frames = try await answers([["do": "check-recipe", "recipe": recipe, "url": ""]])
        #expect(frames[0].text == #"{"errors":[]}"#)
    }

    @Test func `it is explained what each rule did, until the run was ended`() async throws {
        let fields = """
              a: {select: h1, transform: [lower, upper]}
              l: {select: li, each: {t: {take: text}}}
              s: {script: "return 1"}
              b: {script: "while true do end"}
              c: title
            """
        let frames = try await answers([run(fields, ["do": "explain", "time_ms": 2000])])
        try #require(frames[0].kind == "answer", "\(frames[0].text)")
        let rules = try #require(frames[0].object["rules"] as? [[String: Any]])
        #expect(rules.map { $0["rule"] as? String } == ["a", "l", "l[].t", "s", "b", "c"])
        #expect(rules.map { $0["line"] as? Int } == [3, 4, 4, 5, 6, 7])
        #expect(rules.map { $0["evaluations"] as? Int } == [1, 1, 2, 1, 0, 0])
        #expect(rules[1]["nodes"] as? Int == 2)
        #expect(rules[0]["taken"] as? String == "Green")
        let steps = try #require(rules[0]["transforms"] as? [[String: Any]])
        #expect(steps.map { $0["transform"] as? String } == ["lower", "upper"])
        #expect(steps.map { $0["value"] as? String } == ["green", "GREEN"])
        #expect(rules[3]["taken"] as? Int == 1)
        #expect(rules.allSatisfy { $0["time_ms"] is NSNumber && $0["memory_bytes"] is NSNumber })
        let error = try #require(frames[0].object["error"] as? [String: Any])
        #expect(error["code"] as? String == "budget.time")
        #expect(error["rule"] as? String == "b")
    }
}
