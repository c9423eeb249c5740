import ArgumentParser
import WebLoader

/// `webinspect serve-reader`: answers what `webinspect-server` asks of kept pages, a line each, in a process of its own.
///
/// It is for the server alone: nobody types it.
struct ServeReaderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-reader",
        abstract: "Answer what webinspect-server asks of kept pages.",
        discussion: """
            Requests are lines of JSON on standard input, answers are frames on standard output. It ends with its input, and when \
            nobody reads its output.

            Examples:
              webinspect serve-reader --cache-dir site-cache < /dev/null
            """,
        shouldDisplay: false
    )

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    func run() async throws {
        try await answer()
    }

    private func answer() async throws(Failure) {
        guard let directory = cacheDir ?? CacheDirectory.standard(named: "webinspect") else {
            throw Failure(usage: "--cache-dir", "is missing, and neither $XDG_CACHE_HOME nor $HOME is set")
        }
        let reader = Reader(directory: directory)
        let lines = StandardInputLines(maximumLength: ReaderRequest.maximumLength)
        while let some = try await lines.next() {
            for line in some where line.length > 0 { await reader.answer(line: line.line) }
        }
    }
}
