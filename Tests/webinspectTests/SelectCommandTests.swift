import Foundation
import TestSupport
import Testing

/// `webinspect select`, the real binary.
@Suite(.timeLimit(.minutes(20)))
struct SelectCommandTests {
    private static let page = Data(
        """
        <!DOCTYPE html><title>A &amp; B</title><main><p class=x>one
          <b>1</b></p><p id=two><a href="/t?a&amp;b">two</a></p></main>
        """.utf8
    )

    private func select(_ arguments: String..., input: Data = page) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["select"] + arguments, input: input)
    }

    @Test func aMatchIsALineOfText() async throws {
        #expect(try await select("title", "-").text == "A & B\n")
        #expect(try await select("p", "-").text == "one 1\ntwo\n")
        #expect(try await select("-1", "p", "-").text == "one 1\n")
        #expect(try await select("--first", "p", "-", "--text").text == "one 1\n")
        #expect(try await select("--count", "p", "-").text == "2\n")
        #expect(try await select("a", "-", "-a", "href").text == "/t?a&b\n")
        #expect(try await select("a::attr(href)", "-").text == "/t?a&b\n")
        #expect(try await select("p::text", "-").text == "one\n")
        #expect(try await select("b", "-", "--html").text == "<b>1</b>\n")
        #expect(
            try await select("b", "-", "--path").text
                == "html > body:nth-child(2) > main:nth-child(1) > p:nth-child(1) > b:nth-child(1)\n"
        )
        #expect(try await select("//b", "-", "--path", "--xpath").text == "/html/body/main/p[1]/b\n")
    }

    @Test func allMatchesAreCountedWhereNotAllAreWritten() async throws {
        let elements = Data(("<!doctype html>" + String(repeating: "<p>a text", count: 250_000)).utf8)
        // The memory is to end it: the time is no matter here, however busy the machine is.
        let written = try await select("p", "-", "--json", "--html", "--budget-time", "300", input: elements)
        #expect(written.status == 6)
        let result = try #require((try written.json()["results"] as? [[String: Any]])?.first)
        #expect(result["count"] as? Int == 250_000)
        #expect(1..<250_000 ~= (result["matches"] as? [Any])?.count ?? 0)
        let counted = try await select("p", "-", "--count", "--budget-time", "300", input: elements)
        #expect(counted.text == "250000\n")
        #expect(counted.status == 0)
    }

    @Test func expressionsHaveValuesOfTheirTypes() async throws {
        #expect(try await select("--xpath", "//a/@href", "-").text == "/t?a&b\n")
        #expect(try await select("--xpath", "count(//p)", "-").text == "2\n")
        #expect(try await select("//a/@href", "-").text == "/t?a&b\n")
        #expect(try await select("--css", "//a", "-").status == 2)
        #expect(try await select("--xpath", "1 div 4", "-").text == "0.25\n")
        #expect(try await select("--xpath", "string(//b)", "-").text == "1\n")
        #expect(try await select("--xpath", "//p = 'x'", "-").status == 1)
        #expect(try await select("--xpath", "//p/text()", "-", "-1").text == "one\n")
        #expect(try await select("--xpath", "//h:p", "-", "--namespace", "h=urn:x").status == 1)
    }

    @Test func severalSelectorsHaveNames() async throws {
        #expect(try await select("-e", "t=title", "-e", "links=a", "-").text == "t\tA & B\nlinks\ttwo\n")
        #expect(try await select("-e", "t=title", "-e", "n=nothing", "-", "--count").text == "t\t1\nn\t0\n")
        let lines = try await select("-e", "t=title", "-e", "l=a[href]", "-", "--jsonl").text.split(
            separator: "\n"
        )
        #expect(lines.count == 2)
        #expect(lines.last?.contains(#""name":"l""#) == true)
    }

    @Test func nothingMatchedIsOne() async throws {
        let outcome = try await select("h1", "-")
        #expect(outcome.status == 1)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.isEmpty)
        #expect(try await select("h1", "-", "--count").text == "0\n")
        #expect(try await select("h1", "-", "--json").status == 1)
        #expect(try await select("-e", "a=h1", "-e", "b=p", "-").status == 0)
    }

    @Test func jsonHasAllOfAMatch() async throws {
        let report = try await select("a", "-", "--json", "--html").json()
        let results = try #require(report["results"] as? [[String: Any]])
        #expect(results.first?["css"] as? String == "a")
        let match = try #require((results.first?["matches"] as? [[String: Any]])?.first)
        #expect(match["text"] as? String == "two")
        #expect(match["element"] as? String == "a")
        #expect(match["line"] as? Int == 2)
        #expect(match["column"] as? Int == 25)
        #expect(match["attributes"] as? [String: String] == ["href": "/t?a&b"])
        #expect(match["html"] as? String == #"<a href="/t?a&amp;b">two</a>"#)
        #expect(match["xpath"] as? String == "/html/body/main/p[2]/a")
        #expect((match["path"] as? String)?.hasPrefix("html > body") == true)
        let number = try await select("count(//p)", "-", "--xpath", "--json").json()
        let values = (number["results"] as? [[String: Any]])?.first?["matches"] as? [[String: Any]]
        #expect(values?.first?["value"] as? Double == 2)
    }

    @Test func explanationsSayWhereASelectorStops() async throws {
        let outcome = try await select("main > p.x a[href], p", "-", "--explain")
        let parts = [
            "* main                1", "* main > p            2", "* main > p.x          1",
            "* main > p.x a        0   nothing matches from here on", "* main > p.x a[href]  0", "* p  2",
        ]
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(Array(lines.prefix(parts.count)) == parts)
        #expect(lines.contains { $0.hasPrefix("* type text/html") })
        #expect(lines.contains { $0.hasPrefix("* encoding ") })
        #expect(lines.contains { $0.hasPrefix("* base URL ") })
    }

    @Test(arguments: [
        (["..a", "-"], 2, "selector.invalid"), ([":contains(x)", "-", "--strict"], 2, "selector.invalid"),
        (["//a[", "-", "--xpath"], 2, "xpath.invalid"),
        (["foo()", "-", "--xpath"], 2, "xpath.invalid"), (["p"], 2, "usage"),
        (["a", "b", "c"], 8, "file.not-found"),
        (["-e", "x", "-"], 2, "usage"),
        (["p", "-", "--html", "--text"], 2, "usage"), (["p", "-", "--css", "--xpath"], 2, "usage"),
        (["p", "-", "--json", "--jsonl"], 2, "usage"),
        (["p", "-", "--budget-time", "soon"], 2, "usage"), (["p", "data:text/plain,x"], 7, "select.type"),
        (["p", "/nowhere/at/all"], 8, "file.not-found"),
        (["p", "-", "--namespace", "x"], 2, "usage"),
    ])
    func mistakes(arguments: [String], status: Int32, code: String) async throws {
        // Nobody reads standard input after a mistake.
        let arguments = arguments.map { $0 == "-" ? "data:text/html,<p>x" : $0 }
        let outcome = try await Command.run("webinspect", ["select"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errors.hasSuffix("(\(code))\n"), "\(outcome.errors)")
    }

    @Test(
        "Whatever takes too long ends at the budget",
        arguments: [
            ["--xpath", "count(//*[count(//*[count(//*) > 1]) > 1])"], ["--xpath", "//p[. = //p[. = //p]]"],
            ["--xpath", "count(//p[preceding::p[preceding::p[preceding::p]]])"],
        ]
    )
    func budget(arguments: [String]) async throws {
        let page = Data(String(repeating: "<p>some text", count: 50_000).utf8)
        let outcome = try await Command.run(
            "webinspect",
            ["select"] + arguments + ["-", "--budget-time", "0.2", "--json"],
            input: page
        )
        #expect(outcome.status == 6)
        let code = try #require((try outcome.json()["error"] as? [String: Any])?["code"] as? String)
        #expect(["budget.time", "xpath.limit"].contains(code))
        #expect(outcome.errors.hasSuffix("(\(code))\n"))
    }
}
