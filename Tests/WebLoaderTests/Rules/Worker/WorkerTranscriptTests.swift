import TestSupport
import Testing

@testable import WebRules

/// Tests that a worker's messages are accepted where its recipe allows them, and end the run otherwise.
struct WorkerTranscriptTests {
    private static let recipe = """
        version: 1
        fields:
          a: title
          b: {select: p, all: true}
          n: {select: a, take: "url:href", follow: {depth: 2, fields: {t: title}}}
        """

    private static func transcript(
        _ recipe: String = recipe,
        source: String = "http://h.test/",
        notesProvenance: Bool = false,
        _ change: (inout Budget) -> Void = { _ in }
    ) throws -> WorkerTranscript {
        var budget = Budget()
        budget.output = .bytes(200)
        budget.log = .bytes(10)
        budget.pages = 3
        change(&budget)
        return WorkerTranscript(
            try Recipe(recipe, file: "recipe"),
            budget,
            notesProvenance: notesProvenance,
            source: try WebURL(source)
        )
    }

    private static func finished(_ field: String, _ value: JSONValue = 1) -> WorkerRecord {
        .finished(field: field, value: value, provenance: [])
    }

    /// In a word, what is made of records.
    private static func say(_ records: [WorkerRecord], _ transcript: inout WorkerTranscript) throws -> String
    {
        var word = "nothing"
        for record in records {
            switch transcript.take(record.framed.dropFirst(4)) {
            case .accepted: word = "accepted"
            case .started: word = "started"
            case .follow(let url):
                word = "follow"
                transcript.registerPage(url)
            case .over: word = "over"
            case .exceeded(let limit, used: _): return limit.rawValue
            case .invalid: return "invalid"
            }
        }
        return word
    }

    private static func error(
        _ code: RuleError.Code = .failed,
        rule: String? = nil,
        file: String? = nil,
        line: Int? = nil
    ) -> RuleError {
        var error = RuleError(code, "x", rule: rule)
        error.file = file
        error.line = line
        return error
    }

    private static func usage(_ number: Int) -> RuleUsage {
        var usage = RuleUsage()
        usage.time = .nanoseconds(UInt64.max)
        usage.memory = .bytes(number)
        usage.output = .bytes(number)
        usage.pages = number
        return usage
    }

    @Test func anHonestRunIsBelieved() throws {
        var transcript = try Self.transcript()
        let records: [WorkerRecord] = [
            .started, Self.finished("a"), .log("hello"),
            .report(Self.error(.drift, rule: "b", file: "recipe", line: 4)),
            Self.finished("b", ["x", .null]), .follow("http://h.test/2", from: 0), .started,
            .follow("https://other.test/3", from: 1), .started, Self.finished("n"), .done(Self.usage(.max)),
        ]
        #expect(try Self.say(records, &transcript) == "over")
        #expect(JSONValue.object(transcript.members) == ["a": 1, "b": ["x", .null], "n": 1])
        #expect(transcript.extraction.log == ["hello"])
        #expect(transcript.extraction.errors.map(\.code) == [.drift])
        // Numbers are what they can be.
        let usage = transcript.extraction.usage
        #expect(usage.time < .seconds(600))
        #expect(usage.memory == Budget().memory)
        #expect(usage.output == .bytes(1 << 53))
        #expect(usage.pages == 2)
        let written = JSONValue.object(transcript.members).serialized(sortingNames: false)
        #expect(transcript.output == written.count)
    }

