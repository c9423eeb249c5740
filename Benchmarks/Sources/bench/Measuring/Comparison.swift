import CAllocationCount
import WebLoader

/// Several ways to do the same work, measured in turn, so that other load of the machine affects all of them alike.
struct Comparison {
    /// One of the ways.
    struct Subject {
        let name: String

        /// Whether the processor time is reported; false if another process does the work and goes on afterwards.
        var countsProcessorTime = true

        /// Handles all items once.
        let work: () async throws -> Void

        init(_ name: String, countsProcessorTime: Bool = true, _ work: @escaping () async throws -> Void) {
            self.name = name
            self.countsProcessorTime = countsProcessorTime
            self.work = work
        }
    }

    /// The measurements of one subject, per item.
    struct Samples {
        let name: String

        /// The processor time in seconds, one number per round; empty if it is not meaningful.
        var processor: [Double] = []

        /// The wall-clock time in seconds, one number per round.
        var wall: [Double] = []

        /// The number of allocated blocks, in the last round.
        var allocations = 0.0
    }

    /// The benchmark and its case, as `Scripts/bench` lists them.
    let benchmark: String
    let name: String

    /// The name of an item: `URL`, `page`.
    let unit: String

    /// The number of items that a subject handles in a round.
    var items = 1

    var rounds: Int

    /// Measures all subjects in turn, ours first, and prints the line.
    func run(_ subjects: [Subject]) async throws {
        report(try await samples(of: subjects))
    }

    /// Prints the line.
    func report(_ samples: [Samples]) {
        Self.print([
            "benchmark": .string(benchmark), "case": .string(name), "unit": .string(unit),
            "subjects": .array(samples.map(\.json)),
        ])
    }

    /// Measures all subjects in turn.
    func samples(of subjects: [Subject]) async throws -> [Samples] {
        guard rounds > 0, items > 0 else {
            throw BenchmarkError("\(name): \(rounds) rounds of \(items) items")
        }
        var samples = subjects.map { Samples(name: $0.name) }
        // The first round warms the caches.
        for round in -1..<rounds {
            for (index, subject) in subjects.enumerated() {
                let allocations = allocation_count()
                let start = Clock.now
                try await subject.work()
                let end = Clock.now
                guard round >= 0 else { continue }
                samples[index].wall.append((end.wall - start.wall) / Double(items))
                if subject.countsProcessorTime {
                    samples[index].processor.append((end.processor - start.processor) / Double(items))
                }
                samples[index].allocations = Double(allocation_count() - allocations) / Double(items)
            }
        }
        return samples
    }

    /// Prints a line of JSON.
    static func print(_ value: JSONValue) {
        Swift.print(String(decoding: value.serialized(sortingNames: false), as: UTF8.self))
    }

    /// Makes the optimizer assume that a result is used.
    @inline(never)
    static func keep(_ value: Int) {
        if value == .min { Swift.print(value) }
    }
}

extension Comparison.Samples {
    var json: JSONValue {
        [
            "name": .string(name), "cpu": .array(processor.map { .number($0) }),
            "wall": .array(wall.map { .number($0) }), "allocations": .number(allocations),
        ]
    }
}
