import ArgumentParser
import WebLoader

/// `webinspect cache gc`: removes leftover files, and trims the cache to a size.
struct CacheTrimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Remove leftover temporary files, then the least recently used entries.",
        discussion: """
            Above the limit, entries are removed until nine tenths of it remain. Loads also do this automatically.

            Examples:
              webinspect cache gc
              webinspect cache gc --max-size 200M
            """
    )

    @Option(help: ArgumentHelp("Maximum size of the cache (1G).", valueName: "bytes"))
    var maxSize: String?

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        let limit = try maxSize.map { (text) throws(Failure) in try LoadingOptions.size(text) } ?? 1 << 30
        let report: CacheTrimReport
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            report = try browser.trim(to: limit)
        } catch {
            throw Failure(error)
        }
        let document: JSONValue = [
            "schema": .integer(CacheReport.schema), "urls": .integer(Int64(report.entries)),
            "bytes": .integer(Int64(report.bytes)), "removed": .integer(Int64(report.removedEntries)),
            "removed_bytes": .integer(Int64(report.removedBytes)),
            "swept_files": .integer(Int64(report.sweptFiles)),
            "swept_bytes": .integer(Int64(report.sweptBytes)),
        ]
        let text = """
            \(report.removedEntries) removed (\(TerminalText.bytes(report.removedBytes))), \
            \(report.sweptFiles) temporary files removed (\(TerminalText.bytes(report.sweptBytes))); \
            \(report.entries) URLs remain (\(TerminalText.bytes(report.bytes)))

            """
        try cache.write(document, text: text)
    }
}
