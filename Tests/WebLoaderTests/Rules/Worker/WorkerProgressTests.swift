import Synchronization
import TestSupport
import Testing

@testable import WebLoader
@testable import WebRules

/// Tests of the progress that is reported during a worker's run, and of its report on each rule.
@Suite(.timeLimit(.minutes(20)))
struct WorkerProgressTests {
    private func extract(
        _ fields: String,
        time: Duration = .seconds(100),
        _ change: (inout ExtractionOptions) -> Void
    ) async throws -> Extraction {
        let page = try await PageLoader().loadHTMLString("<title>T</title><p>One<p>Two", baseURL: nil)
        var options = ExtractionOptions()
        change(&options)
        let recipe = try Recipe("version: 1\nfields: {\(fields)}")
        return try await page.extract(recipe, budget: Budget(time: time), options: options)
    }

    // MARK: - Progress

    @Test func whatIsUsedIsToldAsItRuns() async throws {
        let told = Mutex<[(usage: RuleUsage, rule: String?)]>([])
        let script = "local a = {} for i = 1, 10000 do a[i] = {i} end while true do end"
        let running = Task {
            try await extract("a: title, b: {script: '\(script)'}") {
                $0.progress = { (usage, rule) in told.withLock { $0.append((usage, rule)) } }
            }
        }
        func isTold(_ event: (usage: RuleUsage, rule: String?)) -> Bool {
            let hasMemory = Sanitizer.ownsMemory || event.usage.memory.map { $0 > .kilobytes(100) } ?? false
            return event.rule == "b" && hasMemory && event.usage.output > .bytes(2)
        }
        try await eventually("what rule b uses is told") { told.withLock { $0.contains(where: isTold) } }
        running.cancel()
        _ = try? await running.value
        let times = told.withLock { $0.map(\.usage.time) }
        #expect(times == times.sorted())
    }

    @Test func aWorkerThatServesTwiceBeginsAtNothing() async throws {
        var configuration = PageLoader.Configuration()
        configuration.workers.pagesPerWorker = 10
        let page = try await PageLoader(configuration: configuration)
            .loadHTMLString("<title>T</title>", baseURL: nil)
        #expect(try await page.evaluateScript("return #('x'):rep(1000000)") == 1_000_000)
        let told = Mutex<[RuleUsage]>([])
        var options = ExtractionOptions()
        options.progress = { (usage, _) in told.withLock { $0.append(usage) } }
        let recipe = try Recipe("version: 1\nfields: {a: {script: 'while true do end'}}")
        _ = try await page.extract(recipe, budget: Budget(time: .seconds(2)), options: options)
        // The first report may come before the worker has begun.
        let most = told.withLock { $0.compactMap(\.memory).max() }
        if !Sanitizer.ownsMemory { #expect(try #require(most) < .kilobytes(500)) }
    }

    // MARK: - The trace

    @Test func aWorkerSaysWhatEachRuleDidAsThisProcessDoes() async throws {
        let fields = """
            a: {select: title, transform: [lower, upper]}, l: {select: p, each: {t: {take: text}}},
            f: {first_of: [h1, title]}, s: {script: 'return {1, 2}'}
            """
        let there = try await extract(fields) { $0.notesTrace = true }
        let page = try await PageLoader().loadHTMLString("<title>T</title><p>One<p>Two", baseURL: nil)
            .parsed()
        let here = try page.explain(try Recipe("version: 1\nfields: {\(fields)}"), budget: Budget())
        #expect(there.data == here.extraction.data)
        #expect(there.trace.map(\.rule) == here.rules.map(\.rule))
        #expect(there.trace.map(\.line) == here.rules.map(\.line))
        #expect(there.trace.map(\.evaluations) == here.rules.map(\.evaluations))
        #expect(there.trace.map(\.nodes) == here.rules.map(\.nodes))
        #expect(there.trace.map(\.taken) == here.rules.map(\.taken))
        #expect(there.trace.map { $0.steps.map(\.value) } == here.rules.map { $0.steps.map(\.value) })
        #expect(there.trace.map { $0.steps.map(\.transform) }.first == ["lower", "upper"])
        #expect(try await extract(fields) { _ in }.trace.isEmpty)
    }

    @Test func longValuesAreCut() async throws {
        let script = "local a = {} for i = 1, 50 do a[i] = {{{1}}} end a[1] = (\"x\"):rep(900) return a"
        let extraction = try await extract("a: {script: '\(script)'}") { $0.notesTrace = true }
        guard case .array(let items)? = extraction.trace.first?.taken else {
            Issue.record("it is no list")
            return
        }
        #expect(items.count == 10)
        #expect(items[0] == .string(String(repeating: "x", count: 200)))
        #expect(items[1] == ["a list"])
    }

    @Test(arguments: [
        ([0, 1], true, "accepted"), ([0, 2], true, "accepted"), ([1, 0], true, "invalid"),
        ([0, 0], true, "invalid"),
        ([3], true, "invalid"), ([-1], true, "invalid"), ([0], false, "invalid"),
    ])
    func whatARuleDidIsSaidOnceAndInOrder(rules: [Int], notesTrace: Bool, word: String) throws {
        var transcript = WorkerTranscript(
            try Recipe("version: 1\nfields: {a: title, b: p, c: p}"),
            Budget(),
            notesProvenance: false,
            notesTrace: notesTrace,
            source: try WebURL("http://h.test/")
        )
        var last = "nothing"
        for record in [.started] + rules.map({ WorkerRecord.traced($0, RuleTrace.Entry()) }) {
            switch transcript.take(record.framed.dropFirst(4)) {
            case .accepted: last = "accepted"
            case .invalid: last = "invalid"
            default: last = "other"
            }
        }
        #expect(last == word)
    }
}
