import Foundation
import WebLoader

/// Runs the soak in twenty parts, and says how it went.
struct SoakReport {
    private let soak: Soak
    private let loads: Int
    private let started: Date

    private static let parts = 20

    init(_ soak: Soak, loads: Int, started: Date) {
        self.soak = soak
        self.loads = loads
        self.started = started
    }

    /// Whether everything held.
    func run() async throws -> Bool {
        // The first loads open what stays open: the thread pool, libcurl.
        await soak.run(0..<400, soak.loaders())
        let before = try await settled(from: nil)
        var idle: [ProcessSample] = []
        var cacheSizes: [Int] = []
        var peak = before
        var loaders: Soak.Loaders? = soak.loaders()
        for part in 0..<Self.parts {
            guard let current = loaders else { break }
            let numbers = 400 + loads * part / Self.parts..<400 + loads * (part + 1) / Self.parts
            let sampled = try await soak.sampling { [soak] in await soak.run(numbers, current) }
            peak = peak.most(sampled.peak)
            cacheSizes.append(sampled.cacheSize)
            idle.append(try ProcessSample.now())
            loaders = soak.loaders(after: current)
            write(progress(idle[part], sampled.peak, sampled.cacheSize))
        }
        var readBack = 0
        if let main = loaders?.main { readBack = try await soak.readBack(main) }
        loaders = nil
        let after = try await settled(from: before)
        let claims = claims(before, after, idle, peak, cacheSizes)
        write(summary(before, after, idle, peak, cacheSizes, readBack, claims))
        return claims.allSatisfy(\.holds)
    }

    /// Returns the resources in use once nothing is under way: when they stay the same, or do not exceed those of
    /// before.
    private func settled(from before: ProcessSample?) async throws -> ProcessSample {
        var last = try ProcessSample.now()
        for _ in 0..<500 {
            try await Task.sleep(for: .milliseconds(before == nil ? 100 : 20))
            let now = try ProcessSample.now()
            if let before {
                if Self.isClosed(now, before), Self.isEnded(now, before) { return now }
            } else if now.descriptors == last.descriptors, now.threads == last.threads {
                return now
            }
            last = now
        }
        return last
    }

    // MARK: - Conditions

    private static func isClosed(_ now: ProcessSample, _ before: ProcessSample) -> Bool {
        now.descriptors <= before.descriptors
    }

    /// Some of Dispatch's threads may still wait for work; one of the fetcher's shows in its descriptors.
    private static func isEnded(_ now: ProcessSample, _ before: ProcessSample) -> Bool {
        now.threads <= before.threads + 4
    }

    private func claims(
        _ before: ProcessSample,
        _ after: ProcessSample,
        _ idle: [ProcessSample],
        _ peak: ProcessSample,
        _ cacheSizes: [Int]
    ) -> [(name: String, holds: Bool)] {
        let counts = soak.tally.now
        let half = idle.count / 2
        let early = idle[..<half].map(\.memory).max() ?? 0
        let late = idle[half...].map(\.memory).max() ?? 0
        return [
            (
                "every load is accounted for",
                counts.loaded + counts.failed == counts.asked && counts.asked == loads + 400
            ),
            ("every answer is right", counts.violationCount == 0),
            ("descriptors are closed", Self.isClosed(after, before)),
            ("threads end", Self.isEnded(after, before)),
            ("processes end", after.children <= before.children),
            ("memory does not grow", late <= early + early / 8 + 8 << 20),
            ("few descriptors", peak.descriptors <= 1000),
            ("few threads", peak.threads <= 128),
            ("few processes", peak.children <= 2 + 64 + Soak.concurrency),
            ("the cache keeps to its size", (cacheSizes.max() ?? 0) <= Soak.maximumCacheSize * 3 / 2),
        ]
    }

    // MARK: - As JSON

    private func progress(_ idle: ProcessSample, _ peak: ProcessSample, _ cacheSize: Int) -> JSONValue {
        let counts = soak.tally.now
        return [
            "asked": .integer(Int64(counts.asked)), "loaded": .integer(Int64(counts.loaded)),
            "failed": .integer(Int64(counts.failed)), "violations": .integer(Int64(counts.violationCount)),
            "seconds": .number(rounded), "idle": idle.json, "peak": peak.json,
            "cache_bytes": .integer(Int64(cacheSize)),
        ]
    }

    private func summary(
        _ before: ProcessSample,
        _ after: ProcessSample,
        _ idle: [ProcessSample],
        _ peak: ProcessSample,
        _ cacheSizes: [Int],
        _ readBack: Int,
        _ claims: [(name: String, holds: Bool)]
    ) -> JSONValue {
        let counts = soak.tally.now
        return [
            "asked": .integer(Int64(counts.asked)), "loaded": .integer(Int64(counts.loaded)),
            "failed": .integer(Int64(counts.failed)), "verified": .integer(Int64(counts.verified)),
            "inspected": .integer(Int64(counts.inspected)), "seconds": .number(rounded),
            "statuses": Self.json(counts.statuses), "sources": Self.json(counts.sources),
            "verdicts": Self.json(counts.reasons), "failures": Self.json(counts.failures),
            "extractions": Self.json(counts.extractions), "read_back": .integer(Int64(readBack)),
            "before": before.json, "after": after.json, "peak": peak.json,
            "idle_memory": .array(idle.map { .integer(Int64($0.memory)) }),
            "cache_bytes": .array(cacheSizes.map { .integer(Int64($0)) }),
            "violations": .array(counts.violations.map(JSONValue.string)),
            "violation_count": .integer(Int64(counts.violationCount)),
            "holds": .object(claims.map { .init($0.name, .bool($0.holds)) }),
        ]
    }

    private var rounded: Double { (Date().timeIntervalSince(started) * 10).rounded() / 10 }

    private static func json(_ counts: [String: Int]) -> JSONValue {
        .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) })
    }

    private func write(_ value: JSONValue) {
        FileHandle.standardOutput.write(Data(value.serialized(sortingNames: false) + [UInt8(ascii: "\n")]))
    }
}

extension ProcessSample {
    /// The most of each of two.
    func most(_ other: ProcessSample) -> ProcessSample {
        ProcessSample(
            memory: max(memory, other.memory),
            descriptors: max(descriptors, other.descriptors),
            threads: max(threads, other.threads),
            children: max(children, other.children)
        )
    }

    var json: JSONValue {
        [
            "memory": .integer(Int64(memory)), "descriptors": .integer(Int64(descriptors)),
            "threads": .integer(Int64(threads)), "children": .integer(Int64(children)),
        ]
    }
}
