import Foundation
import TestSupport
import Testing

struct ResolveCommandTests {
    @Test func aReferenceIsResolved() async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["resolve", "../x?q#f", "--base-url", "http://h.test/a/b/c"]
        )
        #expect(outcome.text == "http://h.test/a/x?q#f\n")
        #expect(outcome.status == 0)
        #expect(try await Command.run("webinspect", ["resolve", "HTTP://H.test"]).text == "http://h.test/\n")
    }

    @Test(arguments: [
        ["resolve", "x"], ["resolve"], ["resolve", "x", "--jsonl"], ["resolve", "x", "--base-url", "y"],
    ])
    func whatCannotBeResolvedIsUsage(arguments: [String]) async throws {
        let outcome = try await Command.run("webinspect", arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("webinspect: "))
    }

    @Test func aPasswordIsNotRepeated() async throws {
        let outcome = try await Command.run("webinspect", ["resolve", "http://user:secret@h.test:99999/"])
        #expect(outcome.status == 2)
        #expect(!outcome.errors.contains("secret"))
    }

    @Test func linesAreAnsweredOneForOne() async throws {
        let input = #"""
            {"id":1,"input":"../x","base":"http://h.test/a/b"}
            {"id":"two","input":"y","base":null}
            {"id":3,"input":"z","base":"no"}
            {"id":[4],"input":"http://h/\ud800"}
            {"id":5}
            {"id":6,"input":"a","base":7}

            nonsense
            {"id":8,"input":"http://user:pw@h/"}
            """#
        let outcome = try await Command.run("webinspect", ["resolve", "--jsonl"], input: Data(input.utf8))
        #expect(outcome.status == 0)
        #expect(
            outcome.text.split(separator: "\n").map(String.init) == [
                #"{"href":"http://h.test/x","id":1}"#,
                #"{"failure":true,"id":"two","reason":"missing-scheme-non-relative-URL at byte 0"}"#,
                #"{"failure":true,"id":3,"reason":"the base is not a valid URL: missing-scheme-non-relative-URL at byte 0"}"#,
                #"{"href":"http://h/%EF%BF%BD","id":[4]}"#,
                #"{"failure":true,"id":5,"reason":"no \"input\""}"#,
                #"{"failure":true,"id":6,"reason":"\"base\" is not a string"}"#,
                #"{"failure":true,"id":null,"reason":"not JSON: column 2: expected null"}"#,
                #"{"href":"http://user:pw@h/","id":8}"#,
            ]
        )
    }

    @Test func linesHaveTheBaseOfTheFlagUnlessTheirOwn() async throws {
        let input = "{\"id\":1,\"input\":\"x\"}\n{\"id\":2,\"input\":\"x\",\"base\":\"http://o.test/\"}"
        let outcome = try await Command.run(
            "webinspect",
            ["resolve", "--jsonl", "--base-url", "http://h.test/"],
            input: Data(input.utf8)
        )
        #expect(
            outcome.text
                == "{\"href\":\"http://h.test/x\",\"id\":1}\n{\"href\":\"http://o.test/x\",\"id\":2}\n"
        )
    }
}