    @Test(
        arguments: [
            // The order.
            ([.log("x")], "invalid"), ([finished("a")], "invalid"), ([.done(RuleUsage())], "invalid"),
            ([.started, .started], "invalid"), ([.started, .done(RuleUsage())], "invalid"),
            ([.started, finished("a"), .done(RuleUsage())], "invalid"),
            ([.started, finished("b")], "invalid"), ([.started, finished("a"), finished("a")], "invalid"),
            ([.started, finished("c")], "invalid"), ([.started, finished("")], "invalid"),
            ([.started, finished("a"), finished("b"), finished("n"), finished("n")], "invalid"),
            ([.follow("http://h.test/2", from: 0)], "invalid"),
            ([.started, .follow("http://h.test/2", from: 0), finished("a")], "invalid"),
            ([.started, .follow("http://h.test/2", from: 0), .done(RuleUsage())], "invalid"),
            ([.started, finished("a"), .refused(error())], "invalid"),
            ([.started, .follow("http://h.test/2", from: 0), .refused(error())], "invalid"),
            ([.started, .refused(error(.invalid))], "over"), ([.refused(error())], "over"),
            ([.refused(error()), .started], "invalid"), ([.refused(error()), .refused(error())], "invalid"),
            // Sizes.
            ([.started, finished("a", .string(String(repeating: "x", count: 200)))], "budget.output"),
            ([.started, finished("a", .array(Array(repeating: .null, count: 41)))], "budget.output"),
            ([.started, finished("a", .array(Array(repeating: .null, count: 30)))], "accepted"),
            (
                [
                    .started, finished("a", .string(String(repeating: "x", count: 90))),
                    finished("b", .string(String(repeating: "x", count: 100))),
                ], "budget.output"
            ),
            ([.started, .log("1234"), .log("1234")], "accepted"),
            ([.started, .log("1234"), .log("12345")], "budget.log"),
            ([.started, .report(RuleError(.failed, String(repeating: "x", count: 5000)))], "accepted"),
            (Array(repeating: .report(error()), count: 60), "invalid"),
            ([.started] + Array(repeating: .report(error()), count: 60), "invalid"),
            // Errors of other recipes, and those that workers do not have.
            ([.started, .report(error(rule: "z"))], "invalid"),
            ([.started, .report(error(file: "/etc/x"))], "invalid"),
            ([.started, .report(error(line: 0))], "invalid"),
            ([.started, .report(error(line: .min))], "invalid"),
            ([.started, .report(error(line: .max))], "invalid"),
            ([.started, .report(error(.cancelled))], "invalid"),
            ([.refused(error(.unavailable))], "invalid"), ([.refused(error(.crash))], "invalid"),
            (
                [.started, .exceeded(BudgetExceeded(.time, rule: "z", allowed: 1, used: 1), RuleUsage())],
                "invalid"
            ),
            (
                [.started, .exceeded(BudgetExceeded(.stack, rule: nil, allowed: 1, used: 1), RuleUsage())],
                "over"
            ),
            // Where values come from was not asked.
            (
                [
                    .started,
                    .finished(
                        field: "a",
                        value: 1,
                        provenance: [
                            Provenance(
                                path: "a",
                                rule: "a",
                                node: nil,
                                position: nil,
                                source: "http://h.test/"
                            )
                        ]
                    ),
                ], "invalid"
            ),
        ] as [([WorkerRecord], String)]
    )
    func whatNoHonestWorkerSaysEndsTheRun(records: [WorkerRecord], word: String) throws {
        var transcript = try Self.transcript()
        #expect(try Self.say(records, &transcript) == word)
    }

    @Test(arguments: [
        ("http://h.test/", "file:///etc/passwd"), ("https://h.test/", "data:text/html,x"),
        ("http://h.test/", "ftp://h.test/"), ("http://h.test/", "FILE:///etc/passwd"), ("http://h.test/", ""),
        ("http://h.test/", "/2"), ("http://h.test/", "javascript:1"), ("http://h.test/", "http://"),
        ("data:text/html,x", "file:///etc/passwd"), ("about:blank", "file:///etc/passwd"),
    ])
    func aPageLeadsToNoOtherPlace(source: String, url: String) throws {
        var transcript = try Self.transcript(source: source)
        #expect(try Self.say([.started, .follow(url, from: 0)], &transcript) == "invalid")
    }

    @Test func aPageOfAFileLeadsToFilesAndWhatIsBeyondDoesNot() throws {
        var transcript = try Self.transcript(source: "file:///a/b.html")
        let there: [WorkerRecord] = [.started, .follow("file:///a/c.html", from: 0), .started]
        #expect(try Self.say(there, &transcript) == "started")
        transcript = try Self.transcript(source: "file:///a/b.html")
        let beyond: [WorkerRecord] = [
            .started, .follow("http://h.test/", from: 0), .started, .follow("file:///a/c.html", from: 1),
        ]
        #expect(try Self.say(beyond, &transcript) == "invalid")
    }

