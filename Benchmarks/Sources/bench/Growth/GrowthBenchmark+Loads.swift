import WebLoader

extension GrowthBenchmark {
    /// Measures the cost per load of these numbers of concurrent loads of a page of 10 KB, from nginx on loopback to
    /// the parsed page.
    func growLoads(_ counts: [Int]) async throws {
        let server = try LoopbackNginx(sizes: [10_000])
        let url = server.url(10_000)
        var curve = GrowthCurve("load and parse, 10 KB")
        var kilobytes: [String] = []
        for count in counts {
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = nil
            configuration.fetcher = FetchBenchmark.fetcher(connections: count)
            let loader = PageLoader(configuration: configuration)
            let loads = max(loads, count)
            let comparison = Comparison(
                benchmark: "growth",
                name: "loads at once",
                unit: "load",
                items: loads,
                rounds: 3
            )
            let samples = try await comparison.samples(of: [
                .init("load") {
                    try await FetchBenchmark.load(url, loads, over: count) { request in
                        let page = try await loader.load(request)
                        _ = try await page.parsed().document
                        return page.response
                    }
                }
            ])
            curve.add(count, samples[0])
            kilobytes.append("\(count): \(try FetchBenchmark.residentKilobytes()) KB")
        }
        GrowthCurve.report(
            "loads at once",
            unit: "load",
            [curve],
            note: "Resident memory after that many loads at once: \(kilobytes.joined(separator: ", "))."
        )
    }
}
