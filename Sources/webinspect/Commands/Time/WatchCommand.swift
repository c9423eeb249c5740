import ArgumentParser
import WebLoader

/// `webinspect watch LIST`: loads pages again, and reports what has changed.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Look at pages again, and tell what has changed.",
        discussion: """
            LIST is YAML: a list of pages, each a URL, or "url" with what of it counts ("select", a "recipe" or its "fields"), what does \
            not ("ignore", "ignore_attributes", "ignore_text", "visible", "only") and conditions ("when": "price < 20", {text: in \
            stock}, {no_text: sold out}); see docs/time.md. Each page is asked for once, and a line says what happened: new, same, \
            changed, empty, error, drift. Empty pages, error pages and what a recipe's assertions refuse are no changes.

            Run it from cron or a systemd timer, or with --every. What was seen is kept in LIST.state; kill -9 and several \
            processes at once do no harm. What changed, and a condition that begins to hold, is told at least once: to --run and \
            --webhook again in the next run if it failed. A program gets the JSON on standard input; nothing from a page is ever in its \
            command line.

            Exit status 0: nothing changed; 1: something did, or a condition holds; otherwise why the first page that could not \
            be seen was not: 3 the network, 4 an HTTP status, 6 a limit, 7 nothing on it, 8 a file; 130: interrupted.

            Examples:
              webinspect watch pages.yaml
              webinspect watch pages.yaml --jsonl --keep-history --cache-dir cache
              webinspect watch pages.yaml --run 'tee -a changes.jsonl'
              webinspect watch pages.yaml --rate 30/m --state seen
              webinspect watch pages.yaml --render --wait-for .price
            """
    )

    @Argument(help: ArgumentHelp("A YAML file.", valueName: "list"))
    var list: String

    @Option(help: ArgumentHelp("Run again and again, so far apart, as in 30s, 10m, 1h.", valueName: "time"))
    var every: String?

    @Flag(help: "Write a JSON object a line for each page.")
    var jsonl = false

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "A program that gets each change as JSON on standard input, where the list names none.",
            valueName: "command"
        )
    )
    var command: String?

    @Option(
        help: ArgumentHelp(
            "A URL that each change is POSTed to, where the list names none.",
            valueName: "url"
        )
    )
    var webhook: String?

    @Flag(help: "Webhooks may be at addresses that are not public: of this machine, of its network.")
    var localWebhook = false

    @Flag(help: "Ask hosts for robots.txt, and leave out what it does not allow.")
    var robots = false

    @Option(help: ArgumentHelp("The folder of what was seen (LIST.state).", valueName: "folder"))
    var state: String?

    @OptionGroup var shared: SiteArguments

    func run() async throws {
        var line = try shared.options()
        line.loading.acceptsPresumedFreshness = false
        let status = try await WatchRun(self, line).run()
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
