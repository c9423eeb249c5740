import ArgumentParser
import WebCopy
import WebSite

/// `webinspect mirror SEED… -o FOLDER`: a site in a folder, to browse without the network.
struct MirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Copy a site into a folder, to browse it offline.",
        discussion: """
            FOLDER must not be there, be empty, or be one of mirror's. Its index.html leads in: it lists what is there, and what is \
            missing and why. The pages of the seeds' hosts are copied, and what they show from anywhere; links between them lead to \
            files, all others to the web. Scripts stay out unless --scripts is given; with --render pages are as they make them. In FOLDER/.mirror is what is done and what is \
            left: the same command goes on where it was ended, and --update asks for what has changed since all was done. \
            robots.txt is obeyed. Exit status 0: all is there; 1: something is missing; 3: no seed answered; 6: a limit was \
            reached, and what there is was copied; 8: the folder is somebody else's, or the disk is full; 130: interrupted.

            Examples:
              webinspect mirror https://example.com/ -o example
              webinspect mirror https://example.com/docs/ --scope prefix -o manual
              webinspect mirror https://example.com/ -o example --update --json
              webinspect mirror https://example.com/app/ -o app --render
            """
    )

    @Argument(help: ArgumentHelp("URLs to begin with, or paths.", valueName: "seed"))
    var seeds: [String] = []

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("The folder.", valueName: "folder")
    )
    var output: String

    @Flag(help: "Of a copy that is whole, ask for what has changed, and remove what is gone.")
    var update = false

    @Flag(help: "Keep scripts, event handlers and javascript: links.")
    var scripts = false

    @Flag(help: "Show images that scripts would load later, from data-src and the like.")
    var lazy = false

    @Option(
        help: ArgumentHelp(
            "Pixels of an image for one of the page's, at most, of a srcset (2).",
            valueName: "n"
        )
    )
    var maxDensity: String?

    @Option(help: ArgumentHelp("Files, with what pages show (any number).", valueName: "n"))
    var maxFiles: String?

    @Flag(help: "Ask again for what failed.")
    var retryFailed = false

    @Flag(help: "Write what there is and what is missing as JSON.")
    var json = false

    @OptionGroup var reach: CrawlReachArguments
    @OptionGroup var bounds: CrawlBoundsArguments
    @OptionGroup var shared: SiteArguments

    func run() async throws {
        let line = try shared.options()
        if scripts {
            try line.loading.rendering.refuse(
                "not with --scripts: they would run again on what they have made"
            )
        }
        let run = try MirrorRun(self, line)
        let status = try await run.run()
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
