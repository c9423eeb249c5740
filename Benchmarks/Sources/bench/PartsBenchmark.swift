import WebLoader

/// Takes real pages apart, in proportion to the time that parsing them takes.
enum PartsBenchmark {
    /// `parts [FOLDER] [ROUNDS]`.
    static func run(_ arguments: [String]) async throws {
        let folder = arguments.first ?? "../shared/conformance/pages/pages"
        let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 21
        guard rounds > 0 else { throw BenchmarkError("\(arguments[1]): not a number of rounds") }
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let loader = PageLoader(configuration: configuration)
        let pages = try await BenchmarkPages.load(from: folder, with: loader)
        guard !pages.isEmpty else { throw BenchmarkError("\(folder): no pages") }
        // A report's JSON is made of what was found beforehand, and written of what was made.
        let reports = try pages.map(report)
        let documents = reports.map(\.json)
        let parse: () -> Void = {
            loader.handleMemoryPressure()
            for page in pages { keep((try? page.document) == nil ? 1 : 0) }
        }
        let candidates = parts.map { part in
            { for page in pages { keep((try? part.count(page)) ?? 0) } }
        }
        let measured = Measurement.compare(
            items: pages.count,
            rounds: rounds,
            [parse] + candidates + [
                { for report in reports { keep(members(of: report.json)) } },
                { for document in documents { keep(document.serialized().count) } },
                { for page in pages { keep((try? Self.report(page).json.serialized().count) ?? 0) } },
            ]
        )
        let bytes = pages.reduce(0) { $0 + $1.response.body.count }
        print("\(pages.count) pages of \(bytes) bytes in \(folder), medians of \(rounds) rounds, a page")
        let whole = measured[0].nanoseconds
        let names = ["parse"] + parts.map(\.name) + ["making JSON", "writing JSON", "whole report"]
        for (name, measurement) in zip(names, measured) {
            let time = (measurement.nanoseconds / 100).rounded() / 10
            let share = (measurement.nanoseconds / whole * 1000).rounded() / 10
            print("\(name): \(time) µs, \(share) % of the parse, \(Int(measurement.allocations)) allocations")
        }
    }

    private static let parts: [(name: String, count: @Sendable (Page) throws -> Int)] = [
        ("links", { try $0.links.count }), ("headings", { try $0.document?.headings.count ?? 0 }),
        ("counts", { try $0.document?.counts.elements ?? 0 }),
        ("outline", { try $0.document?.outline.sections.count ?? 0 }),
        ("images", { try $0.images.count }), ("forms", { try $0.forms.count }),
        ("scripts", { try $0.scripts.count }), ("styles", { try $0.styles.count }),
        ("frames", { try $0.frames.count }), ("comments", { try $0.comments.count }),
        ("inventory", { try $0.inventory.images.count }),
        ("tables", { try $0.document?.tableSummaries.count ?? 0 }),
        ("JSON-LD", { try $0.document?.jsonLD.count ?? 0 }),
        ("metadata", { try $0.metadata.titles.count }),
        ("structured data", { try $0.structuredData.rdfa.count }),
        ("both in one walk", { try $0.metadataAndStructuredData.0.titles.count }),
        ("security", { try $0.securityFields.findings.count }), ("title", { $0.title?.utf8.count ?? 0 }),
    ]

    /// What `webinspect SOURCE` says of a page.
    private static func report(_ page: Page) throws -> PageReport {
        PageReport(
            page,
            source: "page.html",
            links: try page.links,
            parts: try PageParts(page, try page.inventory)
        )
    }

    private static func members(of value: JSONValue) -> Int {
        guard case .object(let members) = value else { return 0 }
        return members.count
    }

    /// Keeps the optimizer from leaving out what nobody looks at.
    @inline(never)
    private static func keep(_ value: Int) {
        if value == .min { print() }
    }
}
