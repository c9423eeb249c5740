import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ExtractCommandTests {
    private static let page =
        "<title>T</title><h1> One \n two</h1><a href=x>X</a><a href='/y#z'>Y</a><p class=n>12,5</p>"

    private func extract(
        _ arguments: String...,
        recipe: String? = nil,
        input: String = page
    ) async throws -> Command.Outcome {
        try await withTemporaryFolder { folder in
            var line = ["extract"] + arguments
            if let recipe {
                let file = folder.appendingPathComponent("r.yaml")
                try Data(recipe.utf8).write(to: file)
                line += ["-r", file.path]
            }
            return try await Command.run("webinspect", line, input: Data(input.utf8))
        }
    }

    @Test func fieldsMayBeGivenOnTheLine() async throws {
        let outcome = try await extract(
            "-e",
            "title=h1",
            "-e",
            "links[]=a@url:href",
            "-e",
            "refs[]=a@href",
            "-e",
            "n=//a[2]/@href",
            "-e",
            "c=a@count",
            "-",
            "--base-url",
            "http://h.test/d/",
            "--jsonl"
        )
        #expect(outcome.status == 0)
        #expect(
            outcome.text.hasPrefix(
                #"{"source":"-","data":{"title":"One two","links":["http://h.test/d/x","http://h.test/y#z"],"refs":["x","/y#z"],"n":"/y#z","c":2},"errors":[],"usage":{"memory_bytes":"#
            )
        )
    }

    @Test func theReportHasDataErrorsAndUsage() async throws {
        let outcome = try await extract("-", "--json", recipe: "version: 1\nfields: {z: h1, a: title}\n")
        #expect(outcome.status == 0)
        let json = try outcome.json()
        #expect(outcome.text.hasPrefix(#"{"data":{"z":"One two","a":"T"},"errors":[],"usage":{"time_ms":"#))
        let usage = try #require(json["usage"] as? [String: Any])
        #expect((usage["memory_bytes"] as? Int ?? -1) > 0)
        #expect(usage["output_bytes"] as? Int == 23)
        #expect(json["error"] == nil)
    }

    @Test func withoutJSONTheDataIsIndented() async throws {
        let outcome = try await extract("-", "-e", "t=h1", "-e", "l[]=a")
        #expect(outcome.text == "{\n  \"t\": \"One two\",\n  \"l\": [\n    \"X\",\n    \"Y\"\n  ]\n}\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ("{a: {select: none, required: true}}", 1, "rule.drift"),
        ("{a: {select: h1, transform: [number]}}", 7, "rule.failed"),
        ("{a: {select: h1, transform: [number]}, b: {select: none, required: true}}", 7, "rule.failed"),
        ("{a: 'p >'}", 2, "rule.invalid"),
        ("{a: {select: h1, transform: [{match: '('}]}}", 2, "rule.invalid"),
        ("{a: {script: 'return ('}}", 2, "rule.invalid"),
        ("{a: {const: x, transform: [{repeat: 2000000}]}}", 6, "budget.output"),
        ("{a: {script: 'while true do end'}}", 6, "budget.time"),
        ("{a: {script: 'error(1)'}}", 7, "rule.failed"),
    ])
    func exitStatusesFollowTheErrors(fields: String, status: Int32, code: String) async throws {
        // However busy the machine is, only what never ends is ended by the time.
        let outcome = try await extract(
            "-",
            "--json",
            "--budget-time",
            code == "budget.time" ? "2s" : "100s",
            recipe: "version: 1\nfields: \(fields)\n"
        )
        #expect(outcome.status == status)
        #expect(outcome.text.contains("\"code\":\"\(code)\""))
        #expect(outcome.errors.contains("(\(code))"))
    }

    @Test func whatWasFinishedBeforeABreachIsWritten() async throws {
        let outcome = try await extract(
            "-",
            "--json",
            "--budget-time",
            "200ms",
            recipe: "version: 1\nfields: {a: h1, b: {script: 'while true do end'}, c: title}\n"
        )
        #expect(outcome.status == 6)
        let json = try outcome.json()
        #expect((json["data"] as? [String: Any])?["a"] as? String == "One two")
        let error = try #require(json["error"] as? [String: Any])
        #expect(error["rule"] as? String == "b")
        #expect(error["limit_ms"] as? Int == 200)
        #expect((error["used_ms"] as? Int ?? 0) >= 200)
    }

    @Test func provenanceSaysWhereValuesStand() async throws {
        let outcome = try await extract(
            "-",
            "-e",
            "l[]=a",
            "--provenance",
            "--json",
            "--base-url",
            "http://h.test/"
        )
        let notes = try #require(try outcome.json()["provenance"] as? [[String: Any]])
        #expect(notes.map { $0["path"] as? String } == ["l[0]", "l[1]"])
        #expect(notes.map { $0["node"] as? String } == ["/html/body/a[1]", "/html/body/a[2]"])
        #expect(notes.map { $0["line"] as? Int } == [2, 2])
        #expect(notes.allSatisfy { $0["source"] as? String == "http://h.test/" })
    }

    // MARK: - Lines

    @Test func eachLineIsAnsweredInOrder() async throws {
        let input = """
            {"id":1,"html":"<h1>A</h1>","base_url":"http://h.test/"}
            {"id":"b","url":"data:text/html,<h1>B"}

            no JSON
            {"id":3,"url":"file:///nothing/here"}
            {"id":4,"html":"<h1>D","base_url":"no url"}
            {"id":5}
            {"id":[6],"html":"<p>no heading"}
            {"id":7,"url":"-"}
            """
        let recipe = "version: 1\nfields: {t: {select: h1, required: true}}\n"
        let outcome = try await extract("--stdin-jsonl", recipe: recipe, input: input)
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 8)
        let starts = [
            #"{"id":1,"data":{"t":"A"},"errors":[],"#, #"{"id":"b","data":{"t":"B"},"errors":[],"#,
            #"{"id":null,"error":{"code":"usage","message":"not JSON"#, #"{"id":3,"error":{"code":"file."#,
            #"{"id":4,"error":{"code":"url.invalid""#, #"{"id":5,"error":{"code":"usage""#,
            #"{"id":[6],"data":{"t":null},"errors":[{"rule":"t","code":"rule.drift""#,
            #"{"id":7,"error":{"code":"usage""#,
        ]
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
        let again = try await extract("--stdin-jsonl", "--worker-reuse", "100", recipe: recipe, input: input)
        #expect(again.text.split(separator: "\n").map(String.init).count == 8)
    }

    @Test func severalSourcesAreLines() async throws {
        let outcome = try await extract("data:text/html,<h1>A", "data:text/html,<p>", "-e", "t=h1", "--jsonl")
        #expect(outcome.status == 0)
        #expect(outcome.text.split(separator: "\n").count == 2)
        #expect(outcome.text.hasPrefix(#"{"source":"data:text/html,<h1>A","data":{"t":"A"}"#))
    }

    // MARK: - The line

    @Test(arguments: [
        ["-"], ["-e", "t=h1"], ["-e", "h1", "-"], ["-e", "=h1", "-"], ["-e", "t=h1", "-e", "t=h2", "-"],
        ["-e", "t=h1", "a", "b"], ["-e", "t=h1", "--stdin-jsonl", "a"],
        ["-e", "t=h1", "-", "--budget-time", "soon"],
        ["-e", "t=h1", "-", "--budget-memory", "much"], ["-e", "t=h1", "-", "--worker-reuse", "0"],
        ["-e", "t=h1", "-r", "x", "-"],
    ])
    func aBadLineIsUsage(line: [String]) async throws {
        let outcome = try await Command.run("webinspect", ["extract"] + line, input: Data(Self.page.utf8))
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasSuffix("(usage)\n"))
    }

    @Test func aRecipeThatIsNotThereIsAFileError() async throws {
        let outcome = try await Command.run("webinspect", ["extract", "-r", "/nothing/here", "-"])
        #expect(outcome.status == 8)
    }

    // MARK: - Rules

    @Test func rulesAreChecked() async throws {
        let good = try await Command.run(
            "webinspect",
            ["rules", "check", "-", "--json"],
            input: Data("version: 1\nfields: {a: b, c: {script: return 1}}".utf8)
        )
        #expect(good.status == 0)
        #expect(good.text == "{\"rules\":2,\"valid\":true}\n")
        for (recipe, place) in [
            ("version: 1\nfields:\n  a: 'b['\n", "-:3:6: a: selector: "),
            ("version: 1\nfields:\n  a: {const: x, matches: '('}\n", "-:3:3: a: regular expression: "),
            ("version: 1\nfields:\n  a: {script: 'return ('}\n", "-:3:3: a: "),
            ("version: 1\nfeilds: {}", "-:2:1: "),
        ] {
            let bad = try await Command.run("webinspect", ["rules", "check", "-"], input: Data(recipe.utf8))
            #expect(bad.status == 2)
            #expect(bad.errors.hasPrefix("webinspect: \(place)"), "\(bad.errors)")
            #expect(bad.errors.hasSuffix("(rule.invalid)\n"))
        }
    }

    @Test func rulesAreExplained() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("r.yaml")
            try Data(
                "version: 1\nfields: {l: {select: a, each: {t: {take: text, transform: [lower, {template: '<${value}>'}]}}}}"
                    .utf8
            )
            .write(to: file)
            let outcome = try await Command.run(
                "webinspect",
                ["rules", "explain", file.path, "-", "--json"],
                input: Data(Self.page.utf8)
            )
            #expect(outcome.status == 0)
            let rules = try #require(try outcome.json()["rules"] as? [[String: Any]])
            #expect(rules.map { $0["rule"] as? String } == ["l", "l[].t"])
            // The inner rule has no selector of its own.
            #expect(rules.map { $0["nodes"] as? Int } == [2, nil])
            #expect(rules[1]["evaluations"] as? Int == 2)
            #expect(rules[1]["taken"] as? String == "X")
            let steps = try #require(rules[1]["transforms"] as? [[String: Any]])
            #expect(steps.map { $0["value"] as? String } == ["x", "<x>"])
            #expect(rules.allSatisfy { $0["time_ms"] is Double && $0["memory_bytes"] is Int })
            let text = try await Command.run(
                "webinspect",
                ["rules", "explain", file.path, "-"],
                input: Data(Self.page.utf8)
            )
            #expect(text.text.contains("l[].t: 2 times, "))
            #expect(text.text.contains("    lower: \"x\"\n"))
        }
    }

    @Test func theSchemaIsWritten() async throws {
        let outcome = try await Command.run("webinspect", ["rules", "schema"])
        #expect(outcome.status == 0)
        #expect(try outcome.json()["title"] as? String == "WebLoader recipe")
    }
}
