import Foundation
import TestSupport
import Testing

/// Thousands of loads from a server that fails in every way: each comes to what it should, and nothing is left of it.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Nightly.isOn, "nightly: it loads thousands of pages"))
struct SoakTests {
    @Test func `what loads, fails or is cancelled is accounted for, and leaves nothing open`() async throws {
        let outcome = try await Command.run("soak", ["2000"])
        let last = outcome.text.split(separator: "\n").last.map { Data($0.utf8) } ?? Data()
        let report = try #require(JSONSerialization.jsonObject(with: last) as? [String: Any])
        #expect(outcome.status == 0, "\(report["violations"] ?? "") \(outcome.errors)")
        let holds = try #require(report["holds"] as? [String: Bool])
        for (claim, isTrue) in holds { #expect(isTrue, "\(claim): \(report)") }
        // It has met all that it is there for.
        let failures = try #require(report["failures"] as? [String: Int])
        #expect(failures.count >= 9, "\(failures)")
        let sources = try #require(report["sources"] as? [String: Int])
        #expect(sources.keys.sorted() == ["cache", "network", "validated-cache"])
        let extractions = try #require(report["extractions"] as? [String: Int])
        #expect(extractions.count >= 8, "\(extractions)")
    }
}
