import ArgumentParser
import WebLoader

/// The flags of `check` alone.
struct CheckArguments: ParsableArguments {
    @Flag(help: "Read the pages that links of the seeds' hosts lead to, and style sheets.")
    var recursive = false

    @Option(help: ArgumentHelp("With --recursive: links from a seed, at most (no limit).", valueName: "n"))
    var depth: String?

    @Option(help: ArgumentHelp("With --recursive: pages that are read, at most (no limit).", valueName: "n"))
    var maxPages: String?

    @Option(
        help: ArgumentHelp(
            "Ask only for URLs that match, as in '*/docs/*'; may be repeated.",
            valueName: "glob"
        )
    )
    var include: [String] = []

    @Option(help: ArgumentHelp("Do not ask for URLs that match; may be repeated.", valueName: "glob"))
    var exclude: [String] = []

    @Flag(inversion: .prefixedNo, help: "Ask for URLs of other hosts (they are never read as pages).")
    var external = true

    @Flag(inversion: .prefixedNo, help: "Look for what fragments name.")
    var fragments = true

    @Flag(inversion: .prefixedNo, help: "Keep the rules of robots.txt, with --recursive and --sitemap.")
    var robots = true

    @Option(
        help: ArgumentHelp(
            "Read the pages of a sitemap too: of this one, or with --sitemap alone (or auto) of those that the site names.",
            valueName: "url"
        )
    )
    var sitemap: [String] = []

    @Option(
        help: ArgumentHelp("Read URLs from a file, one a line; \"-\" for standard input.", valueName: "file")
    )
    var list: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep the state here, and go on if there is one: each life's lines count.",
            valueName: "file"
        )
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "JSON lines of a former check: only what is broken now and was not fails.",
            valueName: "file"
        )
    )
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Take what was ok within so long from former checks, as in 1d, 12h, 30m; errors are never kept.",
            valueName: "time"
        )
    )
    var cacheResults: String?

    @Option(
        help: ArgumentHelp(
            "What fails: broken (always), unknown, moved, text (the words of #:~:text= are gone); may be repeated.",
            valueName: "what"
        ),
        completion: .list(["unknown", "moved", "text"])
    )
    var failOn: [String] = []

    @Flag(help: "Sum up by what links lead to: how many links on how many pages, and the first of them.")
    var group = false

    @Option(
        help: "The output format: \(CheckReport.Format.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(CheckReport.Format.allCases.map(\.rawValue))
    )
    var format = CheckReport.Format.text.rawValue

    @Option(name: [.long, .customShort("o")], help: ArgumentHelp("Write to a file.", valueName: "file"))
    var output: String?
}
