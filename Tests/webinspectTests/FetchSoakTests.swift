import Foundation
import TestSupport
import Testing

/// Loads that fail at whatever stage leave nothing open.
@Suite(.timeLimit(.minutes(10)))
struct FetchSoakTests {
    @Test func `failing and cancelled loads leave no descriptor and no thread`() async throws {
        let outcome = try await Command.run("fetch-soak", ["2000"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try outcome.json()
        let descriptors = try #require(report["descriptors"] as? [Int])
        let threads = try #require(report["threads"] as? [Int])
        #expect(descriptors[1] <= descriptors[0])
        #expect(threads[1] <= threads[0])
        let failures = try #require(report["failures"] as? Int)
        #expect(500...1000 ~= failures)
    }
}
