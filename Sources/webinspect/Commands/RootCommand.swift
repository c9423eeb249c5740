import ArgumentParser
import WebLoader

/// `webinspect`: the root of all commands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webinspect",
        abstract: "Load, cache and analyse web pages, offline too.",
        discussion: """
            Examples:
              webinspect https://example.com/                # what is on the page
              webinspect https://example.com/ --cache-only   # without the network
              webinspect page.html --base-url https://example.com/ --json
              webinspect fetch https://example.com/ --json   # one response
              webinspect select h1 https://example.com/      # what a selector matches
              webinspect extract -r article.yaml https://example.com/   # by a recipe
              webinspect links https://example.com/ --unique   # every link, absolute
              webinspect select title --from site.wacz --all   # of each page
            """,
        version: WebLoaderVersion.current,
        subcommands: [
            InspectCommand.self, FetchCommand.self, LinksCommand.self, ResolveCommand.self,
            SelectCommand.self, TextCommand.self, TablesCommand.self, ExtractCommand.self,
            RulesCommand.self, ReportCommand.self, CacheCommand.self, HistoryCommand.self,
            ArchiveCommand.self,
            CheckCommand.self, CrawlCommand.self, SaveCommand.self, MirrorCommand.self, BatchCommand.self,
            PipeCommand.self, SessionCommand.self, DiffCommand.self, WatchCommand.self, RobotsCommand.self,
            SitemapCommand.self, ServeCommand.self, ServeReaderCommand.self, SchemaCommand.self,
            DoctorCommand.self,
        ],
        defaultSubcommand: InspectCommand.self
    )

    /// The commands that the first word may be, besides a source.
    static let subcommandNames = [
        "url", "fetch", "links", "resolve", "select", "text", "tables", "extract", "rules", "report", "cache",
        "history", "archive", "check", "crawl", "save", "mirror", "batch", "pipe", "session", "diff", "watch",
        "robots", "sitemap", "serve", "serve-reader", "schema", "doctor", "help",
    ]
}
