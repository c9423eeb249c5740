import ArgumentParser
import WebLoader

/// Extracts the main text of real pages, starting from their bytes.
struct TextBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "The main text of pages, parsing and all, beside the parse alone."
    )

    @OptionGroup var pages: PageFolder

    @Option(help: "How many rounds.")
    var rounds = 21

    func run() async throws {
        let pages = try await pages.load()
        func subject(_ name: String, _ work: @escaping (ParsedPage) -> Int) -> Comparison.Subject {
            Comparison.Subject(name) {
                for page in pages { Comparison.keep(work(try ParsedPage(again: page.facts))) }
            }
        }
        try await Comparison(
            benchmark: "text",
            name: "bytes to main text",
            unit: "page",
            items: pages.count,
            rounds: rounds
        ).run([
            subject("WebLoader") { $0.readablePart(isWhole: false)?.text.count ?? 0 },
            subject("WebLoader, as Markdown") { $0.readablePart(isWhole: false)?.markdown.count ?? 0 },
            subject("WebLoader, the parse alone") { $0.document == nil ? 0 : 1 },
        ])
    }
}
