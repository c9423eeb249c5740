import Synchronization
import WebLoader

/// The outcomes of the soak's loads, counted, and those that should not have occurred.
final class SoakTally: Sendable {
    struct Counts: Sendable {
        var asked = 0
        var loaded = 0
        var statuses: [String: Int] = [:]
        var sources: [String: Int] = [:]
        var reasons: [String: Int] = [:]
        var failures: [String: Int] = [:]
        var extractions: [String: Int] = [:]
        var inspected = 0
        var verified = 0
        /// The newest version of each page that a server has answered with.
        var versions = [Int](repeating: 0, count: SoakPage.count)
        /// The first violations, and the number of all violations.
        var violations: [String] = []
        var violationCount = 0
        /// The current action of each load that is running, by the load's number.
        var underWay: [Int: String] = [:]

        /// The number of loads that failed, whatever the code.
        var failed: Int { failures.values.reduce(0, +) }
    }

    private let counts = Mutex(Counts())

    var now: Counts { counts.withLock { $0 } }

    func update<Value: Sendable>(_ body: (inout sending Counts) -> sending Value) -> Value {
        counts.withLock { body(&$0) }
    }

    func violation(_ text: String) {
        counts.withLock { counts in
            counts.violationCount += 1
            if counts.violations.count < 20 { counts.violations.append(text) }
        }
    }
}
