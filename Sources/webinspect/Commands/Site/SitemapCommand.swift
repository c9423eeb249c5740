import ArgumentParser
import WebLoader
import WebSite

/// `webinspect sitemap SOURCE…`: the URLs that sitemaps list.
struct SitemapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sitemap",
        abstract: "List the URLs of sitemaps, and of the sitemaps that an index names.",
        discussion: """
            SOURCE is the URL of a sitemap or a path (XML, text, RSS, Atom, packed by gzip or not), "-" for standard input, or \
            the URL of a site ("https://example.com/"), whose robots.txt says where its sitemaps are, else /sitemap.xml. Each \
            is read once, as it arrives; what is wrong with it is a warning.

            Exit status 1: no URL is listed; 3: a sitemap cannot be loaded; 6: a limit was reached; 7: a file is no sitemap.

            Examples:
              webinspect sitemap https://example.com/
              webinspect sitemap https://example.com/sitemap.xml --jsonl
              webinspect sitemap sitemap.xml --max-urls 100
            """
    )

    @Argument(help: ArgumentHelp("URLs, paths, or \"-\".", valueName: "source"))
    var sources: [String]

    @Flag(help: "Write one JSON document per line for each URL.")
    var jsonl = false

    @Flag(
        name: .customLong("no-follow"),
        help: "List the sitemaps that an index names in place of reading them."
    )
    var listsIndexes = false

    @Flag(help: "With --json and --jsonl, list the images of a page too.")
    var images = false

    @Option(help: ArgumentHelp("The indexes that may lead to a sitemap (10).", valueName: "n"))
    var depth: String?

    @Option(help: ArgumentHelp("The sitemaps that are read, at most (50000).", valueName: "n"))
    var maxSitemaps: String?

    @Option(help: ArgumentHelp("The URLs that are listed, at most.", valueName: "n"))
    var maxUrls: String?

    @OptionGroup var loading: LoadingArguments

    func run() async throws {
        var options = try loading.options()
        if jsonl, options.json { throw Failure(usage: "--jsonl", "not together with --json") }
        let maximumDepth = try depth.map { try LoadingOptions.count("--depth", $0, least: 0) } ?? 10
        let maximumSitemaps =
            try maxSitemaps.map { try LoadingOptions.count("--max-sitemaps", $0) } ?? 50_000
        let maximumURLs = try maxUrls.map { try LoadingOptions.count("--max-urls", $0) }
        guard sources.count(where: { $0 == "-" }) < 2 else {
            throw Failure(usage: "-", "standard input can be read once")
        }
        // The protocol's limit applies; entries before it are listed.
        options.maximumFileSize = options.maximumFileSize ?? .largestBounded
        if sources.count == 1 { options.startClock(sources[0]) }
        let loader = try options.loader()
        var template: WebRequest?
        var seeds: [WebURL] = []
        var sites: [WebURL] = []
        for name in sources {
            let url = try url(of: name, options)
            sites.append(url)
            let request = try options.request(for: url)
            template = template ?? request
            seeds += await Self.sitemaps(of: url, loader, request)
        }
        let entries = loader.sitemapEntries(
            of: seeds,
            template: template,
            sites: sites,
            includesImages: images,
            followsIndexes: !listsIndexes,
            maximumDepth: maximumDepth,
            maximumCount: maximumSitemaps
        )
        var list = SitemapList(
            form: options.json ? .json : jsonl ? .jsonl : .text,
            output: try SiteOutput(options.output),
            options: options,
            maximumCount: maximumURLs
        )
        for await found in entries {
            guard try list.add(found) else { break }
        }
        let status = try list.finish()
        try options.connection.save(loader.configuration.cookieJar)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func url(of name: String, _ options: LoadingOptions) throws(Failure) -> WebURL {
        switch try Source(name, options) {
        case .url(let url): url
        case .standardInput: try Source.parse("file:///dev/stdin")
        }
    }

    /// The sitemaps that a source means: it is one, or the URL of a site that has some.
    private static func sitemaps(
        of url: WebURL,
        _ loader: PageLoader,
        _ template: WebRequest
    ) async -> [WebURL] {
        guard url.scheme == "http" || url.scheme == "https", url.path == "/", url.query == nil else {
            return [url]
        }
        return await loader.sitemaps(ofSite: url, template: template)
    }
}
