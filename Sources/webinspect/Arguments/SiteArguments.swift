import ArgumentParser
import WebLoader

/// The flags of every command that loads many pages: check, crawl, batch, pipe.
struct SiteArguments: FlagGroup {
    static let flags =
        CommandFlag.manyLoads + CommandFlag.archives + CommandFlag.content + CommandFlag.rendering
        + CommandFlag.site
    var given = GivenFlags(flags)

    /// The options of a line.
    func options(and others: [GivenFlags] = []) throws(Failure) -> LineOptions {
        try LineOptions([], [given] + others)
    }
}

extension CommandFlag {
    /// The flags of loading and connecting that mean the same for many pages as for one.
    static let manyLoads = (loading + connection).filter { flag in
        ![
            "--json", "--max-time", "--no-location", "--fail", "--explain", "--output", "--retry",
            "--retry-max-time",
        ]
        .contains(where: flag.isNamed)
    }

    /// The flags about how much is asked of whom.
    static let site: [CommandFlag] = [
        .value(
            "--contact",
            value: "url",
            help:
                "Who loads, for those who ask: a page or a mail address, behind the User-Agent's name as (+url)."
        ) { $0.loading.userAgent = "\($0.loading.userAgent ?? CurlFetcher.userAgent) (+\($1))" },
        .value("--jobs", value: "n", help: "Loads at once, of all hosts (16).") {
            (line, text) throws(Failure) in
            line.site.jobs = min(try LoadingOptions.count("--jobs", text), SiteOptions.largestJobs)
        },
        .value(
            "--per-host",
            value: "n",
            help: "Loads at once of a host (2; of this machine's own 3, for check 8)."
        ) { (line, text) throws(Failure) in
            line.site.loadsPerHost = min(
                try LoadingOptions.count("--per-host", text),
                SiteOptions.largestJobs
            )
        },
        .value(
            "--rate",
            value: "n/s",
            help:
                "Loads a second of a host, as in 2/s, 30/m or 0.5 (1/s; of this machine's own as many as can be).",
            read: SiteOptions.rate
        ) { $0.site.rate = $1 },
        .value("--retry", value: "n", help: "Retries after a failure that may be temporary (2).") {
            (line, text) throws(Failure) in
            line.site.retries = try LoadingOptions.count("--retry", text, least: 0)
        },
        .value(
            "--max-time",
            value: "s",
            help: "Seconds after which nothing new is begun; what is left is kept (no limit).",
            read: LoadingOptions.seconds
        ) { $0.site.maximumTime = $1 },
        .value(
            "--page-time",
            value: "s",
            help: "Maximum seconds for one load (60).",
            read: LoadingOptions.seconds
        ) { $0.site.pageTime = $1 },
        .value(
            "--progress",
            value: "form",
            help: "How far it is, on stderr: text (on a terminal only), json (a line a second), none.",
            choices: { ProgressForm.allCases.map(\.rawValue) },
            read: ProgressForm.named
        ) {
            $0.site.progress = $1
            $0.loading.countsBytes = $1 == .json
        },
    ]
}
