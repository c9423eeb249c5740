import ArgumentParser
import WebLoader

/// `webinspect cache ls [PATTERN]`: lists entries.
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List what is stored: whether it is fresh, its age, its size, its URL.",
        discussion: """
            Exit status 1: nothing is listed.

            Examples:
              webinspect cache ls
              webinspect cache ls 'https://example.com/*' --json
            """
    )

    @Argument(help: ArgumentHelp("A URL, or a pattern with \"*\".", valueName: "pattern"))
    var pattern: String?

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        var entries: [CacheEntry] = []
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            try browser.forEach(matching: pattern.map { URLPattern($0) }) { finding in
                if case .entry(let entry) = finding { entries.append(entry) }
            }
        } catch {
            throw Failure(error)
        }
        entries.sort { ($0.url, $0.path) < ($1.url, $1.path) }
        let now = Timestamp.now
        let document: JSONValue = [
            "schema": .integer(CacheReport.schema),
            "entries": .array(entries.map { CacheReport.json($0, now) }),
        ]
        let terminal = Terminal.at(1)
        try cache.write(document, text: entries.map { CacheReport.line($0, now, terminal) }.joined())
        if entries.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
