import ArgumentParser
import WebLoader
import WebSite

/// The state of a job with many URLs: filled, worked on, or reopened.
struct FrontierBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frontier",
        abstract: "The state of a job of many URLs: filled, worked on, or opened again."
    )

    /// The measured step.
    enum Step: String, ExpressibleByArgument, CaseIterable {
        /// URLs are added, and the job is closed.
        case fill
        /// All URLs are leased and finished, with one line each.
        case work
        /// The job is opened, and one URL is leased.
        case open
    }

    @Argument(help: "fill, work or open.")
    var step: Step

    @Argument(help: "The folder of the job.")
    var folder: String

    @Option(help: "URLs.")
    var urls = 1_000_000

    @Option(help: "Hosts that they are of.")
    var hosts = 1_000

    func run() async throws {
        var options = Frontier.Options()
        options.politeness = .local(concurrency: 64)
        options.politeness.startsAlone = false
        options.outputs = ["\(folder)/out.jsonl"]
        let frontier = try Frontier("\(folder)/job.state", options, now: .now)
        switch step {
        case .fill: try frontier.add((0..<urls).lazy.map(url), now: .now)
        case .work: try work(frontier)
        case .open: Comparison.keep(try frontier.lease(1, now: .now).count)
        }
        try frontier.close()
    }

    /// A URL of about a hundred bytes.
    private func url(_ number: Int) -> FrontierURL {
        let host = "www.host-number-\(number % hosts).example.com"
        let path = "articles/2026/section-\(number % 97)/some-page-title-\(number).html?ref=list"
        return FrontierURL(serialized: "https://\(host)/\(path)", host: host, depth: 1)
    }

    private func work(_ frontier: Frontier) throws {
        while !frontier.counts.isComplete {
            for lease in try frontier.lease(64, now: .now) {
                let line = Array("{\"url\":\"\(lease.url)\"}\n".utf8)
                try frontier.finish(lease, .done, signal: .answered, output: line, now: .now)
            }
        }
    }
}
