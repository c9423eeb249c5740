import ArgumentParser
import WebLoader

/// Extracts the parts of reports from real pages, beside parsing them.
struct PartsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts",
        abstract: "What each part of a report takes, beside the parse of the page."
    )

    private static let parts: [(name: String, count: @Sendable (ParsedPage) -> Int)] = [
        ("links", { $0.links.count }), ("inventory", { $0.inventory.images.count }),
        ("tables", { $0.tableSummaries.count }), ("metadata", { $0.metadata.titles.count }),
        ("metadata and structured data in one walk", { $0.structuredData.rdfa.count }),
        ("security", { $0.securityFields.findings.count }), ("title", { $0.title?.utf8.count ?? 0 }),
        ("main text", { $0.mainText?.text.utf8.count ?? 0 }),
    ]

    @OptionGroup var pages: PageFolder

    @Option(help: "How many rounds.")
    var rounds = 21

    func run() async throws {
        let pages = try await pages.load()
        // The reports are made beforehand, so that only writing their JSON is measured.
        let reports = pages.map { PageReport($0) }
        var subjects = Self.parts.map { part in
            Comparison.Subject(part.name) {
                for page in pages { Comparison.keep(part.count(ParsedPage(treeOf: page))) }
            }
        }
        subjects.append(
            .init("writing JSON") { for report in reports { Comparison.keep(report.serialized().count) } }
        )
        subjects.append(
            .init("parse") {
                for page in pages {
                    Comparison.keep(try ParsedPage(again: page.facts).document == nil ? 1 : 0)
                }
            }
        )
        subjects.insert(
            .init("whole report") {
                for page in pages {
                    Comparison.keep(PageReport(ParsedPage(treeOf: page)).serialized().count)
                }
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
}
