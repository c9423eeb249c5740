import ArgumentParser
import WebLoader

/// `webinspect cache`: inspects and maintains the cache.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "List, check and remove what is stored in the cache.",
        discussion: """
            A PATTERN is a URL, or many with "*" for any run of characters: 'https://example.com/*'.

            Examples:
              webinspect cache ls 'https://example.com/*'
              webinspect cache show https://example.com/
              webinspect cache gc --max-size 200M
            """,
        subcommands: [
            CacheListCommand.self, CacheShowCommand.self, CacheRemoveCommand.self, CacheTrimCommand.self,
            CacheVerifyCommand.self, CacheStatisticsCommand.self, CacheImportCommand.self,
        ]
    )
}

/// The flags of every command about the cache.
struct CacheArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    @Flag(help: "Write one JSON document.")
    var json = false

    /// The cache of the flags.
    func browser() throws(Failure) -> CacheBrowser {
        guard let directory = cacheDir ?? CacheDirectory.standard(named: "webinspect") else {
            throw Failure(
                usage: "--cache-dir",
                "is missing, and neither $XDG_CACHE_HOME nor $HOME is set"
            )
        }
        return CacheBrowser(directory: directory)
    }

    /// Writes a document, or text, as the flags say.
    func write(_ document: JSONValue, text: String) throws(Failure) {
        try Output.write(json ? document.line : Array(text.utf8))
    }
}

extension Failure {
    init(_ failure: CacheBrowser.Failure) {
        self.init(subject: failure.path, failure.reason, code: "file.unreadable", status: .file)
    }

    /// A URL for which the cache has nothing to show.
    init(notCached url: String, _ reason: String) {
        self.init(subject: url, reason, code: "cache.miss", status: .cacheMiss)
    }
}
