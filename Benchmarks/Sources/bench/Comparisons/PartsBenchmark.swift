import ArgumentParser
import WebLoader

/// Takes real pages apart, beside parsing them.
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
        // A report's JSON is made of what was found beforehand, and written of what was made.
        let reports = pages.map(Self.report)
        let documents = reports.map(\.json)
        var subjects = Self.parts.map { part in
            Comparison.Subject(part.name) {
                for page in pages { Comparison.keep(part.count(ParsedPage(treeOf: page))) }
            }
        }
        subjects.append(
            .init("making JSON") { for report in reports { Comparison.keep(Self.members(of: report.json)) } }
        )
        subjects.append(
            .init("writing JSON") { for json in documents { Comparison.keep(json.serialized().count) } }
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
                    Comparison.keep(Self.report(ParsedPage(treeOf: page)).json.serialized().count)
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

    /// What `webinspect SOURCE` says of a page.
    static func report(_ page: ParsedPage) -> PageReport {
        PageReport(
            page,
            source: "page.html",
            links: page.links,
            parts: PageParts(page)
        )
    }

    private static func members(of value: JSONValue) -> Int {
        guard case .object(let members) = value else { return 0 }
        return members.count
    }
}
