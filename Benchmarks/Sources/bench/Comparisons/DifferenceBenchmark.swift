import ArgumentParser
import WebDifference
import WebLoader

/// Compares two pages, beside parsing both.
struct DifferenceBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "difference",
        abstract: "What differs between two pages, beside parsing both."
    )

    @Option(help: "The case's name.")
    var name: String

    @Option(help: "How many rounds.")
    var rounds = 11

    @Argument(help: "The old page's file.")
    var old: String

    @Argument(help: "The new page's file.")
    var new: String

    func run() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let loader = PageLoader(configuration: configuration)
        let first = try await loader.load(WebRequest(url: WebURL(filePath: old))).parsed()
        let second = try await loader.load(WebRequest(url: WebURL(filePath: new))).parsed()
        try await Comparison(benchmark: "diff", name: name, unit: "pair", rounds: rounds).run([
            Comparison.Subject("WebDifference") {
                Comparison.keep(try PageDifference(from: first, to: second).changes.count)
            },
            Comparison.Subject("WebDifference, with parsing both") {
                let (one, other) = (
                    try ParsedPage(again: first.facts), try ParsedPage(again: second.facts)
                )
                Comparison.keep(try PageDifference(from: one, to: other).changes.count)
            },
            Comparison.Subject("parsing both, alone") {
                let (one, other) = (
                    try ParsedPage(again: first.facts), try ParsedPage(again: second.facts)
                )
                Comparison.keep(one.document == nil || other.document == nil ? 0 : 1)
            },
        ])
    }
}