    @Test func pagesAreCounted() throws {
        func follow(_ number: Int, from page: Int = 0) -> [WorkerRecord] {
            [.follow("http://h.test/\(number)", from: page), .started]
        }
        var transcript = try Self.transcript()
        #expect(try Self.say([.started] + follow(1) + follow(2) + follow(3), &transcript) == "started")
        #expect(try Self.say(follow(4), &transcript) == "invalid")
        // Two links away at the most, and from a page that it has.
        transcript = try Self.transcript()
        #expect(
            try Self.say([.started] + follow(1) + follow(2, from: 1) + follow(3, from: 2), &transcript)
                == "invalid"
        )
        for page in [1, -1, Int.max, Int.min] {
            transcript = try Self.transcript()
            #expect(try Self.say([.started] + follow(1, from: page), &transcript) == "invalid")
        }
        // A recipe without `follow` has no other pages.
        transcript = try Self.transcript("version: 1\nfields: {a: title}")
        #expect(try Self.say([.started] + follow(1), &transcript) == "invalid")
        transcript = try Self.transcript { $0.depth = 0 }
        #expect(try Self.say([.started] + follow(1), &transcript) == "invalid")
    }

    @Test(arguments: [
        ("http://h.test/", "a", 1, true), ("http://h.test/other", "a", 1, false),
        ("http://h.test/", "z", 1, false),
        ("http://h.test/", "a", 0, false), ("http://h.test/", "a", Int.max, false),
    ])
    func whereValuesComeFromIsOneOfItsPages(source: String, rule: String, line: Int, isTrue: Bool) throws {
        var transcript = try Self.transcript(notesProvenance: true)
        let position = SourcePosition(line: line, column: nil)
        let origin = Provenance(path: "a", rule: rule, node: "/html", position: position, source: source)
        let records: [WorkerRecord] = [.started, .finished(field: "a", value: 1, provenance: [origin])]
        #expect(try Self.say(records, &transcript) == (isTrue ? "accepted" : "invalid"))
    }

    /// Lengths and counts of any size, and values nested without end.
    @Test(
        arguments: Abbreviated.each(
            [
                [], [8], [255], [0, 0], [1], [1, 255, 255, 255, 255],
                [1, 1, 0, 0, 0, 97, 6, 255, 255, 255, 255],
                [1, 1, 0, 0, 0, 97, 7, 255, 255, 255, 127], [1, 1, 0, 0, 0, 97, 9], [5],
                [5, 0, 0, 0, 0, 0, 0, 0, 0, 1],
                [6, 1, 0, 0, 0, 120], [1, 1, 0, 0, 0, 97, 0, 255, 255, 255, 255], [4, 0, 0, 0, 0, 1],
                [1, 1, 0, 0, 0, 97] + Array(repeating: [6, 1, 0, 0, 0], count: 100_000).flatMap { $0 },
            ] as [[UInt8]]
        )
    )
    func whatCannotBeReadEndsTheRun(bytes: Abbreviated<[UInt8]>) throws {
        var transcript = try Self.transcript { $0.output = .bytes(.max) }
        _ = transcript.take(WorkerRecord.started.framed.dropFirst(4))
        guard case .invalid = transcript.take(bytes.value) else {
            Issue.record("it was believed")
            return
        }
    }

    @Test func valuesAreNoDeeperThanThreadsCanWrite() async throws {
        var value = JSONValue.null
        for _ in 0..<1000 { value = [value] }
        let record = Self.finished("a", value).framed
        let data = try await BlockingWork.threads.run { () throws -> [UInt8] in
            var transcript = try Self.transcript { $0.output = .megabytes(1) }
            _ = transcript.take(WorkerRecord.started.framed.dropFirst(4))
            guard case .accepted = transcript.take(record.dropFirst(4)) else { return [] }
            return JSONValue.object(transcript.members).serialized(sortingNames: false)
        }
        #expect(data.count == 2010)
    }
}
