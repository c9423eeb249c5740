import WebLoader

extension GrowthBenchmark {
    /// Measures pages of these sizes in bytes: the cost per byte of parsing them and extracting their parts.
    func growPages(_ sizes: [Int]) async throws {
        try await growPages("page size", unit: "byte", sizes, SyntheticPage.articles(bytes:))
    }

    /// Measures pages with these numbers of links: the cost per link of finding them, and of everything else.
    func growLinks(_ counts: [Int]) async throws {
        try await growPages("links of a page", unit: "link", counts, SyntheticPage.links)
    }

    private func growPages(
        _ title: String,
        unit: String,
        _ sizes: [Int],
        _ markup: (Int) -> String
    ) async throws {
        let selector = try Selector("a[href]")
        let works: [(name: String, work: (ParsedPage) throws -> Int)] = [
            ("links", { $0.links.count }),
            ("main text", { $0.mainText?.text.utf8.count ?? 0 }),
            ("a[href]", { try $0.document?.querySelectorAll(selector).count ?? 0 }),
            ("whole report", { PageReport($0).serialized().count }),
        ]
        var curves = (["parse"] + works.map(\.name)).map { GrowthCurve($0) }
        for size in sizes {
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = nil
            configuration.limits.maximumNodes = 20_000_000
            configuration.limits.maximumTreeMemory = 8 << 30
            configuration.limits.maximumTime = nil
            let loader = PageLoader(configuration: configuration)
            let text = markup(size)
            let page = try await loader.loadHTMLString(
                text,
                baseURL: WebURL("https://www.example.com/a/b.html")
            ).parsed()
            guard page.limits.isEmpty else { throw BenchmarkError("\(size): \(page.limits)") }
            let comparison = Comparison(
                benchmark: "growth",
                name: title,
                unit: unit,
                items: max(size, 1),
                // Small pages are measured more often, because large ones take long.
                rounds: min(max(20_000_000 / text.utf8.count, 3), 51)
            )
            var subjects = [
                Comparison.Subject("parse") {
                    Comparison.keep(try ParsedPage(again: page.facts).document == nil ? 1 : 0)
                }
            ]
            subjects += works.map { work in
                .init(work.name) { Comparison.keep(try work.work(ParsedPage(treeOf: page))) }
            }
            for (index, samples) in try await comparison.samples(of: subjects).enumerated() {
                curves[index].add(size, samples)
            }
        }
        GrowthCurve.report(title, unit: unit, curves)
    }
}
