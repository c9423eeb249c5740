import ArgumentParser
import WebLoader
import WebSite

/// `webinspect crawl SEED… -o OUT`: loads a site, and keeps it in an archive.
struct CrawlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crawl",
        abstract: "Load a site into an archive, past kill -9 and full disks.",
        discussion: """
            OUT is a WARC (.warc, .warc.gz, .warc.zst), a WACZ, which is packed at the end, or a folder that becomes a cache. Beside \
            it, in OUT.state, is what is done and what is left: the same command goes on where it was ended, and does nothing once \
            all is done. robots.txt is obeyed. Exit status 0: all is done; 1: nothing was loaded; 3: no seed answered; 6: a limit \
            was reached; 8: the disk is full; 130: interrupted.

            Examples:
              webinspect crawl https://example.com/ -o example.warc.gz
              webinspect crawl https://example.com/docs/ --scope prefix -o docs.wacz
              webinspect crawl https://example.com/ --sitemap --rate 2/s -o a.warc.gz
              webinspect crawl --status -o example.warc.gz
            """
    )

    @Argument(help: ArgumentHelp("URLs to begin with, or paths.", valueName: "seed"))
    var seeds: [String] = []

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("The archive, or the folder of a cache.", valueName: "out")
    )
    var output: String

    @OptionGroup var reach: CrawlReachArguments
    @OptionGroup var bounds: CrawlBoundsArguments

    @Option(
        help: ArgumentHelp(
            "Bytes of a WARC after which the next one is begun, as in 1G (one file).",
            valueName: "size"
        )
    )
    var warcSize: String?

    @Flag(help: "Write a JSON object a line for each page to stdout.")
    var jsonl = false

    @OptionGroup var job: CrawlJobArguments
    @OptionGroup var shared: SiteArguments

    func run() async throws {
        let options = try shared.options()
        let place = try CrawlPlace(output, state: job.state)
        if job.salvage { return try JobState.salvage(place.state, rows: "URLs") }
        if job.status { return try JobState(place.state, of: "crawl").write(isJSON: job.json) }
        let run = try CrawlRun(self, options, place)
        let status = try await run.run()
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

/// The flags about the job of a crawl.
struct CrawlJobArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Where what is done and what is left is kept (OUT.state).", valueName: "file"))
    var state: String?

    @Flag(help: "Say how far it is, and load nothing.")
    var status = false

    @Flag(help: "With --status, write JSON.")
    var json = false

    @Flag(help: "Ask again for what failed.")
    var retryFailed = false

    @Flag(help: "Of a damaged state, keep what can be read, and load nothing.")
    var salvage = false
}
