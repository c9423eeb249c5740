import ArgumentParser
import WebLoader

/// The growth of costs with size: a line of JSON for each group of curves, with the seconds at each size.
struct GrowthBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Cost by the size of a page, its links, the cache's entries, the loads at once."
    )

    /// The size that grows.
    enum Axis: String, ExpressibleByArgument, CaseIterable {
        case pages, links, entries, loads
    }

    @Argument(help: "What grows: pages, links, entries or loads.")
    var axis: Axis

    @Option(help: "No larger size than this.")
    var largest = Int.max

    @Option(help: "Loads at each number of loads at once.")
    var loads = 4_096

    func run() async throws {
        switch axis {
        case .pages:
            try await growPages(
                [10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 50_000].map { $0 * 1000 }.filter(fits)
            )
        case .links: try await growLinks(powers(from: 10, to: 1_000_000))
        case .entries: try await growEntries(powers(from: 1_000, to: 100_000))
        case .loads: try await growLoads([1, 4, 16, 64, 256, 1_024].filter(fits))
        }
    }

    private func fits(_ size: Int) -> Bool { size <= largest }

    /// 10, 32, 100, 316 and so on.
    private func powers(from first: Int, to last: Int) -> [Int] {
        var sizes: [Int] = []
        var power = first
        while power <= last {
            sizes += [power, power * 316 / 100].filter { $0 <= last && fits($0) }
            power *= 10
        }
        return sizes
    }
}

/// A curve to which points are added.
struct GrowthCurve {
    let name: String
    private var points: [(size: Int, samples: Comparison.Samples)] = []

    init(_ name: String) {
        self.name = name
    }

    /// Adds the samples that were measured at a size, in seconds per unit of the size.
    mutating func add(_ size: Int, _ samples: Comparison.Samples) {
        points.append((size, samples))
    }

    /// Prints the curves of one figure.
    static func report(_ title: String, unit: String, _ curves: [GrowthCurve], note: String? = nil) {
        var line: [(String, JSONValue)] = [
            ("benchmark", "growth"), ("case", .string(title)), ("unit", .string(unit)),
            ("curves", .array(curves.map(\.json))),
        ]
        if let note { line.append(("note", .string(note))) }
        Comparison.print(.object(line.map { .init($0.0, $0.1) }))
    }

    private var json: JSONValue {
        [
            "name": .string(name),
            "points": .array(
                points.map { point in
                    [
                        "size": .integer(Int64(point.size)),
                        "cpu": .array(point.samples.processor.map { .number($0) }),
                        "wall": .array(point.samples.wall.map { .number($0) }),
                    ]
                }
            ),
        ]
    }
}
