import ArgumentParser
import WebLoader

/// Takes real pages apart, beside parsing them.
struct PartsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "What each part of a report takes, beside the parse of the page."
    )

    private static let parts: [(name: String, count: @Sendable (Page) throws -> Int)] = [
        ("links", { try $0.links.count }), ("headings", { try $0.document?.headings.count ?? 0 }),
        ("counts", { try $0.document?.counts.elements ?? 0 }),
        ("outline", { try $0.document?.outline.sections.count ?? 0 }),
        ("images", { try $0.images.count }), ("forms", { try $0.forms.count }),
        ("scripts", { try $0.scripts.count }), ("styles", { try $0.styles.count }),
        ("frames", { try $0.frames.count }), ("comments", { try $0.comments.count }),
        ("inventory, all of those but links in one walk", { try $0.inventory.images.count }),
        ("tables", { try $0.document?.tableSummaries.count ?? 0 }),
        ("JSON-LD", { try $0.document?.jsonLD.count ?? 0 }),
        ("metadata", { try $0.metadata.titles.count }),
        ("structured data", { try $0.structuredData.rdfa.count }),
        ("metadata and structured data in one walk", { try $0.metadataAndStructuredData.0.titles.count }),
        ("security", { try $0.securityFields.findings.count }), ("title", { $0.title?.utf8.count ?? 0 }),
        ("readable text", { try $0.readable?.text.utf8.count ?? 0 }),
    ]

    @OptionGroup var pages: PageFolder

    @Option(help: "How many rounds.")
    var rounds = 21

    func run() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let loader = PageLoader(configuration: configuration)
        let pages = try await pages.load(with: loader)
        // A report's JSON is made of what was found beforehand, and written of what was made.
        let reports = try pages.map(Self.report)
        let documents = reports.map(\.json)
        var subjects = Self.parts.map { part in
            Comparison.Subject(part.name) { for page in pages { Comparison.keep(try part.count(page)) } }
        }
        subjects.append(
            .init("making JSON") { for report in reports { Comparison.keep(Self.members(of: report.json)) } }
        )
        subjects.append(
            .init("writing JSON") { for json in documents { Comparison.keep(json.serialized().count) } }
        )
        subjects.append(
            .init("parse") {
                loader.handleMemoryPressure()
                for page in pages { Comparison.keep(try page.document == nil ? 1 : 0) }
            }
        )
        subjects.insert(
            .init("whole report") {
                for page in pages { Comparison.keep(try Self.report(page).json.serialized().count) }
            },
            at: 0
        )
        try await Comparison(
            benchmark: "parts",
            name: "the report of a page",
            unit: "page",
            items: pages.count,
            rounds: rounds
        ).run(subjects)
    }

    /// What `webinspect SOURCE` says of a page.
    static func report(_ page: Page) throws -> PageReport {
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
}
