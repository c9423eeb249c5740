import ArgumentParser
import WebLoader

/// `webinspect`: the root of all commands.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webinspect",
        abstract: "Load, cache and analyse web pages, offline too.",
        discussion: """
            Examples:
              webinspect https://example.com/               # what is on the page
              webinspect text page.html --base-url https://example.com/
              webinspect extract -r article.yaml https://example.com/ --json
            """,
        version: WebLoaderVersion.current,
        subcommands: [ServeReaderCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Look at a page",
                subcommands: [
                    InspectCommand.self, TextCommand.self, LinksCommand.self, TablesCommand.self,
                    ReportCommand.self, FetchCommand.self,
                ]
            ),
            CommandGroup(
                name: "Take it apart",
                subcommands: [
                    SelectCommand.self, ExtractCommand.self, RulesCommand.self, ResolveCommand.self,
                ]
            ),
            CommandGroup(
                name: "Keep it",
                subcommands: [
                    SaveCommand.self, CacheCommand.self, ArchiveCommand.self, SessionCommand.self,
                    ServeCommand.self,
                ]
            ),
            CommandGroup(
                name: "Whole sites, many pages",
                subcommands: [
                    CheckCommand.self, CrawlCommand.self, MirrorCommand.self, BatchCommand.self,
                    PipeCommand.self, RobotsCommand.self, SitemapCommand.self,
                ]
            ),
            CommandGroup(
                name: "Over time",
                subcommands: [DiffCommand.self, WatchCommand.self, HistoryCommand.self]
            ),
            CommandGroup(name: "Help", subcommands: [DoctorCommand.self, SchemaCommand.self]),
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
