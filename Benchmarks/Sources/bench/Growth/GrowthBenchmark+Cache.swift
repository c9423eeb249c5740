import WebLoader

extension GrowthBenchmark {
    /// Measures caches with these numbers of entries: the cost per entry of storing, hits, listing and removing.
    func growEntries(_ counts: [Int]) async throws {
        var curves = ["storing", "hit", "listing", "removing"].map { GrowthCurve($0) }
        for count in counts {
            let start = Clock.now
            let cache = try await BenchmarkCache(entries: count)
            curves[0].add(count, samples(since: start, of: count))
            curves[1].add(
                count,
                try await Comparison(
                    benchmark: "growth",
                    name: "cache entries",
                    unit: "entry",
                    items: 1_000,
                    rounds: 11
                ).samples(of: [.init("hit") { try await cache.hit(1_000, among: count) }])[0]
            )
            let listing = Clock.now
            try CacheBrowser(directory: cache.directory).forEach(matching: nil) { _ in Comparison.keep(1) }
            curves[2].add(count, samples(since: listing, of: count))
            let removing = Clock.now
            try await cache.trim()
            curves[3].add(count, samples(since: removing, of: count))
            try cache.remove()
        }
        GrowthCurve.report("cache entries", unit: "entry", curves)
    }

    private func samples(since start: Clock, of count: Int) -> Comparison.Samples {
        let end = Clock.now
        return Comparison.Samples(
            name: "",
            processor: [(end.processor - start.processor) / Double(count)],
            wall: [(end.wall - start.wall) / Double(count)]
        )
    }
}
