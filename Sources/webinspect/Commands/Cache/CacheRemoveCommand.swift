import ArgumentParser
import WebLoader

/// `webinspect cache rm PATTERN`: removes entries.
struct CacheRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove what is stored for a URL or a pattern.",
        discussion: """
            All variants are removed. Exit status 1: nothing matches.

            Examples:
              webinspect cache rm https://example.com/
              webinspect cache rm 'https://example.com/*'
              webinspect cache rm '*'   # empties the cache
            """
    )

    @Argument(help: ArgumentHelp("A URL, or a pattern with \"*\".", valueName: "pattern"))
    var pattern: String

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        let count: Int
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            count = try browser.remove(matching: URLPattern(pattern))
        } catch {
            throw Failure(error)
        }
        let document: JSONValue = ["schema": .integer(CacheReport.schema), "removed": .integer(Int64(count))]
        try cache.write(document, text: "\(count) removed\n")
        if count == 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
